import { isWaymarkError, NewerFormatError } from '@waymark/core';
import { toErrorLike } from '@waymark/core/adapter';
import type { WorkflowClock } from '../clock/workflow-clock.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';
import type { UnreadableWork } from '../outages/unreadable-work.js';
import { backoffMs } from '../outages/backoff.js';
import { codedText, withoutCode } from '../persistence/coded-text.js';
import { isStoreOutage } from '../persistence/persistence-errors.js';
import type { OutboxMessage } from '../persistence/records.js';
import type { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import type { WorkflowCodeMissingError } from '../services/definition-errors.js';
import type { MessageLeases } from './message-leases.js';
import { EVERY_NODE_DIED, NotGivenUp, type OutboxHandler } from './outbox-handler.js';
import { isRefusedByNode } from './refused-by-node.js';

const RETRY = { firstMs: 200, longestMs: 60_000 };
/** When the runtime is asked again that took no work. */
const REFUSED_PAUSE_MS = 200;
/**
 * What this node cannot read, a newer one gets the time to claim. Of no fixed length: after a multiple of the time between two looks
 * it would be back just when this node looks, each time before the newer one does.
 */
const LEFT_TO_OTHERS = { firstMs: 5_000, longestMs: 5_000 };

/** When what cannot be given up now is tried again. */
const GIVEN_UP_AGAIN = { firstMs: 300_000, longestMs: 300_000 };

/** One attempt to serve a message, and what follows when it fails: another one later, or a dead letter. */
export class MessageAttempts {
  private readonly logger = new WorkflowLogger('WorkflowOutbox');

  constructor(
    private readonly handlers: ReadonlyMap<string, OutboxHandler>,
    private readonly persistence: WorkflowPersistence,
    private readonly clock: WorkflowClock,
    private readonly leases: MessageLeases,
    private readonly maxAttempts: number,
    private readonly unreadable: UnreadableWork,
    private readonly postpone: (message: OutboxMessage, ms: number) => Promise<void>,
    private readonly setAside: (message: OutboxMessage, error: WorkflowCodeMissingError) => Promise<void>,
  ) {}

  async handle(message: OutboxMessage): Promise<void> {
    if (message.unreadable) throw message.unreadable;
    const handler = this.handlers.get(message.kind);
    if (!handler) throw new NewerFormatError(`Message ${message.id} of kind '${message.kind}'`);
    // Nodes that die while they serve it cannot say so: the claims count them.
    if (message.attempts >= this.maxAttempts) return this.toDeadLetter(message, message.lastError ?? EVERY_NODE_DIED);
    await handler.handle(message, this.leases.signalOf(message.id));
  }

  /** @param error of the handler; faults of the store are not for here */
  async failed(message: OutboxMessage, error: unknown): Promise<void> {
    // Served by another node meanwhile: nothing is left to do.
    if (isWaymarkError(error, 'WM7004')) return;
    if (isRefusedByNode(error)) return this.leave(message, error);
    // Nor while another node serves it: of a process that stood still, its calls fail before it notices that its claim has ended.
    if (!(await this.leases.renewed(message.id))) return;
    const text = codedText(error);
    if (message.attempts + 1 >= this.maxAttempts)
      return this.toDeadLetter({ ...message, attempts: message.attempts + 1 }, text);
    const delay = backoffMs(message.attempts, RETRY);
    this.logger.warn(
      `Message ${message.id} (${message.kind}) failed, next attempt in ${Math.round(delay)} ms: ${text}`,
    );
    await this.leases.whileLeaving(message.id, () =>
      this.persistence.outbox.release(message.id, text, new Date(this.clock.now() + delay), this.leases.owner),
    );
  }

  /** Uncounted: see `isRefusedByNode`. */
  private async leave(message: OutboxMessage, error: unknown): Promise<void> {
    if (isWaymarkError(error, 'WM3005')) return this.postpone(message, REFUSED_PAUSE_MS);
    if (isWaymarkError(error, 'WM2040')) return this.setAside(message, error as unknown as WorkflowCodeMissingError);
    this.unreadable.note(codedText(error));
    return this.postpone(message, backoffMs(0, LEFT_TO_OTHERS));
  }

  private async toDeadLetter(message: OutboxMessage, text: string): Promise<void> {
    try {
      await this.handlers.get(message.kind)?.abandon?.(message, withoutCode(text));
    } catch (error) {
      if (isStoreOutage(error)) throw error;
      // What waits for it would wait without end: it is notified by a node that can.
      if (isRefusedByNode(error)) return this.leave(message, error);
      if (error instanceof NotGivenUp) return this.keep(message, error);
      this.logger.error(
        `Failed to notify the waiter of message ${message.id}: ${toErrorLike(error).message}`,
        toErrorLike(error).stack,
      );
    }
    const { outbox } = this.persistence;
    await outbox.moveToDeadLetters(message.id, text);
    // Consumed by what gave it up, as most are that stand for the work of an instance: nothing is left to replay.
    if (!(await outbox.find(message.id))) return;
    this.logger.error(
      `Message ${message.id} (${message.kind}) became a dead letter after ${message.attempts} attempts. Replay it once the cause is fixed: ${text}`,
    );
  }

  private keep(message: OutboxMessage, { cause, message: text }: NotGivenUp): Promise<void> {
    const delay = backoffMs(0, GIVEN_UP_AGAIN);
    this.logger.error(
      `Message ${message.id} (${message.kind}) could not be given up; it is tried again in ${Math.round(delay / 1000)} seconds: ${text}`,
      toErrorLike(cause).stack,
    );
    return this.postpone(message, delay);
  }
}
