import type { RuntimeGate } from '@waymark/runtime';
import type { OutboxProcessor, RuntimeMaintenance } from '@waymark/runtime/adapter';
import { settle } from '../clock/settle.js';
import type { VirtualClock } from '../clock/virtual-clock.js';
import type { RecordedEvents } from './recorded-events.js';

export interface IdleParts {
  readonly clock: VirtualClock;
  readonly gate: RuntimeGate;
  readonly outbox: OutboxProcessor;
  readonly maintenance: RuntimeMaintenance;
  readonly events: RecordedEvents;
}

/**
 * Tells when an application has come to rest: no burst runs, nothing is due, and neither the outbox nor the queue has
 * anything that can be served at this time.
 */
export class ApplicationIdle {
  private current: Promise<void> = Promise.resolve();

  constructor(private readonly parts: IdleParts) {}

  /** False when it is still busy after that many milliseconds of real time. */
  async reached(patienceMs: number): Promise<boolean> {
    // One after the other: what was asked for before must not be answered by a look that began before it.
    const rest = this.current.catch(() => undefined).then(() => this.comeToRest());
    this.current = rest;
    let handle: NodeJS.Timeout | undefined;
    const patience = new Promise<boolean>((resolve) => {
      handle = setTimeout(() => resolve(false), patienceMs);
    });
    try {
      return await Promise.race([rest.then(() => true), patience]);
    } finally {
      clearTimeout(handle);
    }
  }

  private async comeToRest(): Promise<void> {
    const { events, gate, clock } = this.parts;
    let before: number;
    do {
      before = events.count;
      await this.runOnce();
    } while (events.count !== before || gate.activeBursts > 0 || (clock.nextWork ?? Infinity) <= clock.now());
  }

  private async runOnce(): Promise<void> {
    const { clock, gate, outbox, maintenance } = this.parts;
    await clock.advance(0);
    await gate.settled();
    do await outbox.settled();
    while ((await outbox.poll()) > 0);
    await maintenance.runEverything();
    await outbox.settled();
    await gate.settled();
    await settle();
  }
}
