import { Injectable, type OnModuleInit } from '@nestjs/common';
import { isWaymarkError } from '@waymark/core';
import { BULK_BATCH, BULK_CONCURRENCY } from '../persistence/bulk-batch-size.js';
import { requireSelective } from '../persistence/require-selective.js';
import { type Failed, severalAtATime } from '../persistence/several-at-a-time.js';
import type { FollowParentMessage } from '../bursts/messages.js';
import { OutboxProcessor } from '../outbox/outbox-processor.js';
import type { InstanceFilter } from '../persistence/instance-store.js';
import type { OutboxMessage } from '../persistence/records.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { BurstExecutor } from '../bursts/burst-executor.js';
import { IWorkflowCancellationService } from '../services/instance-services.js';

/** Cancels instances; each cancelled one leaves a message that cancels its children in turn. */
@Injectable()
export class WorkflowCancellationService extends IWorkflowCancellationService implements OnModuleInit {
  constructor(
    private readonly executor: BurstExecutor,
    private readonly persistence: WorkflowPersistence,
    private readonly outbox: OutboxProcessor,
  ) {
    super();
  }

  onModuleInit(): void {
    this.outbox.register({ kind: 'cancel-children', handle: (message) => this.cancelChildren(message) });
    this.outbox.register({ kind: 'follow-parent', handle: (message) => this.followParent(message) });
  }

  async cancel(instances: string | readonly string[]): Promise<number> {
    // A text is a list of letters, of which none is the id of an instance.
    const instanceIds = typeof instances === 'string' ? [instances] : instances;
    const { cancelled, failed } = await this.cancelAll(instanceIds);
    if (failed) throw failed.error;
    return cancelled;
  }

  async cancelByFilter(filter: InstanceFilter): Promise<number> {
    requireSelective(filter);
    const statuses = filter.statuses?.filter((status) => status === 'Running') ?? (['Running'] as const);
    const running: InstanceFilter = { ...filter, statuses };
    let cancelled = 0;
    let failed: Failed<string> | undefined;
    let ids: readonly string[];
    let after: string | undefined;
    do {
      ids = await this.persistence.instances.findIds(running, { after, limit: BULK_BATCH });
      const page = await this.cancelAll(ids);
      cancelled += page.cancelled;
      failed ??= page.failed;
      after = ids.at(-1);
    } while (ids.length === BULK_BATCH);
    // Not before: one that is damaged would keep those of the pages behind it running.
    if (failed) throw failed.error;
    return cancelled;
  }

  /** One that cannot be cancelled leaves the others alone. @returns `failed`: the first of those @throws faults of the store */
  private async cancelAll(
    ids: readonly string[],
  ): Promise<{ readonly cancelled: number; readonly failed: Failed<string> | undefined }> {
    let cancelled = 0;
    const cancelOne = async (id: string) => {
      if (await this.cancelOne(id)) cancelled++;
    };
    const [failed] = await severalAtATime([...new Set(ids)], BULK_CONCURRENCY, cancelOne);
    return { cancelled, failed };
  }

  private async cancelChildren(message: OutboxMessage): Promise<void> {
    const { parentInstanceId } = message.payload as { parentInstanceId: string };
    await this.cancelByFilter({ parentWorkflowInstanceIds: [parentInstanceId] });
    await this.persistence.outbox.delete(message.id);
  }

  private async followParent(message: OutboxMessage): Promise<void> {
    const { workflowInstanceId, parentInstanceId, isAwaited } = message.payload as FollowParentMessage;
    const { instances, outbox } = this.persistence;
    const { items } = await instances.findMany({ ids: [parentInstanceId] });
    const isGone = items[0] ? items[0].subStatus === 'Cancelled' : isAwaited;
    if (isGone) await this.cancelOne(workflowInstanceId);
    await outbox.delete(message.id);
  }

  private async cancelOne(id: string): Promise<boolean> {
    try {
      return await this.executor.cancel(id);
    } catch (error) {
      if (isWaymarkError(error, 'WM3001')) return false;
      throw error;
    }
  }
}
