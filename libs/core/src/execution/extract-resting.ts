import { type Entry, withRestingLists } from '../state/resting-state.js';
import {
  type ActivityExecutionContextState,
  ActivityStatus,
  type Bookmark,
  type CompletionCallbackState,
  type WorkflowState,
} from '../state/workflow-state.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import { Callbacks } from './extract-callbacks.js';
import { extractInstance, sharing } from './extract-parts.js';
import { eachInParts } from '../values/in-parts.js';
import { RestingBookmarks } from './resting-bookmarks.js';
import type { RestingContexts } from './resting-contexts.js';
import { FIRST_RESTORED, type WorkflowExecutionContext } from './workflow-execution-context.js';

/** With fewer executions there is nothing to gain. */
const LEAST_EXECUTIONS = 100;

/**
 * Whether the parts of the state may be at rest in the bursts to come. Not where one execution concerns the others: what has to be undone,
 * what is faulted, or a secret that this burst has come to know and that is to be taken out of all of them.
 */
export function mayRest(wec: WorkflowExecutionContext, least = LEAST_EXECUTIONS): boolean {
  return (
    wec.contexts.size >= least &&
    wec.isRunning &&
    wec.queue.size === 0 &&
    !wec.queue.isHolding &&
    !wec.hasScopes &&
    wec.survivors === undefined &&
    wec.burstId === undefined &&
    wec.interrupted === undefined &&
    wec.migration === undefined &&
    wec.secrets.known === undefined &&
    !wec.graph.usesEncryption &&
    wec.rootContext !== undefined &&
    wec.contexts.has(wec.rootContext) &&
    wec.contexts.awake().every(isAtRest)
  );
}

function isAtRest({ status, isExecuting, faultCount, completedAt }: ActivityExecutionContext): boolean {
  return status === ActivityStatus.Running && !isExecuting && faultCount === 0 && completedAt === undefined;
}

/** Executions of an instance as they were when its state began to be taken. */
interface Taken {
  readonly awake: ActivityExecutionContext[];
  /** See `RestingContexts.list`. */
  readonly atRest: ReturnType<RestingContexts['list']> | undefined;
  readonly states: ReadonlyMap<ActivityExecutionContext, ActivityExecutionContextState>;
}

/** The state of such an instance: what the burst has left at rest stands in it as it was stored. */
export function extractResting(wec: WorkflowExecutionContext): WorkflowState {
  const extract = sharing();
  const awake = wec.contexts.awake();
  const atRest = wec.contexts.resting?.list();
  return assemble(wec, { awake, atRest, states: new Map(awake.toReversed().map((ctx) => [ctx, extract(ctx)])) });
}

/** The same with a pause after each part of what was restored. */
export async function extractRestingInParts(
  wec: WorkflowExecutionContext,
  pause: () => Promise<void>,
): Promise<WorkflowState> {
  const extract = sharing();
  const awake = wec.contexts.awake();
  // What something restores in a pause is stored as it was before.
  const atRest = wec.contexts.resting?.list();
  const states = new Map<ActivityExecutionContext, ActivityExecutionContextState>();
  const { isBeingTaken } = wec;
  wec.isBeingTaken = true;
  try {
    await eachInParts(awake.toReversed(), (ctx) => states.set(ctx, extract(ctx)), pause);
    await pause();
    return assemble(wec, { awake, atRest, states });
  } finally {
    wec.isBeingTaken = isBeingTaken;
  }
}

function assemble(wec: WorkflowExecutionContext, { awake, atRest = [], states }: Taken): WorkflowState {
  const { resting } = wec.contexts;
  const contexts: Entry<ActivityExecutionContextState>[] = [];
  const callbacks: Entry<CompletionCallbackState>[] = [];
  let next = 0;
  const addRestored = (ctx: ActivityExecutionContext): void => {
    contexts.push(states.get(ctx)!);
    const own = new Callbacks();
    own.addOf(ctx);
    callbacks.push(...own.all);
  };
  for (const [index, part] of atRest.entries()) {
    if (!part) {
      if (awake[next]?.number === FIRST_RESTORED + index) addRestored(awake[next++]!);
      continue;
    }
    contexts.push(part);
    const callback = resting!.callbackOf(part.id);
    if (callback) callbacks.push(callback);
  }
  for (; next < awake.length; next++) addRestored(awake[next]!);
  const extracted = { activityExecutionContexts: [], scheduledActivities: [], callbacks: new Callbacks() };
  const state = extractInstance(wec, awake, extracted, []);
  const activityExecutionContexts = contexts.reverse();
  return withRestingLists(state, {
    activityExecutionContexts,
    bookmarks: bookmarksOf(wec),
    completionCallbacks: callbacks,
  });
}

const bookmarksOf = ({ bookmarks }: WorkflowExecutionContext): Entry<Bookmark>[] =>
  bookmarks instanceof RestingBookmarks ? bookmarks.list() : [...bookmarks.values()];
