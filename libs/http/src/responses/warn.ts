import type { ActivityExecutionContext } from '@waymark/core';

/** Tells the engine's log about something that is wrong but does not stop the workflow. */
export function warn(ctx: ActivityExecutionContext, message: string): void {
  ctx.workflow.engine.warn?.(`Activity '${ctx.node.nodeId}' of instance '${ctx.workflow.id}': ${message}`);
}
