import { Inject, Injectable } from '@nestjs/common';
import { FiringResult, WorkflowPersistence } from '@waymark/runtime';
import {
  isStoreOutage,
  OutboxProcessor,
  type OutboxMessage,
  type ScheduleClaim,
  ScheduledRequests,
  type ScheduleOccurrenceClaim,
} from '@waymark/runtime/adapter';
import { type ResolvedSchedulingOptions, SCHEDULING_OPTIONS } from '../module/scheduling-options.js';
import { ScheduleStarts } from '../schedules/schedule-starts.js';
import { ParsedCrons } from '../triggers/parsed-crons.js';
import { namedTime, planOccurrence } from '../triggers/trigger-occurrence.js';
import type { SeenSchedule } from './due-schedules.js';

/** Rows that are remembered because they could not be claimed with others. */
const MOST_ALONE = 10_000;

/** An occurrence of a schedule, and what it sends. */
export interface PlannedSchedule {
  /** If false, it was missed, and its misfire policy leaves it out. */
  readonly starts: boolean;
  /** null: that was the last one. */
  readonly nextDueAt: Date | null;
  /** Undefined: it was missed, or nothing waits at its bookmark any more. */
  readonly message: OutboxMessage | undefined;
}

/**
 * Claims the occurrences of schedules that a look has found, in one transaction, which stores what they send (W4). One at a time, each
 * would cost a transaction. With an overlap policy, the commit of the instance claims.
 */
@Injectable()
export class ScheduleClaims {
  private readonly crons = new ParsedCrons();
  /** Occurrences that cannot be claimed with others: due times by id. They are fired by themselves, where failures are counted and logged. */
  private readonly alone = new Map<string, number>();

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly requests: ScheduledRequests,
    private readonly starts: ScheduleStarts,
    private readonly outbox: OutboxProcessor,
    @Inject(SCHEDULING_OPTIONS) private readonly options: ResolvedSchedulingOptions,
  ) {}

  /**
   * Claims what it can, and sends it.
   * @returns what was claimed, by id; undefined for what is another node's by now. Schedules that are not in it claim for themselves
   */
  async claim(schedules: readonly SeenSchedule[]): Promise<ReadonlyMap<string, PlannedSchedule | undefined>> {
    const planned = new Map<string, PlannedSchedule>();
    const claims: ScheduleOccurrenceClaim[] = [];
    for (const schedule of schedules) {
      const plan = await this.planned(schedule);
      if (!plan) continue;
      planned.set(schedule.id, plan);
      claims.push({ firing: claimOf(schedule, plan.nextDueAt, resultOf(plan)), message: plan.message });
    }
    if (claims.length === 0) return planned;
    try {
      const claimed = await this.persistence.schedules.claim(claims);
      // Not when they have a place: after their head start, they are for any node.
      this.outbox.deliverSoon(
        claims.flatMap(({ firing, message }) => (message && claimed.has(firing.id) ? message : [])),
      );
      return new Map([...planned].map(([id, plan]) => [id, claimed.has(id) ? plan : undefined]));
    } catch (error) {
      if (isStoreOutage(error)) throw error;
      // What is wrong with one must not keep the others from being fired: each claims for itself, and fails for itself.
      return new Map();
    }
  }

  /** When it is due next, and whether this occurrence was missed. @throws what is wrong with the row */
  timesOf(schedule: SeenSchedule): Pick<PlannedSchedule, 'nextDueAt' | 'starts'> {
    if (schedule.unreadable) throw schedule.unreadable;
    const { seenAt, attendedSince } = schedule;
    return planOccurrence(schedule, seenAt, this.options, (cron, after) => this.crons.next(cron, after), attendedSince);
  }

  /** What to do about an occurrence of a schedule without an overlap policy. @throws what is wrong with the row, or its request now */
  async plan(schedule: SeenSchedule): Promise<PlannedSchedule> {
    const { starts, nextDueAt } = this.timesOf(schedule);
    if (!starts) return { starts, nextDueAt, message: undefined };
    const sent = await this.requests.message(schedule, namedTime(schedule));
    if (!sent) return { starts, nextDueAt: null, message: undefined };
    return { starts, nextDueAt, message: this.outbox.prepare([sent])[0] };
  }

  private async planned(schedule: SeenSchedule): Promise<PlannedSchedule | undefined> {
    const { id, dueAt } = schedule;
    if (this.alone.get(id) === dueAt.getTime() || this.starts.isFor(schedule)) return undefined;
    try {
      return await this.plan(schedule);
    } catch (error) {
      if (isStoreOutage(error)) throw error;
      if (this.alone.size >= MOST_ALONE) this.alone.clear();
      this.alone.set(id, dueAt.getTime());
      return undefined;
    }
  }
}

export const resultOf = ({ starts }: PlannedSchedule): FiringResult =>
  starts ? FiringResult.Sent : FiringResult.Missed;

/** The time of firing is never before the due time: by the clock of the store, that is over. */
export function claimOf(
  { id, token, dueAt, seenAt }: SeenSchedule,
  nextDueAt: Date | null,
  result: FiringResult,
): ScheduleClaim {
  return { id, token, dueAt, nextDueAt, fired: { at: new Date(Math.max(seenAt, dueAt.getTime())), result } };
}
