import { Injectable, type OnModuleInit } from '@nestjs/common';
import { serialize } from '@waymark/core/adapter';
import type { ResumeBookmarkMessage } from '../bursts/messages.js';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { OutboxProcessor } from '../outbox/outbox-processor.js';
import { PersistenceError } from '../persistence/persistence-errors.js';
import type { OutboxMessage } from '../persistence/records.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';

/** Kind of the message that holds the input of a fan-out. Its id is that of the fan-out. */
const SHARED_INPUT = 'shared-input';
/** Smaller ones are copied into each message: then a message is served without another look at the store. */
const LARGE_CHARS = 4_000;
/** How often it is looked whether messages still need it. */
const LOOK_EVERY_MS = 60_000;

/** The input and properties with which a bookmark is resumed. */
export type SharedInput = Omit<ResumeBookmarkMessage, 'bookmarkId'>;

interface InUse {
  readonly input: Promise<SharedInput>;
  users: number;
}

/**
 * The input of a fan-out, stored once however many instances it is for: a copy in each message would be 10 GB for 1 MB and
 * ten thousand of them. It is a message of its own, which does nothing but end itself.
 *
 * 1. It is written in the transaction of its messages, whose ids begin with its own.
 * 2. It goes when none of them is left, dead letters included: with the last one that this process serves, or when it is
 *    served itself, a minute later. No message is added afterwards, so what is over stays over.
 * 3. Messages that are served at the same time share one reading of it.
 * 4. Nodes of earlier versions know neither kind, and leave both to others, uncounted.
 */
@Injectable()
export class SharedInputs implements OnModuleInit {
  private readonly inUse = new Map<string, InUse>();

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly outbox: OutboxProcessor,
    private readonly clock: WorkflowClock,
  ) {}

  onModuleInit(): void {
    this.outbox.register({ kind: SHARED_INPUT, handle: (message) => this.clear(message) });
  }

  /** The message that holds it, to be stored with the others. Undefined: it is so small that each of them may have a copy. */
  messageOf(fanOutId: string, input: SharedInput): OutboxMessage | undefined {
    if (serialize(input, 'input of a fan-out').length < LARGE_CHARS) return undefined;
    const now = this.clock.now();
    return {
      id: fanOutId,
      workflowInstanceId: undefined,
      ...this.outbox.sealed(fanOutId, { kind: SHARED_INPUT, payload: input }),
      createdAt: new Date(now),
      availableAt: new Date(now + LOOK_EVERY_MS),
      attempts: 0,
    };
  }

  /** Runs a task of one of the messages with what they share. @throws PersistenceError when it was removed from the store by hand */
  async use<T>(fanOutId: string, task: (input: SharedInput) => Promise<T>): Promise<T> {
    const used = this.inUse.get(fanOutId) ?? { input: this.read(fanOutId), users: 0 };
    this.inUse.set(fanOutId, used);
    used.users++;
    let result: T;
    try {
      result = await task(await used.input);
    } finally {
      if (--used.users === 0) this.inUse.delete(fanOutId);
    }
    if (!this.inUse.has(fanOutId)) await this.endIfOver(fanOutId);
    return result;
  }

  private async read(id: string): Promise<SharedInput> {
    const message = await this.persistence.outbox.find(id);
    if (message?.unreadable) throw message.unreadable;
    if (message) return this.outbox.opened(message).payload as SharedInput;
    throw new PersistenceError(
      `Message ${id}, which holds the input of a fan-out, is no longer in the outbox. Publish the event again for instances that still wait.`,
    );
  }

  private async clear(message: OutboxMessage): Promise<void> {
    if (await this.endIfOver(message.id)) return;
    await this.outbox.putOff(message, LOOK_EVERY_MS);
  }

  /** @returns whether it was over */
  private async endIfOver(id: string): Promise<boolean> {
    if (await this.persistence.outbox.hasFanOut(id)) return false;
    await this.persistence.outbox.delete(id);
    return true;
  }
}
