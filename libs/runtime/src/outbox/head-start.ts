import type { WorkflowClock } from '../clock/workflow-clock.js';
import type { OutboxMessage } from '../persistence/records.js';

/** The node that wrote a message serves it at once; others leave it alone for that long at least. */
export const HEAD_START_MS = 5_000;
/** As long as a claim, which ends where the node has died. */
const MOST_MS = 30_000;
/** A message is stored, read and claimed for longer before its head start is over. */
const CALLS = 3;
/** For so long a slow answer of the store counts. */
const REMEMBERED_MS = 60_000;

/**
 * How long the node that wrote a message has it to itself. It follows how long the store takes: with two seconds for each answer, five
 * seconds were over before the node could claim what it was serving already, and another one did the same work.
 */
export class HeadStart {
  private slowestMs = 0;
  private until = -Infinity;

  constructor(private readonly clock: Pick<WorkflowClock, 'monotonic'>) {}

  get ms(): number {
    if (this.clock.monotonic() > this.until) return HEAD_START_MS;
    return Math.min(MOST_MS, Math.max(HEAD_START_MS, CALLS * this.slowestMs));
  }

  /** Whether a message of this node that was just stored is for now, and not for a later time. */
  isForNow(message: OutboxMessage, now: number): boolean {
    return message.availableAt.getTime() <= now + HEAD_START_MS || message.writtenBy !== undefined;
  }

  /** @param tookMs to store messages, or to look for them */
  note(tookMs: number): void {
    const now = this.clock.monotonic();
    if (tookMs < this.slowestMs && now <= this.until) return;
    this.slowestMs = tookMs;
    this.until = now + REMEMBERED_MS;
  }
}
