import { Logger } from '@nestjs/common';
import type { CancelTimer, WorkflowClock } from '../clock/workflow-clock.js';
import type { OutboxMessage } from '../persistence/records.js';
import type { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import type { OutboxHandler } from './outbox-processor.js';

/** The node that wrote a message serves it at once; others leave it alone for that long. */
export const HEAD_START_MS = 5_000;
/** A claimed message is free again after that time, if its node died. */
export const LEASE_MS = 30_000;
/** Well within the head start, so that what takes longer is a claim before others may take it. */
const BEAT_MS = 2_000;

interface Held {
  readonly message: OutboxMessage;
  readonly handler: OutboxHandler | undefined;
  readonly controller: AbortController;
  renewAt: number;
}

/**
 * The messages that this node is serving. What takes long is claimed again and again: a message is taken over when its node
 * has died, never because it is slow (W8).
 */
export class MessageLeases {
  private readonly logger = new Logger('WorkflowOutbox');
  private readonly held = new Map<string, Held>();
  private cancelTimer: CancelTimer | undefined;

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly clock: WorkflowClock,
    private readonly owner: string,
  ) {}

  has(id: string): boolean {
    return this.held.has(id);
  }

  add(message: OutboxMessage, handler: OutboxHandler | undefined): void {
    const controller = new AbortController();
    this.held.set(message.id, { message, handler, controller, renewAt: this.clock.now() + BEAT_MS });
    this.cancelTimer ??= this.clock.setTimer(this.onTimer, BEAT_MS);
  }

  /** Aborted when the message is not this node's any more, or its work is not needed any more. */
  signalOf(id: string): AbortSignal {
    return this.held.get(id)!.controller.signal;
  }

  delete(id: string): void {
    this.held.delete(id);
    if (this.held.size > 0) return;
    this.cancelTimer?.();
    this.cancelTimer = undefined;
  }

  /** Returns the work: a clock that is moved by a test waits for it. */
  private readonly onTimer = (): unknown => {
    this.cancelTimer = undefined;
    return this.beat()
      .catch((error: unknown) =>
        // The store is out of reach: the next beat tries again, and until the lease ends nothing is lost.
        this.logger.warn(`Claims could not be renewed: ${String((error as Error)?.message ?? error)}`),
      )
      .finally(() => {
        if (this.held.size > 0) this.cancelTimer ??= this.clock.setTimer(this.onTimer, BEAT_MS);
      });
  };

  private async beat(): Promise<void> {
    await this.renew();
    for (const handler of new Set([...this.held.values()].map((held) => held.handler))) {
      if (!handler?.findObsolete) continue;
      const served = [...this.held.values()].filter((held) => held.handler === handler);
      for (const id of await handler.findObsolete(served.map(({ message }) => message))) this.abort(id);
    }
  }

  private async renew(): Promise<void> {
    const now = this.clock.now();
    const due = [...this.held.values()].filter(({ renewAt }) => renewAt <= now);
    if (due.length === 0) return;
    const ids = due.map(({ message }) => message.id);
    const lease = { owner: this.owner, leaseMs: LEASE_MS, now: this.clock.storeTime() };
    const kept = new Set(await this.persistence.outbox.renew(ids, lease));
    for (const held of due) {
      if (kept.has(held.message.id)) held.renewAt = now + LEASE_MS / 3;
      else this.abort(held.message.id);
    }
  }

  private abort(id: string): void {
    this.held.get(id)?.controller.abort(new Error('The work is not needed any more, or another node does it.'));
  }
}
