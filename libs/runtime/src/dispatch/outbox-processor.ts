import { Inject, Injectable, Logger } from '@nestjs/common';
import { isWaymarkError, type OutgoingMessage } from '@waymark/core';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../module/runtime-options.js';
import type { OutboxMessage } from '../persistence/records.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';

/** Serves messages of one kind. It must consume the message: in the commit it causes, or by deleting it. */
export interface OutboxHandler {
  readonly kind: string;
  handle(message: OutboxMessage): Promise<void>;
}

/** The node that wrote a message serves it at once; others leave it alone for that long. */
const HEAD_START_MS = 5_000;
/** A claimed message is free again after that time, if its node died. */
const LEASE_MS = 30_000;
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
  private readonly waiting: OutboxMessage[] = [];
  /** Being served or waiting for it here: a slow message must not be taken a second time when its lease runs out. */
  private readonly held = new Set<string>();
  private running = 0;
  private idle: (() => void)[] = [];

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly clock: WorkflowClock,
    private readonly engine: WorkflowEngine,
    @Inject(RUNTIME_OPTIONS) private readonly options: ResolvedRuntimeOptions,
  ) {}

  register(handler: OutboxHandler): void {
    this.handlers.set(handler.kind, handler);
  }

  /** Rows for messages; the caller stores them in its commit and then calls `deliverSoon`. */
  prepare(messages: readonly OutgoingMessage[]): OutboxMessage[] {
    if (!messages.length) return [];
    const now = this.clock.now();
    return messages.map(({ kind, payload, availableAt }) => ({
      id: this.engine.newId(),
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

  /** Serves stored messages without waiting for it. */
  deliverSoon(messages: readonly OutboxMessage[]): void {
    const now = this.clock.now() + HEAD_START_MS;
    this.take(messages.filter((m) => m.availableAt.getTime() <= now));
  }

  /** Takes over what other nodes or earlier runs left behind. Returns how many were claimed. */
  async poll(): Promise<number> {
    const free = this.options.deliveryConcurrency - this.running - this.waiting.length;
    if (free <= 0) return 0;
    const claimed = await this.persistence.outbox.claim({
      owner: this.options.nodeName,
      limit: free,
      leaseMs: LEASE_MS,
      now: new Date(this.clock.now()),
    });
    this.take(claimed);
    return claimed.length;
  }

  /** Resolves when nothing is being served. */
  settled(): Promise<void> {
    return this.running === 0 && this.waiting.length === 0
      ? Promise.resolve()
      : new Promise((resolve) => this.idle.push(resolve));
  }

  private take(messages: readonly OutboxMessage[]): void {
    for (const message of messages) {
      if (this.held.has(message.id)) continue;
      this.held.add(message.id);
      this.waiting.push(message);
    }
    this.pump();
  }

  private pump(): void {
    while (this.running < this.options.deliveryConcurrency && this.waiting.length) {
      const message = this.waiting.shift()!;
      this.running++;
      void this.serve(message).finally(() => {
        this.running--;
        this.held.delete(message.id);
        this.pump();
        if (this.running === 0 && this.waiting.length === 0) for (const resolve of this.idle.splice(0)) resolve();
      });
    }
  }

  private async serve(message: OutboxMessage): Promise<void> {
    try {
      const handler = this.handlers.get(message.kind);
      if (!handler) throw new Error(`No handler is registered for messages of kind '${message.kind}'.`);
      await handler.handle(message);
    } catch (error) {
      // Served by another node meanwhile: nothing is left to do.
      if (isWaymarkError(error, 'WM7004')) return;
      await this.failed(message, error);
    }
  }

  private async failed(message: OutboxMessage, error: unknown): Promise<void> {
    const text = String((error as Error)?.message ?? error);
    // A runtime that shuts down refuses work: that says nothing about the message.
    const refused = isWaymarkError(error, 'WM3005');
    try {
      if (!refused && message.attempts + 1 >= this.options.maxDeliveryAttempts) {
        this.logger.error(
          `Message ${message.id} (${message.kind}) is set aside after ${message.attempts + 1} attempts: ${text}`,
        );
        await this.persistence.outbox.bury(message.id, text);
        return;
      }
      const delay = refused ? FIRST_RETRY_MS : Math.min(FIRST_RETRY_MS * 2 ** message.attempts, LONGEST_RETRY_MS);
      if (!refused)
        this.logger.warn(`Message ${message.id} (${message.kind}) failed, next attempt in ${delay} ms: ${text}`);
      await this.persistence.outbox.release(message.id, text, new Date(this.clock.now() + delay));
    } catch (storeError) {
      // The store is out of reach: the claim runs out and the message is served again.
      this.logger.warn(
        `Message ${message.id} could not be given back: ${String((storeError as Error)?.message ?? storeError)}`,
      );
    }
  }
}
