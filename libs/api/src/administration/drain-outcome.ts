import { formatTimeSpan } from '@waymark/core/adapter';

/** Elsa has more: here nothing is cancelled, and nothing that fails ends the wait. */
export type DrainResult = 'CompletedWithinDeadline' | 'DeadlineExceeded';

export interface SourceState {
  readonly name: string;
  readonly state: string;
  readonly lastTransitionAt?: Date | undefined;
}

/** What became of a drain, with the members of Elsa. */
export interface DrainOutcome {
  readonly overallResult: DrainResult;
  readonly startedAt: Date;
  readonly completedAt: Date;
  readonly pausePhaseDuration: string;
  readonly waitPhaseDuration: string;
  readonly sources: readonly SourceState[];
  readonly executionCyclesForceCancelledCount: number;
  readonly forceCancelledInstanceIds: readonly string[];
}

export function drainOutcome(
  overallResult: DrainResult,
  [startedAt, completedAt]: readonly [Date, Date],
  sources: readonly SourceState[],
): DrainOutcome {
  return {
    overallResult,
    startedAt,
    completedAt,
    // The gate closes at once.
    pausePhaseDuration: formatTimeSpan(0),
    waitPhaseDuration: formatTimeSpan(Math.max(0, completedAt.getTime() - startedAt.getTime())),
    sources,
    // Bursts are waited for, and never cancelled.
    executionCyclesForceCancelledCount: 0,
    forceCancelledInstanceIds: [],
  };
}
