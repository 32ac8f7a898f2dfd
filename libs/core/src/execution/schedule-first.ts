import { WorkflowExecutionError } from '../errors/execution-errors.js';
import type { ActivityNode } from '../graph/activity-node.js';
import { isPromiseLike } from '../values/promise-like.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import type { ActivityHandle, BurstRequest } from './burst-request.js';
import { DYNAMIC_STORAGE, dynamicId, dynamicVariable } from './dynamic-variable.js';
import { executeAgain } from './execute-again.js';
import { ScheduleChildSignal } from './signals.js';
import type { WorkflowExecutionContext } from './workflow-execution-context.js';

/** Puts into the queue what the request asks for. @returns a promise when a container has to say something first */
export function scheduleFirst(wec: WorkflowExecutionContext, request: BurstRequest): unknown {
  if (request.bookmarkId !== undefined) return scheduleBookmark(wec, request.bookmarkId);
  if (request.activityHandle) return scheduleHandle(wec, request.activityHandle, request);
  scheduleInterrupted(wec);
  if (wec.queue.size > 0 || wec.rootContext) return undefined;
  wec.queue.add({
    node: wec.graph.root,
    variables: request.variables && rootVariables(request.variables),
    schedulingActivityExecutionId: request.schedulingActivityExecutionId,
    schedulingWorkflowInstanceId: request.schedulingWorkflowInstanceId,
    callStackDepth: request.callStackDepth,
  });
  return undefined;
}

/** Activities that were begun when their process died come before what was still queued. */
function scheduleInterrupted(wec: WorkflowExecutionContext): void {
  const interrupted = wec.contexts.values().filter((c) => c.isExecuting);
  if (interrupted.length === 0) return;
  const queued = wec.queue.list();
  wec.queue.clear();
  for (const ctx of interrupted) {
    ctx.attempt++;
    wec.queue.add({ node: ctx.node, owner: ctx.parent, existing: ctx });
  }
  for (const item of queued) wec.queue.push(item);
}

function scheduleBookmark(wec: WorkflowExecutionContext, bookmarkId: string): void {
  const bookmark = wec.bookmarks.get(bookmarkId);
  const ctx = bookmark && wec.contexts.get(bookmark.activityInstanceId);
  if (!bookmark || !ctx)
    throw new WorkflowExecutionError(
      'WM2021',
      `Workflow instance '${wec.id}' does not wait at bookmark '${bookmarkId}', or no longer does: another caller may have resumed it.`,
    );
  wec.resumed = { ctx, since: wec.activityExecutionCount };
  wec.queue.add({ node: ctx.node, existing: ctx, bookmark });
}

/** In a new instance the activity runs by itself, as its only execution; in a running one, within its container. */
function scheduleHandle(wec: WorkflowExecutionContext, handle: ActivityHandle, request: BurstRequest): unknown {
  if (handle.activityInstanceId !== undefined) {
    const ctx = wec.contexts.get(handle.activityInstanceId);
    if (!ctx)
      throw new WorkflowExecutionError(
        'WM2022',
        `Workflow instance '${wec.id}' has no running activity execution '${handle.activityInstanceId}'. It may have ended: check the id.`,
      );
    return executeAgain(ctx);
  }
  const node = findNode(wec, handle);
  const container = wec.contexts.values().find((c) => c.node === node.parent);
  if (container) return scheduleWithin(container, node);
  wec.queue.add({
    node,
    owner: wec.rootContext,
    variables: wec.rootContext ? undefined : request.variables && rootVariables(request.variables, wec.graph.root),
  });
  return undefined;
}

/** The container knows what has to follow its child. One that does not say so is notified as by the child it has. */
function scheduleWithin(owner: ActivityExecutionContext, node: ActivityNode): unknown {
  const queue = (taken: unknown): void => {
    if (taken === true) return;
    const same = owner.activeChildren?.list().find((child) => child.node === node);
    owner.workflow.queue.add({ node, owner, callback: same?.callback, tag: same?.tag });
  };
  const taken = owner.sendSignal(new ScheduleChildSignal(node.id));
  return isPromiseLike(taken) ? taken.then(queue) : queue(taken);
}

function findNode(wec: WorkflowExecutionContext, handle: ActivityHandle): ActivityNode {
  const { graph } = wec;
  const node =
    (handle.activityNodeId !== undefined && graph.findByNodeId(handle.activityNodeId)) ||
    (handle.activityId !== undefined && graph.findById(handle.activityId)[0]) ||
    (handle.activityHash !== undefined && graph.nodes.find((n) => wec.engine.hash(n.nodeId) === handle.activityHash));
  if (!node)
    throw new WorkflowExecutionError(
      'WM2022',
      `Workflow definition '${graph.definition.definitionId}' has no activity that matches ${JSON.stringify(handle)}. Check the handle.`,
    );
  return node;
}

/** @param root whose variables they stand for where it does not run itself: expressions find some of them by id */
function rootVariables(values: Readonly<Record<string, unknown>>, root?: ActivityNode) {
  const ids = new Map(root?.variables.toReversed().map(({ name, id }) => [name, id]));
  const names = new Map(root?.variables.map(({ name, id }) => [id, name]));
  return Object.entries(values).map(([name, value]) => {
    const id = ids.get(name) ?? dynamicId(name, (taken) => names.get(taken));
    names.set(id, name);
    return { variable: dynamicVariable(name, id, DYNAMIC_STORAGE), value, dynamic: true };
  });
}
