import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';

const IS_BREAKING = 'IsBreaking';

/** A Break was reached below this activity. Kept in the properties: the activity may be suspended before it unwinds. */
export function isBreaking(ctx: ActivityExecutionContext): boolean {
  return ctx.properties[IS_BREAKING] === true;
}

export function markBreaking(ctx: ActivityExecutionContext): void {
  ctx.properties[IS_BREAKING] = true;
}
