import type { ActivityExecutionContext } from './activity-execution-context.js';
import { isWorthParts } from './in-parts.js';
import type { WorkflowExecutionContext } from './workflow-execution-context.js';

/**
 * Does what ends all that is within an execution. To end what is at rest restores it: ten thousand branches, each of which is read from
 * its text, kept all other requests of the process waiting. So they are restored part by part before.
 * @returns what the task returns; a promise only where there is much at rest
 */
export function afterRestoring<T>(ctx: ActivityExecutionContext, task: () => T): T | Promise<Awaited<T>> {
  const { contexts, engine } = ctx.workflow;
  const ids = isMuchAtRest(ctx.workflow) ? contexts.resting!.within(ctx.id) : undefined;
  if (!ids || !isWorthParts(ids.length)) return task();
  return contexts.resting!.wakeInParts(ids, async () => engine.yield?.()).then(task) as Promise<Awaited<T>>;
}

/** The same of what ends the instance, or has to see all of it. */
export function afterRestoringAll<T>(wec: WorkflowExecutionContext, task: () => T): T | Promise<Awaited<T>> {
  if (!isMuchAtRest(wec)) return task();
  const resting = wec.contexts.resting!;
  return resting.wakeInParts(resting.ids(), async () => wec.engine.yield?.()).then(task) as Promise<Awaited<T>>;
}

const isMuchAtRest = ({ contexts }: WorkflowExecutionContext): boolean =>
  contexts.resting !== undefined && isWorthParts(contexts.resting.count);
