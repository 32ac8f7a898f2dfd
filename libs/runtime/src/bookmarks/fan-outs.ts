import { Inject, Injectable } from '@nestjs/common';
import { toErrorLike } from '@waymark/core/adapter';
import { WorkflowClock } from '../clock/workflow-clock.js';
import type { ResumeBookmarkMessage } from '../bursts/messages.js';
import { OutboxProcessor } from '../outbox/outbox-processor.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import { RuntimeGate } from '../bursts/runtime-gate.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../options/runtime-options.js';
import type { BookmarkFilter } from '../persistence/lookup-stores.js';
import { isStoreOutage } from '../persistence/persistence-errors.js';
import type { OutboxMessage, StoredBookmark } from '../persistence/records.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';

/** Kind of the messages, which nodes of earlier versions serve as well. */
export const RESUME_BOOKMARK = 'resume-bookmark';

/** What the bookmarks are resumed with. */
type Handed = Omit<ResumeBookmarkMessage, 'bookmarkId'>;

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
    private readonly engine: WorkflowEngine,
    private readonly clock: WorkflowClock,
    private readonly gate: RuntimeGate,
    @Inject(RUNTIME_OPTIONS) private readonly options: ResolvedRuntimeOptions,
  ) {}

  /**
   * Those that the caller resumes: all, or the oldest of so many that the others are left to the outbox.
   * @throws RuntimeNotAcceptingWorkError, when that would be needed: a refused stimulus must not be delivered later
   */
  async take(filter: BookmarkFilter, { input, properties }: Handed): Promise<TakenBookmarks> {
    const { fanOutLimit } = this.options;
    const found = await this.persistence.bookmarks.findMany(filter, fanOutLimit + 1);
    if (found.length <= fanOutLimit) return { rows: found, handedOver: 0 };
    const rows = found.slice(0, fanOutLimit);
    const messages = this.outbox.prepare(
      rows.map(({ id, workflowInstanceId }) => ({
        kind: RESUME_BOOKMARK,
        payload: { bookmarkId: id, input, properties } satisfies ResumeBookmarkMessage,
        workflowInstanceId,
      })),
    );
    const exceptBookmarkIds = rows.map(({ id }) => id);
    this.gate.enter();
    try {
      const handedOver = await this.handOver(filter, { input, properties }, { messages, exceptBookmarkIds });
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
  async handOver(filter: BookmarkFilter, payload: Handed, more: WrittenWith = {}): Promise<number> {
    const now = new Date(this.clock.now());
    const id = this.engine.newId();
    const message = this.outbox.sealed(id, { kind: RESUME_BOOKMARK, payload: { ...payload } });
    const count = await this.persistence.outbox.fanOut({
      id,
      filter,
      kind: message.kind,
      payload: message.payload as Readonly<Record<string, unknown>>,
      createdAt: now,
      // For all nodes at once: there are more than the one that wrote them can serve at the same time.
      availableAt: now,
      exceptBookmarkIds: more.exceptBookmarkIds ?? [],
      messages: more.messages ?? [],
      consumedMessageId: more.consumedMessageId,
    });
    if (count > 0) this.fetch();
    return count;
  }

  /** They are stored: what fails here is done by the next round, of this node or another one. */
  private fetch(): void {
    this.outbox.poll().catch((error: unknown) => {
      if (!isStoreOutage(error)) this.logger.warn(`Messages could not be fetched: ${toErrorLike(error).message}`);
    });
  }
}
