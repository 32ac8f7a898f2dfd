import './this-copy.js';
export { type CancelTimer, type TimerOptions, WorkflowClock } from './clock/workflow-clock.js';
export { SystemClock } from './clock/system-clock.js';
export type { TimeSources } from './clock/time-sources.js';
export { loopTurns, LoopTurns } from './event-loop/loop-turns.js';
export { WorkflowEngine } from './engine/workflow-engine.js';
export type { WorkflowDefinitionHandle } from './services/definition-handle.js';
export { IWorkflowDefinitionPublisher, IWorkflowDefinitionService } from './services/definition-services.js';
export type { DefinitionDraft, DefinitionProblem, PublishResult } from './services/definition-services.js';
export {
  DefinitionInvalidError,
  DefinitionNotFoundError,
  DefinitionNotPublishedError,
  DefinitionBeingDeletedError,
  DefinitionReadonlyError,
  WorkflowCodeMissingError,
} from './services/definition-errors.js';
export {
  IWorkflowCancellationService,
  IWorkflowClient,
  IWorkflowRuntime,
  IWorkflowStarter,
} from './services/instance-services.js';
export type {
  CreateInstanceRequest,
  RunInstanceRequest,
  RunInstanceResult,
  StartWorkflowRequest,
  StartWorkflowResponse,
} from './services/instance-services.js';
export {
  BookmarkNotFoundError,
  InstanceExistsError,
  ForeignInstanceError,
  InstanceNotFoundError,
  InstanceNotRunningError,
  NotAWorkflowError,
  ResultTimeoutOptionError,
  RuntimeNotAcceptingWorkError,
  VariableNotStoredError,
  WorkflowInputError,
  WorkflowNotFinishedError,
  WorkflowResultTimeoutError,
} from './services/instance-errors.js';
export { StimulusType, stimulusType, WorkflowEventType, workflowEvent } from './services/typed-stimuli.js';
export type { EventArguments, StimulusArguments, WithInput, WithPayload } from './services/stimulus-services.js';
export type {
  ResultOptions,
  StartArguments,
  StartOptions,
  TypedWorkflow,
  WorkflowClass,
  WorkflowHandle,
  WorkflowInputs,
  WorkflowOutputs,
  WorkflowResult,
  WorkflowTypeClient,
} from './services/typed-workflows.js';
export { BackgroundActivityAbandonedError } from './background/background-errors.js';
export { InstancePoisonedError } from './instances/instance-parking.js';
export { CommitStrategies } from './bursts/commit-strategies.js';
export { periodicCommits } from './commit-strategies/commit-strategy.js';
export type {
  ActivityCommitStrategy,
  ActivityLifetimeEvent,
  CommitAction,
  CommitStrategyContext,
  WorkflowCommitStrategy,
  WorkflowLifetimeEvent,
} from './commit-strategies/commit-strategy.js';
export { IBookmarkQueue, IBookmarkResumer } from './services/bookmark-services.js';
export type { NewBookmarkQueueItem, ResumeOptions } from './services/bookmark-services.js';
export { IEventPublisher, IStimulusDispatcher, IStimulusSender, ITaskReporter } from './services/stimulus-services.js';
export type { PublishEventOptions, SendStimulusResult, StimulusMetadata } from './services/stimulus-services.js';
export { IWorkflowDispatcher } from './services/dispatch-services.js';
export type { DispatchDefinitionRequest } from './services/dispatch-services.js';
export { IWorkflowTransactions } from './services/transaction-services.js';
export type {
  TransactionalResume,
  TransactionalStart,
  TransactionalWorkflows,
  TransactionSource,
} from './services/transaction-services.js';
export {
  NoOpenTransactionError,
  OtherDatabaseError,
  TransactionsNotSupportedError,
} from './persistence/enlisted-outbox.js';
export type { EnlistedOutbox } from './persistence/enlisted-outbox.js';
export { IWorkflowScheduler } from './services/scheduler-services.js';
export type {
  CronScheduleOptions,
  RecurringScheduleOptions,
  RepeatedScheduleOptions,
  ScheduledRequest,
  ScheduledResume,
  ScheduledStart,
  ScheduledStimulus,
  SchedulingContext,
} from './services/scheduler-services.js';
export { type RequestColumns, ScheduledRequests } from './schedules/scheduled-requests.js';
export { InvalidScheduledRequestError, NothingToResumeError } from './schedules/scheduled-request-errors.js';
export {
  type ListedSchedule,
  type ListedScheduleFilter,
  ScheduleOrigin,
  type ScheduleStore,
  type StoredSchedule,
  type UpcomingSchedules,
} from './persistence/schedule-store.js';
export { EnvironmentSecrets } from './secrets/environment-secrets.js';
export { FileSecrets } from './secrets/file-secrets.js';
export { DecryptionFailedError, EncryptionKeyNotFoundError } from './secrets/aes-cipher.js';
export {
  type EncryptionKey,
  type EncryptionKeyProvider,
  type EncryptionOptions,
  EnvironmentKeys,
  FileKeys,
  InvalidEncryptionKeysError,
} from './secrets/encryption-keys.js';
export { type ReencryptOptions, type ReencryptResult, WorkflowEncryption } from './instances/workflow-encryption.js';
export { type AllowedSecrets, NamedSecrets } from './secrets/named-secrets.js';
export {
  InvalidSecretNameError,
  SecretNotAllowedError,
  SecretNotFoundError,
  type SecretProvider,
} from './secrets/secret-provider.js';
export { scheduleKey, triggerKey } from './bursts/activation.js';
export { ITriggerIndexer, TriggerPayloadValidator } from './services/trigger-services.js';
export type { IndexedTriggers } from './services/trigger-services.js';
export {
  type FiredSchedule,
  IWorkflowSchedules,
  type ScheduleFailure,
  type ScheduleFiring,
  ScheduleKind,
  type ScheduleQuery,
  type WaitingTimer,
  type WaitingTimerQuery,
  type WaitingTimers,
  type WorkflowSchedule,
} from './services/schedule-services.js';
export {
  InvalidScheduleRequestError,
  ScheduleNotFoundError,
  ScheduleOverError,
  ScheduleRefusedError,
  SchedulingMissingError,
} from './services/schedule-errors.js';
export {
  DefinitionChanged,
  DefinitionsDeleted,
  RunTaskRequest,
  UserTaskChanged,
  BookmarkPatternsChanged,
  WorkflowBookmarksIndexed,
  WorkflowSchedulesIndexed,
  type IndexedSchedule,
  WorkflowCodeMissing,
  WorkflowEvent,
  WorkflowExecuted,
  WorkflowInstancesDeleted,
  WorkflowTriggersIndexed,
} from './events/workflow-events.js';
export { WorkflowEventEmitter } from './events/workflow-event-emitter.js';
export type { BurstCommit, Firing, ScheduleClaim, TriggerFiring } from './persistence/burst-commit.js';
export type {
  DefinitionChange,
  DefinitionChanges,
  DefinitionFilter,
  DefinitionOrder,
  DefinitionPosition,
  DefinitionStore,
  DefinitionVersion,
  LoadedDefinition,
} from './persistence/definition-store.js';
export { InvalidListPlaceError, type InstancePlace, readPlace, writePlace } from './persistence/instance-places.js';
export type {
  InstanceFilter,
  InstanceOrder,
  InstancePage,
  InstancesPage,
  InstanceStore,
  InterruptedInstanceIds,
  InterruptedOptions,
  TimestampFilter,
} from './persistence/instance-store.js';
export type {
  BookmarkFilter,
  BookmarkStore,
  ClaimedBookmarks,
  DueClaimOptions,
  JournalPlace,
  JournalStore,
  JournalWrite,
  LookAhead,
  ScheduledTriggerFilter,
  TimedWindow,
  TriggerFilter,
  TriggerStore,
  UpcomingOptions,
  UpcomingTriggers,
} from './persistence/lookup-stores.js';
export type {
  BookmarkQueueStore,
  OutboxDeadLetterFilter,
  ClaimOptions,
  WaitingClaim,
  WaitingTurn,
  DeadLetterFilter,
  DeliverableItems,
  DeliverableOptions,
  ExpiredRows,
  FanOut,
  Lease,
  OutboxStore,
  QueueExpiry,
  QueueMatch,
  StoreTime,
} from './persistence/message-stores.js';
export {
  fillIn,
  type JournalReading,
  type ReadJournalValues,
  replaceReferences,
  type ValueBudget,
} from './persistence/journal-reading.js';
export { executionNumber, executionRank, ExecutionSet } from './persistence/execution-ids.js';
export { mergeRecords, withoutUnchanged } from './persistence/journal-records.js';
export { JournalScan } from './persistence/journal-scan.js';
export { NumberSet } from './persistence/number-set.js';
export {
  DEFAULT_JOURNAL_VALUE_BYTES,
  isJournalValueBytes,
  JOURNAL_VALUE_BYTES,
  type JournalPath,
  JournalReference,
  type JournalValue,
  hasLargeText,
  lighten,
  type LightChunk,
  type LightenOptions,
  type PlacedReference,
  placeReferences,
} from './persistence/journal-values.js';
export { countedTotal, countLimit, type IdPage, type Page, type PagedResult } from './persistence/paging.js';
export {
  ActivationRefusedError,
  BookmarkConsumedError,
  CommitOutcomeUnknownError,
  ConcurrencyConflictError,
  EmptyFilterError,
  ExclusiveTriggerError,
  isStoreOutage,
  MessageConsumedError,
  OccurrenceClaimedError,
  PersistenceError,
  requireCondition,
  RequestKeyUsedError,
  StoreFileLostError,
  StoreUnavailableError,
  ValueTooLargeError,
} from './persistence/persistence-errors.js';
export type { LargePart, TooLarge } from './persistence/persistence-errors.js';
export { largestParts } from './persistence/largest-parts.js';
export {
  requireStorableBurst,
  requireStorableCompletion,
  requireStorableDefinitions,
  requireStorableItem,
  requireStorableMessages,
  requireStorableSchedule,
  requireStorableTask,
} from './persistence/storable-rows.js';
export { usedDefinitionIds } from './persistence/definition-references.js';
export { FiringResult, toStoredBookmark } from './persistence/records.js';
export type {
  BookmarkQueueDeadLetter,
  BookmarkQueueItem,
  LoadedInstance,
  OutboxMessage,
  BookmarkPattern,
  LastFiring,
  PausedTrigger,
  StoredBookmark,
  StoredTrigger,
  WorkflowInstanceRecord,
  WorkflowInstanceSummary,
} from './persistence/records.js';
export { backoffMs, type BackoffSteps } from './outages/backoff.js';
export { storeFaultAnswer, type StoreFaultAnswer } from './outages/store-fault-answer.js';
export { MissingCode } from './definitions/missing-code.js';
export { StoreHealth, type StoreStatus } from './outages/store-health.js';
export { UnreadableWork } from './outages/unreadable-work.js';
export { StoreOutages } from './outages/store-outages.js';
export { within } from './outages/within.js';
export { WorkflowPersistence } from './persistence/workflow-persistence.js';
export { runtimeActivities } from './activities/runtime-activities.js';
export { Event } from './activities/event.activity.js';
export { PublishEvent } from './activities/publish-event.activity.js';
export { RunTask } from './activities/run-task.activity.js';
export { UserTask } from './user-tasks/user-task.activity.js';
export { ExecuteWorkflow } from './activities/execute-workflow.activity.js';
export { DispatchWorkflow } from './activities/dispatch-workflow.activity.js';
export { BulkDispatchWorkflows } from './activities/bulk-dispatch-workflows.activity.js';
export { BookmarkResumer, isGone } from './bookmarks/bookmark-resumer.js';
export { StoreBookmarkQueue } from './bookmarks/bookmark-queue.js';
export { CodeWorkflows } from './definitions/code-workflows.js';
export { OutboxDeadLetters } from './outbox/outbox-dead-letters.js';
export { OutboxProcessor } from './outbox/outbox-processor.js';
export type { OutboxHandler } from './outbox/outbox-handler.js';
export { createIdGenerator, sha256 } from './engine/identity.js';
export { BurstExecutor } from './bursts/burst-executor.js';
export { InstanceDeletion } from './instances/instance-deletion.js';
export { InstanceImport, withoutRecordMarks } from './instances/instance-import.js';
export { RuntimeGate } from './bursts/runtime-gate.js';
export { ShutdownTasks } from './module/shutdown-tasks.js';
export { WorkflowRuntime, WorkflowStarter } from './instances/workflow-runtime.js';
export { Retention } from './maintenance/retention.js';
export { RuntimeMaintenance } from './maintenance/runtime-maintenance.js';
export { DefinitionsChanged, StoreFollower } from './maintenance/store-follower.js';
export { BookmarkPatternReader } from './patterns/bookmark-patterns.js';
export type { BookmarkPatternStore } from './persistence/pattern-store.js';
export { RetryOptionsError } from './discovery/retry-options-error.js';
export { NestedInputTypeError } from './engine/nested-inputs.js';
export { ValueClassError } from './engine/value-classes.js';
export type { ValueClass, ValueClassOption } from './options/value-class.js';
export { EXPRESSION_HANDLERS, RUNTIME_OPTIONS, resolveRuntimeOptions } from './options/runtime-options.js';
export type {
  CommitStrategyOptions,
  PersistenceProvider,
  ResolvedRuntimeOptions,
  WorkflowRuntimeOptions,
} from './options/runtime-options.js';
export { WorkflowRuntimeModule } from './module/workflow-runtime.module.js';
export { MemoryPersistence, type MemoryPersistenceOptions } from './persistence/memory/memory-persistence.js';
export { EVENT_PAYLOAD_INPUT, EVENT_STIMULUS, RUN_TASK_INPUT, RUN_TASK_STIMULUS } from './stimuli/event-publisher.js';
export { TriggerIndexer } from './triggers/trigger-indexer.js';
export {
  type BodyClaim,
  BodyMemory,
  bodyMemory,
  BodyMemoryError,
  bodyWeight,
  defaultBodyMemoryBytes,
} from './bodies/body-memory.js';
export { ByteBlocks } from './bodies/byte-blocks.js';
export { formFeed } from './uploads/form-feed.js';
export { ResilienceStrategies } from './bursts/resilience-strategies.js';
export type { ResilienceStrategyDescriptor } from './bursts/resilience-strategies.js';
export { SignedUrls } from './urls/signed-urls.js';
export type { UrlLifetime, UrlSigner } from './urls/signed-urls.js';
export { ExpressionSyntax } from './discovery/expression-syntax.js';
export { Workflow } from './code-first/workflow-decorator.js';
export type { CodeWorkflowOptions, WorkflowBuilder } from './code-first/workflow-decorator.js';
export type { ActivityTarget, Alteration, AlterationLogEntry, AlterationResult } from './persistence/alteration.js';
export { AlterationTargets, type FoundInstances } from './alterations/alteration-targets.js';
export type { AlterationActivityFilter, AlterationFilter } from './persistence/alteration-selection.js';
export {
  BulkAction,
  type BulkRequest,
  type BulkSelection,
  type MessageSelection,
  type StimulusSelection,
} from './persistence/bulk-action.js';
export { BulkPlans, type BulkOutcome } from './bulk/bulk-plans.js';
export { DefinitionDeletions, type DeletionOutcome } from './bulk/definition-deletions.js';
export { BulkPlanWorker } from './bulk/bulk-plan-worker.js';
export { severalAtATime } from './persistence/several-at-a-time.js';
export { startOfCodedText } from './persistence/coded-text.js';
export {
  type BulkBatch,
  type BulkCut,
  type BulkFailure,
  type BulkPlan,
  type BulkPlanStore,
  type BulkResult,
  type DefinitionDeletion,
  MAX_FAILURES,
  type OpenSelection,
} from './persistence/bulk-plan-store.js';
export { AlterationPlans, type NewAlterationPlan } from './alterations/alteration-plans.js';
export { ALTERED, recordAlteration } from './alterations/alteration-journal.js';
export {
  IInstanceMigrator,
  InstanceBusyError,
  MigrationNotUndoableError,
  type MigrationOptions,
  MigrationRefusedError,
  type MigrationRequest,
} from './services/migration-services.js';
export { AlterationRunner } from './alterations/alteration-runner.js';
export { AlterationSelections } from './alterations/alteration-selections.js';
export { InstanceEditor } from './instances/instance-editor.js';
export type {
  AlterationCut,
  AlterationJob,
  AlterationJobPage,
  AlterationJobResult,
  AlterationPlan,
  AlterationStore,
  OpenAlterationPlan,
  SubmittedPlan,
} from './persistence/alteration-store.js';
export {
  cursorText,
  dueOf,
  listsOf,
  NEVER_DUE,
  readCursor,
  taskList,
  type CompletedUserTask,
  type UserTaskRecord,
  type UserTaskChanges,
  type UserTaskCursor,
  type UserTaskEvent,
  UserTaskEventKind,
  type UserTaskFilter,
  UserTaskOrder,
  type UserTaskPage,
  UserTaskStatus,
} from './persistence/user-task.js';
export {
  type FormProblem,
  InvalidUserTaskError,
  InvalidUserTaskRequestError,
  UserTaskChangedError,
  UserTaskClaimedError,
  UserTaskEndedError,
  UserTaskForbiddenError,
  UserTaskFormError,
  UserTaskNotFoundError,
  UserTaskOutcomeError,
} from './persistence/user-task-errors.js';
export {
  AuditActorKind,
  type AuditCursor,
  type AuditDetails,
  type AuditEntry,
  type AuditFilter,
  AuditOutcome,
  type AuditPage,
  type AuditStore,
  MAX_AUDIT_TARGETS,
} from './persistence/audit-store.js';
export { type AuditCounts, type AuditRecord, AuditTrail } from './audit/audit-trail.js';
export { InvalidAuditRecordError } from './audit/audit-errors.js';
export type { UserTaskEventPage, UserTaskStore, UserTaskWindow } from './persistence/user-task-store.js';
export {
  type CompleteUserTask,
  IUserTaskService,
  type TaskPerson,
  type UserTaskAction,
  UserTaskAuthorizer,
  type UserTaskHistory,
  type UserTaskList,
  type UserTaskQuery,
  UserTaskScope,
} from './services/user-task-services.js';
export { ProvidedByApplication } from './user-tasks/provided-by-application.js';
export { CandidateAuthorizer } from './user-tasks/candidate-authorizer.js';
export { WorkflowLogger } from './logging/workflow-logger.js';
export { idOfRequest } from './engine/request-id.js';
export { mergeOpenApi } from './openapi/merge-open-api.js';
export type { MergeableDocument, MergedOpenApi } from './openapi/merge-open-api.js';
export { OPEN_API_METHODS, OPEN_API_VERSION } from './openapi/open-api-document.js';
export type {
  OpenApiContent,
  OpenApiDocument,
  OpenApiMethod,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiPathItem,
  OpenApiReference,
  OpenApiResponse,
  OpenApiSchema,
} from './openapi/open-api-document.js';
export { toOpenApi31 } from './openapi/to-open-api-31.js';
