import { Injectable } from '@nestjs/common';
import { type CancelTimer, WorkflowClock } from '../clock/workflow-clock.js';

/** First bursts that take longer are stored as begun. */
export const LONG_START_MS = 1000;

interface Begun {
  readonly at: number;
  readonly note: () => Promise<void>;
  noting?: Promise<void>;
}

/**
 * First bursts under way of which nothing is stored but the message that asks for them. One that takes long is stored as begun: it
 * would not be listed else, nor could operators cancel it. One timer sees to all of them.
 */
@Injectable()
export class LongStarts {
  private readonly begun = new Map<string, Begun>();
  private cancelTimer: CancelTimer | undefined;

  constructor(private readonly clock: WorkflowClock) {}

  /** @param note stores it as begun, and never rejects */
  begin(instanceId: string, note: () => Promise<void>): void {
    this.begun.set(instanceId, { at: this.clock.monotonic(), note });
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
    const before = this.clock.monotonic() - LONG_START_MS;
    const noting: Promise<void>[] = [];
    for (const each of this.begun.values())
      if (each.at <= before && !each.noting) noting.push((each.noting = each.note()));
    if ([...this.begun.values()].some((each) => !each.noting)) this.arm();
    return Promise.all(noting);
  };
}
