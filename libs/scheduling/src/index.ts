export { Cron } from './activities/cron.js';
export { Delay } from './activities/delay.js';
export { delayFor, delayUntil } from './activities/delay-until.js';
export type { DelayOptions } from './activities/delay-until.js';
export { repeatByCron, repeatEvery } from './activities/repeat.js';
export type { RepeatByCronOptions, RepeatEveryOptions, RepeatOptions } from './activities/repeat.js';
export type {
  CronBookmarkPayload,
  CronTriggerPayload,
  DelayPayload,
  StartAtPayload,
  TimerBookmarkPayload,
  TimerTriggerPayload,
} from './activities/payloads.js';
export { schedulingActivities } from './activities/scheduling-activities.js';
export { StartAt } from './activities/start-at.js';
export { SchedulingStimulus } from './activities/stimulus-names.js';
export { Timer } from './activities/timer.js';
export { TimerBase } from './activities/timer-base.js';
export { CronSchedule } from './cron/cron-schedule.js';
export { DueWorkRunner } from './due-work/due-work-runner.js';
export {
  CronExpressionError,
  InvalidScheduleTimeError,
  ScheduleTimeOverError,
  WaitingTimeMissingError,
} from './errors/scheduling-errors.js';
export { SchedulingModule, schedulingProviders } from './module/scheduling.module.js';
export { resolveSchedulingOptions, SCHEDULING_OPTIONS } from './module/scheduling-options.js';
export type { ResolvedSchedulingOptions, SchedulingOptions } from './module/scheduling-options.js';
export { WorkflowScheduler } from './schedules/workflow-scheduler.js';
export { WorkflowSchedules } from './schedules/workflow-schedules.js';
export { MisfirePolicy } from './triggers/misfire-policy.js';
export { OverlapPolicy } from './triggers/overlap-policy.js';
export type { TriggerTiming } from './triggers/trigger-timing.js';
export {
  CronTriggerPayloadValidator,
  StartAtTriggerPayloadValidator,
  TimerTriggerPayloadValidator,
} from './triggers/trigger-payload-validators.js';
export { ScheduleWorkflows } from './wake-up/schedule-workflows.js';
export {
  DefaultBookmarkScheduler,
  DefaultTriggerScheduler,
  IBookmarkScheduler,
  ITriggerScheduler,
} from './wake-up/schedulers.js';
