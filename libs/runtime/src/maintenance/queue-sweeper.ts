import { Injectable, Logger } from '@nestjs/common';
import { StoreBookmarkQueue } from '../bookmarks/bookmark-queue.js';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { REPORT_KEY } from '../dispatch/messages.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';

const BATCH = 100;
const EXPIRY_BATCH = 1000;
const DEAD_LETTER_TTL_MS = 7 * 24 * 3_600_000;

/**
 * Whoever comes second, a bookmark or its stimulus, makes the match after its own commit. When that node dies in between,
 * both are stored and nobody looks again: this does (W5, W8).
 */
@Injectable()
export class QueueSweeper {
  private readonly logger = new Logger('WorkflowRecovery');

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly queue: StoreBookmarkQueue,
    private readonly clock: WorkflowClock,
  ) {}

  /** Returns how many were found. */
  async sweep(): Promise<number> {
    const ids = await this.persistence.queue.findDeliverable(new Date(this.clock.now()), BATCH);
    for (const id of ids) {
      try {
        await this.queue.deliver(id);
      } catch (error) {
        // Counted with the item, which is set aside in the end; the others must not wait for it.
        this.logger.warn(`Queued stimulus ${id} could not be delivered: ${String((error as Error)?.message ?? error)}`);
      }
    }
    return ids.length;
  }

  /** Sets stimuli aside whose time is over, and forgets those that were set aside long ago. */
  async expire(): Promise<void> {
    const now = this.clock.now();
    const { queue } = this.persistence;
    const { expired } = await queue.expire(new Date(now), new Date(now - DEAD_LETTER_TTL_MS), EXPIRY_BATCH);
    if (expired > 0) await this.forgetNeedlessReports(expired);
  }

  /**
   * A parent whose burst is run again after a crash may find its child finished: it does not wait for the child's report,
   * which is on its way all the same. Once the parent has ended well there is nothing to repair, and nobody to be told.
   */
  private async forgetNeedlessReports(count: number): Promise<void> {
    const { queue, instances } = this.persistence;
    const { items } = await queue.findDeadLetters({}, { skip: 0, take: count });
    const reports = items.filter(({ idempotencyKey }) => idempotencyKey?.startsWith(REPORT_KEY));
    const ids = [...new Set(reports.flatMap(({ workflowInstanceId }) => workflowInstanceId ?? []))];
    if (ids.length === 0) return;
    const ended = new Set(
      await instances.findIds({ ids, statuses: ['Finished'], subStatuses: ['Finished', 'Cancelled'] }),
    );
    for (const { id, workflowInstanceId } of reports)
      if (workflowInstanceId !== undefined && ended.has(workflowInstanceId)) await queue.deleteDeadLetter(id);
  }
}
