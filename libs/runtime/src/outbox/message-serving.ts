import { toErrorLike } from '@waymark/core/adapter';
import type { WorkflowClock } from '../clock/workflow-clock.js';
import { Breather } from '../event-loop/breather.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';
import type { StoreOutages } from '../outages/store-outages.js';
import type { UnreadableWork } from '../outages/unreadable-work.js';
import { isStoreOutage } from '../persistence/persistence-errors.js';
import type { OutboxMessage } from '../persistence/records.js';
import type { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import type { WorkflowCodeMissingError } from '../services/definition-errors.js';
import type { CodeTurns } from './code-turns.js';
import type { DeliveryPool } from './delivery-pool.js';
import type { DispatchLimits } from './dispatch-limits.js';
import type { HeldPlaces } from './held-places.js';
import type { LongWorkPool } from './long-work-pool.js';
import { MessageAttempts } from './message-attempts.js';
import type { MessageLeases } from './message-leases.js';
import type { OutboxHandler } from './outbox-handler.js';
import type { PoisonMessageGuard } from './poison-message-guard.js';
import { throughFaults } from './through-faults.js';
import type { UnknownKinds } from './unknown-kinds.js';
import type { WaitingMessages } from './waiting-messages.js';

interface MessageServingParts {
  readonly persistence: WorkflowPersistence;
  readonly clock: WorkflowClock;
  readonly outages: StoreOutages;
  readonly unreadable: UnreadableWork;
  readonly limits: DispatchLimits;
  readonly handlers: ReadonlyMap<string, OutboxHandler>;
  readonly leases: MessageLeases;
  readonly places: HeldPlaces;
  readonly pool: DeliveryPool;
  readonly longPool: LongWorkPool;
  readonly waiting: WaitingMessages;
  readonly codeTurns: CodeTurns;
  readonly unknownKinds: UnknownKinds;
  readonly poisonGuard: PoisonMessageGuard;
  readonly maxDeliveryAttempts: number;
}

/** What is asked of the looks at the store when messages are let go. */
interface Looks {
  /** What was left because another one of its kind was served can be claimed now. */
  again(): void;
  /** Until the next round of the maintenance, no more of those that were just given back. */
  pause(): void;
  /** Something that a shutdown may wait for has ended. */
  noteIdle(): void;
}

/** What happens to a message from when this node holds it until it lets it go. */
export class MessageServing {
  private readonly logger = new WorkflowLogger('WorkflowOutbox');
  private readonly attempts: MessageAttempts;
  /** Turns of messages that are being served here, and found no place. */
  private readonly refused = new Map<string, number>();
  private readonly breather = new Breather();

  constructor(
    private readonly parts: MessageServingParts,
    private readonly looks: Looks,
  ) {
    const { handlers, persistence, clock, leases, maxDeliveryAttempts, unreadable } = parts;
    this.attempts = new MessageAttempts(
      handlers,
      persistence,
      clock,
      leases,
      maxDeliveryAttempts,
      unreadable,
      (message, ms) => this.postpone(message, ms),
      (message, error) => this.setAside(message, error),
    );
  }

  isLong(kind: string): boolean {
    return this.parts.handlers.get(kind)?.isLong === true;
  }

  private poolOf({ kind }: OutboxMessage): DeliveryPool {
    return this.isLong(kind) ? this.parts.longPool : this.parts.pool;
  }

  /** Holds a message, and serves it as soon as its pool has a place. */
  hold(message: OutboxMessage): void {
    if (this.keep(message)) this.poolOf(message).add(message);
  }

  /** Takes what was claimed. @param left are given back: to be served later, or by another node */
  async takeOn(taken: readonly OutboxMessage[], left: readonly OutboxMessage[]): Promise<void> {
    const fresh = taken.filter((message) => this.keep(message));
    // Before the others are served, which may end this process.
    await Promise.all(left.map((message) => this.giveBack(message)));
    for (const message of fresh) this.poolOf(message).add(message);
  }

  /** False when it is held already. */
  private keep(message: OutboxMessage): boolean {
    if (this.parts.leases.has(message.id)) return false;
    this.parts.leases.add(message, this.parts.handlers.get(message.kind));
    return true;
  }

  async serve(message: OutboxMessage): Promise<void> {
    // It has its place and its claim by now: only the work waits.
    const pause = this.breather.taken();
    if (pause) await pause;
    this.parts.places.take(message.id, this.poolOf(message));
    if (!this.parts.handlers.has(message.kind)) this.parts.unknownKinds.note(message.kind);
    try {
      await this.whileHeld(message, () => this.attempts.handle(message)).catch((error: unknown) => {
        if (isStoreOutage(error)) throw error;
        return this.whileHeld(message, () => this.attempts.failed(message, error));
      });
    } catch (error) {
      this.leftBehind(message, error);
    } finally {
      this.parts.places.leave(message.id);
      this.letGo(message);
      this.endSuspicion(message.id);
    }
    await this.giveBackRefused(message);
  }

  /** Not before it is let go: a claim that comes right behind it may bring it back. */
  private async giveBackRefused(message: OutboxMessage): Promise<void> {
    const turn = this.refused.get(message.id);
    if (turn === undefined) return;
    this.refused.delete(message.id);
    // Behind it, a renewal would claim it for a lease in which nothing serves it, and whose end counts as an attempt.
    await this.parts.leases.answered();
    try {
      await this.parts.outages.through(() => this.parts.waiting.letWait(message, turn));
    } catch (error) {
      this.leftBehind(message, error);
    }
  }

  /** Its claim runs out, and it is served again. */
  private leftBehind({ id }: OutboxMessage, error: unknown): void {
    if (!this.parts.outages.report(error))
      this.logger.warn(`Message ${id} could not be released: ${toErrorLike(error).message}`);
  }

  private whileHeld(message: OutboxMessage, task: () => Promise<void>): Promise<void> {
    return throughFaults(this.parts.outages, this.parts.leases, message, task, (ms) => this.postpone(message, ms));
  }

  /** For a handler: when it has returned, its message is given back, to wait at that turn. */
  letWait({ id }: OutboxMessage, turn: number): void {
    this.refused.set(id, turn);
  }

  /** Of a message that is being served: it goes back to wait for another node, uncounted, when its handler has returned. */
  private async setAside(message: OutboxMessage, error: WorkflowCodeMissingError): Promise<void> {
    this.letWait(message, this.parts.codeTurns.refuse(error));
    await this.parts.codeTurns.note(error, message.createdAt);
  }

  /** To be served later, or by another node: it was not tried. */
  private async giveBack(message: OutboxMessage): Promise<void> {
    if (this.keep(message)) await this.leave(message);
  }

  /** The same for one that is held. */
  async leave(message: OutboxMessage): Promise<void> {
    try {
      await this.whileHeld(message, () => this.postpone(message, 0));
    } catch (error) {
      this.leftBehind(message, error);
    } finally {
      this.letGo(message);
      this.endSuspicion(message.id);
    }
  }

  /** What has been served for long did not end its process, and may never end: those that wait for it, one at a time, continue. */
  endSuspicion(id: string): void {
    if (this.parts.poisonGuard.served(id)) this.looks.again();
  }

  /** It is not this node's any more, or not held here any more. */
  private letGo({ id }: OutboxMessage): void {
    this.parts.leases.delete(id);
    this.parts.limits.giveBack(id);
  }

  /** For a message whose effect is stored while its handler still runs: it gives up its place, and no shutdown waits for it. */
  callOff(message: OutboxMessage): void {
    this.parts.leases.abort(message.id);
    this.poolOf(message).callOff(message.id);
    this.looks.noteIdle();
  }

  /** Gives a message back that its handler cannot serve now, uncounted: to be available again after that time, anywhere. */
  postpone(message: OutboxMessage, ms: number): Promise<void> {
    // Others of its kind would fare no better: they wait for the next round.
    this.looks.pause();
    return this.putOff(message, ms);
  }

  /** The same for a message whose instance cannot be served now, which says nothing about others. */
  putOff({ id }: OutboxMessage, ms: number): Promise<void> {
    return this.parts.leases.whileLeaving(id, () =>
      this.parts.persistence.outbox.postpone(id, new Date(this.parts.clock.now() + ms), this.parts.leases.owner),
    );
  }
}
