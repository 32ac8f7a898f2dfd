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
 * Messages of the outbox whose attempts are used up, or which no attempt can help: such as a start whose definition is gone.
 * They stay until they are replayed or deleted.
 */
@Injectable()
export class OutboxDeadLetters {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly outbox: OutboxProcessor,
    private readonly clock: WorkflowClock,
  ) {}

  /** Newest first. */
  async findMany(filter: OutboxDeadLetterFilter = {}, page?: Page): Promise<PagedResult<OutboxMessage>> {
    const found = await this.persistence.outbox.findDeadLetters(filter, page);
    return { ...found, items: found.items.map(withoutCiphertext) };
  }

  /** One by its id. */
  async find(id: string): Promise<OutboxMessage | undefined> {
    return (await this.findMany({ id })).items[0];
  }

  /** Serves it again, with all its attempts before it. False when there is none, or it was replayed already. */
  async replay(id: string): Promise<boolean> {
    return (await this.replayAll([id])) > 0;
  }

  /** The same of many, in one transaction. Returns how many of them were there. */
  async replayAll(ids: readonly string[]): Promise<number> {
    const revived = await this.persistence.outbox.revive(ids, new Date(this.clock.now()));
    // They are stored: the next round finds them, should the store fail just now.
    if (revived > 0)
      await this.outbox.poll().catch((error: unknown) => {
        if (!isStoreOutage(error)) throw error;
      });
    return revived;
  }

  /** Gives up what it was to do. False when there is none. */
  async delete(id: string): Promise<boolean> {
    return (await this.persistence.outbox.deleteDeadLetters([id])) > 0;
  }
}
