import { toErrorLike } from '../errors/waymark-error.js';
import type { ActivityNode } from '../graph/activity-node.js';

/** Most causes of an error that are named. */
const MOST_CAUSES = 8;

/** A run of an activity that failed and that its retry policy repeats. It leaves no incident, so it goes to the log. */
export interface FailedAttempt {
  /** The activity in the compiled version. */
  readonly node: ActivityNode;
  /** The execution that failed. */
  readonly activityInstanceId: string;
  /** Which run it was, from 1. */
  readonly attempt: number;
  /** How often it is tried at most. */
  readonly maxAttempts: number;
  /** When it is tried again. */
  readonly nextAt: Date;
  /** Name, code and message of the error and of its causes, with secrets masked. */
  readonly reason: string;
}

/** Name, code and message of an error and of its causes: the message of a wrapper alone says little. */
export function reasonOf(thrown: unknown): string {
  const reasons: string[] = [];
  for (let next = thrown; next !== undefined && reasons.length <= MOST_CAUSES;) {
    const { name, message, cause } = toErrorLike(next);
    const { code } = Object(next) as { code?: unknown };
    const isMissing = typeof code === 'string' && code !== '' && !message.includes(code);
    reasons.push(`${name}: ${isMissing ? `${code}: ` : ''}${message}`);
    next = cause === next ? undefined : cause;
  }
  return reasons.join(' Caused by ');
}
