import {
  ConfigurableModuleBuilder,
  type InjectionToken,
  Module,
  type ModuleMetadata,
  type Provider,
} from '@nestjs/common';
import { IWorkflowScheduler, IWorkflowSchedules } from '@waymark/runtime';
import { type ResolvedRuntimeOptions, RUNTIME_OPTIONS } from '@waymark/runtime/adapter';
import { schedulingActivities } from '../activities/scheduling-activities.js';
import { WaitingTimeWarnings } from '../activities/waiting-time-warnings.js';
import { TimingPropertyRules } from '../triggers/timing-property-rules.js';
import { DueBookmarks } from '../due-work/due-bookmarks.js';
import { DueSchedules } from '../due-work/due-schedules.js';
import { DueTriggers } from '../due-work/due-triggers.js';
import { DueWorkRunner } from '../due-work/due-work-runner.js';
import { Attendance } from '../due-work/attendance.js';
import { OccurrenceClaims } from '../due-work/occurrence-claims.js';
import { ScheduleClaims } from '../due-work/schedule-claims.js';
import { ScheduleStarts } from '../schedules/schedule-starts.js';
import { WorkflowScheduler } from '../schedules/workflow-scheduler.js';
import { WorkflowSchedules } from '../schedules/workflow-schedules.js';
import {
  CronTriggerPayloadValidator,
  StartAtTriggerPayloadValidator,
  TimerTriggerPayloadValidator,
} from '../triggers/trigger-payload-validators.js';
import { OverlapStarts } from '../triggers/overlap-starts.js';
import { TriggerStarts } from '../triggers/trigger-starts.js';
import { SchedulesAnnouncer } from '../wake-up/schedules-announcer.js';
import { ScheduleWorkflows } from '../wake-up/schedule-workflows.js';
import {
  DefaultBookmarkScheduler,
  DefaultTriggerScheduler,
  IBookmarkScheduler,
  ITriggerScheduler,
} from '../wake-up/schedulers.js';
import { WakeUpTimer } from '../wake-up/wake-up-timer.js';
import { resolveSchedulingOptions, SCHEDULING_OPTIONS, type SchedulingOptions } from './scheduling-options.js';

/**
 * Everything but the options (`SCHEDULING_OPTIONS`), for a module that composes libraries itself. They need the runtime's
 * services beside them: `WorkflowPersistence`, `WorkflowClock`, `IWorkflowStarter`, `IWorkflowCancellationService`,
 * `IBookmarkResumer`, `RuntimeGate`, `IWorkflowDefinitionService`, `ScheduledRequests`, `HeldStarts`, `OutboxProcessor`,
 * `WorkflowEngine`, `MissingCode`, `WorkflowEventEmitter`, `StoreOutages`, `ShutdownTasks` and the options under
 * `RUNTIME_OPTIONS`.
 */
export const schedulingProviders: readonly Provider[] = [
  ...schedulingActivities,
  CronTriggerPayloadValidator,
  TimerTriggerPayloadValidator,
  StartAtTriggerPayloadValidator,
  WaitingTimeWarnings,
  TimingPropertyRules,
  WakeUpTimer,
  OverlapStarts,
  TriggerStarts,
  ScheduleStarts,
  Attendance,
  OccurrenceClaims,
  DueTriggers,
  ScheduleClaims,
  DueSchedules,
  DueBookmarks,
  SchedulesAnnouncer,
  DueWorkRunner,
  { provide: ITriggerScheduler, useClass: DefaultTriggerScheduler },
  { provide: IBookmarkScheduler, useClass: DefaultBookmarkScheduler },
  ScheduleWorkflows,
  WorkflowSchedules,
  { provide: IWorkflowSchedules, useExisting: WorkflowSchedules },
  { provide: IWorkflowScheduler, useClass: WorkflowScheduler },
];

/** Those of the providers that other modules may inject. */
export const schedulingExports: readonly InjectionToken[] = [
  SCHEDULING_OPTIONS,
  DueWorkRunner,
  IBookmarkScheduler,
  ITriggerScheduler,
  IWorkflowScheduler,
  IWorkflowSchedules,
  ScheduleWorkflows,
  WorkflowSchedules,
];

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<SchedulingOptions>()
  .setClassMethodName('forRoot')
  .setExtras<Pick<ModuleMetadata, 'imports'>>({ imports: [] }, (definition, extras) => ({
    ...definition,
    // `imports` of the asynchronous form are there already.
    imports: [...new Set([...(definition.imports ?? []), ...(extras.imports ?? [])])],
  }))
  .build();

/**
 * Provides Delay, Timer, Cron and StartAt, and fires them. `WorkflowModule` includes it; on its own it needs a module that
 * exports the services of the runtime, in `imports` or global. With `ScheduleModule.forRoot()` in the application, the next
 * wake-up shows among the timeouts of its `SchedulerRegistry`.
 */
@Module({
  providers: [
    ...schedulingProviders,
    {
      provide: SCHEDULING_OPTIONS,
      useFactory: (options: SchedulingOptions, runtime?: ResolvedRuntimeOptions) =>
        resolveSchedulingOptions(options, runtime),
      inject: [MODULE_OPTIONS_TOKEN, { token: RUNTIME_OPTIONS, optional: true }],
    },
  ],
  exports: [...schedulingExports],
})
export class SchedulingModule extends ConfigurableModuleClass {}
