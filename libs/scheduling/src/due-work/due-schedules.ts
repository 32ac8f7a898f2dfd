import { Injectable } from '@nestjs/common';
import { isWaymarkError } from '@waymark/core';
import {
  FiringResult,
  MissingCode,
  type WorkflowCodeMissingError,
  WorkflowClock,
  WorkflowPersistence,
} from '@waymark/runtime';
import { OutboxProcessor, type StoredSchedule, WorkflowLogger } from '@waymark/runtime/adapter';
import { ScheduleStarts } from '../schedules/schedule-starts.js';
import type { Refusal } from '../triggers/overlap-starts.js';
import { namedTime } from '../triggers/trigger-occurrence.js';
import { Attendance } from './attendance.js';
import { claimingLook, readBy } from './claiming-look.js';
import { type DueLook, type DueRows, type DueWork, OccurrenceWaits } from './due-work.js';
import { claimOf, type PlannedSchedule, resultOf, ScheduleClaims } from './schedule-claims.js';

/** Error code when another node has claimed the occurrence, or the schedule was replaced. */
const OCCURRENCE_CLAIMED = 'WM7003';
/** The same when it is claimed, and another node runs the instance: the store has kept the claim for that long. */
const RUN_ELSEWHERE = 'WM7004';

const WHY_REFUSED = {
  overlap: 'was skipped: the instance of an earlier occurrence is still running',
  strategy:
    'was refused by the activation strategy that its workflow has now; schedule it again without an overlap policy',
} as const satisfies Record<Refusal, string>;

/** A schedule as read by a look. */
export interface SeenSchedule extends StoredSchedule {
  readonly dueAt: Date;
  /** The store's time then. */
  readonly seenAt: number;
  /** Since when it was looked for: see `Attendance`. `seenAt` for one that fails. */
  readonly attendedSince: number;
  /** Undefined: it is not claimed yet. */
  readonly claimed?: PlannedSchedule;
}

/**
 * Does what the application has scheduled. The transaction that moves schedules on stores what they send (W4): of any number of
 * nodes one does it, and the outbox serves it like any other message. Most are claimed by the look that finds them, together.
 */
@Injectable()
export class DueSchedules implements DueWork<SeenSchedule> {
  readonly kind = 'schedule';
  readonly mayWait = true;
  private readonly logger = new WorkflowLogger('Scheduling');

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly claims: ScheduleClaims,
    private readonly starts: ScheduleStarts,
    private readonly missing: MissingCode,
    private readonly outbox: OutboxProcessor,
    private readonly clock: WorkflowClock,
    private readonly attendance: Attendance,
  ) {}

  async find(look: DueLook): Promise<DueRows<SeenSchedule>> {
    const { now, until } = look;
    const limit = readBy(look);
    const lookAheadMs = until.getTime() - now.getTime();
    const upcoming = { limit, lookAheadMs, now: this.clock.storeTime() };
    const { schedules, now: decidedAt = now } = await this.persistence.schedules.findUpcoming(upcoming);
    const seenAt = decidedAt.getTime();
    const since = this.attendance.sinceBy(seenAt);
    const rows = schedules.flatMap((row): SeenSchedule[] => {
      const attendedSince = look.failed.has(row.id) ? seenAt : since;
      return row.dueAt ? [{ ...row, dueAt: row.dueAt, seenAt, attendedSince }] : [];
    });
    return claimingLook(look, { rows, limit, decidedAt }, (due) => this.claims.claim(due));
  }

  async fire(schedule: SeenSchedule): Promise<Date | null> {
    if (schedule.claimed) return this.fired(schedule, schedule.claimed);
    if (this.starts.isFor(schedule)) {
      const { starts, nextDueAt } = this.claims.timesOf(schedule);
      if (starts) {
        await this.start(schedule, nextDueAt);
        return nextDueAt;
      }
    }
    const plan = await this.claims.plan(schedule);
    const messages = plan.message ? [plan.message] : [];
    if (await this.persistence.schedules.fire(claimOf(schedule, plan.nextDueAt, resultOf(plan)), messages)) {
      this.outbox.deliverSoon(messages);
      return this.fired(schedule, plan);
    }
    await this.leave(schedule);
    return null;
  }

  private fired(schedule: SeenSchedule, { starts, nextDueAt, message }: PlannedSchedule): Date | null {
    if (starts && !message)
      this.logger.log(`${this.describe(schedule)} is removed: no instance waits at its bookmark any more.`);
    if (!starts)
      this.logger.log(
        `The occurrence ${schedule.dueAt.toISOString()} of ${this.describe(schedule)} was missed, and its misfire policy skips it.`,
      );
    return nextDueAt;
  }

  describe({ id, name, workflowDefinitionId, workflowInstanceId }: StoredSchedule): string {
    const of =
      workflowDefinitionId === undefined
        ? workflowInstanceId === undefined
          ? ''
          : ` for instance '${workflowInstanceId}'`
        : ` of workflow '${workflowDefinitionId}'`;
    return `schedule '${id}' (${name}${of})`;
  }

  /** Starts an instance; its commit claims the occurrence. */
  private async start(schedule: SeenSchedule, nextDueAt: Date | null): Promise<void> {
    try {
      const firing = claimOf(schedule, nextDueAt, FiringResult.Started);
      const refusal = await this.starts.start(schedule, namedTime(schedule), firing);
      if (!refusal) return;
      if (!(await this.persistence.schedules.fire(claimOf(schedule, nextDueAt, FiringResult.Refused), []))) return;
      this.logger.log(
        `The occurrence ${schedule.dueAt.toISOString()} of ${this.describe(schedule)} ${WHY_REFUSED[refusal]}.`,
      );
    } catch (error) {
      // Left to nodes that have the code of the version: the row stays due until one of them has started it.
      if (isWaymarkError(error, 'WM2040'))
        await this.missing.waits(error as unknown as WorkflowCodeMissingError, schedule.dueAt);
      if (isWaymarkError(error, RUN_ELSEWHERE)) return;
      if (!isWaymarkError(error, OCCURRENCE_CLAIMED)) throw error;
      await this.leave(schedule);
    }
  }

  /** Another node was faster, or the schedule was replaced in the meantime: then the new one may be due. */
  private async leave({ id, dueAt }: SeenSchedule): Promise<void> {
    const [row] = await this.persistence.schedules.findMany([id]);
    if (row?.dueAt?.getTime() === dueAt.getTime()) throw new OccurrenceWaits();
  }
}
