import './this-copy.js';
export { DuplicatePackageError } from './errors/duplicate-package-error.js';
export type { PackageCopy } from './errors/duplicate-package-error.js';
export { WaymarkError, isWaymarkError } from './errors/waymark-error.js';
export { ActivityClassError } from './activities/activity-class-error.js';
export { ModuleSetupError } from './options/module-setup-error.js';
export { InvalidOptionError, OptionConflictError, UnknownOptionError } from './options/option-errors.js';
export type {
  Expression,
  ExpressionDescriptor,
  ExpressionFault,
  ExpressionHandler,
  CompiledExpression,
} from './expressions/expression.js';
export type { ExpressionScope, NamedOutput, WorkflowFacts } from './expressions/expression-scope.js';
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
export { ActivityMethod } from './builder/activity-methods.js';
export type { ActivityMethodOptions } from './builder/activity-methods.js';
export type {
  ActivityJson,
  InputDefinition,
  OutputDefinition,
  VariableDefinition,
  VersionOptions,
  WorkflowDefinition,
  WorkflowOptions,
} from './definitions/workflow-definition.js';
export type { ValueKind, ValueType } from './values/value-type.js';
export { NewerFormatError } from './errors/newer-format-error.js';
export { StoredValueError } from './errors/stored-value-error.js';
export { ActivityStatus, WorkflowStatus, WorkflowSubStatus } from './state/workflow-state.js';
export type {
  ActivityExecutionContextState,
  ActivityIncident,
  Bookmark,
  CompletionCallbackState,
  ExceptionState,
  ScheduledActivityState,
  WorkflowState,
} from './state/workflow-state.js';
export { MemberNameTakenError } from './activities/member-name-taken-error.js';
export {
  ActivityNotFoundError,
  ActivityTimeoutError,
  InitialStateError,
  CircularWorkflowError,
  FaultError,
  InputEvaluationError,
  InvalidCallbackError,
  WorkflowCompileError,
  WorkflowExecutionError,
} from './errors/execution-errors.js';
export { ErrorNotReadableError } from './errors/error-not-readable.js';
export { ActivityBase, NamedTriggerPayload, TriggerBase } from './execution/activity-base.js';
export type { ActivityMigration, MigratedChild } from './execution/activity-migration.js';
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
export type { ScheduleOptions } from './execution/schedule-options.js';
export type { BookmarkOptions } from './execution/bookmark-options.js';
export type {
  ActivityMiddleware,
  EngineOptions,
  FlowchartMode,
  WorkflowMiddleware,
} from './execution/engine-options.js';
export type { CaughtError } from './state/stored-fault.js';
export type { IncidentStrategy } from './execution/incident-strategy.js';
export { FaultSignal } from './execution/signals.js';
export type { Signal, SignalContext } from './execution/signals.js';
export type { Variable, VariableSlot } from './graph/variable.js';
export { WorkflowExecutionContext } from './execution/workflow-execution-context.js';
export type { EndOptions } from './execution/end-options.js';
export { ActivityNode } from './graph/activity-node.js';
export { WorkflowGraph } from './graph/workflow-graph.js';
export { type RedactionOptions } from './secrets/redaction.js';
export { EncryptionNotConfiguredError } from './secrets/value-cipher.js';
export { TextNotStorableError } from './values/storable-text.js';
export { type TimeSpanInput } from './values/time-span.js';
export type { SecretLookup } from './secrets/secret-lookup.js';
export { ValueNotStorableError } from './values/value-not-storable-error.js';
export { ValueConversionError } from './values/value-conversion-error.js';
export { StorableTypeConflictError, StorableTypeUnknownError } from './values/storable-type.js';
export { DefinitionFormatError } from './definitions/definition-format-error.js';
export { DefinitionTooLargeError } from './definitions/definition-too-large-error.js';
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
export { For } from './control-flow/for.js';
export { ForEach } from './control-flow/for-each.js';
export { Fork } from './control-flow/fork.js';
export { If } from './control-flow/if.js';
export { Inline } from './control-flow/inline.js';
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
export type { ActivityCustomProperties, LogPersistenceModes } from './builder/activity-custom-properties.js';
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
export type { DateText, Evaluated, ExpressionSource, TypedValue, Value, ValueSource } from './builder/value.js';
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
export type { RetryPolicy } from './definitions/retry-policy.js';
export { type BackoffType } from './values/backoff.js';
export type { Clock } from './values/clock.js';
export { JournalEvent } from './journal/journal-entry.js';
export type { LogPersistenceMode } from './graph/log-persistence.js';
export type { ActivityExecutionRecord, JournalChunk, WorkflowExecutionLogEntry } from './journal/journal-entry.js';
