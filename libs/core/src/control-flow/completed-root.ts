import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import { Outcomes } from '../state/outcomes.js';

/** Property of a composite whose inner activity has completed, while an output could not be set. */
const ROOT_COMPLETED = 'RootCompleted';

/**
 * Sets the outputs of a composite and completes it. Where a variable does not take its value, the composite fails, and notes that all in it is
 * done: a retry sets the outputs again, and does not run its steps a second time.
 */
export function completeRoot(ctx: ActivityExecutionContext, result: unknown, setOutputs: () => void): unknown {
  try {
    setOutputs();
  } catch (error) {
    ctx.properties[ROOT_COMPLETED] = result instanceof Outcomes ? { outcomes: [...result.names] } : {};
    throw error;
  }
  forgetRoot(ctx);
  return ctx.complete(result);
}

/** What the inner activity has completed with, where only the outputs remain to be set. */
export function completedRoot({ existingProperties }: ActivityExecutionContext): { result: unknown } | undefined {
  const noted = existingProperties?.[ROOT_COMPLETED] as { outcomes?: string[] } | undefined;
  return noted && { result: noted.outcomes && new Outcomes(...noted.outcomes) };
}

/** The next attempt runs all of it. */
export function forgetRoot(ctx: ActivityExecutionContext): void {
  if (ctx.existingProperties?.[ROOT_COMPLETED] !== undefined) delete ctx.properties[ROOT_COMPLETED];
}
