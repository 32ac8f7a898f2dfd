import { toApiError } from '../api/api-error.js';
import type { AlterationAnswer } from '../api/alterations.js';

/** Which instances an alteration has reached: pressed again after a failure, it must not run an activity twice in the others. */
export interface Reached {
  readonly done: ReadonlySet<string>;
  /** Asked for, without an answer: they may have been altered. */
  readonly lost: ReadonlySet<string>;
}

export const NONE_REACHED: Reached = { done: new Set(), lost: new Set() };

/** @param again if true, with those whose answer was lost */
export const leftOf = ({ done, lost }: Reached, ids: readonly string[], again: boolean): string[] =>
  ids.filter((id) => !done.has(id) && (again || !lost.has(id)));

export function afterAnswer({ done, lost }: Reached, asked: readonly string[], answer: AlterationAnswer): Reached {
  const altered = answer.results.filter(({ isSuccessful }) => isSuccessful).map((result) => result.workflowInstanceId);
  const ids = new Set(asked);
  return {
    // A plan does them all, sooner or later.
    done: new Set([...done, ...(answer.planId === undefined ? altered : asked)]),
    lost: new Set([...lost].filter((id) => !ids.has(id))),
  };
}

export function afterFailure({ done, lost }: Reached, asked: readonly string[], error: unknown): Reached {
  const { status, isOutage, retryAfterSeconds } = toApiError(error);
  const isTurnedAway = status === 429 || (status === 503 && retryAfterSeconds !== undefined);
  return isOutage && !isTurnedAway ? { done, lost: new Set([...lost, ...asked]) } : { done, lost };
}
