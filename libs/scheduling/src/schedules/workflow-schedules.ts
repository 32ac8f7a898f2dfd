import { Inject, Injectable } from '@nestjs/common';
import {
  ConcurrencyConflictError,
  type FiredSchedule,
  InvalidScheduleArgumentError,
  IWorkflowSchedules,
  type PagedResult,
  ScheduleNotFoundError,
  ScheduleOverError,
  type ScheduleQuery,
  ScheduleRefusedError,
  type WaitingTimerQuery,
  type WaitingTimers,
  WorkflowClock,
  WorkflowPersistence,
  type WorkflowSchedule,
} from '@waymark/runtime';
import {
  loopTurns,
  type ListedSchedule,
  type ListedScheduleFilter,
  type PausedTrigger,
  WorkflowLogger,
} from '@waymark/runtime/adapter';
import { SchedulingStimulus } from '../activities/stimulus-names.js';
import { DueWorkRunner } from '../due-work/due-work-runner.js';
import { type ResolvedSchedulingOptions, SCHEDULING_OPTIONS } from '../module/scheduling-options.js';
import type { Refusal } from '../triggers/overlap-starts.js';
import { nextOccurrence, occurrenceInput } from '../triggers/trigger-occurrence.js';
import { TriggerStarts } from '../triggers/trigger-starts.js';
import { overlapOf, type TriggerTiming, whileValid } from '../triggers/trigger-timing.js';
import { ScheduleStarts } from './schedule-starts.js';
import { describeSchedule, failureOf, rowOf, type ScheduleRow, unreadableOf } from './describe-schedule.js';
import { readCursor, writeCursor } from './waiting-cursor.js';

const MOST_SCHEDULES = 500;
/** Where counts end: counting a hundred thousand took longer than finding the page. */
const COUNTED_SCHEDULES = 10_000;
const MOST_TIMES = 50;
const MOST_WAITING = 1000;

/** A publication or a firing may change the row between reading and writing; more often than that is not a coincidence. */
const ATTEMPTS = 10;

/** Lists schedules, and pauses them on all nodes. */
@Injectable()
export class WorkflowSchedules extends IWorkflowSchedules {
  private readonly logger = new WorkflowLogger('Scheduling');

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly runner: DueWorkRunner,
    private readonly starts: TriggerStarts,
    private readonly scheduleStarts: ScheduleStarts,
    private readonly clock: WorkflowClock,
    @Inject(SCHEDULING_OPTIONS) private readonly options: Pick<ResolvedSchedulingOptions, 'startAtInPast' | 'misfire'>,
  ) {
    super();
  }

  async list(query: ScheduleQuery = {}): Promise<PagedResult<WorkflowSchedule>> {
    const { ids, workflowDefinitionIds, kinds, paused, origin } = query;
    const skip = within('skip', query.skip ?? 0, 0, Number.MAX_SAFE_INTEGER);
    const take = within('take', query.take ?? 50, 1, MOST_SCHEDULES);
    const times = within('times', query.times ?? 5, 0, MOST_TIMES);
    const names = kinds?.map((kind) => SchedulingStimulus[kind]);
    const filter: ListedScheduleFilter = { ids, names, workflowDefinitionIds, paused, origin };
    const page = { skip, take, countUpTo: COUNTED_SCHEDULES };
    const { items, ...total } = await this.persistence.schedules.findListed(filter, page);
    const described: WorkflowSchedule[] = [];
    for (const row of items) {
      // Some cron expressions take long to find their next times.
      const turn = loopTurns.goOn();
      if (turn) await turn;
      described.push(this.describe(row, times));
    }
    return { items: described, ...total };
  }

  async find(id: string, times = 5): Promise<WorkflowSchedule> {
    return this.describe(await this.read(id), within('times', times, 0, MOST_TIMES));
  }

  async waiting(query: WaitingTimerQuery = {}): Promise<WaitingTimers> {
    const { workflowInstanceId, stimuli: names, dueBefore: before } = query;
    const limit = within('limit', query.limit ?? 100, 1, MOST_WAITING);
    const after = query.after === undefined ? undefined : readCursor(query.after);
    // One more than asked for tells whether there is a next page.
    const window = { limit: limit + 1, before, after, workflowInstanceId, names };
    const rows = await this.persistence.bookmarks.findTimed(window);
    const items = rows.slice(0, limit).flatMap(({ dueAt, ...row }) => {
      if (!dueAt) return [];
      const { id, name: stimulus, workflowInstanceId: instanceId, activityInstanceId, correlationId } = row;
      const failure = failureOf(this.runner, 'bookmark', id, dueAt);
      const correlation = correlationId === undefined ? {} : { correlationId };
      const shown = { id, stimulus, workflowInstanceId: instanceId, activityInstanceId, ...correlation, dueAt };
      return [{ ...shown, ...failure, ...unreadableOf(row) }];
    });
    const last = rows.length > limit ? items.at(-1) : undefined;
    return { items, ...(last && { next: writeCursor(last) }) };
  }

  async fire(id: string, requestKey?: string): Promise<FiredSchedule> {
    const listed = await this.read(id);
    requireReadable(listed);
    const at = new Date(this.clock.now());
    const { result, refusal } = await this.fireNow(listed, at, requestKey);
    if (!result) throw refused(rowOf(listed), refusal);
    const { workflowInstanceId, status, subStatus } = result;
    this.logger.log(`${nameOf(rowOf(listed))} was fired manually: instance "${workflowInstanceId}".`);
    return { workflowInstanceId, status, subStatus };
  }

  async pause(id: string): Promise<WorkflowSchedule> {
    return this.change(id, async (listed) => {
      const row = rowOf(listed);
      if (row.paused) return true;
      if (!row.dueAt) throw new ScheduleOverError(id);
      const paused = { at: new Date(this.clock.now()), dueAt: row.dueAt };
      if (!(await this.storeOf(listed).pause(id, paused))) return false;
      this.logger.log(`${nameOf(row)} is paused; it would have fired next at ${row.dueAt.toISOString()}.`);
      return true;
    });
  }

  async resume(id: string): Promise<WorkflowSchedule> {
    let over: WorkflowSchedule | undefined;
    return this.change(
      id,
      async (listed) => {
        const row = rowOf(listed);
        over = undefined;
        if (!row.paused) return true;
        requireReadable(listed);
        const dueAt = this.dueAfterPause(listed, row.paused);
        // Of the application, what fires no more is gone.
        if (!dueAt && 'schedule' in listed)
          over = this.describe({ schedule: { ...listed.schedule, paused: undefined } }, 0);
        if (!(await this.unpause(listed, row.paused.at, dueAt))) return false;
        this.logger.log(
          `${nameOf(row)} is resumed; it fires ${dueAt ? `next at ${dueAt.toISOString()}` : 'no more: its time has passed'}.`,
        );
        if (dueAt) this.runner.wakeAt(dueAt.getTime());
        return true;
      },
      () => over,
    );
  }

  private fireNow(listed: ListedSchedule, at: Date, requestKey: string | undefined) {
    if ('schedule' in listed) return this.scheduleStarts.byHand(listed.schedule, at, requestKey);
    const input = occurrenceInput(listed.trigger, at);
    return this.starts.byHand(listed.trigger, { input, ...(requestKey !== undefined && { requestKey }) });
  }

  private storeOf(listed: ListedSchedule): { pause(id: string, paused: PausedTrigger): Promise<boolean> } {
    return 'trigger' in listed ? this.persistence.triggers : this.persistence.schedules;
  }

  private unpause(listed: ListedSchedule, pausedAt: Date, dueAt: Date | null): Promise<boolean> {
    if ('trigger' in listed) return this.persistence.triggers.unpause(listed.trigger.id, pausedAt, dueAt);
    const { id, token } = listed.schedule;
    const { schedules } = this.persistence;
    return dueAt ? schedules.unpause(id, pausedAt, dueAt) : schedules.delete(id, token);
  }

  private dueAfterPause(listed: ListedSchedule, { dueAt }: PausedTrigger): Date | null {
    const now = this.clock.now();
    const row = rowOf(listed);
    const repeats = row.name === SchedulingStimulus.Timer || row.name === SchedulingStimulus.Cron;
    // It may have been given an earlier end while it was paused.
    if (dueAt.getTime() > now)
      return repeats ? whileValid(dueAt.getTime(), row.payload as TriggerTiming | undefined) : dueAt;
    if (repeats) return nextOccurrence(row, dueAt, now);
    // Of the application's own there is no other trace than this row.
    return this.options.startAtInPast === 'catchup' || 'schedule' in listed ? dueAt : null;
  }

  /**
   * @param write false: the row has changed since it was read
   * @param gone the answer where it has deleted the row
   */
  private async change(
    id: string,
    write: (listed: ListedSchedule) => Promise<boolean>,
    gone?: () => WorkflowSchedule | undefined,
  ): Promise<WorkflowSchedule> {
    for (let attempt = 1; ; attempt++) {
      if (await write(await this.read(id))) return gone?.() ?? this.find(id);
      if (attempt === ATTEMPTS) throw new ConcurrencyConflictError('schedule', id);
    }
  }

  /** An application may have given one of its own the id that a trigger has: then it is the trigger's. */
  private async read(id: string): Promise<ListedSchedule> {
    const { items } = await this.persistence.schedules.findListed({ ids: [id] }, { skip: 0, take: 2 });
    const found = items.find((listed) => 'trigger' in listed) ?? items[0];
    if (!found) throw new ScheduleNotFoundError(id);
    return found;
  }

  private describe(listed: ListedSchedule, times: number): WorkflowSchedule {
    const { id, dueAt } = rowOf(listed);
    const kind = 'trigger' in listed ? 'trigger' : 'schedule';
    return {
      ...describeSchedule(listed, times, this.clock.now(), this.options),
      ...failureOf(this.runner, kind, id, dueAt),
    };
  }
}

/** What it starts, or when, is in what cannot be read. @throws StoredValueError, NewerFormatError */
function requireReadable(listed: ListedSchedule): void {
  const { unreadable } = rowOf(listed);
  if (unreadable) throw unreadable;
}

function nameOf(row: ScheduleRow): string {
  const { id, name, workflowDefinitionId } = row;
  const activity = 'activityId' in row ? ` "${row.activityId}"` : '';
  return `Schedule "${id}" (${name}${activity}${workflowDefinitionId === undefined ? '' : ` of workflow "${workflowDefinitionId}"`})`;
}

function refused(
  { id, workflowDefinitionId, payload }: ScheduleRow,
  refusal: Refusal | undefined,
): ScheduleRefusedError {
  const overlap = refusal === 'overlap' ? overlapOf(payload) : undefined;
  return new ScheduleRefusedError(id, workflowDefinitionId ?? '', overlap);
}

function within(member: string, value: number, least: number, most: number): number {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
  throw new InvalidScheduleArgumentError(member, `must be a whole number from ${least} to ${most}, not ${value}.`);
}
