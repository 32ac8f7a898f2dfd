import { type ActivityExecutionContext, InvalidOptionError, type WorkflowExecutionContext } from '@waymark/core';

/** Moments of a burst at which it may be committed half-way. At `WorkflowExecuted`, its end, it is always committed. */
export type WorkflowLifetimeEvent = 'WorkflowExecuting' | 'WorkflowExecuted';
/** Moments of an activity at which a commit strategy is asked. */
export type ActivityLifetimeEvent = 'ActivityExecuting' | 'ActivityExecuted';

/**
 * Decision of a commit strategy. `Default` leaves it to another strategy; if none decides, the burst continues without a
 * commit.
 */
export type CommitAction = 'Default' | 'Commit' | 'Skip';

/** What a commit strategy may base its decision on. */
export interface CommitStrategyContext {
  /** The instance. */
  readonly workflow: WorkflowExecutionContext;
  /** The activity of an `Activity…` event. */
  readonly activity?: ActivityExecutionContext;
  /** Time since the burst started or was last committed, in milliseconds. */
  readonly uncommittedMs: number;
}

interface CommitStrategy<E extends string> {
  /** By which definitions choose it. */
  readonly name: string;
  readonly displayName: string;
  readonly description?: string;
  decide(event: E, context: CommitStrategyContext): CommitAction;
}

/** Chosen by `commitStrategyName` in the options of a definition. */
export type WorkflowCommitStrategy = CommitStrategy<WorkflowLifetimeEvent | ActivityLifetimeEvent>;

/**
 * Chosen by `commitStrategyName` in the custom properties of an activity. It takes precedence over the strategy of the
 * workflow.
 */
export type ActivityCommitStrategy = CommitStrategy<ActivityLifetimeEvent>;

/**
 * Makes a strategy that commits at the next event when the last commit is at least `intervalMs` old.
 * @param name by which definitions choose it @param displayName for people, in designers @param intervalMs in milliseconds, above 0
 * @throws InvalidOptionError (`WM1090`) for another interval
 * @example
 * commitStrategies: { workflows: [periodicCommits('EveryMinute', 'Every minute', 60_000)] }
 */
export function periodicCommits(name: string, displayName: string, intervalMs: number): WorkflowCommitStrategy {
  if (!(intervalMs > 0))
    throw new InvalidOptionError(
      `periodicCommits('${name}')`,
      'intervalMs',
      'a number of milliseconds greater than 0',
      String(intervalMs),
      'argument',
    );
  return { name, displayName, decide: (_, { uncommittedMs }) => (uncommittedMs >= intervalMs ? 'Commit' : 'Default') };
}
