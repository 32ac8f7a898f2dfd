import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import { AuditOutcome, MAX_AUDIT_TARGETS } from '../persistence/audit-store.js';
import type { BulkAction, StepAction } from '../persistence/bulk-action.js';
import type { BulkPlan, BulkResult } from '../persistence/bulk-plan-store.js';
import { inChunks } from '../persistence/in-chunks.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';

/** As the request that does the same before its answer is recorded: one filter finds both. */
const RECORDED: Readonly<Record<BulkAction | StepAction, readonly [action: string, targetKind: string]>> = {
  CancelInstances: ['instances.cancel', 'instance'],
  DeleteInstances: ['instances.delete', 'instance'],
  ReplayMessages: ['outbox.dead-letters.replay', 'outbox-dead-letter'],
  DeleteMessages: ['outbox.dead-letters.delete', 'outbox-dead-letter'],
  ReplayStimuli: ['bookmark-queue.dead-letters.replay', 'bookmark-queue-dead-letter'],
  DeleteStimuli: ['bookmark-queue.dead-letters.delete', 'bookmark-queue-dead-letter'],
  RetryInstances: ['alterations.retry', 'instance'],
  UpdateConsumers: ['definitions.update-references', 'definition'],
  PublishDefinitions: ['definitions.publish', 'definition'],
  RetractDefinitions: ['definitions.retract', 'definition'],
  RefreshDefinitions: ['definitions.refresh', 'definition'],
};

type Recorded = Pick<BulkPlan, 'id' | 'requestedBy'>;

/**
 * Adds to the audit trail what bulk plans do after their request was answered, in the name of the caller who asked for them. Of a batch
 * or step whose node dies right after it, the entry is missing, as it is for requests.
 */
@Injectable()
export class PlanAudit {
  constructor(
    private readonly trail: AuditTrail,
    private readonly persistence: WorkflowPersistence,
  ) {}

  /** What became of a batch or a step. */
  async record(plan: BulkPlan, ids: readonly string[], result: BulkResult): Promise<void> {
    // None for an action that only nodes of a newer version know and do.
    const recorded = Object.hasOwn(RECORDED, plan.action) ? RECORDED[plan.action] : undefined;
    if (recorded) await this.recordAs(...recorded, plan, ids, result);
  }

  /** What was done for a plan that does not count it: it was cancelled meanwhile. What another node has counted is recorded by that. */
  async recordIfCancelled(plan: BulkPlan, ids: readonly string[], result: BulkResult): Promise<void> {
    if (result.changed === 0 || !plan.requestedBy?.isAudited) return;
    if ((await this.persistence.bulkPlans.findStatus(plan.id)) === 'Cancelled') await this.record(plan, ids, result);
  }

  /** The definitions or versions that a plan deletes after their instances. */
  async recordDeletion({ deletes, ...plan }: BulkPlan, failures: BulkResult['failures']): Promise<void> {
    if (!deletes) return;
    const isWhole = 'definitionIds' in deletes;
    const ids = isWhole ? deletes.definitionIds : deletes.definitionVersionIds;
    const result = { changed: ids.length - failures.length, failures };
    if (isWhole) await this.recordAs('definitions.delete', 'definition', plan, ids, result);
    else await this.recordAs('definitions.delete-version', 'definition-version', plan, ids, result);
  }

  /** So many entries that each target is named. Those that failed are named by entries of their own. */
  private async recordAs(
    action: string,
    targetKind: string,
    { id: planId, requestedBy }: Recorded,
    ids: readonly string[],
    { changed, failures }: BulkResult,
  ): Promise<void> {
    if (!requestedBy?.isAudited) return;
    const { actor, actorKind } = requestedBy;
    const failed = new Set(failures.map(({ id }) => id));
    const done = ids.filter((id) => !failed.has(id));
    const entry = { action, targetKind, actor, actorKind };
    await inChunks(done, MAX_AUDIT_TARGETS, async (targetIds) => {
      // How many of these were changed is known of the batch only.
      await this.trail.record({ ...entry, targetIds, details: { planId, changed } });
    });
    await inChunks([...failed], MAX_AUDIT_TARGETS, async (targetIds) => {
      const [first] = failures.filter(({ id }) => id === targetIds[0]);
      await this.trail.record({
        ...entry,
        targetIds,
        outcome: AuditOutcome.Failed,
        code: first?.code,
        details: { planId },
      });
    });
  }
}
