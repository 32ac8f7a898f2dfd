import { Inject, Injectable, Logger } from '@nestjs/common';
import { isWaymarkError, type OutgoingMessage, toErrorLike } from '@waymark/core';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import { RuntimeGate } from '../instances/runtime-gate.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../module/runtime-options.js';
import { backoffMs } from '../outages/backoff.js';
import { StoreOutages } from '../outages/store-outages.js';
import { isStoreOutage } from '../persistence/persistence-errors.js';
import type { OutboxMessage } from '../persistence/records.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { DeliveryLane } from './delivery-lane.js';
import { HEAD_START_MS, LEASE_MS, MessageLeases } from './message-leases.js';
import { Suspects } from './suspects.js';

/** Serves messages of one kind. It must consume the message: in the commit it causes, or by deleting it. */
export interface OutboxHandler {
  readonly kind: string;
  /** True: it may take minutes or hours. Such messages have places of their own (`backgroundConcurrency`). */
  readonly isLong?: boolean;
  /** @param signal aborted when another node serves the message, or `findObsolete` names it */
  handle(message: OutboxMessage, signal: AbortSignal): Promise<void>;
  /** Ids of those, among messages being served here, whose work nobody waits for any more. Asked every few seconds. */
  findObsolete?(messages: readonly OutboxMessage[]): Promise<readonly string[]>;
  /** Its attempts are used up: tell whoever waits for it. It is set aside afterwards, unless this consumed it. */
  abandon?(message: OutboxMessage, error: string): Promise<void>;
}

/** Messages waiting in this process for a free place; what is beyond is left in the store (back-pressure). */
const WAITING_PER_PLACE = 64;
const RETRY = { firstMs: 200, longestMs: 60_000 };
/** When the runtime is asked again that took no work. */
const REFUSED_PAUSE_MS = 200;
/** Faults of the store with one message, each of them when the store was back, until others get its place for a while. */
const FAULTS_IN_A_ROW = 5;
const GIVEN_BACK_MS = 5_000;

/**
 * Serves the transactional outbox: at least once, with the effect of each message exactly once, because the commit that a
 * message causes deletes it or fails.
 */
@Injectable()
export class OutboxProcessor {
  private readonly logger = new Logger('WorkflowOutbox');
  private readonly handlers = new Map<string, OutboxHandler>();
  /** Being served or waiting for it here: a slow message must not be taken a second time. */
  private readonly leases: MessageLeases;
  private readonly lane: DeliveryLane;
  private readonly longLane: DeliveryLane;
  private readonly suspects: Suspects;
  /** Looks at the store under way: what they claim is as good as being served. */
  private fetching = 0;
  /** A claim failed: the store may hold it, and its answer was lost. Until its lease would end, it is looked for. */
  private lostUntil = -Infinity;
  /** The store had as many as there were places for, and they are being served. */
  private hasMore = false;
  private idle: (() => void)[] = [];

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly clock: WorkflowClock,
    private readonly engine: WorkflowEngine,
    private readonly gate: RuntimeGate,
    private readonly outages: StoreOutages,
    @Inject(RUNTIME_OPTIONS) private readonly options: ResolvedRuntimeOptions,
  ) {
    const { deliveryConcurrency, backgroundConcurrency, nodeName } = options;
    const serve = (message: OutboxMessage) => this.serve(message);
    const onIdle = () => this.onIdle();
    this.suspects = new Suspects();
    this.leases = new MessageLeases(persistence, clock, outages, nodeName);
    this.lane = new DeliveryLane(deliveryConcurrency, deliveryConcurrency * WAITING_PER_PLACE, serve, onIdle);
    // Long work does not wait in one process while others have a place for it.
    this.longLane = new DeliveryLane(backgroundConcurrency, backgroundConcurrency, serve, onIdle);
  }

  register(handler: OutboxHandler): void {
    this.handlers.set(handler.kind, handler);
  }

  /** Rows for messages; the caller stores them in its commit and then calls `deliverSoon`. */
  prepare(messages: readonly OutgoingMessage[]): OutboxMessage[] {
    if (!messages.length) return [];
    const now = this.clock.now();
    return messages.map(({ kind, payload, workflowInstanceId, availableAt }) => ({
      id: this.engine.newId(),
      workflowInstanceId,
      kind,
      payload,
      createdAt: new Date(now),
      availableAt: availableAt ?? new Date(now + HEAD_START_MS),
      attempts: 0,
    }));
  }

  /** Stores messages outside of a burst and serves them. */
  async send(messages: readonly OutgoingMessage[]): Promise<OutboxMessage[]> {
    const rows = this.prepare(messages);
    await this.persistence.outbox.add(rows);
    this.deliverSoon(rows);
    return rows;
  }

  /** Keeps a stored message from other nodes while its work is done here by other means. */
  async holdWhile<T>(message: OutboxMessage, task: () => Promise<T>): Promise<T> {
    this.leases.add(message, undefined);
    let isUndone = false;
    try {
      return await task();
    } catch (error) {
      isUndone = this.outages.report(error);
      throw error;
    } finally {
      this.leases.delete(message.id);
      // The store failed, not the work: it is done here when the store is back. As a message that was left, it would count.
      if (isUndone) this.deliverSoon([message]);
    }
  }

  /** Serves stored messages without waiting for it. */
  deliverSoon(messages: readonly OutboxMessage[]): void {
    if (messages.length === 0) return;
    const now = this.clock.now() + HEAD_START_MS;
    for (const message of messages)
      if (message.availableAt.getTime() <= now && !this.laneOf(message).isFull) this.hold(message);
  }

  /** Takes over what other nodes or earlier runs left behind. Returns how many were claimed. */
  async poll(): Promise<number> {
    const limit = this.lane.free;
    if (limit === 0 || this.gate.closedBecause || this.outages.settlesInMs > 0) return 0;
    // What another look is just claiming would be taken for lost.
    if (this.looksForLost && this.fetching > 0) return 0;
    this.fetching++;
    try {
      // Its own messages would look like those of a node that died.
      await this.leases.renewOverdue();
      return await this.fetch(limit);
    } catch (error) {
      this.outages.report(error);
      throw error;
    } finally {
      this.fetching--;
      this.onIdle();
    }
  }

  private async fetch(limit: number): Promise<number> {
    const claimed = await this.claim(limit);
    const isLong = (message: OutboxMessage) => this.laneOf(message) === this.longLane;
    const { picked, left } = this.suspects.pick(claimed.filter((message) => !isLong(message)));
    const taken = [...picked, ...claimed.filter(isLong)];
    // Of those given back, each waits for its turn.
    this.hasMore = claimed.length === limit && left.length === 0;
    const fresh = taken.filter((message) => this.keep(message));
    // Before the others are served, which may end this process.
    await Promise.all(left.map((message) => this.giveBack(message)));
    for (const message of fresh) this.laneOf(message).add(message);
    return taken.length;
  }

  private async claim(limit: number): Promise<OutboxMessage[]> {
    try {
      return await this.persistence.outbox.claim({
        owner: this.options.nodeName,
        limit,
        leaseMs: LEASE_MS,
        now: this.clock.storeTime(),
        held: this.looksForLost ? this.leases.ids : undefined,
        exceptKinds: this.longLane.isFull ? this.longKinds() : [],
      });
    } catch (error) {
      this.lostUntil = this.clock.now() + LEASE_MS;
      throw error;
    }
  }

  private get looksForLost(): boolean {
    return this.clock.now() < this.lostUntil;
  }

  /** To be served later, or by another node: it was not tried. */
  private async giveBack(message: OutboxMessage): Promise<void> {
    if (!this.keep(message)) return;
    try {
      await this.whileHeld(message, () => this.postpone(message, 0));
    } catch (error) {
      this.leftBehind(message, error);
    } finally {
      this.leases.delete(message.id);
    }
  }

  /** Resolves when nothing is being served or fetched. */
  settled(): Promise<void> {
    return this.isIdle ? Promise.resolve() : new Promise((resolve) => this.idle.push(resolve));
  }

  private get isIdle(): boolean {
    return this.fetching === 0 && this.lane.isIdle && this.longLane.isIdle;
  }

  private onIdle(): void {
    if (this.hasMore && this.lane.isIdle) {
      this.hasMore = false;
      this.pollSoon();
    }
    if (this.isIdle) for (const resolve of this.idle.splice(0)) resolve();
  }

  private longKinds(): string[] {
    return [...this.handlers.values()].filter(({ isLong }) => isLong).map(({ kind }) => kind);
  }

  private laneOf({ kind }: OutboxMessage): DeliveryLane {
    return this.handlers.get(kind)?.isLong ? this.longLane : this.lane;
  }

  private hold(message: OutboxMessage): void {
    if (this.keep(message)) this.laneOf(message).add(message);
  }

  /** False when it is held already. */
  private keep(message: OutboxMessage): boolean {
    if (this.leases.has(message.id)) return false;
    this.leases.add(message, this.handlers.get(message.kind));
    return true;
  }

  private async serve(message: OutboxMessage): Promise<void> {
    try {
      await this.whileHeld(message, () => this.handle(message)).catch((error: unknown) => {
        if (isStoreOutage(error)) throw error;
        return this.whileHeld(message, () => this.failed(message, error));
      });
    } catch (error) {
      this.leftBehind(message, error);
    } finally {
      this.leases.delete(message.id);
      if (this.suspects.served(message)) this.pollSoon();
    }
  }

  /** Its claim runs out, and it is served again. */
  private leftBehind({ id }: OutboxMessage, error: unknown): void {
    if (!this.outages.report(error))
      this.logger.warn(`Message ${id} could not be given back: ${toErrorLike(error).message}`);
  }

  /**
   * Faults of the store say nothing about a message: it is kept here until the store is back, so that no node counts them, and
   * then goes on unless another node has it by now. One that meets them again and again makes way for others.
   */
  private whileHeld(message: OutboxMessage, task: () => Promise<void>): Promise<void> {
    return this.outages.through(async (faults) => {
      if (faults > 0 && !(await this.leases.renewed(message.id))) return;
      if (this.leases.isLost(message.id)) return;
      if (faults >= FAULTS_IN_A_ROW) await this.postpone(message, GIVEN_BACK_MS);
      else await task();
    });
  }

  private async handle(message: OutboxMessage): Promise<void> {
    const handler = this.handlers.get(message.kind);
    if (!handler) throw new Error(`No handler is registered for messages of kind '${message.kind}'.`);
    // Nodes that die while they serve it cannot say so: the claims count them.
    if (message.attempts >= this.options.maxDeliveryAttempts)
      return this.setAside(message, message.lastError ?? 'Every node that served it died.');
    await handler.handle(message, this.leases.signalOf(message.id));
  }

  private pollSoon(): void {
    this.poll().catch((error: unknown) => {
      // The next round of the maintenance does.
      if (!isStoreOutage(error)) this.logger.warn(`The outbox could not be read: ${toErrorLike(error).message}`);
    });
  }

  private async failed(message: OutboxMessage, error: unknown): Promise<void> {
    // Served by another node meanwhile: nothing is left to do.
    if (isWaymarkError(error, 'WM7004')) return;
    // A runtime that is paused or shuts down refuses work: that says nothing about the message.
    if (isWaymarkError(error, 'WM3005')) return this.postpone(message, REFUSED_PAUSE_MS);
    const text = toErrorLike(error).message;
    if (message.attempts + 1 >= this.options.maxDeliveryAttempts)
      return this.setAside({ ...message, attempts: message.attempts + 1 }, text);
    const delay = backoffMs(message.attempts, RETRY);
    this.logger.warn(
      `Message ${message.id} (${message.kind}) failed, next attempt in ${Math.round(delay)} ms: ${text}`,
    );
    await this.persistence.outbox.release(message.id, text, new Date(this.clock.now() + delay));
  }

  /** Gives a message back that its handler cannot serve now, uncounted: to be available again after that time, anywhere. */
  postpone({ id }: OutboxMessage, ms: number): Promise<void> {
    // Others of its kind would fare no better: they wait for the next round.
    this.hasMore = false;
    return this.persistence.outbox.postpone(id, new Date(this.clock.now() + ms));
  }

  private async setAside(message: OutboxMessage, text: string): Promise<void> {
    this.logger.error(
      `Message ${message.id} (${message.kind}) is set aside after ${message.attempts} attempts: ${text}`,
    );
    try {
      await this.handlers.get(message.kind)?.abandon?.(message, text);
    } catch (error) {
      if (isStoreOutage(error)) throw error;
      this.logger.error(`What waits for message ${message.id} could not be told: ${toErrorLike(error).message}`);
    }
    await this.persistence.outbox.bury(message.id, text);
  }
}
