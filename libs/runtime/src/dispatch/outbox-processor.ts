import { Inject, Injectable, Logger } from '@nestjs/common';
import { isWaymarkError, type OutgoingMessage } from '@waymark/core';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import { RuntimeGate } from '../instances/runtime-gate.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../module/runtime-options.js';
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
const FIRST_RETRY_MS = 200;
const LONGEST_RETRY_MS = 60_000;

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
  private idle: (() => void)[] = [];

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly clock: WorkflowClock,
    private readonly engine: WorkflowEngine,
    private readonly gate: RuntimeGate,
    @Inject(RUNTIME_OPTIONS) private readonly options: ResolvedRuntimeOptions,
  ) {
    const { deliveryConcurrency, backgroundConcurrency, nodeName } = options;
    const serve = (message: OutboxMessage) => this.serve(message);
    const onIdle = () => this.onIdle();
    this.suspects = new Suspects(persistence, clock);
    this.leases = new MessageLeases(persistence, clock, nodeName);
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
    try {
      return await task();
    } finally {
      this.leases.delete(message.id);
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
    if (limit === 0 || this.gate.closedBecause) return 0;
    this.fetching++;
    try {
      return await this.fetch(limit);
    } finally {
      this.fetching--;
      this.onIdle();
    }
  }

  private async fetch(limit: number): Promise<number> {
    const claimed = await this.persistence.outbox.claim({
      owner: this.options.nodeName,
      limit,
      leaseMs: LEASE_MS,
      now: this.clock.storeTime(),
      exceptKinds: this.longLane.isFull ? this.longKinds() : [],
    });
    const isLong = (message: OutboxMessage) => this.laneOf(message) === this.longLane;
    const short = await this.suspects.pick(claimed.filter((message) => !isLong(message)));
    const taken = [...short, ...claimed.filter(isLong)];
    for (const message of taken) this.hold(message);
    return taken.length;
  }

  /** Resolves when nothing is being served or fetched. */
  settled(): Promise<void> {
    return this.isIdle ? Promise.resolve() : new Promise((resolve) => this.idle.push(resolve));
  }

  private get isIdle(): boolean {
    return this.fetching === 0 && this.lane.isIdle && this.longLane.isIdle;
  }

  private onIdle(): void {
    if (this.isIdle) for (const resolve of this.idle.splice(0)) resolve();
  }

  private longKinds(): string[] {
    return [...this.handlers.values()].filter(({ isLong }) => isLong).map(({ kind }) => kind);
  }

  private laneOf({ kind }: OutboxMessage): DeliveryLane {
    return this.handlers.get(kind)?.isLong ? this.longLane : this.lane;
  }

  private hold(message: OutboxMessage): void {
    if (this.leases.has(message.id)) return;
    this.leases.add(message, this.handlers.get(message.kind));
    this.laneOf(message).add(message);
  }

  private async serve(message: OutboxMessage): Promise<void> {
    try {
      const handler = this.handlers.get(message.kind);
      if (!handler) throw new Error(`No handler is registered for messages of kind '${message.kind}'.`);
      // Nodes that die while they serve it cannot say so: the claims count them.
      if (message.attempts >= this.options.maxDeliveryAttempts)
        return await this.setAside(message, message.lastError ?? 'Every node that served it died.');
      await handler.handle(message, this.leases.signalOf(message.id));
    } catch (error) {
      // Served by another node meanwhile: nothing is left to do.
      if (isWaymarkError(error, 'WM7004')) return;
      await this.failed(message, error);
    } finally {
      this.leases.delete(message.id);
      if (this.suspects.served(message)) this.pollSoon();
    }
  }

  private pollSoon(): void {
    this.poll().catch((error: unknown) =>
      // The next round of the maintenance does.
      this.logger.warn(`The outbox could not be read: ${String((error as Error)?.message ?? error)}`),
    );
  }

  private async failed(message: OutboxMessage, error: unknown): Promise<void> {
    const text = String((error as Error)?.message ?? error);
    const now = this.clock.now();
    try {
      // A runtime that is paused or shuts down refuses work: that says nothing about the message.
      if (isWaymarkError(error, 'WM3005'))
        return await this.persistence.outbox.postpone(message.id, new Date(now + FIRST_RETRY_MS));
      if (message.attempts + 1 >= this.options.maxDeliveryAttempts)
        return await this.setAside({ ...message, attempts: message.attempts + 1 }, text);
      const delay = Math.min(FIRST_RETRY_MS * 2 ** message.attempts, LONGEST_RETRY_MS);
      this.logger.warn(`Message ${message.id} (${message.kind}) failed, next attempt in ${delay} ms: ${text}`);
      await this.persistence.outbox.release(message.id, text, new Date(now + delay));
    } catch (storeError) {
      // The store is out of reach: the claim runs out and the message is served again.
      this.logger.warn(
        `Message ${message.id} could not be given back: ${String((storeError as Error)?.message ?? storeError)}`,
      );
    }
  }

  private async setAside(message: OutboxMessage, text: string): Promise<void> {
    this.logger.error(
      `Message ${message.id} (${message.kind}) is set aside after ${message.attempts} attempts: ${text}`,
    );
    try {
      await this.handlers.get(message.kind)?.abandon?.(message, text);
    } catch (error) {
      this.logger.error(
        `What waits for message ${message.id} could not be told: ${String((error as Error)?.message ?? error)}`,
      );
    }
    await this.persistence.outbox.bury(message.id, text);
  }
}
