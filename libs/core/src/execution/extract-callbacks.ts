import type { ActivityNode } from '../graph/activity-node.js';
import type { CompletionCallbackState } from '../state/workflow-state.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import type { CompletionCallback } from './work-item.js';

/** What is called when executions are completed: of those that run, and after them of those that are scheduled. */
export class Callbacks {
  readonly all: CompletionCallbackState[] = [];

  addOf(ctx: ActivityExecutionContext): void {
    if (!ctx.isFinal) this.add(ctx.parent, ctx.node, ctx.callback, ctx.id);
  }

  add(
    owner: ActivityExecutionContext | undefined,
    node: ActivityNode,
    callback: CompletionCallback | undefined,
    childId?: string,
  ): void {
    if (!owner || !callback) return;
    const { method: methodName, tag } = callback;
    this.all.push({ ownerInstanceId: owner.id, childNodeId: node.nodeId, childInstanceId: childId, methodName, tag });
  }
}
