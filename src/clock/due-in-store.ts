import { Injectable } from '@nestjs/common';
import { RuntimeGate, WorkflowClock, WorkflowPersistence } from '@waymark/runtime';
import { OutboxProcessor, RuntimeMaintenance } from '@waymark/runtime/adapter';
import type { StoredWork } from '@waymark/testing';

const DUE_ROWS = 100;
/** What is overdue for longer has failed and is tried again at times of its own: a test does not step there poll by poll. */
const OVERDUE_MS = 60_000;

/** Tells the test clock where to stop: polls, over which it jumps, would find it. */
@Injectable()
export class DueInStore implements StoredWork {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly outbox: OutboxProcessor,
    private readonly maintenance: RuntimeMaintenance,
    private readonly gate: RuntimeGate,
    private readonly clock: WorkflowClock,
  ) {}

  async rest(): Promise<void> {
    await this.settled();
    await this.maintenance.runEverything();
    await this.settled();
  }

  async nextDue(until: number): Promise<number | undefined> {
    const now = this.clock.now();
    const { bookmarks, triggers, outbox } = this.persistence;
    // A message that failed says when it is tried again only to those who ask for it.
    if (!this.gate.closedBecause && (await outbox.count()).waiting > 0) return now;
    const before = new Date(until);
    const pages = [await bookmarks.findDue(before, DUE_ROWS), await triggers.findDue(before, DUE_ROWS)];
    const times = pages
      .map((page) =>
        nextOf(
          page.map(({ dueAt }) => dueAt!.getTime()),
          now,
        ),
      )
      .filter((t) => t !== undefined);
    return times.length ? Math.min(...times) : undefined;
  }

  private async settled(): Promise<void> {
    await this.gate.settled();
    do await this.outbox.settled();
    while ((await this.outbox.poll()) > 0);
    await this.gate.settled();
  }
}

/** Of one page, the earliest first. One that is full of what cannot be fired hides what comes behind it. */
function nextOf(times: readonly number[], now: number): number | undefined {
  return times.find((time) => time > now - OVERDUE_MS) ?? (times.length === DUE_ROWS ? now : undefined);
}
