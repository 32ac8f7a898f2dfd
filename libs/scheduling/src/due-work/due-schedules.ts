import { Inject, Injectable } from '@nestjs/common';
import { WorkflowClock, WorkflowPersistence, FiringResult } from '@waymark/runtime';
import { OutboxProcessor, ScheduledRequests, type StoredSchedule, WorkflowLogger } from '@waymark/runtime/adapter';
import { type ResolvedSchedulingOptions, SCHEDULING_OPTIONS } from '../module/scheduling-options.js';
import { planOccurrence } from '../triggers/trigger-occurrence.js';
import { type DueLook, type DueRows, type DueWork, OccurrenceWaits } from './due-work.js';

/** A schedule as a look at the store has shown it. */
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

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly requests: ScheduledRequests,
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
    const { id, token, dueAt, seenAt } = schedule;
    const { starts, nextDueAt: following } = planOccurrence(schedule, seenAt, this.options);
    const message = starts ? await this.requests.message(schedule, dueAt) : undefined;
    const isOver = starts && !message;
    const nextDueAt = isOver ? null : following;
    const messages = this.outbox.prepare(message ? [message] : []);
    // Never before its due time, which the store has said is over.
    const at = new Date(Math.max(seenAt, dueAt.getTime()));
    const result = starts ? FiringResult.Sent : FiringResult.Missed;
    const claim = { id, token, dueAt, nextDueAt, fired: { at, result } };
    if (!(await this.persistence.schedules.fire(claim, messages))) {
      await this.leave(schedule);
      return null;
    }
    this.outbox.deliverSoon(messages);
    if (isOver) this.logger.log(`${this.describe(schedule)} is over: nothing waits at its bookmark any more.`);
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

  /** Another node was faster, or it was scheduled anew meanwhile: then it is due still, in its new form. */
  private async leave({ id, dueAt }: SeenSchedule): Promise<void> {
    const [row] = await this.persistence.schedules.findMany([id]);
    if (row?.dueAt?.getTime() === dueAt.getTime()) throw new OccurrenceWaits();
  }
}
