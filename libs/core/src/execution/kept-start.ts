import { RETRY_BOOKMARK } from '../definitions/retry-policy.js';
import type { ActivityNode } from '../graph/activity-node.js';
import { leavesRest } from './burst-origin.js';
import type { BurstRequest } from './burst-request.js';
import { openInput } from './encrypted-parts.js';
import type { WorkflowExecutionContext } from './workflow-execution-context.js';

/**
 * A start by a trigger within which something has failed that runs again, by a policy or by hand. Its first burst is over: without the
 * trigger the activity would wait for another stimulus then, and what brought this one would be lost (W5).
 */
export interface KeptStart {
  readonly triggerActivityId: string;
  /** Of that burst. */
  readonly input: Record<string, unknown>;
}

/**
 * Continues with the start of a stored instance, or leaves it to a later burst.
 * @param wec restored, and without anything of the request yet
 * @param inputOf the input of the instance, without that of a burst
 * @returns the trigger that started this burst
 */
export function takeKeptStart(
  wec: WorkflowExecutionContext,
  request: BurstRequest,
  inputOf: (wec: WorkflowExecutionContext) => Record<string, unknown>,
): string | undefined {
  // A further resume of this burst, whose first one has left it: with what the instance declares, and its own.
  if (wec.keptStart) return undefined;
  const { state } = request;
  const kept = wec.resumed ? undefined : state?.triggerActivityId;
  const triggerActivityId = kept ?? state?.burstOrigin?.triggerActivityId;
  if (triggerActivityId === undefined) return undefined;
  if (kept !== undefined && runsAgain(wec, request, kept)) {
    wec.repeatsStart = true;
    return kept;
  }
  wec.keptStart = { triggerActivityId, input: wec.input };
  // Another stimulus brings its own.
  if (kept !== undefined) wec.input = openInputOfRest(wec, request) ?? inputOf(wec);
  return undefined;
}

/** Between two resumes of a burst, which are stored at once: what nothing is to repeat any more is not kept for a later failure. */
export function forgetStartInVain(wec: WorkflowExecutionContext): void {
  if (wec.keptStart && triggerToKeep(wec) === undefined) wec.keptStart = undefined;
}

/** That of the burst which is stored half-way, and continued with. */
function openInputOfRest(wec: WorkflowExecutionContext, request: BurstRequest): Record<string, unknown> | undefined {
  const own = leavesRest(request) ? undefined : request.state?.burstOrigin?.input;
  return own && openInput(wec, own);
}

/** The trigger of the start, as long as something is to run again that contains it. */
export function triggerToKeep(wec: WorkflowExecutionContext): string | undefined {
  const id = wec.triggerActivityId ?? wec.keptStart?.triggerActivityId;
  const trigger = id === undefined ? undefined : wec.graph.findTrigger(id);
  if (!trigger) return undefined;
  const isAround = (node: ActivityNode | undefined): boolean => node !== undefined && contains(node, trigger);
  for (const { name, activityNodeId } of wec.bookmarks.values())
    if (name === RETRY_BOOKMARK && isAround(wec.graph.findByNodeId(activityNodeId))) return id;
  return wec.faultedContexts().some(({ node }) => isAround(node)) ? id : undefined;
}

/** A repair may run anything, a bookmark what waits at it. A burst that is stored half-way has noted what began it. */
function runsAgain(
  wec: WorkflowExecutionContext,
  { state, bookmarkId, activityHandle, isChange }: BurstRequest,
  id: string,
): boolean {
  if (activityHandle) return false;
  const isHalfway = state?.burstId !== undefined || state?.burstOrigin !== undefined;
  if (bookmarkId === undefined) return isChange === true || !isHalfway;
  const bookmark = wec.bookmarks.get(bookmarkId);
  const waiting = bookmark?.name === RETRY_BOOKMARK ? wec.graph.findByNodeId(bookmark.activityNodeId) : undefined;
  const trigger = waiting && wec.graph.findTrigger(id);
  return trigger !== undefined && contains(waiting!, trigger);
}

function contains(node: ActivityNode, inner: ActivityNode): boolean {
  let around: ActivityNode | undefined = inner;
  while (around && around !== node) around = around.parent;
  return around !== undefined;
}
