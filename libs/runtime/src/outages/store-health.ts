import { Injectable } from '@nestjs/common';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { within } from './within.js';

/**
 * - `writable`: reads and writes are answered.
 * - `unwritable`: reads are answered, writes are refused.
 * - `busy`: reads are answered, writes are not, in the time that there is for an answer.
 * - `unreachable`: nothing is answered.
 */
export type StoreStatus = 'writable' | 'unwritable' | 'busy' | 'unreachable';

/** However many ask, the store is asked once in that time. */
const ANSWER_KEPT_MS = 1000;
const LONGEST_ANSWER_MS = 2000;

type Answer = 'yes' | 'no' | 'late';

/** Checks whether the store can be used, for health checks and for work that waits for it. At most one check runs at a time. */
@Injectable()
export class StoreHealth {
  private reading: Promise<unknown> | undefined;
  private writing: Promise<void> | undefined;
  private checking: Promise<StoreStatus> | undefined;
  private last: { readonly status: StoreStatus; readonly at: number } | undefined;

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly clock: WorkflowClock,
  ) {}

  /**
   * Returns the status within two seconds, even if the store does not answer; the status is cached for one second. Never
   * rejects.
   */
  async check(): Promise<StoreStatus> {
    // Also when the clock was set back.
    const age = Math.abs(this.clock.now() - (this.last?.at ?? Infinity));
    if (this.last && age < ANSWER_KEPT_MS) return this.last.status;
    return (this.checking ??= this.ask());
  }

  /** Performs a write that leaves no trace. @throws errors of the store */
  probe(): Promise<void> {
    return (this.writing ??= this.persistence.checkWritable().finally(() => (this.writing = undefined)));
  }

  private async ask(): Promise<StoreStatus> {
    this.reading ??= this.persistence.definitions.changeCounter().finally(() => (this.reading = undefined));
    const [reads, writes] = await Promise.all([this.answerOf(this.reading), this.answerOf(this.probe())]);
    const status = statusOf(reads, writes);
    this.last = { status, at: this.clock.now() };
    this.checking = undefined;
    return status;
  }

  private async answerOf(work: Promise<unknown>): Promise<Answer> {
    try {
      return (await within(this.clock, LONGEST_ANSWER_MS, work)) ? 'yes' : 'late';
    } catch {
      return 'no';
    }
  }
}

function statusOf(reads: Answer, writes: Answer): StoreStatus {
  if (reads !== 'yes') return 'unreachable';
  if (writes === 'yes') return 'writable';
  return writes === 'no' ? 'unwritable' : 'busy';
}
