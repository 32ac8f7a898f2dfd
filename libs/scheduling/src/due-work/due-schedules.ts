import { Inject, Injectable } from '@nestjs/common';
import { isWaymarkError } from '@waymark/core';
import {
  FiringResult,
  MissingCode,
  type WorkflowCodeMissingError,
  WorkflowClock,
  WorkflowPersistence,
} from '@waymark/runtime';
import {
  OutboxProcessor,
  type ScheduleClaim,
  ScheduledRequests,
  type StoredSchedule,
  WorkflowLogger,
} from '@waymark/runtime/adapter';
import { type ResolvedSchedulingOptions, SCHEDULING_OPTIONS } from '../module/scheduling-options.js';
import { ScheduleStarts } from '../schedules/schedule-starts.js';
import type { Refusal } from '../triggers/overlap-starts.js';
import { ParsedCrons } from '../triggers/parsed-crons.js';
import { namedTime, planOccurrence } from '../triggers/trigger-occurrence.js';
import { type DueLook, type DueRows, type DueWork, OccurrenceWaits } from './due-work.js';

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
}

/**
 * Does what the application has scheduled. The transaction that moves the schedule on stores what it sends (W4): of any number of
 * nodes one does it, and the outbox serves it like any other message.
 */
@Injectable()
export class DueSchedules implements DueWork<SeenSchedule> {
  readonly kind = 'schedule';
  private readonly logger = new WorkflowLogger('Scheduling');
  private readonly crons = new ParsedCrons();

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly requests: ScheduledRequests,
    private readonly starts: ScheduleStarts,
    private readonly missing: MissingCode,
    private readonly outbox: OutboxProcessor,
    private readonly clock: WorkflowClock,
    @Inject(SCHEDULING_OPTIONS) private readonly options: ResolvedSchedulingOptions,
  ) {}

  async find({ now, until, free, held }: DueLook): Promise<DueRows<SeenSchedule>> {
    const limit = held + free + 1;
    const lookAheadMs = until.getTime() - now.getTime();
    const upcoming = { limit, lookAheadMs, now: this.clock.storeTime() };
    const { schedules, now: decidedAt = now } = await this.persistence.schedules.findUpcoming(upcoming);
    const seenAt = decidedAt.getTime();
    const rows = schedules.flatMap((row) => (row.dueAt ? [{ ...row, dueAt: row.dueAt, seenAt }] : []));
    return { rows, hasMore: rows.length === limit && rows.at(-1)!.dueAt <= decidedAt, decidedAt };
  }

  async fire(schedule: SeenSchedule): Promise<Date | null> {
    const { dueAt, seenAt, unreadable } = schedule;
    if (unreadable) throw unreadable;
    const { starts, nextDueAt: following } = planOccurrence(schedule, seenAt, this.options, (cron, after) =>
      this.crons.next(cron, after),
    );
    if (starts && this.starts.isFor(schedule)) {
      await this.start(schedule, following);
      return following;
    }
    const message = starts ? await this.requests.message(schedule, namedTime(schedule)) : undefined;
    const isOver = starts && !message;
    const nextDueAt = isOver ? null : following;
    const messages = this.outbox.prepare(message ? [message] : []);
    const claim = claimOf(schedule, nextDueAt, starts ? FiringResult.Sent : FiringResult.Missed);
    if (!(await this.persistence.schedules.fire(claim, messages))) {
      await this.leave(schedule);
      return null;
    }
    this.outbox.deliverSoon(messages);
    if (isOver) this.logger.log(`${this.describe(schedule)} is removed: no instance waits at its bookmark any more.`);
    if (!starts)
      this.logger.log(
        `The occurrence ${dueAt.toISOString()} of ${this.describe(schedule)} was missed, and its misfire policy skips it.`,
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

/** The time of firing is never before the due time: by the clock of the store, that is over. */
function claimOf(
  { id, token, dueAt, seenAt }: SeenSchedule,
  nextDueAt: Date | null,
  result: FiringResult,
): ScheduleClaim {
  return { id, token, dueAt, nextDueAt, fired: { at: new Date(Math.max(seenAt, dueAt.getTime())), result } };
}
