import { Inject, Injectable } from '@nestjs/common';
import {
  ConcurrencyConflictError,
  type FiredSchedule,
  InvalidScheduleRequestError,
  IWorkflowSchedules,
  loopTurns,
  type PagedResult,
  type ScheduledTriggerFilter,
  ScheduleNotFoundError,
  ScheduleOverError,
  type ScheduleQuery,
  ScheduleRefusedError,
  type StoredTrigger,
  type WaitingTimerQuery,
  type WaitingTimers,
  WorkflowClock,
  WorkflowLogger,
  WorkflowPersistence,
  type WorkflowSchedule,
} from '@waymark/runtime';
import { SchedulingStimulus } from '../activities/stimulus-names.js';
import { DueWorkRunner } from '../due-work/due-work-runner.js';
import { type ResolvedSchedulingOptions, SCHEDULING_OPTIONS } from '../module/scheduling-options.js';
import { nextOccurrence, occurrenceInput } from '../triggers/trigger-occurrence.js';
import { TriggerStarts } from '../triggers/trigger-starts.js';
import { describeSchedule, failureOf } from './describe-schedule.js';
import { readCursor, writeCursor } from './waiting-cursor.js';

const MOST_SCHEDULES = 500;
const MOST_TIMES = 50;
const MOST_WAITING = 1000;

/** A publication or a firing may change the row between reading and writing; more often than that is not a coincidence. */
const ATTEMPTS = 10;

@Injectable()
export class WorkflowSchedules extends IWorkflowSchedules {
  private readonly logger = new WorkflowLogger('Scheduling');

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly runner: DueWorkRunner,
    private readonly starts: TriggerStarts,
    private readonly clock: WorkflowClock,
    @Inject(SCHEDULING_OPTIONS) private readonly options: Pick<ResolvedSchedulingOptions, 'startAtInPast' | 'misfire'>,
  ) {
    super();
  }

  async list(query: ScheduleQuery = {}): Promise<PagedResult<WorkflowSchedule>> {
    const { ids, workflowDefinitionIds, kinds, paused } = query;
    const skip = within('skip', query.skip ?? 0, 0, Number.MAX_SAFE_INTEGER);
    const take = within('take', query.take ?? 50, 1, MOST_SCHEDULES);
    const times = within('times', query.times ?? 5, 0, MOST_TIMES);
    const names = kinds?.map((kind) => SchedulingStimulus[kind]);
    const filter: ScheduledTriggerFilter = { ids, names, workflowDefinitionIds, paused };
    const { items, totalCount } = await this.persistence.triggers.findScheduled(filter, { skip, take });
    const described: WorkflowSchedule[] = [];
    for (const row of items) {
      // Some cron expressions take long to find their next times.
      const turn = loopTurns.goOn();
      if (turn) await turn;
      described.push(this.describe(row, times));
    }
    return { items: described, totalCount };
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
      return [{ id, stimulus, workflowInstanceId: instanceId, activityInstanceId, ...correlation, dueAt, ...failure }];
    });
    const last = rows.length > limit ? items.at(-1) : undefined;
    return { items, ...(last && { next: writeCursor(last) }) };
  }

  async fire(id: string, requestKey?: string): Promise<FiredSchedule> {
    const row = await this.read(id);
    const input = occurrenceInput(row, new Date(this.clock.now()));
    const result = await this.starts.byHand(row, { input, ...(requestKey !== undefined && { requestKey }) });
    if (!result) throw new ScheduleRefusedError(id, row.workflowDefinitionId);
    const { workflowInstanceId, status, subStatus } = result;
    this.logger.log(`${nameOf(row)} was fired by hand: instance "${workflowInstanceId}".`);
    return { workflowInstanceId, status, subStatus };
  }

  async pause(id: string): Promise<WorkflowSchedule> {
    return this.change(id, async (row) => {
      if (row.paused) return true;
      if (!row.dueAt) throw new ScheduleOverError(id);
      const paused = { at: new Date(this.clock.now()), dueAt: row.dueAt };
      if (!(await this.persistence.triggers.pause(id, paused))) return false;
      this.logger.log(`${nameOf(row)} is paused; it would have fired next at ${row.dueAt.toISOString()}.`);
      return true;
    });
  }

  async resume(id: string): Promise<WorkflowSchedule> {
    return this.change(id, async (row) => {
      if (!row.paused) return true;
      const dueAt = this.dueAfterPause(row, row.paused.dueAt);
      if (!(await this.persistence.triggers.unpause(id, row.paused.at, dueAt))) return false;
      this.logger.log(
        `${nameOf(row)} is resumed; it fires ${dueAt ? `next at ${dueAt.toISOString()}` : 'no more: its time is over'}.`,
      );
      if (dueAt) this.runner.wakeAt(dueAt.getTime());
      return true;
    });
  }

  private dueAfterPause(row: StoredTrigger, dueAt: Date): Date | null {
    const now = this.clock.now();
    if (dueAt.getTime() > now) return dueAt;
    const repeats = row.name === SchedulingStimulus.Timer || row.name === SchedulingStimulus.Cron;
    if (repeats) return nextOccurrence(row, dueAt, now);
    return this.options.startAtInPast === 'catchup' ? dueAt : null;
  }

  /** @param write false: the row has changed since it was read */
  private async change(id: string, write: (row: StoredTrigger) => Promise<boolean>): Promise<WorkflowSchedule> {
    for (let attempt = 1; ; attempt++) {
      if (await write(await this.read(id))) return this.find(id);
      if (attempt === ATTEMPTS) throw new ConcurrencyConflictError('trigger', id);
    }
  }

  private async read(id: string): Promise<StoredTrigger> {
    const { items } = await this.persistence.triggers.findScheduled({ ids: [id] }, { skip: 0, take: 1 });
    if (!items[0]) throw new ScheduleNotFoundError(id);
    return items[0];
  }

  private describe(row: StoredTrigger, times: number): WorkflowSchedule {
    return {
      ...describeSchedule(row, times, this.clock.now(), this.options),
      ...failureOf(this.runner, 'trigger', row.id, row.dueAt),
    };
  }
}

const nameOf = ({ id, name, activityId, workflowDefinitionId }: StoredTrigger): string =>
  `Schedule "${id}" (${name} "${activityId}" of workflow "${workflowDefinitionId}")`;

function within(member: string, value: number, least: number, most: number): number {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
  throw new InvalidScheduleRequestError(member, `must be a whole number from ${least} to ${most}, not ${value}.`);
}
