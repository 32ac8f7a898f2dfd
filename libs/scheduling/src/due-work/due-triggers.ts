import { Inject, Injectable } from '@nestjs/common';
import { isWaymarkError } from '@waymark/core';
import {
  IWorkflowStarter,
  type TriggerFiring,
  WorkflowClock,
  WorkflowPersistence,
  WorkflowLogger,
} from '@waymark/runtime';
import { type ResolvedSchedulingOptions, SCHEDULING_OPTIONS } from '../module/scheduling-options.js';
import { type DueTrigger, planOccurrence } from '../triggers/trigger-occurrence.js';
import type { DueLook, DueRows, DueWork } from './due-work.js';

/** Error code of an occurrence that another node claimed. */
const OCCURRENCE_CLAIMED = 'WM7003';

/** A trigger as a look at the store has shown it. */
interface SeenTrigger extends DueTrigger {
  /** The store's time then: what came after it is not missed, and nothing that is not due yet is moved on. */
  readonly seenAt: number;
}

/** Starts workflows whose trigger is due. The commit that starts one moves the trigger on, or starts nothing (W4). */
@Injectable()
export class DueTriggers implements DueWork<SeenTrigger> {
  readonly kind = 'trigger';
  private readonly logger = new WorkflowLogger('Scheduling');

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly starter: IWorkflowStarter,
    private readonly clock: WorkflowClock,
    @Inject(SCHEDULING_OPTIONS) private readonly options: ResolvedSchedulingOptions,
  ) {}

  /** Not claimed: all nodes may start what is due, and the claim of the occurrence is their first commit (W4). */
  async find({ now, until, free, held }: DueLook): Promise<DueRows<SeenTrigger>> {
    const limit = held + free + 1;
    const lookAheadMs = until.getTime() - now.getTime();
    const upcoming = { limit, lookAheadMs, now: this.clock.storeTime() };
    const { triggers, now: decidedAt = now } = await this.persistence.triggers.findUpcoming(upcoming);
    const seenAt = decidedAt.getTime();
    const rows = triggers.flatMap((row) => (row.dueAt ? [{ ...row, dueAt: row.dueAt, seenAt }] : []));
    return { rows, hasMore: rows.length === limit && rows.at(-1)!.dueAt <= decidedAt, decidedAt };
  }

  async fire(trigger: SeenTrigger): Promise<Date | null> {
    const { starts, nextDueAt, input } = planOccurrence(trigger, trigger.seenAt, this.options);
    const firing = { triggerId: trigger.id, dueAt: trigger.dueAt, nextDueAt };
    if (!starts) {
      await this.leaveOut(trigger, firing, 'was missed, which its misfire policy tells to skip');
      return nextDueAt;
    }
    try {
      const { cannotStart } = await this.starter.start({
        definition: { definitionVersionId: trigger.workflowDefinitionVersionId },
        triggerActivityId: trigger.activityId,
        input,
        firing,
      });
      if (cannotStart) await this.leaveOut(trigger, firing, 'was refused by the activation strategy of the workflow');
    } catch (error) {
      if (!isWaymarkError(error, OCCURRENCE_CLAIMED)) throw error;
    }
    return nextDueAt;
  }

  describe({ id, name, workflowDefinitionId, activityId }: DueTrigger): string {
    return `trigger '${id}' (${name} '${activityId}' of workflow '${workflowDefinitionId}')`;
  }

  private async leaveOut(trigger: DueTrigger, firing: TriggerFiring, why: string): Promise<void> {
    if (!(await this.persistence.triggers.advance(firing))) return;
    const next = firing.nextDueAt ? `next: ${firing.nextDueAt.toISOString()}` : 'there is no next one';
    this.logger.log(`The occurrence ${firing.dueAt.toISOString()} of ${this.describe(trigger)} ${why}; ${next}.`);
  }
}
