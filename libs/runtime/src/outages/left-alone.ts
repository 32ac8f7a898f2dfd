import type { WorkflowClock } from '../clock/workflow-clock.js';
import { codedText } from '../persistence/coded-text.js';
import type { BackoffSteps } from './backoff.js';

/** What fails in the same way again is in the log that often. */
const SAME_LOGGED_EVERY_MS = 3_600_000;

interface Failed {
  failures: number;
  until: number;
  text: string;
  loggedAt: number;
}

/** What one more failure means. */
export interface NotedFailure {
  /** How often it has failed on this node. */
  readonly failures: number;
  /** It failed for another reason than before, or that was not in the log for an hour. */
  readonly isNews: boolean;
  /** For how long it is left alone. */
  readonly waitMs: number;
}

/** What failed on this node, and is left alone for a while, longer each time, so that it does not keep others waiting. */
export class LeftAlone {
  private readonly known = new Map<string, Failed>();

  constructor(
    private readonly clock: WorkflowClock,
    private readonly waits: BackoffSteps,
  ) {}

  note(id: string, error: unknown): NotedFailure {
    const now = this.clock.monotonic();
    const text = codedText(error);
    const before = this.known.get(id);
    const failures = (before?.failures ?? 0) + 1;
    const isNews = before?.text !== text || now - before.loggedAt >= SAME_LOGGED_EVERY_MS;
    const { firstMs, longestMs } = this.waits;
    const waitMs = Math.min(firstMs * 2 ** (failures - 1), longestMs);
    this.known.set(id, { failures, until: now + waitMs, text, loggedAt: isNews ? now : before.loggedAt });
    return { failures, isNews, waitMs };
  }

  forget(id: string): void {
    this.known.delete(id);
  }

  has(id: string): boolean {
    return (this.known.get(id)?.until ?? -Infinity) > this.clock.monotonic();
  }

  /** All that is left alone now. */
  ids(): string[] {
    const now = this.clock.monotonic();
    // What did not fail again since is done, or gone.
    for (const [id, { until }] of this.known) if (until + this.waits.longestMs <= now) this.known.delete(id);
    return [...this.known].filter(([, { until }]) => until > now).map(([id]) => id);
  }
}
