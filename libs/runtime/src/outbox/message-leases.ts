import { toErrorLike } from '@waymark/core/adapter';
import type { CancelTimer, WorkflowClock } from '../clock/workflow-clock.js';
import type { OutboxMessage } from '../persistence/records.js';
import type { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import type { StoreOutages } from '../outages/store-outages.js';
import type { OutboxHandler } from './outbox-handler.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';

/** A claimed message is free again after that time, if its node died. */
export const LEASE_MS = 30_000;
/** Well within the head start, so that what takes longer is a claim before others may take it. */
const BEAT_MS = 2_000;

interface Held {
  readonly message: OutboxMessage;
  readonly handler: OutboxHandler | undefined;
  readonly controller: AbortController;
  renewAt: number;
  isLost: boolean;
  /** When it was last to be renewed, a transaction had locked it. */
  isLocked: boolean;
  /** It is being given back: what renewed it now would take it again, for a lease in which nothing serves it. */
  isLeaving: boolean;
}

/**
 * The messages that this node is serving. What takes long is claimed again and again: a message is taken over when its node
 * has died, never because it is slow (W8).
 */
export class MessageLeases {
  private readonly logger = new WorkflowLogger('WorkflowOutbox');
  private readonly held = new Map<string, Held>();
  private cancelTimer: CancelTimer | undefined;
  private renewing: Promise<void> | undefined;
  /** Renewals that the store has not answered. */
  private readonly underWay = new Set<Promise<unknown>>();
  private hasEnded = false;

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly clock: WorkflowClock,
    private readonly outages: StoreOutages,
    readonly owner: string,
    private readonly onGivenUp: (id: string) => void,
  ) {
    // At once: a second after the store is back, other nodes take what was not renewed in time, though it is served here.
    outages.onRecovered(() => {
      if (this.held.size > 0 && !this.hasEnded) void this.renewAfterOutage();
    });
  }

  get ids(): string[] {
    return [...this.held.keys()];
  }

  has(id: string): boolean {
    return this.held.has(id);
  }

  add(message: OutboxMessage, handler: OutboxHandler | undefined): void {
    const controller = new AbortController();
    const renewAt = this.clock.monotonic() + BEAT_MS;
    this.held.set(message.id, {
      message,
      handler,
      controller,
      renewAt,
      isLost: this.hasEnded,
      isLocked: false,
      isLeaving: false,
    });
    this.beatLater();
  }

  /** Aborted when the message is not this node's any more, or its work is not needed any more. */
  signalOf(id: string): AbortSignal {
    return this.held.get(id)!.controller.signal;
  }

  /** Returns true if another node has it, or it is served. */
  isLost(id: string): boolean {
    // One whose work has ended meanwhile is not held any more.
    return this.held.get(id)?.isLost ?? true;
  }

  /** Renews everything that is held, once for all who ask at the same time; false when this one is lost. */
  async renewed(id: string): Promise<boolean> {
    await this.renewAll();
    return !this.isLost(id);
  }

  /**
   * As `renewed`, of one that was added just now: a renewal that is under way may have begun before. False as well when a transaction has
   * locked it, which may be that of a node that takes it over.
   */
  async kept(id: string): Promise<boolean> {
    await this.renewing;
    return (await this.renewed(id)) && this.held.get(id)?.isLocked === false;
  }

  /** Before messages are claimed: what could not be renewed in time would be taken from its own node. */
  async renewOverdue(): Promise<void> {
    const now = this.clock.monotonic();
    for (const { message, renewAt, isLost } of this.held.values())
      if (!isLost && renewAt + BEAT_MS <= now) return void (await this.renewed(message.id));
  }

  /** Gives a message back, by that task. What fails with it, or a beat, renews whatever is held: those renewals leave this one out. */
  async whileLeaving(id: string, task: () => Promise<void>): Promise<void> {
    const held = this.held.get(id);
    if (!held) return task();
    held.isLeaving = true;
    try {
      await this.answered();
      await task();
    } catch (error) {
      held.isLeaving = false;
      throw error;
    }
  }

  /** Resolves when the store has answered all renewals that were begun: they may be of messages that have been let go since. */
  async answered(): Promise<void> {
    await Promise.allSettled(this.underWay);
  }

  delete(id: string): void {
    this.held.delete(id);
    if (this.held.size > 0) return;
    this.cancelTimer?.();
    this.cancelTimer = undefined;
  }

  /**
   * The node no longer waits for what it is still serving, and its process may live on: other nodes take it over when the claims end.
   * The work is called off. Resolves when the claims are given up, or could not be; never rejects.
   */
  end(): Promise<void> {
    const ids = [...this.held.values()].flatMap(({ isLost, message }) => (isLost ? [] : [message.id]));
    this.hasEnded = true;
    this.cancelTimer?.();
    this.cancelTimer = undefined;
    for (const each of this.held.values()) {
      each.isLost = true;
      each.controller.abort(new Error('The node has shut down before the work ended: another node does it.'));
    }
    return this.giveUpClaims(ids);
  }

  /** A shutdown is not a death: counted as one, it would use up the attempts of work that takes longer than deployments are apart. */
  private async giveUpClaims(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    // A renewal behind it would claim them again.
    await this.answered();
    try {
      await this.persistence.outbox.giveUpClaims?.(ids, this.owner);
    } catch (error) {
      this.logger.warn(
        `The claims of messages could not be given up, and count as attempts: ${toErrorLike(error).message}`,
      );
    }
  }

  private renewAll(): Promise<void> {
    return (this.renewing ??= this.renew([...this.held.values()]).finally(() => (this.renewing = undefined)));
  }

  private async renewAfterOutage(): Promise<void> {
    try {
      // What was asked of the store before it was back may be answered by nothing but an error.
      await this.renewing?.catch(() => undefined);
      await this.renewAll();
    } catch (error) {
      this.failed(error);
    }
  }

  /** The next beat tries again. */
  private failed(error: unknown): void {
    if (!this.outages.report(error))
      this.logger.warn(`Failed to renew the claims of messages: ${String((error as Error)?.message ?? error)}`);
  }

  private beatLater(): void {
    if (!this.hasEnded && this.held.size > 0) this.cancelTimer ??= this.clock.setTimer(this.onTimer, BEAT_MS);
  }

  /** Returns the work: a clock that is moved by a test waits for it. */
  private readonly onTimer = (): unknown => {
    this.cancelTimer = undefined;
    return this.beat()
      .catch((error: unknown) => this.failed(error))
      .finally(() => this.beatLater());
  };

  private async beat(): Promise<void> {
    if (this.outages.isOut) return;
    const now = this.clock.monotonic();
    await this.renew([...this.held.values()].filter(({ renewAt }) => renewAt <= now));
    const needed = [...this.held.values()].filter(({ controller }) => !controller.signal.aborted);
    for (const handler of new Set(needed.map((held) => held.handler))) {
      if (!handler?.findObsolete) continue;
      const served = needed.filter((held) => held.handler === handler);
      for (const id of await handler.findObsolete(served.map(({ message }) => message))) this.abort(id);
    }
  }

  private async renew(held: readonly Held[]): Promise<void> {
    // What was lost and is free again by now is for another node: the work of this one was called off.
    const due = held.filter(({ isLost, isLeaving }) => !isLost && !isLeaving);
    if (due.length === 0) return;
    const now = this.clock.monotonic();
    const ids = due.map(({ message }) => message.id);
    const lease = { owner: this.owner, leaseMs: LEASE_MS, now: this.clock.storeTime() };
    const asking = this.persistence.outbox.renew(ids, lease);
    this.underWay.add(asking);
    const answer = await asking.finally(() => this.underWay.delete(asking));
    const [renewed, locked] = [new Set(answer.renewed), new Set(answer.locked)];
    for (const each of due) {
      const { id } = each.message;
      each.isLocked = locked.has(id);
      each.isLost = this.hasEnded || !(each.isLocked || renewed.has(id));
      if (each.isLost) this.abort(id);
      // At the next beat again: a claim that was locked each time would end while its node serves it.
      else each.renewAt = now + (each.isLocked ? BEAT_MS : LEASE_MS / 3);
    }
  }

  /** Its work is not needed any more, or another node does it. */
  abort(id: string): void {
    const controller = this.held.get(id)?.controller;
    if (!controller || controller.signal.aborted) return;
    // What does not listen to the signal may go on for as long as the process lives.
    this.onGivenUp(id);
    controller.abort(new Error('The work is no longer needed, or another node is doing it.'));
  }
}
