import type { InjectionToken } from '@nestjs/common';
import { AlterationPlans } from '../alterations/alteration-plans.js';
import { AlterationRunner } from '../alterations/alteration-runner.js';
import { AlterationSelections } from '../alterations/alteration-selections.js';
import { AlterationTargets } from '../alterations/alteration-targets.js';
import { InstanceRetries } from '../alterations/instance-retries.js';
import { AuditTrail } from '../audit/audit-trail.js';
import { BackgroundRuns } from '../background/background-runs.js';
import { LargeStates } from '../persistence/large-states.js';
import { BookmarkResumer } from '../bookmarks/bookmark-resumer.js';
import { DueResumes } from '../instances/due-resumes.js';
import { BulkPlanWorker } from '../bulk/bulk-plan-worker.js';
import { BulkPlans } from '../bulk/bulk-plans.js';
import { DefinitionPlans } from '../bulk/definition-plans.js';
import { DefinitionDeletions } from '../bulk/definition-deletions.js';
import { BurstExecutor } from '../bursts/burst-executor.js';
import { CommitStrategies } from '../bursts/commit-strategies.js';
import { ResilienceStrategies } from '../bursts/resilience-strategies.js';
import { RuntimeGate } from '../bursts/runtime-gate.js';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { CodeWorkflows } from '../definitions/code-workflows.js';
import { MissingCode } from '../definitions/missing-code.js';
import { HeldStarts } from '../dispatch/held-starts.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import { WorkflowEventEmitter } from '../events/workflow-event-emitter.js';
import { InstanceDeletion } from '../instances/instance-deletion.js';
import { InstanceEditor } from '../instances/instance-editor.js';
import { InstanceImport } from '../instances/instance-import.js';
import { WorkflowEncryption } from '../instances/workflow-encryption.js';
import { NodeHeartbeat } from '../maintenance/node-heartbeat.js';
import { Retention } from '../maintenance/retention.js';
import { RuntimeMaintenance } from '../maintenance/runtime-maintenance.js';
import { StoreFollower } from '../maintenance/store-follower.js';
import { RUNTIME_OPTIONS } from '../options/runtime-options.js';
import { OutboxDeadLetters } from '../outbox/outbox-dead-letters.js';
import { OutboxProcessor } from '../outbox/outbox-processor.js';
import { StoreHealth } from '../outages/store-health.js';
import { StoreOutages } from '../outages/store-outages.js';
import { UnreadableWork } from '../outages/unreadable-work.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { ScheduledRequests } from '../schedules/scheduled-requests.js';
import { IBookmarkQueue, IBookmarkResumer } from '../services/bookmark-services.js';
import { IWorkflowDefinitionPublisher, IWorkflowDefinitionService } from '../services/definition-services.js';
import { IWorkflowDispatcher } from '../services/dispatch-services.js';
import { IWorkflowCancellationService, IWorkflowRuntime, IWorkflowStarter } from '../services/instance-services.js';
import { IInstanceMigrator } from '../services/migration-services.js';
import { IEventPublisher, IStimulusDispatcher, IStimulusSender, ITaskReporter } from '../services/stimulus-services.js';
import { IWorkflowTransactions } from '../services/transaction-services.js';
import { ITriggerIndexer } from '../services/trigger-services.js';
import { IUserTaskService } from '../services/user-task-services.js';
import { TriggerIndexer } from '../triggers/trigger-indexer.js';
import { SignedUrls } from '../urls/signed-urls.js';
import { ProvidedByApplication } from '../user-tasks/provided-by-application.js';
import { SealedProperties } from '../secrets/sealed-properties.js';
import { ShutdownTasks } from './shutdown-tasks.js';

/** What applications inject: exports of this package, and the table of docs/services.md. */
const servicesForApplications: readonly InjectionToken[] = [
  IWorkflowRuntime,
  IWorkflowStarter,
  IWorkflowDispatcher,
  IWorkflowCancellationService,
  IWorkflowTransactions,
  IWorkflowDefinitionService,
  IWorkflowDefinitionPublisher,
  IInstanceMigrator,
  IBookmarkResumer,
  IBookmarkQueue,
  IStimulusSender,
  IStimulusDispatcher,
  IEventPublisher,
  ITaskReporter,
  ITriggerIndexer,
  IUserTaskService,
  AuditTrail,
  BackgroundRuns,
  LargeStates,
  SignedUrls,
  WorkflowClock,
  WorkflowEncryption,
  WorkflowEngine,
  WorkflowPersistence,
  MissingCode,
  RuntimeGate,
  StoreHealth,
  AlterationPlans,
  AlterationRunner,
  BulkPlans,
  DefinitionDeletions,
  OutboxDeadLetters,
  UnreadableWork,
];

/** What transports and other modules of the libraries inject: exports of `./adapter`. */
const servicesForAdapters: readonly InjectionToken[] = [
  AlterationSelections,
  AlterationTargets,
  InstanceRetries,
  DefinitionPlans,
  BookmarkResumer,
  DueResumes,
  BulkPlanWorker,
  BurstExecutor,
  CodeWorkflows,
  CommitStrategies,
  HeldStarts,
  InstanceDeletion,
  InstanceEditor,
  InstanceImport,
  NodeHeartbeat,
  OutboxProcessor,
  ProvidedByApplication,
  ResilienceStrategies,
  Retention,
  RUNTIME_OPTIONS,
  RuntimeMaintenance,
  ScheduledRequests,
  SealedProperties,
  ShutdownTasks,
  StoreFollower,
  StoreOutages,
  TriggerIndexer,
  WorkflowEventEmitter,
];

/** Everything else is internal: without an export of the module, Nest injects it nowhere. */
export const exportedServices: readonly InjectionToken[] = [...servicesForApplications, ...servicesForAdapters];
