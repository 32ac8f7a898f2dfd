import { Inject, Injectable, Logger } from '@nestjs/common';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { InstanceRemoval } from '../instances/instance-removal.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../module/runtime-options.js';
import type { InstanceFilter } from '../persistence/instance-store.js';
import { isStoreOutage } from '../persistence/persistence-errors.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';

/** Deleted at a time, so that no transaction grows large; the next round goes on. */
const BATCH = 200;
/** Added to a batch that was deleted in time, when an earlier one was not. */
const BATCH_GROWS_BY = 10;
const BATCHES_PER_SWEEP = 10;
/**
 * Nothing goes sooner: a parent that is taken over after a crash finds the child that it had started, and would start
 * another one if that were gone (W9).
 */
const AFTERMATH_MS = 3_600_000;
const ENDED_WELL: InstanceFilter = { subStatuses: ['Finished'], hasIncidents: false };

/** Keys are small, and one statement removes many. */
const KEYS_AT_ONCE = 1000;
const PLANS_AT_ONCE = 5;

/** Deletes what has been kept long enough: finished instances with all that belongs to them, plans of alterations, and request keys. */
@Injectable()
export class Retention {
  private readonly logger = new Logger('WorkflowRetention');
  private batch = BATCH;

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly removal: InstanceRemoval,
    private readonly clock: WorkflowClock,
    @Inject(RUNTIME_OPTIONS) private readonly options: ResolvedRuntimeOptions,
  ) {}

  /** True: instances of the definition that end well are not kept. */
  keepsNothingOf(definitionId: string): boolean {
    return this.options.retentionOf[definitionId] === 0;
  }

  /** Returns how many instances were deleted. */
  async sweep(): Promise<number> {
    await this.forgetRequestKeys();
    await this.deletePlans();
    const { retentionMs, retentionOf } = this.options;
    const own = Object.entries(retentionOf);
    // What did not end well follows the general rule even where nothing else is kept.
    const exceptDefinitionIds = own.filter(([, time]) => time !== 0).map(([id]) => id);
    let deleted = await this.sweepOlder(retentionMs, { exceptDefinitionIds });
    for (const [id, time] of own)
      deleted += await this.sweepOlder(time, { definitionIds: [id], ...(time === 0 ? ENDED_WELL : {}) });
    return deleted;
  }

  private async forgetRequestKeys(): Promise<void> {
    const { requestKeyRetentionMs } = this.options;
    if (requestKeyRetentionMs === false) return;
    const before = new Date(this.clock.now() - requestKeyRetentionMs);
    for (let batch = 0; batch < BATCHES_PER_SWEEP; batch++)
      if ((await this.persistence.instances.purgeRequestKeys(before, KEYS_AT_ONCE)) < KEYS_AT_ONCE) return;
  }

  /** Plans of alterations are kept as long as instances; each has as many jobs as it altered. */
  private async deletePlans(): Promise<void> {
    const { retentionMs } = this.options;
    if (retentionMs === false) return;
    const before = new Date(this.clock.now() - retentionMs);
    for (let batch = 0; batch < BATCHES_PER_SWEEP; batch++)
      if ((await this.persistence.alterations.purge(before, PLANS_AT_ONCE)) < PLANS_AT_ONCE) return;
  }

  /** What takes the database longer than it may take is tried in smaller portions, or it would never be deleted. */
  private async remove(ids: readonly string[]): Promise<number> {
    try {
      const removed = await this.removal.remove(ids);
      this.batch = Math.min(BATCH, this.batch + BATCH_GROWS_BY);
      return removed;
    } catch (error) {
      if (isStoreOutage(error)) this.batch = Math.max(1, Math.floor(ids.length / 2));
      throw error;
    }
  }

  private async sweepOlder(time: number | false, filter: InstanceFilter): Promise<number> {
    if (time === false) return 0;
    const timestamp = new Date(this.clock.now() - Math.max(time, AFTERMATH_MS));
    let deleted = 0;
    for (let batch = 0; batch < BATCHES_PER_SWEEP; batch++) {
      const { items } = await this.persistence.instances.findMany(
        { statuses: ['Finished'], timestamps: [{ column: 'FinishedAt', operator: 'LessThan', timestamp }], ...filter },
        { by: 'Finished', direction: 'Ascending' },
        { skip: 0, take: this.batch },
      );
      if (!items.length) break;
      deleted += await this.remove(items.map((i) => i.id));
    }
    if (deleted)
      this.logger.log(`Deleted ${deleted} workflow instances that finished before ${timestamp.toISOString()}.`);
    return deleted;
  }
}
