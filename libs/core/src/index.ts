import './this-copy.js';
export { DuplicatePackageError } from './errors/duplicate-package-error.js';
export type { PackageCopy } from './errors/duplicate-package-error.js';
export { claimPackage } from './errors/package-copies.js';
export { WaymarkError, endsBurst, isWaymarkError, toErrorLike } from './errors/waymark-error.js';
export type {
  Expression,
  ExpressionDescriptor,
  ExpressionHandler,
  CompiledExpression,
} from './expressions/expression.js';
export type { ExpressionScope, WorkflowFacts } from './expressions/expression-scope.js';
export { ActivityKind } from './activities/activity-descriptor.js';
export type {
  ActivityDescriptor,
  InputDescriptor,
  OutputDescriptor,
  PortDescriptor,
} from './activities/activity-descriptor.js';
export { Activity, Trigger, Input, Output, Port, Children } from './activities/decorators.js';
export type {
  ActivityOptions,
  Constructor,
  InputOptions,
  OutputOptions,
  PortOptions,
  RetryOptions,
} from './activities/decorators.js';
export { isActivityClass } from './activities/activity-metadata.js';
export { ActivityMethod, activityMethods, registerActivityMethods } from './builder/activity-methods.js';
export type { ActivityMethodOptions } from './builder/activity-methods.js';
export type { NodeReader, NodeReadingActivity } from './graph/child-reader.js';
export type { CompiledInput } from './graph/compiled-input.js';
export type {
  ActivityJson,
  InputDefinition,
  InputJson,
  OutputDefinition,
  OutputJson,
  VariableDefinition,
  VersionOptions,
  WorkflowDefinition,
  WorkflowOptions,
} from './definitions/workflow-definition.js';
export type { Clock } from './values/clock.js';
export type { ValueKind, ValueType } from './values/value-type.js';
export type { MigrationState } from './state/workflow-state.js';
export { NewerFormatError } from './errors/newer-format-error.js';
export { STATE_FORMAT, ActivityStatus, WorkflowStatus, WorkflowSubStatus } from './state/workflow-state.js';
export type {
  ActivityExecutionContextState,
  ActivityIncident,
  Bookmark,
  CompletionCallbackState,
  ExceptionState,
  ScheduledActivityState,
  WorkflowState,
} from './state/workflow-state.js';
export { JournalEvent } from './journal/journal-entry.js';
export type { LogPersistenceMode } from './graph/log-persistence.js';
export type {
  ActivityExecutionRecord,
  JournalChunk,
  RecordPart,
  WorkflowExecutionLogEntry,
} from './journal/journal-entry.js';
export { ActivityRegistry } from './activities/activity-registry.js';
export type { ActivityRegistration } from './activities/activity-registry.js';
export { MemberNameTakenError } from './activities/member-name-taken-error.js';
export { activityTypeName, describeActivity } from './activities/describe-activity.js';
export {
  ActivityNotFoundError,
  ActivityTimeoutError,
  CircularWorkflowError,
  FaultError,
  InputEvaluationError,
  InvalidCallbackError,
  WorkflowCompileError,
  WorkflowExecutionError,
} from './errors/execution-errors.js';
export { ExpressionRegistry } from './expressions/expression-registry.js';
export { builtinExpressions } from './expressions/builtin-expressions.js';
export { ActivityBase, NamedTriggerPayload, TriggerBase, isTrigger } from './execution/activity-base.js';
export type { ActivityMigration, MigratedChild } from './execution/activity-migration.js';
export { type MigratedState, migrateState } from './migration/migrate-state.js';
export { MigrationProblemCode } from './migration/migration-report.js';
export type {
  ActivityReference,
  MigratedActivity,
  MigratedVariable,
  MigratedWait,
  MigrationMapping,
  MigrationProblem,
  MigrationReport,
} from './migration/migration-report.js';
export type { TriggerIndexingContext } from './execution/activity-base.js';
export { ActivityExecutionContext } from './execution/activity-execution-context.js';
export type { ScheduleOptions } from './execution/activity-execution-context.js';
export { ActivityScope } from './execution/activity-scope.js';
export { recoverFromFault } from './execution/activity-invoker.js';
export type { BookmarkOptions } from './execution/bookmark-options.js';
export type {
  ActivityMiddleware,
  EngineOptions,
  FlowchartMode,
  WorkflowMiddleware,
} from './execution/engine-options.js';
export { evaluateTriggers } from './execution/evaluate-trigger.js';
export type { TriggerPayload } from './execution/evaluate-trigger.js';
export type { CaughtError } from './state/stored-fault.js';
export { toExceptionState } from './state/exception-state.js';
export type { IncidentStrategy } from './execution/incident-strategy.js';
export { DEFAULT_OUTCOMES, DONE, Outcomes } from './state/outcomes.js';
export { BreakSignal, CompleteCompositeSignal, FaultSignal, ScheduleChildSignal } from './execution/signals.js';
export type { Signal, SignalContext } from './execution/signals.js';
export { bookmarkHash } from './execution/stimulus-hash.js';
export type { Variable, VariableSlot } from './graph/variable.js';
export type { FailedAttempt } from './execution/failed-attempt.js';
export { WorkflowExecutionContext } from './execution/workflow-execution-context.js';
export type { OutgoingMessage } from './execution/outgoing-message.js';
export type { EndOptions } from './execution/workflow-execution-context.js';
export { WorkflowRunner } from './execution/workflow-runner.js';
export type { ActivityHandle, BurstCommits, BurstRequest } from './execution/burst-request.js';
export { nestedSlots } from './execution/restore-state.js';
export { ActivityNode } from './graph/activity-node.js';
export type { NestedWorkflow, OutputBinding } from './graph/activity-node.js';
export { isEncryptingDriver, isPersistingDriver } from './graph/compile-variable.js';
export { inAnyCasing, isInAnyCasing } from './values/any-casing.js';
export { unreadMemberOf, withUnreadMember } from './values/unread-member.js';
export { isPromiseLike } from './values/promise-like.js';
export { compileWorkflow } from './graph/compile-workflow.js';
export type { CompileOptions, WorkflowReference } from './graph/compile-workflow.js';
export { WorkflowGraph } from './graph/workflow-graph.js';
export { canonicalJson } from './values/canonical-json.js';
export { type ConversionOptions, convertValue } from './values/convert-value.js';
export { type JsonLimits, JsonSyntaxError, JsonTooLargeError, parseIfJson, parseJsonText } from './values/json-text.js';
export type { JsonFault } from './values/json-fault.js';
export { redactQuery, redactUrls } from './secrets/redact-urls.js';
export { REDACTED } from './values/redacted.js';
export { DEFAULT_REDACTION, Redaction, type RedactionOptions } from './secrets/redaction.js';
export type { SecretKeeper } from './secrets/secret-keeper.js';
export { SENSITIVE_ENDINGS, SENSITIVE_NAMES } from './secrets/sensitive-names.js';
export type { BurstSecrets } from './secrets/burst-secrets.js';
export type { SecretLookup } from './secrets/secret-lookup.js';
export { EncryptionNotConfiguredError, type ValueCipher } from './secrets/value-cipher.js';
export { EncryptedValue } from './values/encrypted-value.js';
export { camelCase, pascalCase, pascalize, titleWords } from './values/names.js';
export { stripMarkers } from './values/polymorphic-json.js';
export { decodeValue, deserialize, encodeValue, serialize } from './values/storage-codec.js';
export {
  MAX_ID_LENGTH,
  MAX_INSTANCE_ID_LENGTH,
  MAX_TEXT_LENGTH,
  requireStorableText,
  TextNotStorableError,
} from './values/storable-text.js';
export { parseDate } from './values/date-text.js';
export {
  formatTimeSpan,
  parseTimeSpan,
  type SpanReading,
  type TimeSpanInput,
  toMilliseconds,
} from './values/time-span.js';
export { findUnstorable } from './values/unstorable.js';
export { ValueNotStorableError } from './values/value-not-storable-error.js';
export { ValueConversionError } from './values/value-conversion-error.js';
export {
  registerStorableType,
  type StorableType,
  StorableTypeConflictError,
  storableTypeOf,
  storableTypeOfValue,
  StorableTypeUnknownError,
} from './values/storable-type.js';
export { toPlainJson } from './values/to-plain-json.js';
export { createDefaultTypeRegistry } from './values/default-types.js';
export { TypeRegistry } from './values/type-registry.js';
export { timeoutProblem } from './definitions/activity-timeout.js';
export { retryPolicyProblem } from './definitions/retry-policy.js';
export { type CheckedInputs, checkInputs, type InputCheckOptions } from './definitions/check-inputs.js';
export { constantProblems, constantWarnings } from './definitions/constant-problems.js';
export { CODE_MATERIALIZER, conversionOf } from './definitions/conversion-of.js';
export type { DefinitionContext, DefinitionWarning } from './definitions/definition-context.js';
export { DefinitionFormatError } from './definitions/definition-format-error.js';
export { DefinitionTooLargeError } from './definitions/definition-too-large-error.js';
export { readDefinitionModel } from './definitions/definition-model.js';
export type { DefinitionModel } from './definitions/definition-model.js';
export { parseDefinitionText } from './definitions/definition-text.js';
export { validateDefinition } from './definitions/validate-definition.js';
export { matchesVersion, parseVersionOptions } from './definitions/version-options.js';
export { descriptorsOf, walkActivities } from './definitions/walk-activities.js';
export { findReferences, replaceReferences } from './definitions/workflow-references.js';
export { exportFileName, writeDefinitionModel, writeExport } from './definitions/write-definition.js';
export { normalizeActivity } from './definitions/normalize-activity.js';
export type { DefinitionProblem } from './definitions/validate-definition.js';
export { coreActivities, registerCoreActivities } from './builder/core-activities.js';
export { LoopActivity } from './control-flow/loop-activity.js';
export { isBreaking } from './control-flow/breaking.js';
export { registerWorkflowActivity, workflowActivityDescriptor } from './control-flow/workflow-activity.js';
export { syntheticName } from './activities/synthetic-name.js';
export { Compensable } from './control-flow/compensable.js';
export { Compensate, Confirm } from './control-flow/compensate.js';
export { Timeout } from './control-flow/timeout.js';
export { Try } from './control-flow/try.js';
export { Break } from './control-flow/break.js';
export { Complete } from './control-flow/complete.js';
export { Correlate } from './control-flow/correlate.js';
export { End } from './control-flow/end.js';
export { Fault } from './control-flow/fault.js';
export { Finish } from './control-flow/finish.js';
export { FlowNode } from './control-flow/flow-node.js';
export { For } from './control-flow/for.js';
export { ForEach } from './control-flow/for-each.js';
export { Fork } from './control-flow/fork.js';
export { If } from './control-flow/if.js';
export { Inline } from './control-flow/inline.js';
export { NotFoundActivity } from './control-flow/not-found-activity.js';
export { Parallel } from './control-flow/parallel.js';
export { ParallelForEach } from './control-flow/parallel-for-each.js';
export { Sequence } from './control-flow/sequence.js';
export { SetName } from './control-flow/set-name.js';
export { SetOutput } from './control-flow/set-output.js';
export { SetVariable } from './control-flow/set-variable.js';
export { Start } from './control-flow/start.js';
export { StateMachine } from './control-flow/state-machine.js';
export { Switch } from './control-flow/switch.js';
export { While } from './control-flow/while.js';
export { Workflow } from './control-flow/workflow.js';
export { WorkflowDefinitionActivity } from './control-flow/workflow-definition-activity.js';
export { ReadLine } from './control-flow/read-line.js';
export { WriteLine } from './control-flow/write-line.js';
export { FlowDecision } from './flowchart/flow-decision.js';
export { FlowFork } from './flowchart/flow-fork.js';
export { FlowJoin } from './flowchart/flow-join.js';
export { FlowSwitch } from './flowchart/flow-switch.js';
export { Flowchart } from './flowchart/flowchart.js';
export { activity, trigger, workflowActivity } from './builder/activity.js';
export type { UntypedMembers } from './builder/activity.js';
export type {
  ActivityBuilder,
  ActivityMembers,
  ActivityOutputs,
  ActivitySettings,
  Steps,
} from './builder/activity-builder.js';
export type { UntypedSettings } from './builder/build-activity.js';
export { flowDecision, flowFork, flowJoin, flowSwitch, ifElse, switchOn, when } from './builder/branches.js';
export type { SwitchCaseBuilder, SwitchSettings } from './builder/branches.js';
export { CompositeBase } from './builder/composite-base.js';
export { WorkflowBuildError } from './builder/build-error.js';
export type { BuildErrorCode } from './builder/build-error.js';
export { fork, parallel, sequence } from './builder/containers.js';
export type { ContainerSettings, ForkSettings } from './builder/containers.js';
export { flowchart } from './builder/flowchart.js';
export type { FlowchartBuilder, FlowPosition } from './builder/flowchart.js';
export { isFunctionReference, replaceFunctions } from './builder/function-reference.js';
export type { FunctionReference, WorkflowFunction } from './builder/function-reference.js';
export { catchError, compensable, compensate, confirm, timeout, tryCatch } from './builder/scopes.js';
export type {
  CatchBuilder,
  CompensableSettings,
  ErrorBranch,
  ErrorName,
  TrySettings,
  UndoSteps,
} from './builder/scopes.js';
export { breakLoop, forEach, forLoop, parallelForEach, whileLoop } from './builder/loops.js';
export type { ForRange, LoopBody } from './builder/loops.js';
export type {
  InputRef,
  LoopValue,
  ScopedValue,
  OutputRef,
  OutputTarget,
  ScopeLike,
  VariableDeclaration,
  VariableRef,
} from './builder/references.js';
export {
  complete,
  correlate,
  end,
  fault,
  finish,
  inline,
  setName,
  setOutput,
  setVariable,
  writeLine,
} from './builder/steps.js';
export type { FaultMembers } from './builder/steps.js';
export { expression, js, liquid, literal } from './builder/value.js';
export type { Evaluated, ExpressionSource, TypedValue, Value, ValueSource } from './builder/value.js';
export { variable } from './builder/variable.js';
export type { TypeOption, ValueStorage, VariableOptions } from './builder/variable.js';
export { DeclaredInput, DeclaredOutput, input, output } from './builder/workflow-arguments.js';
export type { DeclaredInputs, DeclaredOutputs } from './builder/workflow-arguments.js';
export { WorkflowDefinitionBuilder } from './builder/workflow-definition-builder.js';
export type {
  ArgumentOptions,
  BuiltWorkflow,
  InputArgumentOptions,
  WorkflowBuilderOptions,
  WorkflowContent,
} from './builder/workflow-definition-builder.js';
export {
  BACKGROUND_BOOKMARK,
  BACKGROUND_MESSAGE,
  BACKGROUND_OUTCOME,
  runDetached,
} from './execution/background-activity.js';
export type { BackgroundJob, BackgroundOutcome, DetachedRun } from './execution/background-activity.js';
export { StateParts } from './execution/state-parts.js';
export { TIMEOUT_BOOKMARK } from './definitions/activity-timeout.js';
export { RETRY_BOOKMARK } from './definitions/retry-policy.js';
export type { RetryPolicy } from './definitions/retry-policy.js';
export { backoffFactor, type BackoffType } from './values/backoff.js';
export { REPEATS } from './execution/repeated-wait.js';
