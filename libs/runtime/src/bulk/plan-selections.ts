import { Injectable } from '@nestjs/common';
import { NewerFormatError } from '@waymark/core';
import { toErrorLike } from '@waymark/core/adapter';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import { LeftAlone } from '../outages/left-alone.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';
import { isBulkAction, type BulkRequest } from '../persistence/bulk-action.js';
import { BULK_BATCH } from '../persistence/bulk-batch-size.js';
import type { BulkBatch, OpenSelection } from '../persistence/bulk-plan-store.js';
import type { Lease } from '../persistence/message-stores.js';
import { isOutageOfCall, isStoreOutage } from '../persistence/persistence-errors.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { BulkTargets, type FoundTargets } from './bulk-targets.js';

/** How long this node leaves a plan alone whose selection failed. */
const LEFT_ALONE = { firstMs: 60_000, longestMs: 3_600_000 };

/** Cuts batches off plans. A plan whose selection fails, or takes the database too long, does not keep others waiting. */
@Injectable()
export class PlanSelections {
  private readonly logger = new WorkflowLogger('WorkflowBulkPlans');
  private readonly leftAlone: LeftAlone;

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly targets: BulkTargets,
    private readonly engine: WorkflowEngine,
    clock: WorkflowClock,
  ) {
    this.leftAlone = new LeftAlone(clock, LEFT_ALONE);
  }

  /**
   * The next batch of the plan of which least is cut. True: another one is to be looked for, since this plan had no work, belongs to
   * another node, or is left alone. Undefined: no plan is left.
   * @throws faults of the store
   */
  async cutNext(lease: Lease): Promise<BulkBatch | true | undefined> {
    const { bulkPlans } = this.persistence;
    const open = await bulkPlans.findOpen(this.leftAlone.ids());
    // A store that does not know the parameter finds it again.
    if (!open || this.leftAlone.has(open.plan.id)) return undefined;
    const found = await this.triesToFind(open);
    if (!found) return true;
    return (await bulkPlans.cut(open, { batchId: this.engine.newId(), ...found }, lease)) || true;
  }

  private async triesToFind({ plan, cursor }: OpenSelection): Promise<FoundTargets | undefined> {
    const { id, action } = plan;
    try {
      if (plan.unreadable) throw plan.unreadable;
      if (!isBulkAction(action)) throw new NewerFormatError(`Bulk plan ${id} that does '${action}'`);
      const request = { action, filters: plan.selection } as BulkRequest;
      const found = await this.targets.next(request, cursor, BULK_BATCH);
      this.leftAlone.forget(id);
      return found;
    } catch (error) {
      if (isStoreOutage(error) && !isOutageOfCall(error)) throw error;
      const { isNews, waitMs } = this.leftAlone.note(id, error);
      if (isNews)
        this.logger.warn(
          `Failed to select what bulk plan ${id} is for. Other plans continue; this one is tried again in ` +
            `${Math.round(waitMs / 60_000)} min, and less and less often, unless it is cancelled: ${toErrorLike(error).message}`,
        );
      return undefined;
    }
  }
}
