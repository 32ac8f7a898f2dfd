import { Injectable } from '@nestjs/common';
import { isWaymarkError } from '@waymark/core';
import { toOwnMilliseconds } from '@waymark/core/adapter';
import { type DefinitionProblem, type StoredTrigger, TriggerPayloadValidator } from '@waymark/runtime';
import type { CronTriggerPayload, StartAtPayload, TimerTriggerPayload } from '../activities/payloads.js';
import { SchedulingStimulus } from '../activities/stimulus-names.js';
import { cronSchedule, isSwitchedOff } from './cron-time.js';
import { intervalMs, toDate } from './payload-values.js';
import { endWarnings, seriesWarnings, timingProblems, type ValidationContext } from './timing-problems.js';

/** What a date input holds whose text was no date: the first moment of the calendar. */
const NO_DATE = -62_135_596_800_000;

/** Refuses cron expressions that cannot be understood, or that no date ever matches. Warns of a trigger without one. */
@Injectable()
export class CronTriggerPayloadValidator extends TriggerPayloadValidator {
  readonly names = [SchedulingStimulus.Cron];

  validate(payload: CronTriggerPayload, context: ValidationContext): DefinitionProblem[] {
    const { activityId } = context;
    try {
      if (!isSwitchedOff(payload)) cronSchedule(payload);
      return timingProblems(payload, context);
    } catch (error) {
      if (!isWaymarkError(error)) throw error;
      // Reasons of croner end without a full stop.
      const message = `${error.message.replace(/\.?$/, '.')} Correct it in activity '${activityId}'.`;
      return [{ message, activityId, code: error.code }];
    }
  }

  override warn(trigger: StoredTrigger): DefinitionProblem[] {
    const { payload, activityId } = trigger;
    if (!isSwitchedOff(payload as CronTriggerPayload)) return endWarnings(trigger);
    const message = `Cron '${activityId}' never starts a workflow: its cron expression is empty. Publish it with one.`;
    return [{ message, activityId }];
  }
}

/** Refuses intervals that a timer cannot repeat by: it would fire without end. */
@Injectable()
export class TimerTriggerPayloadValidator extends TriggerPayloadValidator {
  readonly names = [SchedulingStimulus.Timer];

  validate(payload: TimerTriggerPayload, context: ValidationContext): DefinitionProblem[] {
    const { activityId } = context;
    const { interval } = payload;
    if (intervalMs(interval) !== undefined) return timingProblems(payload, context);
    const found =
      interval == null
        ? 'empty'
        : toOwnMilliseconds(interval) === undefined
          ? `'${interval}', which is not a time span`
          : interval;
    return [
      { message: `The interval of timer '${activityId}' must be greater than zero, but it is ${found}.`, activityId },
    ];
  }

  override warn(trigger: StoredTrigger): DefinitionProblem[] {
    return endWarnings(trigger);
  }
}

/** Refuses StartAt triggers without a time. */
@Injectable()
export class StartAtTriggerPayloadValidator extends TriggerPayloadValidator {
  readonly names = [SchedulingStimulus.StartAt];

  validate(payload: StartAtPayload, context: ValidationContext): DefinitionProblem[] {
    const { activityId } = context;
    const time = toDate(payload.executeAt)?.getTime() ?? NO_DATE;
    if (time !== NO_DATE) return timingProblems(payload, context);
    return [
      { message: `StartAt '${activityId}' has no date and time, so it would never start the workflow.`, activityId },
    ];
  }

  override warn(trigger: StoredTrigger): DefinitionProblem[] {
    const { dueAt, paused, payload, activityId } = trigger;
    const time = toDate((payload as StartAtPayload).executeAt)?.toISOString();
    if (dueAt || paused || time === undefined) return seriesWarnings(trigger);
    const message = `StartAt '${activityId}' never starts anything: its time, ${time}, has passed. Publish it with a later one, or set the scheduling option startAtInPast to 'catchup'.`;
    return [{ message, activityId }, ...seriesWarnings(trigger)];
  }
}
