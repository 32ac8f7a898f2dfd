import { Injectable } from '@nestjs/common';
import { WorkflowClock } from '../clock/workflow-clock.js';
import type { OutboxDeadLetterFilter } from '../persistence/message-stores.js';
import type { Page, PagedResult } from '../persistence/paging.js';
import { isStoreOutage } from '../persistence/persistence-errors.js';
import type { OutboxMessage } from '../persistence/records.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { OutboxProcessor } from './outbox-processor.js';
import { withoutCiphertext } from './sealed-messages.js';

/**
 * Gives access to dead letters of the outbox: messages whose attempts all failed, or which can never succeed, such as a start
 * of a deleted definition. They stay until they are replayed or deleted.
 */
@Injectable()
export class OutboxDeadLetters {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly outbox: OutboxProcessor,
    private readonly clock: WorkflowClock,
  ) {}

  /** Lists dead letters, the newest first. */
  async findMany(filter: OutboxDeadLetterFilter = {}, page?: Page): Promise<PagedResult<OutboxMessage>> {
    const found = await this.persistence.outbox.findDeadLetters(filter, page);
    return { ...found, items: found.items.map(withoutCiphertext) };
  }

  /** Finds one by its id. */
  async find(id: string): Promise<OutboxMessage | undefined> {
    return (await this.findMany({ id })).items[0];
  }

  /**
   * Serves a dead letter again, with its full number of attempts. Returns false if it does not exist or was already replayed.
   */
  async replay(id: string): Promise<boolean> {
    return (await this.replayAll([id])) > 0;
  }

  /** Replays many in one transaction. Returns how many of them existed. */
  async replayAll(ids: readonly string[]): Promise<number> {
    const revived = await this.persistence.outbox.revive(ids, new Date(this.clock.now()));
    // They are stored: the next round finds them, should the store fail just now.
    if (revived > 0)
      await this.outbox.poll().catch((error: unknown) => {
        if (!isStoreOutage(error)) throw error;
      });
    return revived;
  }

  /** Deletes a dead letter, so that its work is never done. Returns false if it does not exist. */
  async delete(id: string): Promise<boolean> {
    return (await this.persistence.outbox.deleteDeadLetters([id])) > 0;
  }
}
