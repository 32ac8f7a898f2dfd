import { Inject, Injectable } from '@nestjs/common';
import { isWaymarkError } from '@waymark/core';
import {
  MissingCode,
  WorkflowClock,
  WorkflowPersistence,
  type WorkflowCodeMissingError,
  type FiringResult,
} from '@waymark/runtime';
import { type TriggerFiring, WorkflowLogger } from '@waymark/runtime/adapter';
import { type ResolvedSchedulingOptions, SCHEDULING_OPTIONS } from '../module/scheduling-options.js';
import type { OverlapPolicy } from '../triggers/overlap-policy.js';
import { type DueTrigger, planOccurrence } from '../triggers/trigger-occurrence.js';
import { TriggerStarts } from '../triggers/trigger-starts.js';
import { overlapOf } from '../triggers/trigger-timing.js';
import type { DueLook, DueRows, DueWork } from './due-work.js';

/** Error code of an occurrence that another node claimed. */
const OCCURRENCE_CLAIMED = 'WM7003';

const BY_STRATEGY = 'was refused by the activation strategy of the workflow';
/** By overlap policy; with one, the workflow has no activation strategy. */
const WHY_REFUSED = {
  allow: BY_STRATEGY,
  skip: 'was skipped: the instance of an earlier occurrence is still running',
  queue: BY_STRATEGY,
  cancelPrevious: BY_STRATEGY,
} as const satisfies Record<OverlapPolicy, string>;

/** A trigger as read by a look. */
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
    private readonly starts: TriggerStarts,
    private readonly clock: WorkflowClock,
    private readonly missing: MissingCode,
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
    const claim = { triggerId: trigger.id, dueAt: trigger.dueAt, nextDueAt };
    const firedAs = (result: FiringResult): TriggerFiring => ({
      ...claim,
      fired: { at: this.timeOf(trigger), result },
    });
    if (!starts) {
      await this.leaveOut(trigger, firedAs('Missed'), 'was missed, and its misfire policy skips it');
      return nextDueAt;
    }
    try {
      const started = await this.starts.start(trigger, { input, firing: firedAs('Started') });
      if (!started) await this.leaveOut(trigger, firedAs('Refused'), WHY_REFUSED[overlapOf(trigger.payload)]);
    } catch (error) {
      // Left to nodes that have the code of the version: the row stays due until one of them has started it.
      if (isWaymarkError(error, 'WM2040'))
        await this.missing.waits(error as unknown as WorkflowCodeMissingError, trigger.dueAt);
      if (!isWaymarkError(error, OCCURRENCE_CLAIMED)) throw error;
    }
    return nextDueAt;
  }

  describe({ id, name, workflowDefinitionId, activityId }: DueTrigger): string {
    return `trigger '${id}' (${name} '${activityId}' of workflow '${workflowDefinitionId}')`;
  }

  /** The time of firing is never before the due time: by the clock of the store, that is over. */
  private timeOf({ seenAt, dueAt }: SeenTrigger): Date {
    return new Date(Math.max(seenAt, dueAt.getTime()));
  }

  private async leaveOut(trigger: DueTrigger, firing: TriggerFiring, why: string): Promise<void> {
    if (!(await this.persistence.triggers.advance(firing))) return;
    const next = firing.nextDueAt ? `next: ${firing.nextDueAt.toISOString()}` : 'there is no next one';
    this.logger.log(`The occurrence ${firing.dueAt.toISOString()} of ${this.describe(trigger)} ${why}; ${next}.`);
  }
}
