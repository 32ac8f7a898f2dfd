import { Inject, Injectable } from '@nestjs/common';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../options/runtime-options.js';
import { LeftAlone } from '../outages/left-alone.js';
import { IWorkflowDefinitionPublisher } from '../services/definition-services.js';
import type { BulkFailure, BulkPlan, DefinitionDeletion } from '../persistence/bulk-plan-store.js';
import { failureOf } from '../persistence/failure-of.js';
import { isOutageOfCall, isStoreOutage } from '../persistence/persistence-errors.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { deleteNow, lotsOf, oneByOne } from './delete-definitions.js';
import { PlanAudit } from './plan-audit.js';

/** How long this node leaves a plan alone that cannot be read. */
const LEFT_ALONE = { firstMs: 60_000, longestMs: 3_600_000 };

/** What this node deletes for a plan. How far it is, it alone knows: another node begins at the first lot, and finds those gone. */
interface UnderWay {
  readonly plan: BulkPlan;
  readonly lots: readonly DefinitionDeletion[];
  readonly failures: BulkFailure[];
  done: number;
  /** The lot that could not be deleted together. */
  oneByOne?: OneByOne | undefined;
  /** An attempt to end the plan failed, so that it may be this one that has ended it. */
  mayHaveEnded: boolean;
}

type One = readonly [id: string, deletion: DefinitionDeletion];

/** A lot of which each is deleted for itself. */
interface OneByOne {
  left: One[];
  /** For which the database had no time, in this round. */
  late: { readonly one: One; readonly error: unknown }[];
  readonly failures: BulkFailure[];
  /** In which the database had no time for one of them. */
  rounds: number;
}

/**
 * Deletes what plans delete when the instances of it are gone, a lot at a time: other plans, and a shutdown, wait for one lot, and not for
 * ten thousand definitions. Doing a lot again changes nothing.
 */
@Injectable()
export class PlanDeletions {
  private readonly logger = new WorkflowLogger('WorkflowBulkPlans');
  private readonly leftAlone: LeftAlone;
  private underWay: UnderWay | undefined;

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly publisher: IWorkflowDefinitionPublisher,
    private readonly audit: PlanAudit,
    clock: WorkflowClock,
    @Inject(RUNTIME_OPTIONS) private readonly options: Pick<ResolvedRuntimeOptions, 'maxDeliveryAttempts'>,
  ) {
    this.leftAlone = new LeftAlone(clock, LEFT_ALONE);
  }

  /** Deletes the next lot, or ends a plan that has none left. @returns false: no plan has anything to delete */
  async next(): Promise<boolean> {
    const current = (this.underWay ??= await this.begin());
    if (!current) return false;
    const { plan, lots, failures } = current;
    const lot = lots[current.done];
    if (!lot) {
      // The one that has ended it says so, once: another node may have deleted the same.
      const hasEnded = await this.end(current);
      this.underWay = undefined;
      if (hasEnded) await this.audit.recordDeletion(plan, failures);
    } else if (await this.isWanted(plan)) {
      failures.push(...(await this.delete(current, lot)));
      current.done++;
    } else this.underWay = undefined;
    return true;
  }

  private async begin(): Promise<UnderWay | undefined> {
    const plan = await this.findReadable();
    return plan?.deletes && { plan, lots: lotsOf(plan.deletes), failures: [], done: 0, mayHaveEnded: false };
  }

  /** One of which cannot be read what it deletes waits until it is repaired, or for a newer node. Others continue. */
  private async findReadable(): Promise<BulkPlan | undefined> {
    for (;;) {
      const plan = await this.persistence.bulkPlans.findDeletion(this.leftAlone.ids());
      if (!plan?.unreadable) return plan;
      // A store that does not know the parameter finds it again.
      if (this.leftAlone.has(plan.id)) return undefined;
      if (this.leftAlone.note(plan.id, plan.unreadable).isNews)
        this.logger.warn(`Bulk plan ${plan.id} cannot delete what it deletes at the end: ${plan.unreadable.message}`);
    }
  }

  /** Where the answer of a commit was lost, it is asked for again; twice in the audit trail is better than not at all. */
  private async end(current: UnderWay): Promise<boolean> {
    const { plan, failures, mayHaveEnded } = current;
    current.mayHaveEnded = true;
    const hasEnded = await this.persistence.bulkPlans.endDeletion(plan.id, failures);
    return hasEnded || (mayHaveEnded && (await this.persistence.bulkPlans.findStatus(plan.id)) === 'Completed');
  }

  /** When another node has ended the plan, what has the ids of what was deleted is new. */
  private async isWanted({ id }: BulkPlan): Promise<boolean> {
    return (await this.persistence.bulkPlans.findStatus(id)) === 'Running';
  }

  private async delete(current: UnderWay, lot: DefinitionDeletion): Promise<readonly BulkFailure[]> {
    const isWanted = () => this.isWanted(current.plan);
    if (!current.oneByOne) {
      try {
        await deleteNow(this.publisher, lot, { isWanted });
        return [];
      } catch (error) {
        // What the database has no time for together may be done one by one.
        if (isStoreOutage(error) && !isOutageOfCall(error)) throw error;
        current.oneByOne = { left: [...oneByOne(lot)], late: [], failures: [], rounds: 0 };
      }
    }
    await this.deleteEach(current.oneByOne, isWanted);
    const { failures } = current.oneByOne;
    current.oneByOne = undefined;
    return failures;
  }

  /**
   * One of them cannot be deleted. The others are. One for which the database has no time is tried again, as often as a batch is: its table
   * may be locked, and not for long.
   */
  private async deleteEach(lot: OneByOne, isWanted: () => Promise<boolean>): Promise<void> {
    for (let [one] = lot.left; one; [one] = lot.left) {
      const [id, deletion] = one;
      try {
        await deleteNow(this.publisher, deletion, { isWanted });
      } catch (error) {
        if (isOutageOfCall(error)) lot.late.push({ one, error });
        else if (isStoreOutage(error)) throw error;
        else lot.failures.push(failureOf(id, error));
      }
      lot.left.shift();
    }
    const [late] = lot.late;
    if (!late) return;
    if (++lot.rounds < this.options.maxDeliveryAttempts) {
      lot.left = lot.late.splice(0).map(({ one }) => one);
      throw late.error;
    }
    lot.failures.push(...lot.late.map(({ one: [id], error }) => failureOf(id, error)));
  }
}
