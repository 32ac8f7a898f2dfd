import type { ActivityExecutionContext } from './activity-execution-context.js';
import { inputsToKeep } from './extract-parts.js';
import type { VariableSlot } from '../graph/variable.js';
import type { WorkflowExecutionContext } from './workflow-execution-context.js';

/**
 * Between two resumes of one burst: brings what the first of them touched to where a stored state would have brought it. What
 * follows must not depend on whether both were stored one after the other or at once.
 *
 * Touched is what was resumed, what it is part of, and what began since. To look at all executions instead would make many
 * resumes of many branches quadratic.
 */
export function settleStep(wec: WorkflowExecutionContext): void {
  const { ctx: resumed, since = 0 } = wec.resumed ?? {};
  const touched: ActivityExecutionContext[] = [];
  for (let ctx = resumed; ctx; ctx = ctx.parent) if (wec.contexts.has(ctx)) touched.push(ctx);
  // New ones are the last of their parents, and found on the way.
  for (let i = 0; i < touched.length; i++)
    for (let child = touched[i]!.activeChildren?.last; child && child.number > since; child = child.previousSibling)
      touched.push(child);
  for (const ctx of touched) bringBack(ctx);
  wec.lastResult = undefined;
}

function bringBack(ctx: ActivityExecutionContext): void {
  // Named by what was its burst until now.
  ctx.storedOrigin = ctx.origin;
  if (!ctx.isRestored) {
    ctx.activityState = inputsToKeep(ctx);
    ctx.activity = ctx.node.createActivity();
    ctx.isRestored = true;
  }
  if (ctx.activeChildren) ctx.activeChildren.outputs = undefined;
  if (ctx.slots) for (const slot of ctx.slots) bringBackSlot(slot);
}

/** As `restoreState` does. */
function bringBackSlot(slot: VariableSlot): void {
  const { variable, dynamic } = slot;
  if (variable.isPersisted) slot.value ??= null;
  else slot.value = dynamic ? null : variable.initial();
}
