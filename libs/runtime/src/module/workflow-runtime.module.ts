import { type DynamicModule, type InjectionToken, Module, type Provider } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { runtimeActivities } from '../activities/runtime-activities.js';
import { AlterationTargets } from '../alterations/alteration-targets.js';
import { AlterationPlans } from '../alterations/alteration-plans.js';
import { AlterationRunner } from '../alterations/alteration-runner.js';
import { InstanceRetries } from '../alterations/instance-retries.js';
import { InstanceMigrator } from '../alterations/instance-migrator.js';
import { Migrations } from '../alterations/migrations.js';
import { IInstanceMigrator } from '../services/migration-services.js';
import { UnreadableWork } from '../outages/unreadable-work.js';
import { AlterationSelections } from '../alterations/alteration-selections.js';
import { BackgroundActivities } from '../background/background-activities.js';
import { AuditTrail } from '../audit/audit-trail.js';
import { StoreBookmarkQueue } from '../bookmarks/bookmark-queue.js';
import { BookmarkPatterns } from '../patterns/bookmark-patterns.js';
import { BookmarkResumer } from '../bookmarks/bookmark-resumer.js';
import { IBookmarkQueue, IBookmarkResumer } from '../services/bookmark-services.js';
import { FanOuts } from '../bookmarks/fan-outs.js';
import { SharedInputs } from '../bookmarks/shared-inputs.js';
import { ConsumerPlans } from '../bulk/consumer-plans.js';
import { PlanDeletions } from '../bulk/plan-deletions.js';
import { PlanAudit } from '../bulk/plan-audit.js';
import { PlanSteps } from '../bulk/plan-steps.js';
import { DefinitionPlans } from '../bulk/definition-plans.js';
import { BulkPlans } from '../bulk/bulk-plans.js';
import { BulkPlanWorker } from '../bulk/bulk-plan-worker.js';
import { PlanSelections } from '../bulk/plan-selections.js';
import { BulkTargets } from '../bulk/bulk-targets.js';
import { BulkWork } from '../bulk/bulk-work.js';
import { DefinitionDeletions } from '../bulk/definition-deletions.js';
import { DeadLetterDefinitions } from '../bulk/dead-letter-definitions.js';
import { SystemClock } from '../clock/system-clock.js';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { CodeWorkflowRegistrar } from '../code-first/code-workflow-registrar.js';
import { MissingCode } from '../definitions/missing-code.js';
import { CodeWorkflows } from '../definitions/code-workflows.js';
import { CommitStrategies } from '../bursts/commit-strategies.js';
import { CommitStrategyRules } from '../bursts/commit-strategy-rules.js';
import { CommitStrategyWarnings } from '../bursts/commit-strategy-warnings.js';
import { ConsumerFollowing } from '../definitions/consumer-following.js';
import { ConsumerUpdater } from '../definitions/consumer-updater.js';
import { DefinitionRemoval } from '../definitions/definition-removal.js';
import { DefinitionWrites } from '../definitions/definition-writes.js';
import { IWorkflowDefinitionPublisher, IWorkflowDefinitionService } from '../services/definition-services.js';
import { DefinitionInstances } from '../definitions/definition-instances.js';
import { DeletionsUnderWay } from '../definitions/deletions-under-way.js';
import { DefinitionValidator } from '../definitions/definition-validator.js';
import { WorkflowActivities } from '../definitions/workflow-activities.js';
import { WorkflowDefinitionPublisher } from '../definitions/workflow-definition-publisher.js';
import { WorkflowDefinitionService } from '../definitions/workflow-definition-service.js';
import { ActivityExplorer } from '../discovery/activity-explorer.js';
import { ExpressionExplorer } from '../discovery/expression-explorer.js';
import { IWorkflowDispatcher } from '../services/dispatch-services.js';
import { OutboxDeadLetters } from '../outbox/outbox-dead-letters.js';
import { ChildReports } from '../children/child-reports.js';
import { OutboxProcessor } from '../outbox/outbox-processor.js';
import { DispatchLimits } from '../outbox/dispatch-limits.js';
import { EventTriggerWarnings } from '../activities/event-trigger-warnings.js';
import { RunTaskNotifier } from '../activities/run-task-notifier.js';
import { WorkflowDispatcher } from '../dispatch/workflow-dispatcher.js';
import { DefaultWorkflowEngine } from '../engine/default-workflow-engine.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import { WorkflowEventEmitter } from '../events/workflow-event-emitter.js';
import { BurstCommitter } from '../bursts/burst-committer.js';
import { FaultLog } from '../bursts/fault-log.js';
import { BurstExecutor } from '../bursts/burst-executor.js';
import { WorkflowCancellationService } from '../instances/cancellation-service.js';
import { InstanceDeletion } from '../instances/instance-deletion.js';
import { InstanceEnds } from '../instances/instance-ends.js';
import { InstanceRemoval } from '../instances/instance-removal.js';
import { InstanceDescriptions } from '../instances/instance-descriptions.js';
import { InstanceEditor } from '../instances/instance-editor.js';
import { WorkflowEncryption } from '../instances/workflow-encryption.js';
import { InstanceImport } from '../instances/instance-import.js';
import { IWorkflowCancellationService, IWorkflowRuntime, IWorkflowStarter } from '../services/instance-services.js';
import { BurstHeartbeat } from '../bursts/burst-heartbeat.js';
import { BurstRunner } from '../bursts/burst-runner.js';
import { LongStarts } from '../bursts/long-starts.js';
import { SharedResumes } from '../bursts/shared-resumes.js';
import { InstanceParking } from '../instances/instance-parking.js';
import { InstanceLocks } from '../bursts/instance-locks.js';
import { BackgroundRuns } from '../background/background-runs.js';
import { LargeStates } from '../persistence/large-states.js';
import { LongBursts } from '../bursts/long-bursts.js';
import { Outbox } from '../bursts/outbox.js';
import { RuntimeGate } from '../bursts/runtime-gate.js';
import { WorkflowRuntime, WorkflowStarter } from '../instances/workflow-runtime.js';
import { Housekeeping } from '../maintenance/housekeeping.js';
import { InterruptedInstances } from '../maintenance/interrupted-instances.js';
import { DeadNodes } from '../maintenance/dead-nodes.js';
import { MachineProcesses } from '../maintenance/machine-processes.js';
import { NodeHeartbeat } from '../maintenance/node-heartbeat.js';
import { QueueSweeper } from '../maintenance/queue-sweeper.js';
import { Retention } from '../maintenance/retention.js';
import { RuntimeMaintenance } from '../maintenance/runtime-maintenance.js';
import { StoreFollower } from '../maintenance/store-follower.js';
import { StoreHealth } from '../outages/store-health.js';
import { StoreOutages } from '../outages/store-outages.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { EventPublisher, TaskReporter } from '../stimuli/event-publisher.js';
import { IEventPublisher, IStimulusDispatcher, IStimulusSender, ITaskReporter } from '../services/stimulus-services.js';
import { StimulusDispatcher } from '../dispatch/stimulus-dispatcher.js';
import { StimulusSender } from '../stimuli/stimulus-sender.js';
import { ResilienceStrategies } from '../bursts/resilience-strategies.js';
import { DueResumes } from '../instances/due-resumes.js';
import { RequestedResumes } from '../transactions/requested-resumes.js';
import { ScheduledRequests } from '../schedules/scheduled-requests.js';
import { HeldStarts } from '../dispatch/held-starts.js';
import { IWorkflowTransactions } from '../services/transaction-services.js';
import { WorkflowTransactions } from '../transactions/workflow-transactions.js';
import { TriggerIndexer } from '../triggers/trigger-indexer.js';
import { ITriggerIndexer } from '../services/trigger-services.js';
import { SignedUrls } from '../urls/signed-urls.js';
import { IUserTaskService } from '../services/user-task-services.js';
import { ProvidedByApplication } from '../user-tasks/provided-by-application.js';
import { HandedOverCompletions } from '../user-tasks/handed-over-completions.js';
import { TaskCompletion } from '../user-tasks/task-completion.js';
import { UserTaskNotifier } from '../user-tasks/user-task-notifier.js';
import { UserTaskService } from '../user-tasks/user-task-service.js';
import { FirstToEndModule } from './first-to-end.module.js';
import { exportedServices } from './exported-services.js';
import { RuntimeLifecycle } from './runtime-lifecycle.js';
import { type PersistenceProvider, RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../options/runtime-options.js';
import { persistenceProvider } from './persistence-provider.js';
import { WORKFLOW_MODULE } from './workflow-module-token.js';
import { SealedProperties } from '../secrets/sealed-properties.js';
import { ShutdownTasks } from './shutdown-tasks.js';

/** Each service under its own name and, where the host may replace it, under the abstract one. */
function service<T>(token: T, implementation: new (...args: never[]) => unknown): Provider[] {
  return [implementation as never, { provide: token as never, useExisting: implementation as never }];
}

const providers: Provider[] = [
  {
    provide: WorkflowClock,
    inject: [RUNTIME_OPTIONS],
    useFactory: (options: ResolvedRuntimeOptions) => options.clock ?? new SystemClock(),
  },
  ...service(WorkflowEngine, DefaultWorkflowEngine),
  ...service(IWorkflowDefinitionService, WorkflowDefinitionService),
  ...service(IWorkflowDefinitionPublisher, WorkflowDefinitionPublisher),
  ...service(ITriggerIndexer, TriggerIndexer),
  ...service(IWorkflowRuntime, WorkflowRuntime),
  ...service(IWorkflowStarter, WorkflowStarter),
  ...service(IWorkflowCancellationService, WorkflowCancellationService),
  ...service(IBookmarkResumer, BookmarkResumer),
  ...service(IBookmarkQueue, StoreBookmarkQueue),
  ...service(IStimulusSender, StimulusSender),
  ...service(IStimulusDispatcher, StimulusDispatcher),
  ...service(IEventPublisher, EventPublisher),
  ...service(ITaskReporter, TaskReporter),
  ...service(IWorkflowDispatcher, WorkflowDispatcher),
  ...service(IWorkflowTransactions, WorkflowTransactions),
  ...service(IUserTaskService, UserTaskService),
  ProvidedByApplication,
  HandedOverCompletions,
  TaskCompletion,
  UserTaskNotifier,
  DueResumes,
  RequestedResumes,
  ScheduledRequests,
  HeldStarts,
  ChildReports,
  SignedUrls,
  ResilienceStrategies,
  CodeWorkflows,
  CodeWorkflowRegistrar,
  ConsumerUpdater,
  DefinitionRemoval,
  DefinitionWrites,
  { provide: ConsumerFollowing, useClass: ConsumerPlans },
  DeletionsUnderWay,
  DefinitionValidator,
  WorkflowActivities,
  WorkflowEventEmitter,
  BookmarkPatterns,
  FanOuts,
  SharedInputs,
  BurstCommitter,
  FaultLog,
  BurstExecutor,
  BurstHeartbeat,
  BurstRunner,
  LongStarts,
  SharedResumes,
  InstanceLocks,
  LongBursts,
  BackgroundRuns,
  {
    provide: LargeStates,
    useFactory: ({ largeStates }: WorkflowPersistence) => largeStates,
    inject: [WorkflowPersistence],
  },
  InstanceParking,
  InstanceDeletion,
  InstanceEnds,
  { provide: DefinitionInstances, useExisting: InstanceDeletion },
  InstanceRemoval,
  InstanceImport,
  InstanceDescriptions,
  InstanceEditor,
  WorkflowEncryption,
  AlterationTargets,
  Migrations,
  AlterationRunner,
  { provide: IInstanceMigrator, useClass: InstanceMigrator },
  AlterationSelections,
  AlterationPlans,
  InstanceRetries,
  DeadLetterDefinitions,
  BulkTargets,
  BulkWork,
  PlanDeletions,
  BulkPlanWorker,
  PlanSelections,
  BulkPlans,
  PlanAudit,
  PlanSteps,
  DefinitionPlans,
  DefinitionDeletions,
  RuntimeGate,
  StoreHealth,
  StoreOutages,
  UnreadableWork,
  OutboxProcessor,
  { provide: Outbox, useExisting: OutboxProcessor },
  OutboxDeadLetters,
  RunTaskNotifier,
  EventTriggerWarnings,
  DispatchLimits,
  MissingCode,
  BackgroundActivities,
  CommitStrategies,
  CommitStrategyRules,
  CommitStrategyWarnings,
  RuntimeMaintenance,
  Housekeeping,
  NodeHeartbeat,
  DeadNodes,
  { provide: MachineProcesses, useFactory: () => new MachineProcesses() },
  StoreFollower,
  Retention,
  InterruptedInstances,
  QueueSweeper,
  ActivityExplorer,
  ExpressionExplorer,
  AuditTrail,
  RuntimeLifecycle,
  SealedProperties,
  ShutdownTasks,
  ...runtimeActivities,
];

/** What `WorkflowModule` adds: providers of the other libraries, and the options. */
export interface RuntimeModuleParts {
  readonly imports?: DynamicModule['imports'];
  readonly providers?: Provider[];
  /** Which of these providers other modules may inject. */
  readonly exports?: readonly InjectionToken[];
  /** The persistence option, when it is known before anything is injected. */
  readonly persistence?: WorkflowPersistence | PersistenceProvider;
}

/** The runtime as a global module. Applications use `WorkflowModule` of @waymark/nestjs. */
@Module({})
export class WorkflowRuntimeModule {
  /**
   * The module with the parts of a front door.
   * @param parts must provide `RUNTIME_OPTIONS`; may provide expression handlers, validators and activities
   */
  static compose(parts: RuntimeModuleParts): DynamicModule {
    return {
      module: WorkflowRuntimeModule,
      global: true,
      // Not global: where the application has an emitter of its own, its modules would be given that one or this one, by the order of
      // their imports.
      imports: [
        DiscoveryModule,
        EventEmitterModule.forRoot({ global: false }),
        FirstToEndModule,
        ...(parts.imports ?? []),
      ],
      providers: [
        ...providers,
        persistenceProvider(parts.persistence),
        { provide: WORKFLOW_MODULE, useValue: true },
        ...(parts.providers ?? []),
      ],
      exports: [...exportedServices, WORKFLOW_MODULE, ...(parts.exports ?? [])],
    };
  }
}
