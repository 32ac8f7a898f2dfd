import { isWaymarkError } from '@waymark/core';
import type { CronTriggerPayload } from '../activities/payloads.js';
import { CronSchedule } from '../cron/cron-schedule.js';

/** Returns true if the expression is missing. As in Elsa, this switches the trigger off, so that a variable or a script can. */
export const isSwitchedOff = ({ cronExpression }: Pick<CronTriggerPayload, 'cronExpression'>): boolean =>
  !cronExpression?.trim();

/** @throws CronExpressionError */
export function cronSchedule({ cronExpression, timeZone }: CronTriggerPayload): CronSchedule {
  return new CronSchedule(cronExpression ?? '', timeZone);
}

/** The first occurrence later than that instant; `undefined` when there is none, or the expression is wrong. */
export function nextCronTime(payload: CronTriggerPayload, after: Date): Date | undefined {
  try {
    return cronSchedule(payload).next(after);
  } catch (error) {
    if (isWaymarkError(error)) return undefined;
    throw error;
  }
}
