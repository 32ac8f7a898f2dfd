import { Injectable } from '@nestjs/common';
import { NewerFormatError } from '@waymark/core';
import { toErrorLike } from '@waymark/core/adapter';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';
import { BulkAction, type BulkRequest } from '../persistence/bulk-action.js';
import { BULK_BATCH } from '../persistence/bulk-batch-size.js';
import type { BulkBatch, OpenSelection } from '../persistence/bulk-plan-store.js';
import type { Lease } from '../persistence/message-stores.js';
import { isOutageOfCall, isStoreOutage } from '../persistence/persistence-errors.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { BulkTargets, type FoundTargets } from './bulk-targets.js';

/** How long this node leaves a plan alone whose selection failed. */
const LEFT_ALONE_MS = 60_000;

/** Cuts batches off plans. A plan whose selection fails, or takes the database too long, does not keep others waiting. */
@Injectable()
export class PlanSelections {
  private readonly logger = new WorkflowLogger('WorkflowBulkPlans');
  /** Plans that are left alone, and until when. */
  private readonly leftAlone = new Map<string, number>();

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly targets: BulkTargets,
    private readonly engine: WorkflowEngine,
    private readonly clock: WorkflowClock,
  ) {}

  /**
   * The next batch of the plan of which least is cut. True: another one is to be looked for, since this plan had no work, belongs to
   * another node, or is left alone. Undefined: no plan is left.
   * @throws faults of the store
   */
  async cutNext(lease: Lease): Promise<BulkBatch | true | undefined> {
    const { bulkPlans } = this.persistence;
    const open = await bulkPlans.findOpen(this.exceptIds());
    // A store that does not know the parameter finds it again.
    if (!open || this.leftAlone.has(open.plan.id)) return undefined;
    const found = await this.triesToFind(open);
    if (!found) return true;
    return (await bulkPlans.cut(open, { batchId: this.engine.newId(), ...found }, lease)) || true;
  }

  private async triesToFind({ plan, cursor }: OpenSelection): Promise<FoundTargets | undefined> {
    try {
      const action = plan.action as BulkAction;
      if (!Object.values(BulkAction).includes(action))
        throw new NewerFormatError(`Bulk plan ${plan.id} that does '${action}'`);
      const request = { action, filters: plan.selection } as BulkRequest;
      return await this.targets.next(request, cursor, BULK_BATCH);
    } catch (error) {
      if (isStoreOutage(error) && !isOutageOfCall(error)) throw error;
      this.leftAlone.set(plan.id, this.clock.monotonic() + LEFT_ALONE_MS);
      this.logger.warn(
        `Failed to select what bulk plan ${plan.id} is for. Other plans continue; this one is tried again in a minute, unless it is cancelled: ${toErrorLike(error).message}`,
      );
      return undefined;
    }
  }

  private exceptIds(): string[] {
    const now = this.clock.monotonic();
    for (const [id, until] of this.leftAlone) if (until <= now) this.leftAlone.delete(id);
    return [...this.leftAlone.keys()];
  }
}
