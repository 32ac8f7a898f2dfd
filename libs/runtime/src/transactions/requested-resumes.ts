import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { BookmarkResumer, isGone } from '../bookmarks/bookmark-resumer.js';
import { IBookmarkQueue } from '../bookmarks/bookmark-services.js';
import type { ResumeBookmarkMessage, ResumeWaitingMessage } from '../dispatch/messages.js';
import { OutboxProcessor } from '../dispatch/outbox-processor.js';
import type { OutboxMessage, StoredBookmark } from '../persistence/records.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';

/** Resumes that were asked for in a transaction of the application. */
@Injectable()
export class RequestedResumes implements OnModuleInit {
  private readonly logger = new Logger('Workflow');

  constructor(
    private readonly outbox: OutboxProcessor,
    private readonly persistence: WorkflowPersistence,
    private readonly resumer: BookmarkResumer,
    private readonly queue: IBookmarkQueue,
  ) {}

  onModuleInit(): void {
    this.outbox.register({ kind: 'resume-bookmark', handle: (message) => this.resumeOne(message) });
    this.outbox.register({ kind: 'resume-waiting', handle: (message) => this.resumeWaiting(message) });
  }

  private async resumeOne(message: OutboxMessage): Promise<void> {
    const { bookmarkId, input } = message.payload as ResumeBookmarkMessage;
    const [row] = await this.persistence.bookmarks.findMany({ ids: [bookmarkId] });
    try {
      if (row) return void (await this.resumer.resumeRow(row, { input }, { consumedMessageIds: [message.id] }));
    } catch (error) {
      if (!isGone(error)) throw error;
    }
    this.logger.warn(`Bookmark '${bookmarkId}' was to be resumed, but nobody waits at it any more.`);
    await this.persistence.outbox.delete(message.id);
  }

  private async resumeWaiting(message: OutboxMessage): Promise<void> {
    const { name, hash, workflowInstanceId, correlationId, input } = message.payload as ResumeWaitingMessage;
    const rows = await this.persistence.bookmarks.findMany({ hash, workflowInstanceId, correlationId });
    if (rows.length === 0)
      await this.queue.enqueue({
        stimulusHash: hash,
        activityTypeName: name,
        workflowInstanceId,
        correlationId,
        input,
        // A second delivery must not queue it twice.
        idempotencyKey: message.id,
      });
    else await this.split(message.id, rows, input);
    await this.persistence.outbox.delete(message.id);
  }

  /** A message for each, consumed with its resume; by ids that a second delivery gives again. */
  private async split(
    id: string,
    rows: readonly StoredBookmark[],
    input: ResumeBookmarkMessage['input'],
  ): Promise<void> {
    const payloads = rows.map((row): ResumeBookmarkMessage => ({ bookmarkId: row.id, input }));
    const messages = this.outbox
      .prepare(payloads.map((payload) => ({ kind: 'resume-bookmark', payload })))
      .map((message, index) => ({ ...message, id: `${id}/${rows[index]!.id}` }));
    await this.persistence.outbox.add(messages);
    this.outbox.deliverSoon(messages);
  }
}
