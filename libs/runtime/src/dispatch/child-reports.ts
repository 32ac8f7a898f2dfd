import { Injectable, type OnModuleInit } from '@nestjs/common';
import { BookmarkResumer, isGone } from '../bookmarks/bookmark-resumer.js';
import type { OutboxMessage } from '../persistence/records.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { childReport, type JoinChildMessage, reportToParent, type ResumeMessage } from './messages.js';
import { OutboxProcessor } from './outbox-processor.js';

/**
 * Tells parents how their children ended. A child that was dispatched begins after the commit with which its parent waits,
 * so its report finds the bookmark. A child of ExecuteWorkflow may end while the burst of its parent still runs: that
 * report finds nothing and is dropped, however long the burst takes, because the commit of the burst asks for it (W5).
 */
@Injectable()
export class ChildReports implements OnModuleInit {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly resumer: BookmarkResumer,
    private readonly outbox: OutboxProcessor,
  ) {}

  onModuleInit(): void {
    this.outbox.register({
      kind: 'resume',
      handle: (message) => this.tell(message.payload as ResumeMessage, message),
    });
    this.outbox.register({
      kind: 'join-child',
      handle: (message) => this.join(message.payload as JoinChildMessage, message),
    });
  }

  /** The parent waits since this was sent: its child may have ended before, or tells it later. */
  private async join({ childInstanceId, ...waiting }: JoinChildMessage, message: OutboxMessage): Promise<void> {
    const { instances } = this.persistence;
    const isRunning = (await instances.count({ ids: [childInstanceId], statuses: ['Running'] })) > 0;
    if (isRunning) return this.drop(message);
    const child = await instances.load(childInstanceId);
    // Deleted meanwhile, by which it was cancelled.
    const input = child
      ? reportToParent(child.state, waiting).input
      : childReport(childInstanceId, 'Finished', 'Cancelled', {});
    return this.tell({ ...waiting, input }, message);
  }

  private async tell({ workflowInstanceId, hash, input }: ResumeMessage, message: OutboxMessage): Promise<void> {
    for (const row of await this.persistence.bookmarks.findMany({ workflowInstanceId, hash })) {
      try {
        await this.resumer.resumeRow(row, { input }, { consumedMessageIds: [message.id] });
        return;
      } catch (error) {
        if (!isGone(error)) throw error;
      }
    }
    // Told already, ended, or not yet waiting.
    return this.drop(message);
  }

  private async drop({ id }: OutboxMessage): Promise<void> {
    await this.persistence.outbox.delete(id);
  }
}
