import { Injectable, type OnModuleInit } from '@nestjs/common';
import { BookmarkResumer, isGone } from '../bookmarks/bookmark-resumer.js';
import { StoreBookmarkQueue } from '../bookmarks/bookmark-queue.js';
import { DueResumes } from '../instances/due-resumes.js';
import { FanOuts, RESUME_BOOKMARK, RESUME_WITH_SHARED_INPUT } from '../bookmarks/fan-outs.js';
import { SharedInputs } from '../bookmarks/shared-inputs.js';
import type { ResumeBookmarkMessage, ResumeWaitingMessage, ResumeWithSharedInputMessage } from '../bursts/messages.js';
import { OutboxProcessor } from '../outbox/outbox-processor.js';
import type { OutboxMessage, StoredBookmark } from '../persistence/records.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';

/** Resumes that the outbox serves: of fan-outs, and those asked for in a transaction of the application. */
@Injectable()
export class RequestedResumes implements OnModuleInit {
  private readonly logger = new WorkflowLogger('Workflow');

  constructor(
    private readonly outbox: OutboxProcessor,
    private readonly persistence: WorkflowPersistence,
    private readonly resumer: BookmarkResumer,
    private readonly fanOuts: FanOuts,
    private readonly sharedInputs: SharedInputs,
    private readonly queue: StoreBookmarkQueue,
    private readonly due: DueResumes,
  ) {}

  onModuleInit(): void {
    this.outbox.register({
      kind: RESUME_BOOKMARK,
      handle: (message) => this.resumeOne(message, message.payload as ResumeBookmarkMessage),
      abandon: (message, error) => this.due.giveUp(message, error),
    });
    this.outbox.register({
      kind: RESUME_WITH_SHARED_INPUT,
      handle: (message) => {
        const { bookmarkId, of } = message.payload as ResumeWithSharedInputMessage;
        return this.sharedInputs.use(of, (input) => this.resumeOne(message, { ...input, bookmarkId }));
      },
    });
    this.outbox.register({ kind: 'resume-waiting', handle: (message) => this.resumeWaiting(message) });
  }

  private async resumeOne(
    message: OutboxMessage,
    { bookmarkId, input, properties }: ResumeBookmarkMessage,
  ): Promise<void> {
    const row = await this.waitingAt(bookmarkId, message);
    try {
      if (row)
        return void (await this.resumer.resumeRow(row, { input, properties }, { consumedMessageIds: [message.id] }));
    } catch (error) {
      if (!isGone(error)) throw error;
    }
    this.logger.warn(`Bookmark '${bookmarkId}' could not be resumed, because no instance waits at it any more.`);
    await this.persistence.outbox.delete(message.id);
  }

  /**
   * Where the message has the instance, as each of a fan-out has, that says whether it waits there: to look it up would cost each of ten
   * thousand one more query.
   */
  private async waitingAt(
    id: string,
    { workflowInstanceId }: OutboxMessage,
  ): Promise<Pick<StoredBookmark, 'id' | 'workflowInstanceId'> | undefined> {
    if (workflowInstanceId !== undefined) return { id, workflowInstanceId };
    return (await this.persistence.bookmarks.findMany({ ids: [id] }))[0];
  }

  private async resumeWaiting(message: OutboxMessage): Promise<void> {
    const { name, hash, workflowInstanceId, correlationId, input } = message.payload as ResumeWaitingMessage;
    const filter = { hash, workflowInstanceId, correlationId };
    const item = {
      stimulusHash: hash,
      activityTypeName: name,
      workflowInstanceId,
      correlationId,
      input,
      // A node of the version before may have queued it, and died.
      idempotencyKey: message.id,
    };
    const more = { consumedMessageId: message.id, isForSome: true };
    for (;;) {
      const [first] = await this.persistence.bookmarks.findMany(filter, 1);
      if (!first) return this.queue.enqueueInPlaceOf(message.id, item);
      if ((await this.fanOuts.handOver(filter, { input }, more)) > 0) return;
      // Others have resumed all of them in between, and its message is still there.
    }
  }
}
