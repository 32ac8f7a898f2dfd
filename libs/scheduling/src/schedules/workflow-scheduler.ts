import { Injectable } from '@nestjs/common';
import { type TimeSpanInput } from '@waymark/core';
import { requireStorableText } from '@waymark/core/adapter';
import {
  type CronScheduleOptions,
  type IndexedSchedule,
  InvalidScheduleArgumentError,
  IWorkflowDefinitionService,
  IWorkflowScheduler,
  type RecurringScheduleOptions,
  type ScheduledRequest,
  type SchedulingContext,
  WorkflowClock,
  WorkflowEngine,
  WorkflowPersistence,
} from '@waymark/runtime';
import { type EnlistedReads, ScheduledRequests, type StoredSchedule, WorkflowLogger } from '@waymark/runtime/adapter';
import { DueWorkRunner } from '../due-work/due-work-runner.js';
import { SchedulesAnnouncer } from '../wake-up/schedules-announcer.js';
import { InvalidScheduleTimeError } from '../errors/scheduling-errors.js';
import { OverlapPolicy } from '../triggers/overlap-policy.js';
import { besideStrategy, hasStrategy } from '../triggers/timing-problems.js';
import { overlapOf, type TriggerTiming, whileValid } from '../triggers/trigger-timing.js';
import { atInterval, byCron, onceAt, rhythmOf, type ScheduleTimes } from './schedule-times.js';

/** Most characters of an id. */
const LONGEST_ID = 255;

/** `waiting` is a route of the API; the others disappear when URLs are normalized. */
const NOT_ADDRESSABLE: readonly string[] = ['', '.', '..', 'waiting'];

@Injectable()
export class WorkflowScheduler extends IWorkflowScheduler {
  private readonly logger = new WorkflowLogger('Scheduling');

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly requests: ScheduledRequests,
    private readonly definitions: IWorkflowDefinitionService,
    private readonly engine: WorkflowEngine,
    private readonly clock: WorkflowClock,
    private readonly runner: DueWorkRunner,
    private readonly announcer: SchedulesAnnouncer,
  ) {
    super();
  }

  async scheduleAt(id: string, at: Date, request: ScheduledRequest, options: SchedulingContext = {}): Promise<boolean> {
    return this.put(id, onceAt(id, at, this.clock.now()), request, options);
  }

  async scheduleRecurring(
    id: string,
    interval: TimeSpanInput,
    request: ScheduledRequest,
    options: RecurringScheduleOptions = {},
  ): Promise<boolean> {
    return this.put(id, atInterval(id, interval, options, this.clock.now()), request, options);
  }

  async scheduleCron(
    id: string,
    expression: string,
    request: ScheduledRequest,
    options: CronScheduleOptions = {},
  ): Promise<boolean> {
    return this.put(id, byCron(id, expression, options, this.clock.now()), request, options);
  }

  async unschedule(id: string, { transaction }: SchedulingContext = {}): Promise<boolean> {
    // It may be rolled back: what is not committed is not announced (W1).
    if (transaction) return this.persistence.enlist(transaction).schedules.delete(id);
    const [row] = await this.persistence.schedules.findMany([id]);
    const wasThere = await this.persistence.schedules.delete(id);
    if (wasThere && row) await this.announcer.announce([], [indexed(row)]);
    return wasThere;
  }

  private async put(
    id: string,
    given: ScheduleTimes,
    request: ScheduledRequest,
    { transaction }: SchedulingContext,
  ): Promise<boolean> {
    requireAddressable(id);
    requireStorableText('schedule id', id, LONGEST_ID);
    // What the caller has done in its transaction is seen there alone.
    const enlisted = transaction && this.persistence.enlist(transaction);
    const schedules = enlisted?.schedules ?? this.persistence.schedules;
    const [former] = given.dueAt && !rhythmOf(given) ? [] : await schedules.findMany([id]);
    const times = former ? timesAfter(former, given) : given;
    const { dueAt } = times;
    if (!dueAt) return this.isDueStill(id, times, former, transaction);
    const columns = await this.requests.check(id, request, enlisted);
    await this.requireOverlap(id, times, request, enlisted?.definitions);
    const schedule: StoredSchedule = {
      id,
      token: this.engine.newId(),
      ...times,
      dueAt,
      ...columns,
      createdAt: new Date(this.clock.now()),
    };
    await schedules.put(schedule);
    if (transaction) return true;
    this.runner.wakeAt(dueAt.getTime());
    if (!this.announcer.isHeard) return true;
    // With the same times, the stored due time stays.
    const [stored] = await schedules.findMany([id]);
    if (stored) await this.announcer.announce([indexed(stored)], []);
    return true;
  }

  /**
   * All of its times have passed. What is stored with the same times is due still, and stays as it is: written again after it was fired in the
   * meantime, it would fire twice. With other times it would fire at a time that the application has withdrawn.
   */
  private async isDueStill(
    id: string,
    times: ScheduleTimes,
    former: StoredSchedule | undefined,
    transaction: object | undefined,
  ): Promise<boolean> {
    if (former?.hash === times.hash) return true;
    if (former) await this.unschedule(id, { ...(transaction && { transaction }) });
    this.logger.log(
      `Schedule "${id}" is not stored: all of its times have passed.${former ? ' The one that it replaces has ended.' : ''}`,
    );
    return false;
  }

  /** @throws InvalidScheduleTimeError for an overlap policy that cannot be kept */
  private async requireOverlap(
    id: string,
    { payload }: ScheduleTimes,
    request: ScheduledRequest,
    source: EnlistedReads['definitions'] | undefined,
  ): Promise<void> {
    const overlap = overlapOf(payload);
    if (overlap === OverlapPolicy.Allow) return;
    const refuse = (why: string): never => {
      throw new InvalidScheduleTimeError(id, 'overlap', { why }, overlap);
    };
    if (!('definition' in request))
      return refuse("starts no workflow, so 'overlap' does not apply to it. Leave it out.");
    if (hasStrategy(await this.definitions.require(request.definition, source))) refuse(besideStrategy(overlap));
  }
}

/**
 * With another end and otherwise the same times, a series continues: the store keeps the due time of a row with the same hash, of whatever end
 * that was made. Earlier builds make it of the end as well, so it stays part of a new one.
 */
function timesAfter(former: StoredSchedule, times: ScheduleTimes): ScheduleTimes {
  const { hash, dueAt = former.paused?.dueAt } = former;
  if (hash === times.hash || !dueAt) return times;
  const rhythm = rhythmOf(times);
  if (rhythm === undefined || rhythm !== rhythmOf(former)) return times;
  const next = whileValid(dueAt.getTime(), times.payload as TriggerTiming);
  return next ? { ...times, hash, dueAt: next } : times;
}

/** @throws InvalidScheduleArgumentError (`WM4033`) for an id that no URL of the API can hold as a part of its path */
function requireAddressable(id: string): void {
  if (NOT_ADDRESSABLE.includes(id))
    throw new InvalidScheduleArgumentError(
      'id',
      `must not be '${id}': the management API could not address the schedule.`,
    );
}

function indexed({
  id,
  name: stimulus,
  dueAt,
  workflowDefinitionId,
  workflowInstanceId,
}: StoredSchedule): IndexedSchedule {
  return {
    kind: 'application',
    id,
    stimulus,
    ...(dueAt && { dueAt }),
    ...(workflowDefinitionId !== undefined && { workflowDefinitionId }),
    ...(workflowInstanceId !== undefined && { workflowInstanceId }),
  };
}
