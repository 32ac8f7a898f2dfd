import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import { isPromiseLike } from '../values/promise-like.js';

/** Property of a flowchart that has failed by itself, as where the mode of a join cannot be evaluated. */
export const REST = 'FlowRest';

/** What a flowchart had yet to do when it failed. Plain data, as it is stored. */
export interface FlowRest {
  /** An activity that has completed, whose outcomes were not followed at all. */
  left?: { readonly id: string; readonly outcomes: readonly (string | null)[] };
  /** Connections to be visited, by key. */
  visits: readonly { readonly key: string; readonly followed: boolean }[];
}

/** Follows connections. Where that fails, what is left of it is noted for a retry: at the start, all would run again. */
export function followOrNote(
  ctx: ActivityExecutionContext,
  flow: { rest(): FlowRest },
  follow: () => unknown,
): unknown {
  const note = (error: unknown): never => {
    ctx.properties[REST] = flow.rest();
    throw error;
  };
  try {
    const done = follow();
    return isPromiseLike(done) ? done.then(undefined, note) : done;
  } catch (error) {
    return note(error);
  }
}

/** It is handed out once. */
export function takeRest(ctx: ActivityExecutionContext): FlowRest | undefined {
  const rest = ctx.existingProperties?.[REST] as FlowRest | undefined;
  if (rest) delete ctx.properties[REST];
  return rest;
}
