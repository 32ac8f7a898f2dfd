import type {
  ActivityMiddleware,
  ExpressionHandler,
  IncidentStrategy,
  RedactionOptions,
  WorkflowMiddleware,
} from '@waymark/core';
import {
  MAX_ID_LENGTH,
  type OptionKind,
  type OptionKinds,
  optionKinds as is,
  requireStorableText,
} from '@waymark/core/adapter';
import type { WorkflowClock } from '../clock/workflow-clock.js';
import type { ActivityCommitStrategy, WorkflowCommitStrategy } from '../commit-strategies/commit-strategy.js';
import type { EncryptionKeyProvider, EncryptionOptions } from '../secrets/encryption-keys.js';
import type { SecretProvider } from '../secrets/secret-provider.js';
import {
  type CommitStrategyOptions,
  type DeploymentOptions,
  SHORTEST_RETENTION_MS,
  SHORTEST_TAKEOVER_MS,
  type WorkflowRuntimeOptions,
} from './runtime-options.js';
import type { ValueClassOption } from './value-class.js';

const aName = is.kind<string>('a name', (value) => typeof value === 'string' && /[^-_\s]/.test(value), true);

/** Rows of messages have it: too long for their column, or with characters that a database refuses, it would make each commit fail. */
const aNodeName: OptionKind<string> = {
  ...is.kind<string>(
    `a non-empty string of at most ${MAX_ID_LENGTH} characters that databases can store`,
    (value) => typeof value === 'string' && value.trim() !== '' && isStorable(value),
  ),
  isLengthShown: true,
};

function isStorable(name: string): boolean {
  try {
    requireStorableText('name of the node', name, MAX_ID_LENGTH);
    return true;
  } catch {
    return false;
  }
}

const aValueClass = is.kind<ValueClassOption>(
  "a class, or an object with the class as 'type'",
  (value) => typeof value === 'function' || typeof (value as { type?: unknown } | null)?.type === 'function',
);

/** The permitted values of the options of the runtime. */
export const RUNTIME_OPTION_KINDS: OptionKinds<WorkflowRuntimeOptions> = {
  // `requirePersistence` looks at it, also where it stands beside a factory.
  persistence: is.anything(),
  nodeName: aNodeName,
  clock: is.withMethods<WorkflowClock>('a WorkflowClock', 'now', 'setTimer'),
  flowchartMode: is.oneOf('counter', 'token'),
  defaultIncidentStrategy: is.text,
  incidentStrategies: is.recordOf(is.aFunction<IncidentStrategy>()),
  commitStrategies: is.group<CommitStrategyOptions>({
    workflows: is.listOf(is.withMethods<WorkflowCommitStrategy>('a commit strategy', 'decide')),
    activities: is.listOf(is.withMethods<ActivityCommitStrategy>('a commit strategy', 'decide')),
    defaultWorkflow: is.text,
    defaultActivity: is.text,
  }),
  activityMiddleware: is.listOf(is.aFunction<ActivityMiddleware>()),
  workflowMiddleware: is.listOf(is.aFunction<WorkflowMiddleware>()),
  expressions: is.listOf(is.withMethods<ExpressionHandler>('an ExpressionHandler', 'compile')),
  journal: is.flag,
  logPersistenceMode: is.oneOf('Inherit', 'Include', 'Exclude'),
  redaction: is.orFalse(
    is.group<RedactionOptions>({ add: is.listOf(aName), remove: is.listOf(aName), storeReceived: is.flag }),
  ),
  secrets: is.listOf(is.withMethods<SecretProvider>('a SecretProvider', 'find')),
  allowedSecrets: is.recordOf(is.listOf(is.text)),
  encryption: is.group<EncryptionOptions>({
    keys: is.required(is.withMethods<EncryptionKeyProvider>('an EncryptionKeyProvider', 'keys')),
  }),
  strictConversions: is.flag,
  types: is.listOf(aValueClass),
  writeLine: is.aFunction(),
  readLine: is.aFunction(),
  stimulusTtlMs: is.positive,
  maxDeliveryAttempts: is.count,
  pollIntervalMs: is.positive,
  deliveryConcurrency: is.count,
  fanOutLimit: is.count,
  maxActivities: is.count,
  backgroundConcurrency: is.countOrNone,
  backgroundTimeoutMs: is.orFalse(is.positive),
  dispatchLimits: is.recordOf(is.count),
  drainTimeoutMs: is.notNegative,
  retentionMs: is.orFalse(is.positive),
  retentionOf: is.recordOf(is.orFalse(is.notNegative)),
  requestKeyRetentionMs: is.orFalse(is.positive),
  deadLetterRetentionMs: is.orFalse(is.atLeast(SHORTEST_RETENTION_MS)),
  auditRetentionMs: is.orFalse(is.atLeast(SHORTEST_RETENTION_MS)),
  interruptedAfterMs: is.atLeast(SHORTEST_TAKEOVER_MS),
  definitionFolders: is.listOf(is.filledText),
  deployment: is.group<DeploymentOptions>({ id: is.required(is.filledText), order: is.required(is.whole) }),
  missingCodeAlarmMs: is.positive,
};
