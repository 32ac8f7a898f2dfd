export { Cron } from './activities/cron.js';
export { Delay } from './activities/delay.js';
export { delayFor, delayUntil } from './activities/delay-until.js';
export type { DelayOptions } from './activities/delay-until.js';
export { repeatByCron, repeatEvery } from './activities/repeat.js';
export type { RepeatByCronOptions, RepeatEveryOptions, RepeatOptions } from './activities/repeat.js';
export { StartAt } from './activities/start-at.js';
export { Timer } from './activities/timer.js';
export { TimerBase } from './activities/timer-base.js';
export {
  CronExpressionError,
  InvalidScheduleTimeError,
  ScheduleTimeOverError,
  WaitingTimeMissingError,
} from './errors/scheduling-errors.js';
export type { TimingCustomProperties } from './activities/timing-custom-properties.js';
export type { SchedulingOptions } from './module/scheduling-options.js';
export { MisfirePolicy } from './triggers/misfire-policy.js';
export { OverlapPolicy } from './triggers/overlap-policy.js';
export { ScheduleWorkflows } from './wake-up/schedule-workflows.js';
