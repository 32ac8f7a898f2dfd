export type {
  CronBookmarkPayload,
  CronTriggerPayload,
  DelayPayload,
  StartAtPayload,
  TimerBookmarkPayload,
  TimerTriggerPayload,
} from './activities/payloads.js';
export { schedulingActivities } from './activities/scheduling-activities.js';
export { DueWorkRunner } from './due-work/due-work-runner.js';
export { schedulingExports, SchedulingModule, schedulingProviders } from './module/scheduling.module.js';
export { SCHEDULING_OPTION_KINDS } from './module/scheduling-option-kinds.js';
export { resolveSchedulingOptions, SCHEDULING_OPTIONS } from './module/scheduling-options.js';
export type { ResolvedSchedulingOptions } from './module/scheduling-options.js';
export { WorkflowSchedules } from './schedules/workflow-schedules.js';
export type { TriggerTiming } from './triggers/trigger-timing.js';
export {
  DefaultBookmarkScheduler,
  DefaultTriggerScheduler,
  IBookmarkScheduler,
  ITriggerScheduler,
} from './wake-up/schedulers.js';
