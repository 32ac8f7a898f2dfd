import { Injectable } from '@nestjs/common';
import { type CancelTimer, WorkflowClock } from '../clock/workflow-clock.js';

/** First bursts that take longer are stored as begun. */
export const LONG_START_MS = 1000;

/** The store is asked again after this time at the most, however often it has refused. */
const MOST_WAIT_MS = 16_000;

interface Begun {
  readonly note: () => Promise<boolean>;
  dueAt: number;
  /** Until the store is asked once more when it refuses this time. */
  waitMs: number;
  noting: Promise<void> | undefined;
}

/**
 * First bursts under way, of which only the message that asks for them is stored. One that takes long is stored as begun: it
 * would not be listed else, nor could operators cancel it. One timer sees to all of them.
 */
@Injectable()
export class LongStarts {
  private readonly begun = new Map<string, Begun>();
  private cancelTimer: CancelTimer | undefined;

  constructor(private readonly clock: WorkflowClock) {}

  /** @param note stores it as begun, and never rejects; false: the store has failed, and is to be asked again */
  begin(instanceId: string, note: () => Promise<boolean>): void {
    const dueAt = this.clock.monotonic() + LONG_START_MS;
    this.begun.set(instanceId, { note, dueAt, waitMs: LONG_START_MS, noting: undefined });
    this.arm();
  }

  /** It stores something of its own now, or has ended. @returns a promise while it is being stored as begun */
  end(instanceId: string): Promise<void> | undefined {
    const found = this.begun.get(instanceId);
    this.begun.delete(instanceId);
    if (this.begun.size === 0) {
      this.cancelTimer?.();
      this.cancelTimer = undefined;
    }
    return found?.noting;
  }

  private arm(): void {
    this.cancelTimer ??= this.clock.setTimer(this.onTimer, LONG_START_MS);
  }

  /** Returns the promise of the work, for which the clock of tests waits before it moves on. */
  private readonly onTimer = (): unknown => {
    this.cancelTimer = undefined;
    const now = this.clock.monotonic();
    const noting: Promise<void>[] = [];
    for (const each of this.begun.values())
      if (each.dueAt <= now && !each.noting) noting.push((each.noting = this.note(each)));
    if ([...this.begun.values()].some((each) => !each.noting)) this.arm();
    return Promise.all(noting);
  };

  /** A failure that passes, such as a deadlock, would leave it unlisted until it ends. */
  private async note(each: Begun): Promise<void> {
    if (await each.note()) return;
    each.dueAt = this.clock.monotonic() + each.waitMs;
    each.waitMs = Math.min(2 * each.waitMs, MOST_WAIT_MS);
    each.noting = undefined;
    if (this.begun.size > 0) this.arm();
  }
}
