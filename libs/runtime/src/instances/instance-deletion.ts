import { Injectable } from '@nestjs/common';
import { isWaymarkError, type WorkflowState } from '@waymark/core';
import { BULK_BATCH, BULK_CONCURRENCY } from '../persistence/bulk-batch-size.js';
import { type Failed, severalAtATime } from '../persistence/several-at-a-time.js';
import { OutboxProcessor } from '../outbox/outbox-processor.js';
import type { DefinitionInstances } from '../definitions/definition-instances.js';
import type { InstanceFilter } from '../persistence/instance-store.js';
import { inChunks } from '../persistence/in-chunks.js';
import { isOutageOfCall, isStoreOutage } from '../persistence/persistence-errors.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { BurstExecutor } from '../bursts/burst-executor.js';
import { endMessages } from '../bursts/finish-messages.js';
import { InstanceRemoval } from './instance-removal.js';

/** What became of some instances that were to be deleted. */
export interface DeletedPortion {
  readonly deleted: number;
  readonly failed: readonly Failed<string>[];
}

/** How many more there are in a portion after one that went well. */
const REGAINED = 10;

/**
 * Deletes instances. Those that run are cancelled before: their children go with them, and a parent that waits for one of
 * them is notified, which is not possible later. Those that have ended cost no more than one look at all of them.
 */
@Injectable()
export class InstanceDeletion implements DefinitionInstances {
  private readonly logger = new WorkflowLogger('Workflow');
  /** How many are deleted in one transaction: fewer after one for which the database had no time. */
  private portion = BULK_BATCH;

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly executor: BurstExecutor,
    private readonly outbox: OutboxProcessor,
    private readonly removal: InstanceRemoval,
  ) {}

  /** Cancels those that run, and removes all with what belongs to them. @returns how many @throws the error of the first one that could not be cancelled, once the others are deleted */
  async delete(ids: readonly string[]): Promise<number> {
    let deleted = 0;
    const failed: Failed<string>[] = [];
    await inChunks([...new Set(ids)], BULK_BATCH, (chunk) =>
      this.deleteBatch(chunk, (_, portion) => {
        deleted += portion.deleted;
        failed.push(...portion.failed);
      }),
    );
    if (failed[0]) throw failed[0].error;
    return deleted;
  }

  /** All that a filter selects. @throws as `delete` */
  async deleteAll(filter: InstanceFilter): Promise<number> {
    let deleted = 0;
    for await (const ids of this.pages(filter)) deleted += await this.delete(ids);
    return deleted;
  }

  /**
   * Several are cancelled at a time, and removed in one transaction. One that cannot be cancelled stays. What takes the database longer
   * than a call may take is done in smaller portions, or it would never be done.
   * @param note told of each portion, in the order of the ids
   * @param signal aborted: no more are cancelled, and none is removed
   * @throws faults of the store, such as that it has no time for the first one that has not been noted
   */
  async deleteBatch(
    ids: readonly string[],
    note: (ids: readonly string[], portion: DeletedPortion) => void,
    signal?: AbortSignal,
  ): Promise<void> {
    for (let left = ids; left.length > 0;) {
      const part = left.slice(0, this.portion);
      try {
        note(part, await this.deletePortion(part, signal));
        left = left.slice(part.length);
        this.portion = Math.min(BULK_BATCH, this.portion + REGAINED);
      } catch (error) {
        // On MariaDB and MySQL it looks like an outage: nothing ends the statement there but the end of its connection.
        if (isStoreOutage(error)) this.portion = Math.max(1, Math.floor(part.length / 2));
        if (!isOutageOfCall(error) || part.length === 1) throw error;
      }
    }
  }

  private async deletePortion(ids: readonly string[], signal: AbortSignal | undefined): Promise<DeletedPortion> {
    const running = await this.persistence.instances.findIds({ ids, statuses: ['Running'] });
    const failed = await severalAtATime(running, BULK_CONCURRENCY, (id) => this.cancelOne(id), signal);
    if (signal?.aborted) return { deleted: 0, failed };
    const kept = new Set(failed.map(({ item }) => item));
    const removed = ids.filter((id) => !kept.has(id));
    // They have ended, and kept their children for a repair. Before they are gone: afterwards nothing would know of these children.
    const faulted = await this.persistence.instances.findIds({ ids: removed, subStatuses: ['Faulted'] });
    await this.outbox.send(faulted.map((id) => ({ kind: 'cancel-children', payload: { parentInstanceId: id } })));
    return { deleted: await this.removal.remove(removed), failed };
  }

  private async *pages(filter: InstanceFilter): AsyncGenerator<string[], void> {
    for (let after: string | undefined; ;) {
      const ids = await this.persistence.instances.findIds(filter, { after, limit: BULK_BATCH });
      if (ids.length > 0) yield ids;
      if (ids.length < BULK_BATCH) return;
      after = ids.at(-1);
    }
  }

  private async cancelOne(id: string): Promise<void> {
    try {
      // Nothing of it is left that could undo what it did.
      await this.executor.cancel(id, {}, undefined, { isAbandoned: true });
    } catch (error) {
      // Somebody else has deleted it.
      if (isWaymarkError(error, 'WM3001')) return;
      if (!isWithoutGraph(error)) throw error;
      await this.endWithoutGraph(id);
    }
  }

  /** Its definition cannot be read, or its own state. */
  private async endWithoutGraph(id: string): Promise<void> {
    try {
      const loaded = await this.persistence.instances.load(id);
      if (loaded?.status === 'Running') await this.announceEnd(loaded.state);
    } catch (error) {
      if (!isWaymarkError(error, 'WM1054')) throw error;
      await this.loseUnreadable(id, error);
    }
  }

  /** An instance whose state cannot be read can only be deleted. Its children are found by its id; what waits for it is in its state. */
  private async loseUnreadable(id: string, error: Error): Promise<void> {
    await this.outbox.send([{ kind: 'cancel-children', payload: { parentInstanceId: id } }]);
    this.logger.warn(
      `Instance ${id} is deleted without its state being read. An instance that waits for it is not notified: ${error.message}`,
    );
  }

  /** What goes with the commit of a cancellation, of an instance that nothing but deleting can be done to. */
  private async announceEnd(state: WorkflowState): Promise<void> {
    await this.outbox.send(endMessages({ ...state, status: 'Finished', subStatus: 'Cancelled' }));
  }
}

/** The definition is gone, is damaged, or cannot be compiled any more; or the state of the instance is damaged. */
const isWithoutGraph = (error: unknown): boolean => isWaymarkError(error) && error.code.startsWith('WM10');
