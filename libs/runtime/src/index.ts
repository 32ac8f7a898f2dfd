import './this-copy.js';
export { type CancelTimer, type TimerOptions, WorkflowClock } from './clock/workflow-clock.js';
export { WorkflowEngine } from './engine/workflow-engine.js';
export type { WorkflowDefinitionHandle } from './services/definition-handle.js';
export { IWorkflowDefinitionPublisher, IWorkflowDefinitionService } from './services/definition-services.js';
export type {
  DefinitionDraft,
  DefinitionProblem,
  DeleteOptions,
  ExpectedDefinition,
  PublishResult,
  UpdatedConsumers,
  RefreshFailure,
  RefreshResult,
  SaveOptions,
  ValidatedDefinition,
} from './services/definition-services.js';
export {
  DefinitionInvalidError,
  DefinitionNotFoundError,
  DefinitionNotPublishedError,
  DefinitionBeingDeletedError,
  ConsumerContendedError,
  ConsumerInvalidError,
  DefinitionChangedError,
  DefinitionReadonlyError,
  TooManyTriggersError,
  WorkflowCodeMissingError,
} from './services/definition-errors.js';
export { TooManyChildrenError } from './activities/too-many-children-error.js';
export {
  IWorkflowCancellationService,
  IWorkflowClient,
  IWorkflowRuntime,
  IWorkflowStarter,
} from './services/instance-services.js';
export type {
  CreateInstanceRequest,
  ImportStateOptions,
  RunInstanceRequest,
  RunInstanceResult,
  StartWorkflowRequest,
  StartWorkflowResponse,
} from './services/instance-services.js';
export {
  BookmarkNotFoundError,
  BookmarkTakenError,
  InstanceExecutingError,
  InstanceMovedOnError,
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
  InstanceDescription,
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
export { InputValidationError } from './engine/input-validator.js';
export { BackgroundActivityAbandonedError, BackgroundTimeLimitError } from './background/background-errors.js';
export { BackgroundRuns } from './background/background-runs.js';
export { type LargeState, LargeStates } from './persistence/large-states.js';
export { InstancePoisonedError } from './instances/instance-parking.js';
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
export type { NewBookmarkQueueItem, ReplayedItem, ReplayOutcome, ResumeOptions } from './services/bookmark-services.js';
export { IEventPublisher, IStimulusDispatcher, IStimulusSender, ITaskReporter } from './services/stimulus-services.js';
export type { PublishEventOptions, SendStimulusResult, StimulusMetadata } from './services/stimulus-services.js';
export { IWorkflowDispatcher } from './services/dispatch-services.js';
export type { DispatchDefinitionRequest } from './services/dispatch-services.js';
export { IWorkflowTransactions } from './services/transaction-services.js';
export type {
  TransactionalResume,
  TransactionalStart,
  TransactionalStartOptions,
  TransactionalWorkflows,
  TransactionSource,
} from './services/transaction-services.js';
export {
  NoOpenTransactionError,
  OtherDatabaseError,
  TransactionsNotSupportedError,
} from './persistence/enlisted-outbox.js';
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
export { InvalidScheduledRequestError, NothingToResumeError } from './schedules/scheduled-request-errors.js';
export { ScheduleOrigin } from './persistence/schedule-store.js';
export { EnvironmentSecrets } from './secrets/environment-secrets.js';
export { FileSecrets } from './secrets/file-secrets.js';
export { DecryptionFailedError, EncryptionKeyNotFoundError } from './secrets/aes-cipher.js';
export {
  type EncryptionKey,
  type EncryptionKeyProvider,
  type EncryptionOptions,
  EnvironmentKeys,
  FileKeys,
  EncryptionKeysTimeoutError,
  InvalidEncryptionKeysError,
} from './secrets/encryption-keys.js';
export { type ReencryptOptions, type ReencryptResult, WorkflowEncryption } from './instances/workflow-encryption.js';
export { type AllowedSecrets } from './secrets/named-secrets.js';
export {
  InvalidSecretNameError,
  SecretNotAllowedError,
  SecretNotFoundError,
  SecretProviderError,
  type SecretProvider,
} from './secrets/secret-provider.js';
export { ITriggerIndexer, TriggerPayloadValidator } from './services/trigger-services.js';
export type { IndexedTriggers } from './services/trigger-services.js';
export {
  type FiredSchedule,
  IWorkflowSchedules,
  type ScheduleFailure,
  type ScheduleFiring,
  ScheduleKind,
  type ScheduleQuery,
  type UnreadableRow,
  type WaitingTimer,
  type WaitingTimerQuery,
  type WaitingTimers,
  type WorkflowSchedule,
} from './services/schedule-services.js';
export {
  InvalidScheduleArgumentError,
  ScheduleNotFoundError,
  ScheduleOverError,
  ScheduleRefusedError,
  SchedulingMissingError,
} from './services/schedule-errors.js';
export {
  DefinitionChanged,
  DefinitionsChanged,
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
export { type PagedResult } from './persistence/paging.js';
export type { DefinitionVersion, LoadedDefinition } from './persistence/definition-store.js';
export type { InstanceFilter, TimestampFilter } from './persistence/instance-store.js';
export type { BookmarkFilter } from './persistence/lookup-stores.js';
export {
  ActivationRefusedError,
  CommitOutcomeUnknownError,
  ConcurrencyConflictError,
  EmptyFilterError,
  ExclusiveTriggerError,
  PersistenceError,
  RequestKeyUsedError,
  StoreFileLostError,
  StoreUnavailableError,
  ValueTooLargeError,
} from './persistence/persistence-errors.js';
export { UndefinedRecipientError } from './services/required-recipients.js';
export { OutboxDeadLetters } from './outbox/outbox-dead-letters.js';
export { BulkPlans, type BulkOutcome } from './bulk/bulk-plans.js';
export { DefinitionDeletions, type DeletionOutcome } from './bulk/definition-deletions.js';
export { AlterationPlans, type NewAlterationPlan } from './alterations/alteration-plans.js';
export { AlterationRunner } from './alterations/alteration-runner.js';
export type { ActivityTarget, Alteration, AlterationLogEntry, AlterationResult } from './persistence/alteration.js';
export type { AlterationActivityFilter, AlterationFilter } from './persistence/alteration-selection.js';
export type {
  AlterationJob,
  AlterationJobResult,
  AlterationPlan,
  SubmittedPlan,
} from './persistence/alteration-store.js';
export {
  BulkAction,
  type BulkRequest,
  type BulkSelection,
  type ConsumerSelection,
  type MessageSelection,
  type StepSelection,
  StepAction,
  type StepRequest,
  type StimulusSelection,
} from './persistence/bulk-action.js';
export type {
  BulkFailure,
  BulkPlan,
  BulkResult,
  DefinitionDeletion,
  PlanRequester,
} from './persistence/bulk-plan-store.js';
export { MissingCode } from './definitions/missing-code.js';
export { StoreHealth, type StoreStatus } from './outages/store-health.js';
export { UnreadableWork } from './outages/unreadable-work.js';
export { WorkflowPersistence } from './persistence/workflow-persistence.js';
export { Event } from './activities/event.activity.js';
export { PublishEvent } from './activities/publish-event.activity.js';
export { RunTask } from './activities/run-task.activity.js';
export { UserTask } from './user-tasks/user-task.activity.js';
export { ExecuteWorkflow } from './activities/execute-workflow.activity.js';
export { DispatchWorkflow } from './activities/dispatch-workflow.activity.js';
export { BulkDispatchWorkflows } from './activities/bulk-dispatch-workflows.activity.js';
export { type GateHistory, type PauseRequest, RuntimeGate } from './bursts/runtime-gate.js';
export { ProviderScopeError } from './discovery/provider-scope-error.js';
export { RetryOptionsError } from './discovery/retry-options-error.js';
export { NestedInputTypeError } from './engine/nested-inputs.js';
export { ValueClassError } from './engine/value-classes.js';
export type { ValueClass, ValueClassOption } from './options/value-class.js';
export type { CommitStrategyOptions, PersistenceProvider, WorkflowRuntimeOptions } from './options/runtime-options.js';
export { MemoryPersistence, type MemoryPersistenceOptions } from './persistence/memory/memory-persistence.js';
export { BodyTimeoutError } from './bodies/body-deadline.js';
export { RequestAbortedError } from './bodies/request-aborted-error.js';
export { SignedUrls } from './urls/signed-urls.js';
export type { UrlLifetime } from './urls/signed-urls.js';
export { ExpressionSyntax } from './discovery/expression-syntax.js';
export { Workflow } from './code-first/workflow-decorator.js';
export type { CodeWorkflowOptions, WorkflowBuilder } from './code-first/workflow-decorator.js';
export {
  IInstanceMigrator,
  InstanceBusyError,
  MigrationNotUndoableError,
  type MigrationOptions,
  MigrationRefusedError,
  type MigrationRequest,
  MigrationTooLargeError,
} from './services/migration-services.js';
export { type UserTaskRecord, type UserTaskEvent, UserTaskEventKind, UserTaskStatus } from './persistence/user-task.js';
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
export { AuditActorKind, type AuditDetails, AuditOutcome } from './persistence/audit-store.js';
export { type AuditCounts, type AuditRecord, AuditTrail } from './audit/audit-trail.js';
export { InvalidAuditRecordError } from './audit/audit-errors.js';
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
export { CandidateAuthorizer } from './user-tasks/candidate-authorizer.js';
export { mergeOpenApi } from './openapi/merge-open-api.js';
export type { MergeableDocument, MergedOpenApi } from './openapi/merge-open-api.js';
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
export type { LargePart, RefusedRepair } from './persistence/persistence-errors.js';
export { FiringResult } from './persistence/records.js';
export type { BookmarkPattern, StoredBookmark, StoredTrigger } from './persistence/records.js';
export { UserTaskOrder } from './persistence/user-task.js';
