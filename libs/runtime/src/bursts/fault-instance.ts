import {
  type ActivityExecutionContext,
  ActivityStatus,
  type Bookmark,
  type WorkflowExecutionContext,
  JournalEvent,
} from '@waymark/core';
import { applyDetails, cancelAtTimeout, TIMEOUT_BOOKMARK, toExceptionState } from '@waymark/core/adapter';

/**
 * Ends an instance as faulted that is not being run. The incident is that of what was being executed or is named, or else of
 * what would have been next: a retry runs it.
 */
export function faultInstance(wec: WorkflowExecutionContext, error: Error, activityInstanceId?: string): void {
  const named = activityInstanceId === undefined ? undefined : wec.contexts.get(activityInstanceId);
  const ctx = named ?? wec.contexts.awake().findLast(({ isExecuting }) => isExecuting) ?? openNext(wec);
  const { id, node } = ctx;
  const exception = wec.secrets.shown(toExceptionState(error, wec.secrets));
  // What is at rest does not execute.
  for (const each of wec.contexts.awake()) each.isExecuting = false;
  ctx.status = ActivityStatus.Faulted;
  ctx.exception = error;
  ctx.faultCount++;
  wec.incidents.push({
    activityId: node.id,
    activityNodeId: node.nodeId,
    activityType: node.type,
    activityInstanceId: id,
    message: exception.message,
    exception,
    timestamp: new Date(wec.now()),
  });
  wec.journal?.log(ctx, JournalEvent.Faulted, { message: exception.message });
  wec.journal?.record(ctx);
  // What it would undo could not be stored with this burst either; a repair goes on from here.
  wec.fault({ isAbandoned: true });
}

function openNext(wec: WorkflowExecutionContext): ActivityExecutionContext {
  // Of a burst that is stored half-way between two activities, all is held back: a second root would run the workflow once more.
  const item = wec.queue.take() ?? wec.queue.takeHeld();
  if (item?.existing) return item.existing;
  const ctx = wec.createContext(item?.node ?? wec.graph.root, item?.owner);
  ctx.callback = item?.callback;
  // Without them, the iteration of a loop would have no item, and an undo would run the step once more.
  if (item?.details) applyDetails(ctx, item.details);
  return ctx;
}

/** As a failure of the activity would leave it: a retry executes it anew, and must not find what it waited for before. */
export function withdraw(wec: WorkflowExecutionContext, { name, activityInstanceId }: Bookmark, error: Error): void {
  const ctx = wec.contexts.get(activityInstanceId);
  if (ctx && name === TIMEOUT_BOOKMARK) cancelAtTimeout(ctx, error);
  ctx?.removeBookmarks();
}
