import type { ActivityExecutionContext } from './activity-execution-context.js';
import type { ActivityScope } from './activity-scope.js';
import { noteMember } from './note-member.js';
import { RECORDED_OUTPUTS } from './rare-context-parts.js';

/**
 * Notes again an output that was set before the activity waited, which no longer has it: for its record, and for expressions. The variable
 * that it is bound to got the value then, and may have another one since.
 */
export function recordOutput(ctx: ActivityExecutionContext, name: string, value: unknown): void {
  const key = ctx.node.outputName(name) ?? name;
  if (ctx.outputs !== undefined && Object.hasOwn(ctx.outputs, key)) return;
  noteMember((ctx.outputs ??= {}), key, value);
  ctx.forgetRecorded(RECORDED_OUTPUTS);
  const binding = ctx.node.outputs.get(key);
  const slot = binding && (ctx.expressionScope as ActivityScope).findById(binding.targetId);
  if (slot?.variable.isEncrypted) ctx.hide(key);
}
