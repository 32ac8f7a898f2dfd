import './this-copy.js';
export { claimPackage } from './errors/package-copies.js';
export { readableError } from './execution/readable-error.js';
export { endsBurst, toErrorLike } from './errors/waymark-error.js';
export { type CheckedOwner, checkOptions, checkValues } from './options/check-options.js';
export { MANAGEMENT_API, type ManagementApi } from './options/management-api.js';
export { nearestName } from './options/nearest-name.js';
/** Makes the kinds of options for a table of `checkOptions`. */
export * as optionKinds from './options/option-kinds.js';
export type { OptionKind, OptionKinds, OptionOwner, RequiredKind, ValueCheck } from './options/option-kinds.js';
export {
  refuseClassImport,
  requireAsyncOptions,
  requireFactoryResult,
  requireOptionsObject,
} from './options/module-arguments.js';
export { refuseMovedRoutes } from './options/refuse-moved-routes.js';
export { type OtherOptions, refuseUnknown } from './options/refuse-unknown.js';
export { requireOneOf } from './options/require-one-of.js';
export { withoutCredentials } from './options/without-credentials.js';
export { isActivityClass } from './activities/activity-metadata.js';
export { activityMethods, type MethodActivity, methodActivities } from './builder/activity-methods.js';
export type { NodeReader, NodeReadingActivity } from './graph/child-reader.js';
export type { CompiledInput } from './graph/compiled-input.js';
export type { MigrationState } from './state/workflow-state.js';
export {
  countAwake,
  type Entry,
  listLengths,
  readEntry,
  RESTING_LISTS,
  restingIds,
  type RestingListName,
  type RestingLists,
  restingLists,
  RestingPart,
  withRestingLists,
} from './state/resting-state.js';
export type { RecordPart } from './journal/journal-entry.js';
export { ActivityRegistry } from './activities/activity-registry.js';
export type { ActivityRegistration } from './activities/activity-registry.js';
export { activityTypeName, describeActivity } from './activities/describe-activity.js';
export { ExpressionRegistry } from './expressions/expression-registry.js';
export { builtinExpressions } from './expressions/builtin-expressions.js';
export { isTrigger } from './execution/activity-base.js';
export { type MigratedState, migrateInParts } from './migration/migrate-state.js';
export { missedOutcomes } from './flowchart/missed-outcomes.js';
export { executeAgain } from './execution/execute-again.js';
export { recoverFromFaults } from './execution/activity-invoker.js';
export { isCallbackName } from './execution/callback-methods.js';
export { evaluateTriggers, type TriggerEvaluation, triggersOf } from './execution/evaluate-trigger.js';
export type { TriggerPayload } from './execution/evaluate-trigger.js';
export { toExceptionState } from './state/exception-state.js';
export { bookmarkHash } from './execution/stimulus-hash.js';
export type { FailedAttempt } from './execution/failed-attempt.js';
export type { OutgoingMessage } from './execution/outgoing-message.js';
export { findIncidentStrategy } from './execution/incident-strategy.js';
export { cancelAtTimeout } from './execution/activity-timeouts.js';
export { applyDetails, WorkflowRunner } from './execution/workflow-runner.js';
export type { ActivityHandle, BurstCommits, BurstRequest } from './execution/burst-request.js';
export type { NestedWorkflow, OutputBinding } from './graph/activity-node.js';
export { inAnyCasing, isInAnyCasing } from './values/any-casing.js';
export { unreadMemberOf, withUnreadMember } from './values/unread-member.js';
export { valueNow } from './values/value-now.js';
export { scalarText } from './values/value-text.js';
export { isPromiseLike } from './values/promise-like.js';
export { compileWorkflow } from './graph/compile-workflow.js';
export type { CompileOptions, WorkflowReference } from './graph/compile-workflow.js';
export { canonicalJson } from './values/canonical-json.js';
export { type ConversionOptions, convertValue } from './values/convert-value.js';
export {
  CONVERTED_TEXT,
  hasMoreJsonValues,
  type JsonLimits,
  JsonSyntaxError,
  JsonTooLargeError,
  parseIfJson,
  parseJsonText,
  parseJsonTextInTurns,
} from './values/json-text.js';
export type { JsonFault } from './values/json-fault.js';
export { redactQuery, redactUrls } from './secrets/redact-urls.js';
export { REDACTED } from './values/redacted.js';
export { DEFAULT_REDACTION, Redaction, withoutAddressCredentials } from './secrets/redaction.js';
export type { SecretKeeper } from './secrets/secret-keeper.js';
export type { BurstSecrets } from './secrets/burst-secrets.js';
export { SecretSearch } from './secrets/secret-search.js';
export { type ValueCipher } from './secrets/value-cipher.js';
export { EncryptedValue } from './values/encrypted-value.js';
export { keepUnchanged } from './values/keep-unchanged.js';
export { camelCase, pascalCase, pascalize, titleWords } from './values/names.js';
export { objectKind } from './values/object-kind.js';
export { stripMarkers } from './values/polymorphic-json.js';
export {
  decodeInParts,
  decodeValue,
  deserialize,
  encodeInParts,
  encodeValue,
  serialize,
} from './values/storage-codec.js';
export { MAX_ID_LENGTH, MAX_INSTANCE_ID_LENGTH, MAX_TEXT_LENGTH, requireStorableText } from './values/storable-text.js';
export { parseDate } from './values/date-text.js';
export {
  formatTimeSpan,
  parseTimeSpan,
  type SpanReading,
  toMilliseconds,
  toOwnMilliseconds,
} from './values/time-span.js';
export { findUnstorable } from './values/unstorable.js';
export { registerStorableType, type StorableType, storableTypeOfValue } from './values/storable-type.js';
export { hasManyGaps } from './values/gaps.js';
export { runSteps, runStepsInTurns, type Steps } from './values/steps.js';
export { toPlainJson } from './values/to-plain-json.js';
export { ITEMS_OF_PART, toPlainJsonInTurns } from './values/long-lists.js';
export { roughChars } from './execution/journal-weight.js';
export { matchesWildcards } from './values/wildcards.js';
export { createDefaultTypeRegistry } from './values/default-types.js';
export { TypeRegistry } from './values/type-registry.js';
export { TIMEOUT_BOOKMARK, timeoutProblem } from './definitions/activity-timeout.js';
export { RETRY_BOOKMARK, retryPolicyProblem } from './definitions/retry-policy.js';
export { type CheckedInputs, checkInputs, type InputCheckOptions } from './definitions/check-inputs.js';
export { constantProblems, constantWarnings } from './definitions/constant-problems.js';
export { type ConstantInputs, constantInputs } from './definitions/constant-inputs.js';
export { runWarnings } from './definitions/run-warnings.js';
export {
  type CustomPropertyOwner,
  type CustomPropertyRule,
  customPropertyWarnings,
} from './definitions/custom-property-warnings.js';
export { logPersistenceWarnings } from './definitions/log-persistence-warnings.js';
export { memberWarnings } from './definitions/member-warnings.js';
export { nameProblems, nameWarnings } from './definitions/name-warnings.js';
export { requiredInputWarnings } from './definitions/required-input-warnings.js';
export { lostBindings, type LostBinding } from './definitions/workflow-bindings.js';
export { storageWarnings } from './definitions/storage-warnings.js';
export { CODE_MATERIALIZER } from './definitions/conversion-of.js';
export type { DefinitionContext, DefinitionWarning } from './definitions/definition-context.js';
export { readDefinitionModel, readDefinitionModelInTurns } from './definitions/definition-model.js';
export type { DefinitionModel } from './definitions/definition-model.js';
export { parseDefinitionText, parseDefinitionTextInTurns } from './definitions/definition-text.js';
export { validateDefinition, validateDefinitionInTurns } from './definitions/validate-definition.js';
export { parseVersionOptions } from './definitions/version-options.js';
export { countItems, descriptorsOf, walkActivities } from './definitions/walk-activities.js';
export { findReferences, replaceReferences } from './definitions/workflow-references.js';
export { exportFileName, writeDefinitionModel, writeExport } from './definitions/write-definition.js';
export { normalizeActivity } from './definitions/normalize-activity.js';
export type { DefinitionProblem } from './definitions/validate-definition.js';
export { registerCoreActivities } from './builder/core-activities.js';
export { registerWorkflowActivity } from './control-flow/workflow-activity.js';
export { FlowNode } from './control-flow/flow-node.js';
export { NotFoundActivity } from './control-flow/not-found-activity.js';
export { Workflow } from './control-flow/workflow.js';
export { WorkflowDefinitionActivity } from './control-flow/workflow-definition-activity.js';
export { isFunctionReference, replaceFunctions } from './builder/function-reference.js';
export type { FunctionReference, WorkflowFunction } from './builder/function-reference.js';
export {
  BACKGROUND_BOOKMARK,
  BACKGROUND_MESSAGE,
  BACKGROUND_OUTCOME,
  runDetached,
} from './execution/background-activity.js';
export type { BackgroundJob, BackgroundOutcome, DetachedRun } from './execution/background-activity.js';
export { CONTINUES_BURST, originOfRest } from './execution/burst-origin.js';
export { StateParts } from './execution/state-parts.js';
export { LookedFor } from './execution/looked-for.js';
export { backoffFactor } from './values/backoff.js';
export { recordOutput } from './execution/record-output.js';
export { REPEATS } from './execution/repeated-wait.js';
export { SENSITIVE_NAMES } from './secrets/sensitive-names.js';
export { isStorableText } from './values/storable-text.js';
export { SENSITIVE_ENDINGS } from './secrets/sensitive-names.js';
export { ActivityScope } from './execution/activity-scope.js';
export { BreakSignal, CompleteCompositeSignal, ScheduleChildSignal } from './execution/signals.js';
export { DONE, Outcomes } from './state/outcomes.js';
export type { InputJson, OutputJson } from './definitions/workflow-definition.js';
