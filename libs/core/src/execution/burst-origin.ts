import type { BurstRequest } from './burst-request.js';
import type { WorkflowExecutionContext } from './workflow-execution-context.js';
import { type BurstOriginState, WorkflowSubStatus } from '../state/workflow-state.js';

const RADIX = 36;
const CAUSE_DIGITS = 16;

/**
 * Names executions by what caused their burst and by their place in it. A burst that is lost gives its numbers to whatever
 * is committed next, so numbers alone would name an execution of another branch like the lost one, and the repetition of the
 * lost one differently (W9).
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

  /** What a burst that is stored half-way needs to go on by the same names. */
  stateAt(number: number): BurstOriginState {
    return { cause: this.cause, executions: number - this.before };
  }
}

export const FIRST_BURST = new BurstOrigin('', 0);

/** @param wec restored from the state of the request, if that has one */
export function originOf(wec: WorkflowExecutionContext, request: BurstRequest): BurstOrigin {
  const { state, bookmarkId, cause } = request;
  if (!state || state.subStatus === WorkflowSubStatus.Pending) return FIRST_BURST;
  const before = wec.activityExecutionCount;
  const { burstOrigin: interrupted } = state;
  if (interrupted && bookmarkId === undefined && cause === undefined)
    return new BurstOrigin(interrupted.cause, before - interrupted.executions);
  const digest = (text: string) => wec.engine.hash(text).slice(0, CAUSE_DIGITS).toLowerCase();
  const bookmark = bookmarkId === undefined ? undefined : wec.bookmarks.get(bookmarkId);
  // Used once, and never made again.
  if (bookmark?.autoBurn && !bookmark.isIdChosen) return new BurstOrigin(digest(bookmark.id), before);
  return cause === undefined ? new BurstOrigin(digest(bookmarkId ?? ''), 0) : new BurstOrigin(digest(cause), before);
}
