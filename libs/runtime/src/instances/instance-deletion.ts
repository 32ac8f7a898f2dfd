import { Injectable } from '@nestjs/common';
import { isWaymarkError, type WorkflowState } from '@waymark/core';
import { OutboxProcessor } from '../dispatch/outbox-processor.js';
import type { InstanceFilter } from '../persistence/instance-store.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { BurstExecutor } from './burst-executor.js';
import { endMessages } from './finish-messages.js';
import { InstanceRemoval } from './instance-removal.js';

/**
 * Deletes instances. Those that run are cancelled before: their children go with them, and a parent that waits for one of
 * them is told, as nobody could do later. Those that have ended cost no more than one look at all of them.
 */
@Injectable()
export class InstanceDeletion {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly executor: BurstExecutor,
    private readonly outbox: OutboxProcessor,
    private readonly removal: InstanceRemoval,
  ) {}

  async delete(ids: readonly string[]): Promise<number> {
    if (!ids.length) return 0;
    await this.cancel({ ids });
    const faulted = await this.persistence.instances.findIds({ ids, subStatuses: ['Faulted'] });
    const deleted = await this.removal.remove(ids);
    // They have ended, and kept their children for a repair.
    await this.outbox.send(faulted.map((id) => ({ kind: 'cancel-children', payload: { parentInstanceId: id } })));
    return deleted;
  }

  /** Before the definition of instances goes: from then on their activities cannot be told. */
  async cancel(filter: InstanceFilter): Promise<void> {
    const running = await this.persistence.instances.findIds({ ...filter, statuses: ['Running'] });
    for (const id of running) await this.cancelOne(id);
  }

  private async cancelOne(id: string): Promise<void> {
    try {
      await this.executor.cancel(id);
    } catch (error) {
      // Somebody else has deleted it.
      if (isWaymarkError(error, 'WM3001')) return;
      if (!isWithoutGraph(error)) throw error;
      const loaded = await this.persistence.instances.load(id);
      if (loaded?.status === 'Running') await this.announceEnd(loaded.state);
    }
  }

  /** What goes with the commit of a cancellation, of an instance that nothing but deleting can be done to. */
  private async announceEnd(state: WorkflowState): Promise<void> {
    await this.outbox.send(endMessages({ ...state, status: 'Finished', subStatus: 'Cancelled' }));
  }
}

/** The definition is gone, or cannot be compiled any more. */
const isWithoutGraph = (error: unknown): boolean => isWaymarkError(error) && error.code.startsWith('WM10');
