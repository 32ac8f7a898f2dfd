import { Injectable, Logger } from '@nestjs/common';
import { StoreBookmarkQueue } from '../bookmarks/bookmark-queue.js';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { StoreOutages } from '../outages/store-outages.js';
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
    private readonly outages: StoreOutages,
  ) {}

  /** Returns how many were found. */
  async sweep(): Promise<number> {
    const ids = await this.persistence.queue.findDeliverable(new Date(this.clock.now()), BATCH);
    for (const id of ids) {
      try {
        await this.queue.deliver(id);
      } catch (error) {
        // The others would fare no better: they are found again when the store is back.
        if (this.outages.report(error)) break;
        // Counted with the item, which is set aside in the end; the others must not wait for it.
        this.logger.warn(`Queued stimulus ${id} could not be delivered: ${String((error as Error)?.message ?? error)}`);
      }
    }
    return ids.length;
  }

  /** Sets stimuli aside whose time is over, and forgets those that were set aside long ago. */
  async expire(): Promise<void> {
    const expiry = { keepDeadLettersMs: DEAD_LETTER_TTL_MS, limit: EXPIRY_BATCH, now: this.clock.storeTime() };
    await this.persistence.queue.expire(expiry);
  }
}
