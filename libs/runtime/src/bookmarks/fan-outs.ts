import { Inject, Injectable } from '@nestjs/common';
import { toErrorLike } from '@waymark/core/adapter';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { OutboxProcessor } from '../outbox/outbox-processor.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import { RuntimeGate } from '../bursts/runtime-gate.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../options/runtime-options.js';
import type { BookmarkFilter } from '../persistence/lookup-stores.js';
import { isStoreOutage } from '../persistence/persistence-errors.js';
import type { OutboxMessage, StoredBookmark } from '../persistence/records.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';
import { type SharedInput, SharedInputs } from './shared-inputs.js';

/** Kind of the messages, which nodes of earlier versions serve as well. */
export const RESUME_BOOKMARK = 'resume-bookmark';
/** Before the id of a due bookmark, the id of the message that resumes it: one is enough, whichever nodes find it due. */
export const DUE = 'due/';
/** Kind of those whose input is stored once. */
export const RESUME_WITH_SHARED_INPUT = 'resume-with-shared-input';

/** What is the same in all messages of a fan-out. */
interface Template {
  /** Of the fan-out. */
  readonly id: string;
  readonly kind: string;
  readonly payload: object;
  /** Where the payload refers to it. */
  readonly shared?: OutboxMessage | undefined;
}

/** Bookmarks that this process resumes now. */
export interface TakenBookmarks {
  /** Oldest first. */
  readonly rows: readonly StoredBookmark[];
  /** Given when there were more than these: the message of each, which its resume consumes. */
  readonly messages?: readonly OutboxMessage[];
  /** How many more there were, which the outbox resumes. */
  readonly handedOver: number;
}

/** What is written together with a fan-out. */
export interface WrittenWith {
  readonly messages?: readonly OutboxMessage[];
  readonly exceptBookmarkIds?: readonly string[];
  readonly consumedMessageId?: string;
  /** If true and none waits any more, nothing is written, and `consumedMessageId` is left. @default false */
  readonly isForSome?: boolean;
}

/**
 * Resumes for any number of instances.
 *
 * 1. Which instances a stimulus addresses is decided once, in one transaction: those that wait then. One that waits again
 *    afterwards is not resumed by the same stimulus, however long the others take.
 * 2. That transaction writes a message for each, which is consumed by the commit that resumes its instance. So a node that
 *    dies loses none of them and doubles none (W2, W8), and all nodes serve them.
 * 3. Rows and states beyond `fanOutLimit` never are in this process at the same time.
 */
@Injectable()
export class FanOuts {
  private readonly logger = new WorkflowLogger('WorkflowOutbox');

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly outbox: OutboxProcessor,
    private readonly sharedInputs: SharedInputs,
    private readonly engine: WorkflowEngine,
    private readonly clock: WorkflowClock,
    private readonly gate: RuntimeGate,
    @Inject(RUNTIME_OPTIONS) private readonly options: ResolvedRuntimeOptions,
  ) {}

  /**
   * Those that the caller resumes: all, or the oldest of so many that the others are left to the outbox.
   * @throws RuntimeNotAcceptingWorkError, when that would be needed: a refused stimulus must not be delivered later
   */
  async take(filter: BookmarkFilter, { input, properties }: SharedInput): Promise<TakenBookmarks> {
    const { fanOutLimit } = this.options;
    const found = await this.persistence.bookmarks.findMany(filter, fanOutLimit + 1);
    if (found.length <= fanOutLimit) return { rows: found, handedOver: 0 };
    const rows = found.slice(0, fanOutLimit);
    const template = this.templateOf({ input, properties });
    const messages = this.messagesOf(rows, template);
    const exceptBookmarkIds = rows.map(({ id }) => id);
    this.gate.enter();
    try {
      const handedOver = await this.write(filter, template, { messages, exceptBookmarkIds });
      return { rows, messages, handedOver };
    } finally {
      this.gate.leave();
    }
  }

  /**
   * Leaves all that match to the outbox of any node.
   * @returns how many they are, `exceptBookmarkIds` left out
   * @throws MessageConsumedError
   */
  handOver(filter: BookmarkFilter, input: SharedInput, more: WrittenWith = {}): Promise<number> {
    return this.write(filter, this.templateOf(input), more);
  }

  private templateOf(input: SharedInput): Template {
    const id = this.engine.newId();
    const shared = this.sharedInputs.messageOf(id, input);
    if (shared) return { id, kind: RESUME_WITH_SHARED_INPUT, payload: { of: id }, shared };
    return { id, kind: RESUME_BOOKMARK, payload: { ...input } };
  }

  /** Of those that this process resumes. */
  private messagesOf(rows: readonly StoredBookmark[], { id, kind, payload, shared }: Template): OutboxMessage[] {
    const messages = this.outbox.prepare(
      rows.map((row) => ({
        kind,
        payload: { ...payload, bookmarkId: row.id },
        workflowInstanceId: row.workflowInstanceId,
      })),
    );
    // By their ids it is known that the shared input is needed.
    return shared ? messages.map((message, n) => ({ ...message, id: `${id}/first/${n + 1}` })) : messages;
  }

  private async write(filter: BookmarkFilter, { shared, ...template }: Template, more: WrittenWith): Promise<number> {
    const now = new Date(this.clock.now());
    const { kind, payload } = this.outbox.sealed(template.id, template);
    const count = await this.persistence.outbox.fanOut({
      id: template.id,
      filter,
      kind,
      payload: payload as Readonly<Record<string, unknown>>,
      createdAt: now,
      // For all nodes at once: there are more than the one that wrote them can serve at the same time.
      availableAt: now,
      exceptBookmarkIds: more.exceptBookmarkIds ?? [],
      messages: [...(shared ? [shared] : []), ...(more.messages ?? [])],
      consumedMessageId: more.consumedMessageId,
      isForSome: more.isForSome,
    });
    if (count > 0) this.fetch();
    return count;
  }

  /** They are stored: what fails here is done by the next round, of this node or another one. */
  private fetch(): void {
    this.outbox.poll().catch((error: unknown) => {
      if (!isStoreOutage(error)) this.logger.warn(`Failed to fetch messages: ${toErrorLike(error).message}`);
    });
  }
}
