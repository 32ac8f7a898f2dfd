import { Injectable } from '@nestjs/common';
import { isWaymarkError } from '@waymark/core';
import {
  MissingCode,
  WorkflowClock,
  WorkflowPersistence,
  type WorkflowCodeMissingError,
  type FiringResult,
} from '@waymark/runtime';
import { HeldStarts, type TriggerFiring, WorkflowLogger } from '@waymark/runtime/adapter';
import type { Refusal } from '../triggers/overlap-starts.js';
import type { DueTrigger } from '../triggers/trigger-occurrence.js';
import { TriggerStarts } from '../triggers/trigger-starts.js';
import { Attendance } from './attendance.js';
import { claimingLook, readBy } from './claiming-look.js';
import type { DueLook, DueRows, DueWork } from './due-work.js';
import { type ClaimedOccurrence, OccurrenceClaims } from './occurrence-claims.js';

/** Codes: another node has claimed the occurrence; it is claimed, and another node runs the instance. */
const FIRED = ['WM7003', 'WM7004'];

const WHY_MISSED = 'was missed, and its misfire policy skips it';
const WHY_REFUSED = {
  overlap: 'was skipped: the instance of an earlier occurrence is still running',
  strategy: 'was refused by the activation strategy of the workflow',
} as const satisfies Record<Refusal, string>;

/** A trigger as read by a look. */
export interface SeenTrigger extends DueTrigger {
  /** The store's time then: what came after it is not missed, and nothing that is not due yet is moved on. */
  readonly seenAt: number;
  /** Since when it was looked for: see `Attendance`. `seenAt` for one that fails. */
  readonly attendedSince: number;
  /** Undefined: it is not claimed yet. */
  readonly claimed?: ClaimedOccurrence;
}

/**
 * Starts workflows whose trigger is due. Most are claimed by the look that finds them, together; those that may be refused, by the
 * commit that starts their instance. Either moves the trigger on, or starts nothing (W4).
 */
@Injectable()
export class DueTriggers implements DueWork<SeenTrigger> {
  readonly kind = 'trigger';
  readonly mayWait = true;
  private readonly logger = new WorkflowLogger('Scheduling');

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly claims: OccurrenceClaims,
    private readonly held: HeldStarts,
    private readonly starts: TriggerStarts,
    private readonly clock: WorkflowClock,
    private readonly missing: MissingCode,
    private readonly attendance: Attendance,
  ) {}

  async find(look: DueLook): Promise<DueRows<SeenTrigger>> {
    const { now, until } = look;
    const limit = readBy(look);
    const lookAheadMs = until.getTime() - now.getTime();
    const upcoming = { limit, lookAheadMs, now: this.clock.storeTime() };
    const { triggers, now: decidedAt = now } = await this.persistence.triggers.findUpcoming(upcoming);
    const seenAt = decidedAt.getTime();
    const since = this.attendance.sinceBy(seenAt);
    const rows = triggers.flatMap((row): SeenTrigger[] => {
      const attendedSince = look.failed.has(row.id) ? seenAt : since;
      return row.dueAt ? [{ ...row, dueAt: row.dueAt, seenAt, attendedSince }] : [];
    });
    return claimingLook(look, { rows, limit, decidedAt }, (due) => this.claims.claim(due));
  }

  async giveBack({ claimed }: SeenTrigger, availableAt: Date): Promise<void> {
    if (claimed) await this.claims.release(claimed, availableAt);
  }

  async fire(trigger: SeenTrigger): Promise<Date | null> {
    const { claimed } = trigger;
    if (!claimed) return this.fireAlone(trigger);
    if (claimed.start) await this.held.serve(claimed.start);
    else this.logLeftOut(trigger, claimed.nextDueAt, WHY_MISSED);
    return claimed.nextDueAt;
  }

  private async fireAlone(trigger: SeenTrigger): Promise<Date | null> {
    const { starts, nextDueAt, input } = this.claims.plan(trigger);
    const claim = { triggerId: trigger.id, dueAt: trigger.dueAt, nextDueAt };
    const firedAs = (result: FiringResult): TriggerFiring => ({
      ...claim,
      fired: { at: this.timeOf(trigger), result },
    });
    if (!starts) {
      await this.leaveOut(trigger, firedAs('Missed'), WHY_MISSED);
      return nextDueAt;
    }
    try {
      const refusal = await this.starts.start(trigger, { input, firing: firedAs('Started') });
      if (refusal) await this.leaveOut(trigger, firedAs('Refused'), WHY_REFUSED[refusal]);
    } catch (error) {
      // Left to nodes that have the code of the version: the row stays due until one of them has started it.
      if (isWaymarkError(error, 'WM2040'))
        await this.missing.waits(error as unknown as WorkflowCodeMissingError, trigger.dueAt);
      if (!FIRED.some((code) => isWaymarkError(error, code))) throw error;
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
    if (await this.persistence.triggers.advance(firing)) this.logLeftOut(trigger, firing.nextDueAt, why);
  }

  private logLeftOut(trigger: DueTrigger, nextDueAt: Date | null, why: string): void {
    const next = nextDueAt ? `next: ${nextDueAt.toISOString()}` : 'there is no next one';
    this.logger.log(`The occurrence ${trigger.dueAt.toISOString()} of ${this.describe(trigger)} ${why}; ${next}.`);
  }
}
