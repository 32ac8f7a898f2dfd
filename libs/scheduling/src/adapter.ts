export type {
  CronBookmarkPayload,
  CronTriggerPayload,
  DelayPayload,
  StartAtPayload,
  TimerBookmarkPayload,
  TimerTriggerPayload,
} from './activities/payloads.js';
export { schedulingActivities } from './activities/scheduling-activities.js';
export { SchedulingStimulus } from './activities/stimulus-names.js';
export { CronSchedule } from './cron/cron-schedule.js';
export { DueWorkRunner } from './due-work/due-work-runner.js';
export { schedulingExports, SchedulingModule, schedulingProviders } from './module/scheduling.module.js';
export { resolveSchedulingOptions, SCHEDULING_OPTIONS } from './module/scheduling-options.js';
export type { ResolvedSchedulingOptions } from './module/scheduling-options.js';
export { WorkflowScheduler } from './schedules/workflow-scheduler.js';
export { WorkflowSchedules } from './schedules/workflow-schedules.js';
export type { TriggerTiming } from './triggers/trigger-timing.js';
export {
  CronTriggerPayloadValidator,
  StartAtTriggerPayloadValidator,
  TimerTriggerPayloadValidator,
} from './triggers/trigger-payload-validators.js';
export {
  DefaultBookmarkScheduler,
  DefaultTriggerScheduler,
  IBookmarkScheduler,
  ITriggerScheduler,
} from './wake-up/schedulers.js';
