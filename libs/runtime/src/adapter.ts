import './this-copy.js';
export { SystemClock } from './clock/system-clock.js';
export type { TimeSources } from './clock/time-sources.js';
export { CustomPropertyRules } from './definitions/custom-property-rules.js';
export { ConstantInputsValidator } from './definitions/constant-inputs-validator.js';
export { loopTurns, LoopTurns } from './event-loop/loop-turns.js';
export { readInTurns } from './connections/chunked-requests.js';
export { guardConnections } from './connections/guard-connections.js';
export { originLength, routedPath } from './connections/routed-path.js';
export { CommitStrategies } from './bursts/commit-strategies.js';
export { REPORTED_FAULTS, type ReportsFault } from './bursts/fault-log.js';
export type { EnlistedOutbox, EnlistedReads } from './persistence/enlisted-outbox.js';
export { type RequestColumns, ScheduledRequests } from './schedules/scheduled-requests.js';
export {
  type ListedSchedule,
  type ListedScheduleFilter,
  type ScheduleStore,
  type StoredSchedule,
  type UpcomingSchedules,
} from './persistence/schedule-store.js';
export { NamedSecrets } from './secrets/named-secrets.js';
export { triggerKey } from './bursts/activation.js';
export { WorkflowEventEmitter } from './events/workflow-event-emitter.js';
export type {
  BurstCommit,
  Firing,
  OccurrenceClaim,
  ScheduleClaim,
  ScheduleOccurrenceClaim,
  TriggerFiring,
} from './persistence/burst-commit.js';
export type {
  DefinitionChange,
  SavedDefinition,
  DefinitionChanges,
  DefinitionFilter,
  DefinitionOrder,
  DefinitionPosition,
  DefinitionStore,
  DefinitionUse,
  UnfiredTrigger,
} from './persistence/definition-store.js';
export type {
  InstanceOrder,
  InstanceStore,
  InterruptedInstanceIds,
  InterruptedOptions,
} from './persistence/instance-store.js';
export type {
  BookmarkStore,
  ClaimedBookmark,
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
  AddedBookmarks,
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
  RenewedClaims,
  OutboxStore,
  EnqueueOptions,
  QueueExpiry,
  QueueMatch,
  StoreTime,
} from './persistence/message-stores.js';
export { START_KINDS } from './persistence/instance-store.js';
export {
  fillIn,
  type JournalReading,
  type ReadJournalValues,
  replaceReferences,
  type ValueBudget,
} from './persistence/journal-reading.js';
export { executionRank, ExecutionSet } from './persistence/execution-ids.js';
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
  hasMuchText,
  lighten,
  lightenInTurns,
  type LightChunk,
  type LightenOptions,
  type PlacedReference,
  placeReferences,
} from './persistence/journal-values.js';
export {
  DEFAULT_MAX_JOURNAL_BYTES,
  isMaxJournalBytes,
  JournalBudget,
  MAX_JOURNAL_BYTES,
  type OmittedKind,
  OmittedJournalValue,
  readJournalValue,
} from './persistence/omitted-values.js';
export { countedTotal, countLimit, type IdPage, type Page } from './persistence/paging.js';
export {
  BookmarkConsumedError,
  isStoreOutage,
  MessageConsumedError,
  OccurrenceClaimedError,
  requireCondition,
} from './persistence/persistence-errors.js';
export { afterCommit } from './persistence/after-commit.js';
export { failureOf } from './persistence/failure-of.js';
export type { TooLarge } from './persistence/persistence-errors.js';
export { largestParts, largestPartsInTurns } from './persistence/largest-parts.js';
export {
  requireStorableBurst,
  requireStorableCompletion,
  requireStorableDefinitions,
  requireStorableItem,
  requireStorableMessages,
  requireStorableSchedule,
  requireStorableTask,
} from './persistence/storable-rows.js';
export { usesFirst } from './definitions/uses-first.js';
export { usedDefinitionIds } from './persistence/definition-references.js';
export { toInstanceRecord, toStoredBookmark } from './persistence/records.js';
export type {
  BookmarkQueueDeadLetter,
  BookmarkQueueItem,
  LoadedInstance,
  OutboxMessage,
  LastFiring,
  PausedTrigger,
  WorkflowInstanceRecord,
  WorkflowInstanceSummary,
} from './persistence/records.js';
export { backoffMs, type BackoffSteps } from './outages/backoff.js';
export { storeFaultAnswer, type StoreFaultAnswer } from './outages/store-fault-answer.js';
export { within } from './outages/within.js';
export { StoreOutages } from './outages/store-outages.js';
export { runtimeActivities } from './activities/runtime-activities.js';
export { BookmarkResumer, isGone } from './bookmarks/bookmark-resumer.js';
export { DueResumes } from './instances/due-resumes.js';
export { StoreBookmarkQueue } from './bookmarks/bookmark-queue.js';
export { CodeWorkflows } from './definitions/code-workflows.js';
export { contentMembers } from './definitions/content-members.js';
export { OutboxProcessor } from './outbox/outbox-processor.js';
export type { OutboxHandler } from './outbox/outbox-handler.js';
export { isUnreadableHere } from './outages/unreadable-here.js';
export { createIdGenerator, sha256 } from './engine/identity.js';
export { BurstExecutor } from './bursts/burst-executor.js';
export { type HeldStart, HeldStarts, type TriggeredStart } from './dispatch/held-starts.js';
export { InstanceDeletion } from './instances/instance-deletion.js';
export { InstanceImport, withoutRecordMarks } from './instances/instance-import.js';
export { WORKFLOW_MODULE } from './module/workflow-module-token.js';
export { type RenewProperty, SealedProperties } from './secrets/sealed-properties.js';
export { ShutdownTasks } from './module/shutdown-tasks.js';
export { Retention } from './maintenance/retention.js';
export { RuntimeMaintenance } from './maintenance/runtime-maintenance.js';
export { StoreFollower } from './maintenance/store-follower.js';
export { BookmarkPatternReader } from './patterns/bookmark-patterns.js';
export type { BookmarkPatternStore, PatternState } from './persistence/pattern-store.js';
export { RUNTIME_OPTION_KINDS } from './options/runtime-option-kinds.js';
export { resolveRuntimeOptions } from './options/resolve-runtime-options.js';
export { EXPRESSION_HANDLERS, RUNTIME_OPTIONS } from './options/runtime-options.js';
export type { ResolvedRuntimeOptions } from './options/runtime-options.js';
export { WorkflowRuntimeModule } from './module/workflow-runtime.module.js';
export { EVENT_PAYLOAD_INPUT, EVENT_STIMULUS } from './stimuli/event-publisher.js';
export { KEPT_ONCE_AS } from './stimuli/stimulus-sender.js';
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
export { SlowReaders } from './bodies/slow-readers.js';
export { whenClosed } from './bodies/when-closed.js';
export { makeFolder } from './files/make-folder.js';
export { formFeed, guarded } from './uploads/form-feed.js';
export { ResilienceStrategies } from './bursts/resilience-strategies.js';
export type { ResilienceStrategyDescriptor } from './bursts/resilience-strategies.js';
export type { UrlSigner } from './urls/signed-urls.js';
export { AlterationTargets, type FoundInstances } from './alterations/alteration-targets.js';
export { DefinitionPlans } from './bulk/definition-plans.js';
export { InstanceRetries } from './alterations/instance-retries.js';
export { severalAtATime } from './persistence/several-at-a-time.js';
export { BULK_CONCURRENCY } from './persistence/bulk-batch-size.js';
export { BulkPlanWorker } from './bulk/bulk-plan-worker.js';
export { startOfCodedText } from './persistence/coded-text.js';
export {
  type BatchClaim,
  type BulkBatch,
  type BulkCut,
  type BulkPlanStore,
  type PlanPage,
  type PlanParts,
  MAX_FAILURES,
  type OpenSelection,
  type PlanStep,
} from './persistence/bulk-plan-store.js';
export { recordAlteration } from './alterations/alteration-journal.js';
export { AlterationSelections } from './alterations/alteration-selections.js';
export { InstanceEditor } from './instances/instance-editor.js';
export type { ShownVariable } from './instances/shown-variables.js';
export type {
  AlterationCut,
  AlterationJobPage,
  AlterationStore,
  OpenAlterationPlan,
} from './persistence/alteration-store.js';
export {
  cursorText,
  dueOf,
  listsOf,
  NEVER_DUE,
  readCursor,
  taskList,
  type CompletedUserTask,
  type UserTaskChanges,
  type UserTaskCursor,
  type UserTaskFilter,
  type UserTaskPage,
} from './persistence/user-task.js';
export {
  type AuditCursor,
  type AuditEntry,
  type AuditFilter,
  type AuditPage,
  type AuditStore,
  MAX_AUDIT_TARGETS,
} from './persistence/audit-store.js';
export type { UserTaskEventPage, UserTaskStore, UserTaskWindow } from './persistence/user-task-store.js';
export { ProvidedByApplication } from './user-tasks/provided-by-application.js';
export { WorkflowLogger } from './logging/workflow-logger.js';
export { idOfRequest } from './engine/request-id.js';
export { OPEN_API_METHODS, OPEN_API_VERSION } from './openapi/open-api-document.js';
export { toOpenApi31 } from './openapi/to-open-api-31.js';
export {
  type EndedClaims,
  type NodeOfProcess,
  type NodeProcess,
  NodeState,
  type NodeStore,
  type RuntimeNode,
} from './persistence/node-store.js';
export { MachineProcesses, type ProcessSources } from './maintenance/machine-processes.js';
export type {
  DefinitionFailures,
  DefinitionStanding,
  Depths,
  NodeStanding,
  StatisticsStore,
  Throughput,
  ThroughputSlot,
  VersionStanding,
} from './persistence/statistics-store.js';
export { HEARTBEAT_MS, NODE_LOST_MS, NodeHeartbeat } from './maintenance/node-heartbeat.js';
export { type BodyDeadline } from './bodies/body-deadline.js';
export { BodyCodingError, codingFault } from './bodies/body-coding-error.js';
export { readChunks, type TakeChunk } from './bodies/read-chunks.js';
export { scheduleKey } from './bursts/activation.js';
export { InvalidListPlaceError, type InstancePlace, readPlace, writePlace } from './persistence/instance-places.js';
export type { InstancePage, InstancesPage, LoadOptions } from './persistence/instance-store.js';
