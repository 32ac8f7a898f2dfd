import type { ActivityExecutionContext } from './activity-execution-context.js';
import type { BurstRequest } from './burst-request.js';
import type { WorkflowExecutionContext } from './workflow-execution-context.js';
import { type BurstOriginState, WorkflowSubStatus } from '../state/workflow-state.js';

const RADIX = 36;
const CAUSE_DIGITS = 16;

/**
 * Identifies executions by the cause of their burst and their position in it. Numbers alone are not enough: the numbers of a
 * burst that was lost are used again by the next commit, so an execution of another branch would get the identity of a lost
 * one, and the repetition of the lost one another identity (W9).
 */
export class BurstOrigin {
  /**
   * @param cause '' for the first burst of an instance
   * @param before executions that came before the burst; 0 where its cause may come again
   */
  constructor(
    readonly cause: string,
    private readonly before: number,
  ) {}

  nameOf(number: number): string {
    const place = (number - this.before).toString(RADIX);
    return this.cause ? `${this.cause}-${place}` : place;
  }

  /** Returns what a burst that is stored half-way needs to continue with the same identities. */
  stateAt(number: number, more: Omit<BurstOriginState, 'cause' | 'executions'> = {}): BurstOriginState {
    return { cause: this.cause, executions: number - this.before, ...more };
  }
}

export const FIRST_BURST = new BurstOrigin('', 0);

/**
 * Metadata of a bookmark whose resume continues the burst that created it: with what the resume brings, that burst would not have waited.
 * If the burst was lost, the resume repeats its work, and needs the same identities for it (W9).
 */
export const CONTINUES_BURST = 'Waymark.ContinuesBurst';

/** @param wec restored from the state of the request, if that has one */
export function originOf(wec: WorkflowExecutionContext, request: BurstRequest): BurstOrigin {
  const { state, bookmarkId, cause } = request;
  if (!state || state.subStatus === WorkflowSubStatus.Pending) return FIRST_BURST;
  const before = wec.activityExecutionCount;
  const { burstOrigin: interrupted } = state;
  if (interrupted && !leavesRest(request)) return new BurstOrigin(interrupted.cause, before - interrupted.executions);
  const digest = (text: string) => digestOf(wec, text);
  const bookmark = bookmarkId === undefined ? undefined : wec.bookmarks.get(bookmarkId);
  if (bookmark?.metadata?.[CONTINUES_BURST]) {
    const continued = continuedBurst(wec.contexts.get(bookmark.activityInstanceId), before);
    if (continued) return continued;
  }
  // Used once, and never made again.
  if (bookmark?.autoBurn && !bookmark.isIdChosen) return new BurstOrigin(digest(bookmark.id), before);
  return cause === undefined ? new BurstOrigin(digest(bookmarkId ?? ''), 0) : new BurstOrigin(digest(cause), before);
}

/**
 * Whether the burst stands between two parts of other work, which has begun under identities of its own and is left to the
 * caller that continues with it: a burst that is stored half-way, or what a cancellation has left to be undone. A burst that did
 * that work besides would do it again under other identities (W9).
 */
export function leavesRest({ state, bookmarkId, activityHandle, cause, isChange }: BurstRequest): boolean {
  if (state?.burstId === undefined && state?.burstOrigin === undefined) return false;
  if (bookmarkId !== undefined || activityHandle || isChange) return true;
  // A cancellation's own message goes on with what it has left.
  return state.burstId !== undefined && cause !== undefined;
}

/** The origin of what a cancellation leaves to a message, to be stored with it. @param messageId causes the burst */
export function originOfRest(wec: WorkflowExecutionContext, messageId: string): BurstOriginState {
  return { cause: digestOf(wec, messageId), executions: 0 };
}

function digestOf({ engine }: WorkflowExecutionContext, text: string): string {
  return engine.hash(text).slice(0, CAUSE_DIGITS).toLowerCase();
}

/** Undefined if other executions have begun since: they may have the identities that would follow. */
function continuedBurst(waiting: ActivityExecutionContext | undefined, before: number): BurstOrigin | undefined {
  if (!waiting || placeIn(waiting.id) !== before) return undefined;
  return new BurstOrigin(waiting.origin.split('-').slice(0, -1).join('-'), before - placeIn(waiting.origin));
}

/** The number at the end of the id of an execution, or of its origin. */
const placeIn = (text: string): number => Number.parseInt(text.slice(text.lastIndexOf('-') + 1), RADIX);
