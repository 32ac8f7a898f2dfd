import { handleRejection } from '../values/promise-like.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import { staysToCleanUp } from './clean-up.js';
import { isWorthParts } from '../values/in-parts.js';
import type { WorkflowExecutionContext } from './workflow-execution-context.js';

/*
 * To end what is at rest restores it: ten thousand branches, each of which is read from its text, kept all other requests of the process
 * waiting. So what ends them restores them part by part before (decision 96).
 */

/**
 * Does what ends all that is within an execution, after what is at rest there has been restored.
 * @returns what the task returns; a promise only where there is much at rest. The caller returns it to the engine
 */
export function afterRestoring<T>(ctx: ActivityExecutionContext, task: () => T): T | Promise<Awaited<T>> {
  const restored = restoredWithin(ctx);
  return restored ? (restored.then(task) as Promise<Awaited<T>>) : task();
}

/** The same of what ends the instance, or has to see all of it. */
export function afterRestoringAll<T>(wec: WorkflowExecutionContext, task: () => T): T | Promise<Awaited<T>> {
  const restored = restoredAll(wec);
  // What asks for it may not be waited for: a container that completes and does not say so, in whose parent a callback fails.
  return restored ? (inBurst(wec, restored, task) as Promise<Awaited<T>>) : task();
}

/**
 * Whether an execution that is to complete stays for now: for what cleans up in it, or until what is at rest within it is restored.
 * @returns false: it completes now; otherwise what `complete` returns
 */
export function staysAtEnd(ctx: ActivityExecutionContext, result: unknown): unknown {
  const restored = endsOthers(ctx) ? restoredWithin(ctx) : undefined;
  if (restored)
    return noteBusy(
      ctx,
      inBurst(ctx.workflow, restored, () => ctx.complete(result)),
    );
  return ctx.workflow.hasScopes && staysToCleanUp(ctx, result) ? undefined : false;
}

/** Ends what is within an execution, for a caller that need not know of the wait. @returns a promise only where there is one */
export function endWithin(ctx: ActivityExecutionContext, end: () => unknown): unknown {
  const restored = endsOthers(ctx) ? restoredWithin(ctx) : undefined;
  return restored ? noteBusy(ctx, inBurst(ctx.workflow, restored, end)) : end();
}

/** The same of what ends only the children: a container in which nothing is left, and that does nothing any more, completes then. */
export function endChildrenWithin(ctx: ActivityExecutionContext, end: () => void): unknown {
  const restored = endsOthers(ctx) ? restoredWithin(ctx) : undefined;
  if (!restored) return end();
  return inBurst(ctx.workflow, restored, () => {
    end();
    return busy.has(ctx) ? undefined : ctx.completeIfIdle();
  });
}

/** Executions at which a callback, the handler of a signal or an end is at work, by how many: what they do next is not known yet. */
const busy = new WeakMap<ActivityExecutionContext, number>();

/** Asked for only where something may have to be restored (`asksAtEnd`). */
export function noteBusy<T>(ctx: ActivityExecutionContext, work: Promise<T>): Promise<T> {
  busy.set(ctx, (busy.get(ctx) ?? 0) + 1);
  const over = (): void => {
    const others = busy.get(ctx)! - 1;
    if (others > 0) busy.set(ctx, others);
    else busy.delete(ctx);
  };
  work.then(over, over);
  return work;
}

/** Ends an instance from wherever it is asked for. @returns a promise only where something has to be restored before */
export function endAll(wec: WorkflowExecutionContext, end: () => unknown): unknown {
  // The burst may come to its end meanwhile. What is not restored while its state is taken is stored as it was.
  const restored = restoredAll(wec, () => wec.isRunning && !wec.isBeingTaken);
  return restored ? inBurst(wec, restored, end) : end();
}

const endsOthers = ({ activeChildren }: ActivityExecutionContext): boolean =>
  activeChildren !== undefined && activeChildren.size > 0;

function restoredWithin({ id, workflow }: ActivityExecutionContext): Promise<void> | undefined {
  const { resting } = workflow.contexts;
  if (!resting || !(resting.isBusy || isWorthParts(resting.count))) return undefined;
  const ids = resting.within(id);
  return isWorthParts(ids.length) || resting.isWaking(ids) ? wakeInParts(workflow, ids) : undefined;
}

function restoredAll(wec: WorkflowExecutionContext, goesOn?: () => boolean): Promise<void> | undefined {
  const { resting } = wec.contexts;
  if (!resting || !(isWorthParts(resting.count) || (resting.isBusy && resting.count > 0))) return undefined;
  return wakeInParts(wec, resting.ids(), goesOn);
}

const wakeInParts = (
  { contexts, engine }: WorkflowExecutionContext,
  ids: readonly string[],
  goesOn?: () => boolean,
): Promise<void> => contexts.resting!.wakeInParts(ids, async () => engine.yield?.(), goesOn);

/** Nothing else is executed before, also where the caller does not wait. */
function inBurst(wec: WorkflowExecutionContext, restored: Promise<void>, end: () => unknown): Promise<unknown> {
  const ended = restored.then(end);
  // A burst that is over waits for nothing any more.
  handleRejection(ended);
  return wec.track(ended);
}
