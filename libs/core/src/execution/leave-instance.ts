import { ActivityStatus, type WorkflowSubStatus } from '../state/workflow-state.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import { cancelOthers, failedCleaning, giveUp, goOnCleaning, settleSurvivors, staysWhenCancelled } from './clean-up.js';
import { ENTRIES, entriesOf, planUndo } from './compensation.js';
import type { WorkflowExecutionContext } from './workflow-execution-context.js';

/** Property of the root of an instance that is being left: as what it ends. */
const END = 'EndsAs';

/**
 * Leaves the scope of the instance: everything is cancelled, and what was done is undone. A fault is that only where there is
 * something to undo: otherwise the instance stays as it is, to be repaired.
 * @returns false: nothing is to be done before the instance ends
 */
export function leaveInstance(
  wec: WorkflowExecutionContext,
  end: typeof WorkflowSubStatus.Faulted | typeof WorkflowSubStatus.Cancelled,
): boolean {
  const root = wec.rootContext;
  if (root?.status !== ActivityStatus.Running) return false;
  const isFault = end === 'Faulted';
  // Whoever says it again does not stop what undoes, unless that is stuck.
  if (root.existingProperties?.[END] !== undefined) return !isFault && wec.faultedContexts().length === 0;
  const faulted = wec.faultedContexts();
  // It can be repaired, and goes on from there.
  if (isFault && faulted.some((ctx) => failedCleaning(ctx))) return false;
  if (isFault && !wec.survivors && !wec.contexts.values().some((ctx) => entriesOf(ctx).length > 0)) return false;
  for (const ctx of faulted) giveUp(ctx, root);
  cancelAround(wec, [root]);
  planUndo(root);
  root.properties[END] = end;
  if (goOnCleaning(root)) return true;
  delete root.properties[END];
  return false;
}

/** True from when it is cancelled, or has faulted, until all that it did is undone. */
export function isBeingLeft({ rootContext }: WorkflowExecutionContext): boolean {
  return rootContext?.status === ActivityStatus.Running && rootContext.existingProperties?.[END] !== undefined;
}

/** What cleaned up in the instance is done. @returns false: it is not being left */
export function endInstance(root: ActivityExecutionContext): boolean {
  const end = root.existingProperties?.[END] as 'Faulted' | 'Cancelled' | undefined;
  if (end === undefined) return false;
  delete root.properties[END];
  root.workflow.endAs(end);
  return true;
}

/**
 * Ends the instance well: what surrounds the activity that says so completes, others are cancelled, and what was done stays.
 * @param by the activity that says so
 * @param around from the inside out, the root last
 * @returns false: nothing cleans up
 */
export function finishScopes(
  wec: WorkflowExecutionContext,
  by: ActivityExecutionContext,
  around: readonly ActivityExecutionContext[],
): boolean {
  const root = around.at(-1);
  if (!root || root !== wec.rootContext) return false;
  cancelAround(wec, around);
  let inner = by;
  for (const ctx of around) {
    delete ctx.properties[ENTRIES];
    ctx.callback = undefined;
    // What cleans up and says so itself is done with it.
    const isDone = ctx === root || ctx.activity.isFailedBy?.(ctx, inner) === true;
    if (isDone || !staysWhenCancelled(ctx)) ctx.complete();
    inner = ctx;
  }
  return root.status === ActivityStatus.Running;
}

/** Cancels all but these and what cleans up in them. */
function cancelAround(wec: WorkflowExecutionContext, kept: readonly ActivityExecutionContext[]): void {
  const others = new Set(kept);
  for (const ctx of kept) {
    cancelOthers(ctx, others);
  }
  // Scheduled by one that had ended.
  for (const ctx of wec.contexts.values()) if (!ctx.parent && !others.has(ctx)) ctx.cancelNow({ notifyParent: false });
  settleSurvivors(wec);
}
