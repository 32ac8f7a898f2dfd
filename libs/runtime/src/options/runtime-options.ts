import type { InjectionToken } from '@nestjs/common';
import type {
  ActivityMiddleware,
  ExpressionHandler,
  FlowchartMode,
  IncidentStrategy,
  LogPersistenceMode,
  RedactionOptions,
  WorkflowMiddleware,
} from '@waymark/core';
import type { Redaction } from '@waymark/core/adapter';
import type { WorkflowClock } from '../clock/workflow-clock.js';
import type { ActivityCommitStrategy, WorkflowCommitStrategy } from '../commit-strategies/commit-strategy.js';
import type { AesCipher } from '../secrets/aes-cipher.js';
import type { EncryptionOptions } from '../secrets/encryption-keys.js';
import type { AllowedSecrets } from '../secrets/named-secrets.js';
import type { SecretProvider } from '../secrets/secret-provider.js';
import type { ValueClassOption } from './value-class.js';
import type { WorkflowPersistence } from '../persistence/workflow-persistence.js';

/** A persistence that is made of other providers, such as the application's data source. */
export interface PersistenceProvider {
  /** Tokens of what the factory needs, in the order of its parameters. */
  readonly inject: readonly InjectionToken[];
  /** What to do where no module provides one of them, as a sentence: the error ends with it. @default none */
  readonly hint?: string;
  /** Makes the persistence, once, when the application starts. */
  useFactory(...dependencies: never[]): WorkflowPersistence | Promise<WorkflowPersistence>;
}

/** Option `commitStrategies`: strategies of the application, and what definitions use that name none. */
export interface CommitStrategyOptions {
  /** Strategies that workflows may name, besides the stock ones. `periodicCommits` makes one. @default none */
  readonly workflows?: readonly WorkflowCommitStrategy[];
  /** Strategies that activities may name, besides the stock ones. @default none */
  readonly activities?: readonly ActivityCommitStrategy[];
  /** Name of the strategy of definitions that name none. @default none */
  readonly defaultWorkflow?: string;
  /** Name of the strategy of activities that name none. @default none: that of their workflow */
  readonly defaultActivity?: string;
}

/** What a host may set. Everything has a default. */
export interface WorkflowRuntimeOptions {
  /**
   * Where everything is kept. With `forRootAsync`, a provider stands beside the factory, not in what it returns.
   * @default in memory, with a warning at start
   */
  persistence?: WorkflowPersistence | PersistenceProvider;
  /** Name of this process among the nodes of a cluster. @default host name, process id and a random part */
  nodeName?: string;
  /** Where the time comes from; tests give a `VirtualClock`. @default the system's time, corrected to that of the database */
  clock?: WorkflowClock;
  /** How flowcharts that do not say decide what runs next. @default 'counter' */
  flowchartMode?: FlowchartMode;
  /** What a fault does to instances whose definition names no incident strategy. @default 'Fault' */
  defaultIncidentStrategy?: string;
  /** Incident strategies of the application, by the name that definitions use. @default none */
  incidentStrategies?: Readonly<Record<string, IncidentStrategy>>;
  /**
   * When bursts are committed before their end, besides the stock strategies that definitions may name. Without a default
   * those that name none are committed at the end only. @default none
   */
  commitStrategies?: CommitStrategyOptions;
  /** Functions around every execution of an activity, outermost first. @default none */
  activityMiddleware?: readonly ActivityMiddleware[];
  /** Functions around every burst, outermost first. @default none */
  workflowMiddleware?: readonly WorkflowMiddleware[];
  /** Handlers of further expression types; one of the same type replaces a standard one. @default none */
  expressions?: readonly ExpressionHandler[];
  /** False: neither log entries nor activity records are written. @default true */
  journal?: boolean;
  /**
   * Whether activity records keep inputs and outputs where neither the activity nor the workflow says so; Inherit keeps
   * them. @default 'Inherit'
   */
  logPersistenceMode?: LogPersistenceMode;
  /**
   * What is a secret, and so is stored, logged and answered as `(redacted)`: members, headers and parameters with certain
   * names, and passwords in URLs. False: nothing is, and journals keep credentials. @default the stock list of names
   */
  redaction?: RedactionOptions | false;
  /**
   * Where expressions of type `Secret`, and `secret('name')` in JavaScript and Liquid, find what they name; asked in this order.
   * @default none, and no such expressions
   */
  secrets?: readonly SecretProvider[];
  /**
   * Names of secrets by id of the definitions that may use them; `*` stands for any text in both. Definitions that no entry
   * fits get none. @default all definitions may use all secrets
   */
  allowedSecrets?: AllowedSecrets | undefined;
  /**
   * Keys for values that definitions want encrypted at rest: variables and inputs with `EncryptedStorageDriver`, and inputs of
   * activities with `isEncrypted`. Given, the payloads of stored messages and stimuli are encrypted as well. Needs redaction.
   * @default none: definitions that want encryption are refused
   */
  encryption?: EncryptionOptions | undefined;
  /**
   * True: text that is not a number, date, time span … faults the activity whose input, or the assignment whose variable, is of
   * such a type (`WM1101`). False: it silently becomes 0, false, `00:00:00` …, as in Elsa, which workflows may rely on.
   * @default false
   */
  strictConversions?: boolean;
  /**
   * Classes whose instances workflows may hold: DTOs, entities. They are stored by the rules of class-transformer, or by
   * functions of yours, and are instances again when they are read. Their names are aliases of types for inputs, outputs and
   * variables, which JSON is converted to. @default none: instances of classes are refused (`WM1102`)
   * @throws StorableTypeConflictError (`WM1031`), ValueClassError (`WM1033`)
   */
  types?: readonly ValueClassOption[];
  /** Where WriteLine writes; secrets in the text are `(redacted)`. @default the Nest logger, level debug */
  writeLine?: (text: string) => void;
  /** What ReadLine reads; null at the end of the input. @default there is nothing to read */
  readLine?: () => string | null | Promise<string | null>;
  /** How long an unmatched stimulus is kept, in milliseconds. @default 600000 (10 minutes) */
  stimulusTtlMs?: number;
  /** Failed deliveries until a stimulus or message becomes a dead letter. @default 10 */
  maxDeliveryAttempts?: number;
  /** How often other nodes' changes and left-over messages are looked for, in milliseconds. @default 1000 */
  pollIntervalMs?: number;
  /** Messages of the outbox and queue served at the same time, and instances that one stimulus resumes. @default 16 */
  deliveryConcurrency?: number;
  /**
   * How many waiting instances a stimulus that is sent, or a bookmark filter that is resumed, resumes before the call returns.
   * When more wait, a message for each is stored first, and the outbox resumes the others, on all nodes; an integer of 1 or
   * more. The results of so many, with their states, are in memory at the same time. @default 100
   */
  fanOutLimit?: number;
  /**
   * Most activities of one definition that is saved, imported or published; larger ones that are stored already go on to work.
   * The time that saving and compiling takes grows with them. @default 10000
   */
  maxActivities?: number;
  /** Activities that run in the background on this node at the same time. @default 16 */
  backgroundConcurrency?: number;
  /**
   * How many dispatched instances of a definition run their first burst on this node at the same time, by definition id;
   * those beyond wait in the outbox, for any node. @default no limit but `deliveryConcurrency`
   */
  dispatchLimits?: Readonly<Record<string, number>>;
  /** How long shutdown waits for running bursts, in milliseconds. @default 30000 */
  drainTimeoutMs?: number;
  /** How long finished instances and their journal are kept, in milliseconds, at least an hour; false: without limit. @default 30 days */
  retentionMs?: number | false;
  /**
   * The same for single definitions, by definition id. 0: instances that end well are kept for an hour, and those that do so in
   * their first burst are never written, which makes short workflows faster; faulted and cancelled ones are kept as long as
   * others. @default none
   */
  retentionOf?: Readonly<Record<string, number | false>>;
  /**
   * How long the request key of a start is remembered, in milliseconds, and at least while the instance is there: then the
   * same request starts another one. False: without limit. @default `retentionMs`; 30 days when instances are kept without limit
   */
  requestKeyRetentionMs?: number | false;
  /** How long entries of the audit trail are kept, in milliseconds, at least an hour; false: without limit. @default 90 days */
  auditRetentionMs?: number | false;
  /**
   * A burst that was committed half-way, and whose node has shown no sign of life for that long, is taken over, in
   * milliseconds; 30000 or more: a node shows one every ten seconds. @default 30000
   */
  interruptedAfterMs?: number;
  /**
   * Which deployment this node belongs to. A node publishes its versions of workflows in code over those of deployments with a
   * lower `order`, an integer that grows with each deployment, also with one that rolls back: the number of the pipeline run or
   * of the Helm revision, for instance. `id` is for logs.
   * @default none: what was stored before is not published again over a higher version, nor over that of a deployment
   */
  deployment?: DeploymentOptions | undefined;
  /**
   * An alarm is raised when work has waited for that long for a node that has the code of its version, in milliseconds: an
   * error in the log, the event `waymark.code.missing`, and `MissingCode.alarms` for health checks. @default 60000
   */
  missingCodeAlarmMs?: number;
}

/** Option `deployment`: the release that this node runs. */
export interface DeploymentOptions {
  /** Name of the deployment, for logs. */
  readonly id: string;
  /** An integer that grows with each deployment, also with one that rolls back. */
  readonly order: number;
}

/** Shortest `interruptedAfterMs`: three heartbeats of a burst that goes on. */
export const SHORTEST_TAKEOVER_MS = 30_000;
/** Shortest `auditRetentionMs`: an hour. */
export const SHORTEST_RETENTION_MS = 3_600_000;

/** What is left undefined without being given. */
type Unset = 'persistence' | 'clock' | 'writeLine' | 'readLine' | 'allowedSecrets' | 'deployment';

/** `WorkflowRuntimeOptions` with the defaults applied, as it is under `RUNTIME_OPTIONS`. */
export type ResolvedRuntimeOptions = Readonly<
  Required<Omit<WorkflowRuntimeOptions, Unset | 'redaction' | 'encryption'>> &
    Pick<WorkflowRuntimeOptions, Unset> & {
      redaction: Redaction | false;
      encryption: AesCipher | undefined;
    }
>;

/** Token of the resolved options. */
export const RUNTIME_OPTIONS = Symbol.for('@waymark/runtime:options');
/** Token of expression handlers that the front door makes from its options. Those of other modules: `@ExpressionSyntax`. */
export const EXPRESSION_HANDLERS = Symbol.for('@waymark/runtime:expression-handlers');
