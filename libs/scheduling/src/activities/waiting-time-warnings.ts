import { Injectable } from '@nestjs/common';
import { isWaymarkError } from '@waymark/core';
import type { ConstantInputs } from '@waymark/core/adapter';
import type { DefinitionProblem } from '@waymark/runtime';
import { ConstantInputsValidator } from '@waymark/runtime/adapter';
import { CronSchedule, isTimeZone, notTimeZone } from '../cron/cron-schedule.js';
import { CronExpressionError, WaitingTimeMissingError } from '../errors/scheduling-errors.js';

/** The input that says how long the activity waits: in the definition, and by name. */
const WAITS_FOR: ReadonlyMap<string, readonly [member: string, inputName: string]> = new Map([
  ['Elsa.Delay', ['timeSpan', 'TimeSpan']],
  ['Elsa.Timer', ['interval', 'Interval']],
  ['Elsa.StartAt', ['dateTime', 'DateTime']],
]);

/** Warns of a Cron, Delay, StartAt or Timer in the middle of a workflow that cannot wait for its time, and fails instead. */
@Injectable()
export class WaitingTimeWarnings extends ConstantInputsValidator {
  readonly types = ['Elsa.Cron', ...WAITS_FOR.keys()];

  warn(activity: ConstantInputs): DefinitionProblem[] {
    const { activityId = '', type, path, values } = activity;
    if (activity.canStartWorkflow) return [];
    if (type === 'Elsa.Cron') return cronWarnings(activity);
    const [member, inputName] = WAITS_FOR.get(type)!;
    if (values.get(member) !== null) return [];
    const { message, code } = new WaitingTimeMissingError(type, activityId, inputName, null);
    return [{ message, code, activityId, path: `${path}.${member}` }];
  }
}

/** That the fault will have. */
const CRON_CODE = new CronExpressionError('', '').code;

function cronWarnings({ activityId = '', type, path, values }: ConstantInputs): DefinitionProblem[] {
  const expression = values.get('cronExpression');
  const place = { activityId, path: `${path}.cronExpression` };
  const given = values.get('timeZone');
  const zone = typeof given === 'string' ? given.trim() : '';
  if (expression === null) {
    const message = `Cron '${activityId}' does not wait: its cron expression is empty. Give it one, or remove the activity.`;
    return [{ message, ...place }];
  }
  const fails = (reason: string): string => `Activity '${activityId}' (${type}) fails when it is reached: ${reason}`;
  // Known whatever the expression will be.
  if (zone !== '' && !isTimeZone(zone))
    return [{ message: fails(notTimeZone(zone)), code: CRON_CODE, activityId, path: `${path}.timeZone` }];
  if (typeof expression !== 'string') return [];
  try {
    void new CronSchedule(expression, zone || undefined);
    return [];
  } catch (error) {
    if (!isWaymarkError(error)) throw error;
    return [{ message: fails(error.message), code: error.code, ...place }];
  }
}
