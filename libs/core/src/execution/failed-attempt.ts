import type { ActivityNode } from '../graph/activity-node.js';

/** A run of an activity that failed and that its retry policy repeats. It leaves no incident, so it goes to the log. */
export interface FailedAttempt {
  readonly node: ActivityNode;
  readonly activityInstanceId: string;
  /** Which run it was, from 1. */
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly nextAt: Date;
  /** Name and message of the error, with secrets masked. */
  readonly reason: string;
}
