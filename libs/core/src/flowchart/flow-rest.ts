import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import { isPromiseLike } from '../values/promise-like.js';
import { FlowScope } from './flow-scope.js';

/** Property of a flowchart that has failed by itself, as where the mode of a join cannot be evaluated. */
export const REST = 'FlowRest';

/** What a flowchart had yet to do when it failed. Plain data, as it is stored. */
export interface FlowRest {
  /** An activity that has completed, whose outcomes were not followed at all. */
  left?: { readonly id: string; readonly outcomes: readonly (string | null)[] };
  /** Connections to be visited, by key. */
  visits: readonly { readonly key: string; readonly followed: boolean }[];
  /** Number of the attempt that failed. */
  attempt?: number;
}

/** What is left to be done, as the ways of following connections know it. */
type Left = Omit<FlowRest, 'attempt'>;

/** Follows connections. Where that fails, what is left of it is noted for a retry: at the start, all would run again. */
export function followOrNote(ctx: ActivityExecutionContext, flow: { rest(): Left }, follow: () => unknown): unknown {
  const note = (error: unknown): never => {
    ctx.properties[REST] = { ...flow.rest(), attempt: ctx.attempt } satisfies FlowRest;
    throw error;
  };
  try {
    const done = follow();
    return isPromiseLike(done) ? done.then(undefined, note) : done;
  } catch (error) {
    return note(error);
  }
}

/**
 * It is handed out once, and not to an attempt of the retry policy: that has withdrawn the branches that still waited, without which the joins
 * would never run. Such an attempt begins at the start, where nothing has been visited yet.
 */
export function takeRest(ctx: ActivityExecutionContext): FlowRest | undefined {
  const rest = ctx.existingProperties?.[REST] as FlowRest | undefined;
  if (!rest) return undefined;
  delete ctx.properties[REST];
  const { attempt = ctx.attempt } = rest;
  // A repair by hand counts anew from the attempt that failed.
  const isRepaired = attempt === ctx.attempt || ctx.attemptsBefore >= attempt;
  if (isRepaired) return rest;
  new FlowScope(ctx).forgetVisits();
  return undefined;
}
