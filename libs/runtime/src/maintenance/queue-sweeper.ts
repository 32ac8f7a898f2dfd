import { Inject, Injectable } from '@nestjs/common';
import { QUEUED_DELIVERY, StoreBookmarkQueue } from '../bookmarks/bookmark-queue.js';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../options/runtime-options.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { LotSize } from './lot-size.js';
import type { Backlog } from './paced-drain.js';

/** Asked for at a time, in few statements. */
const BATCH = 1000;
const EXPIRY_BATCH = 1000;
const DEAD_LETTER_TTL_MS = 7 * 24 * 3_600_000;
/** So that the time before which they are deleted stays a number. */
const FOR_EVER_MS = 100 * 365 * 24 * 3_600_000;

/**
 * The second to come, the bookmark or its stimulus, makes the match after its own commit. When that node dies in between,
 * both are stored and nothing looks for them again: this does (W5, W8). It asks for them to be delivered by messages, so that
 * however many nodes find one, it is delivered once, and all nodes share the work.
 */
@Injectable()
export class QueueSweeper {
  /** Stimuli whose time is over become dead letters; old dead letters are deleted. */
  readonly expired: Backlog = {
    name: 'expired stimuli',
    takeBatch: () => this.lot.take((limit) => this.expire(limit)),
  };
  private readonly lot = new LotSize(EXPIRY_BATCH);

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly queue: StoreBookmarkQueue,
    private readonly clock: WorkflowClock,
    @Inject(RUNTIME_OPTIONS) private readonly options: ResolvedRuntimeOptions,
  ) {}

  /**
   * Stimuli whose bookmark is there, each of them once.
   * @param mayGoOn asked before each batch
   */
  undelivered(mayGoOn: () => boolean): Backlog {
    // What cannot be delivered stays where it is: from the beginning again, it would be found for ever.
    let after: string | undefined;
    return {
      name: 'undelivered stimuli',
      takeBatch: async () => {
        if (!mayGoOn()) return false;
        const now = new Date(this.clock.now());
        const { ids, next } = await this.persistence.queue.findDeliverable({
          now,
          limit: BATCH,
          after,
          unlessMessage: QUEUED_DELIVERY,
        });
        after = next;
        await this.queue.deliverByMessage(ids);
        return next !== undefined;
      },
    };
  }

  private async expire(limit: number): Promise<number> {
    const { deadLetterRetentionMs = DEAD_LETTER_TTL_MS } = this.options;
    const expiry = { keepDeadLettersMs: deadLetterRetentionMs || FOR_EVER_MS, limit, now: this.clock.storeTime() };
    return Math.max(...Object.values(await this.persistence.queue.expire(expiry)));
  }
}
