import { isWaymarkError } from '@waymark/core';
import type { CronTriggerPayload } from '../activities/payloads.js';
import { CronSchedule } from '../cron/cron-schedule.js';

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
