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
    const state: CompletionCallbackState = { ownerInstanceId: owner.id, childNodeId: node.nodeId, methodName };
    // A member without a value takes a note in what is stored, which is read with each burst.
    if (childId !== undefined) state.childInstanceId = childId;
    if (tag !== undefined) state.tag = tag;
    this.all.push(state);
  }
}
