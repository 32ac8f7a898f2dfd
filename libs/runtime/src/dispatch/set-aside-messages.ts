import { Injectable } from '@nestjs/common';
import { WorkflowClock } from '../clock/workflow-clock.js';
import type { BuriedFilter } from '../persistence/message-stores.js';
import type { Page, PagedResult } from '../persistence/paging.js';
import { isStoreOutage } from '../persistence/persistence-errors.js';
import type { OutboxMessage } from '../persistence/records.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { OutboxProcessor } from './outbox-processor.js';

/**
 * Messages of the outbox whose attempts are used up, or which no attempt can help: such as a start whose definition is gone.
 * They stay until somebody replays or deletes them.
 */
@Injectable()
export class SetAsideMessages {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly outbox: OutboxProcessor,
    private readonly clock: WorkflowClock,
  ) {}

  /** Newest first. */
  findMany(filter: Pick<BuriedFilter, 'kind'> = {}, page?: Page): Promise<PagedResult<OutboxMessage>> {
    return this.persistence.outbox.findBuried(filter, page);
  }

  async find(id: string): Promise<OutboxMessage | undefined> {
    return (await this.persistence.outbox.findBuried({ id })).items[0];
  }

  /** Serves it again, with all its attempts before it. False when there is none, or it was replayed already. */
  async replay(id: string): Promise<boolean> {
    const revived = await this.persistence.outbox.revive(id, new Date(this.clock.now()));
    // It is stored: the next round finds it, should the store fail just now.
    if (revived)
      await this.outbox.poll().catch((error: unknown) => {
        if (!isStoreOutage(error)) throw error;
      });
    return revived;
  }

  /** Gives up what it was to do. False when there is none. */
  async delete(id: string): Promise<boolean> {
    return (await this.find(id)) !== undefined && (await this.persistence.outbox.delete(id));
  }
}
