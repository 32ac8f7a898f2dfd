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

/** Creates the persistence from other providers, such as the application's data source. */
export interface PersistenceProvider {
  /** Injection tokens of the parameters of the factory, in their order. */
  readonly inject: readonly InjectionToken[];
  /** Advice for the case that no module provides one of them, as a sentence with which the error ends. @default none */
  readonly hint?: string;
  /** Creates the persistence, once, when the application starts. */
  useFactory(...dependencies: never[]): WorkflowPersistence | Promise<WorkflowPersistence>;
}

/** Option `commitStrategies`: strategies of the application, and the defaults for definitions that name none. */
export interface CommitStrategyOptions {
  /** Strategies that workflows may name, besides the stock ones. `periodicCommits` makes one. @default none */
  readonly workflows?: readonly WorkflowCommitStrategy[] | undefined;
  /** Strategies that activities may name, besides the stock ones. @default none */
  readonly activities?: readonly ActivityCommitStrategy[] | undefined;
  /** Name of the strategy of definitions that name none. @default none */
  readonly defaultWorkflow?: string | undefined;
  /** Name of the strategy of activities that name none. @default none, so that the strategy of their workflow applies */
  readonly defaultActivity?: string | undefined;
}

/** Options of the runtime. All of them have defaults. */
export interface WorkflowRuntimeOptions {
  /**
   * The store of definitions, instances and all other data. With `forRootAsync`, give a provider beside the factory, not in its
   * result.
   * @default in memory, with a warning at start
   */
  persistence?: WorkflowPersistence | PersistenceProvider | undefined;
  /**
   * Name of this process among the nodes of a cluster. Two that live at the same time must not share it: claims are by this name.
   * @default host name, process id and a random part
   */
  nodeName?: string | undefined;
  /** Source of the time; tests use a `VirtualClock`. @default the system's time, corrected to that of the database */
  clock?: WorkflowClock | undefined;
  /** How flowcharts without a mode of their own decide what runs next. @default 'counter' */
  flowchartMode?: FlowchartMode | undefined;
  /** What a fault does to instances whose definition names no incident strategy. @default 'Fault' */
  defaultIncidentStrategy?: string | undefined;
  /** Incident strategies of the application, by the name that definitions use. @default none */
  incidentStrategies?: Readonly<Record<string, IncidentStrategy>> | undefined;
  /**
   * When bursts are committed before their end, besides the stock strategies that definitions may name. Without a default
   * those that name none are committed at the end only. @default none
   */
  commitStrategies?: CommitStrategyOptions | undefined;
  /** Functions around every execution of an activity, outermost first. @default none */
  activityMiddleware?: readonly ActivityMiddleware[] | undefined;
  /** Functions around every burst, outermost first. @default none */
  workflowMiddleware?: readonly WorkflowMiddleware[] | undefined;
  /** Handlers of further expression types; one of the same type replaces a standard one. @default none */
  expressions?: readonly ExpressionHandler[] | undefined;
  /** If false, neither log entries nor activity records are written. @default true */
  journal?: boolean | undefined;
  /**
   * Whether activity records keep inputs and outputs if neither the activity nor the workflow sets it; `Inherit` keeps them.
   * @default 'Inherit'
   */
  logPersistenceMode?: LogPersistenceMode | undefined;
  /**
   * Which values are secrets and are replaced by `(redacted)` in everything that is stored, logged and answered: members,
   * headers and parameters with certain names, and passwords in URLs. If false, nothing is redacted, and journals keep
   * credentials. @default the built-in list of names
   */
  redaction?: RedactionOptions | false | undefined;
  /**
   * Providers of the secrets that expressions of type `Secret`, and `secret('name')` in JavaScript and Liquid, refer to by
   * name; they are asked in this order.
   * @default none, and no such expressions
   */
  secrets?: readonly SecretProvider[] | undefined;
  /**
   * Names of secrets by id of the definitions that may use them; `*` stands for any text in both. Definitions that match no
   * entry may use none. @default all definitions may use all secrets
   */
  allowedSecrets?: AllowedSecrets | undefined;
  /**
   * Keys for values that definitions declare as encrypted at rest: variables and inputs with `EncryptedStorageDriver`, and
   * inputs of activities with `isEncrypted`. With this option, the payloads of stored messages and stimuli are encrypted as
   * well. Requires redaction.
   * @default none, and definitions with encrypted values are refused
   */
  encryption?: EncryptionOptions | undefined;
  /**
   * If true, text that is not a number, date, time span … faults the activity whose input, or the assignment whose variable, is of
   * such a type (`WM1101`). If false, it silently becomes 0, false, `00:00:00` …, as in Elsa, which workflows may rely on.
   * @default false
   */
  strictConversions?: boolean | undefined;
  /**
   * Classes whose instances workflows may hold: DTOs, entities. They are stored by the rules of class-transformer, or by your
   * own functions, and restored as instances. Their names are type aliases for inputs, outputs and variables, to which JSON is
   * converted. @default none: instances of classes are refused (`WM1102`)
   * @throws StorableTypeConflictError (`WM1031`), ValueClassError (`WM1033`)
   */
  types?: readonly ValueClassOption[] | undefined;
  /** Receives the text of WriteLine, with secrets as `(redacted)`. @default the Nest logger, level debug */
  writeLine?: ((text: string) => void) | undefined;
  /** Returns the line that ReadLine reads; null at the end of the input. @default null */
  readLine?: (() => string | null | Promise<string | null>) | undefined;
  /** How long an unmatched stimulus is kept, in milliseconds. @default 600000 (10 minutes) */
  stimulusTtlMs?: number | undefined;
  /** Number of failed deliveries after which a stimulus or message becomes a dead letter. @default 10 */
  maxDeliveryAttempts?: number | undefined;
  /** Interval at which the node looks for changes of other nodes and unserved messages, in milliseconds. @default 1000 */
  pollIntervalMs?: number | undefined;
  /**
   * How many messages of the outbox and the queue are served at the same time, and how many instances one stimulus resumes at
   * the same time. A message that takes longer than a minute no longer counts, up to four for each place: its call may never return.
   * @default 16
   */
  deliveryConcurrency?: number | undefined;
  /**
   * How many waiting instances a stimulus that is sent, or a bookmark filter that is resumed, resumes before the call returns.
   * When more wait, a message for each is stored first, and the outbox resumes the others, on all nodes; an integer of 1 or
   * more. The results of that many instances, with their states, are in memory at the same time. @default 100
   */
  fanOutLimit?: number | undefined;
  /**
   * Maximum number of activities of a definition that is saved, imported or published; larger ones that are already stored
   * continue to work. Saving and compiling take longer the more activities there are. @default 10000
   */
  maxActivities?: number | undefined;
  /**
   * How many activities run in the background on this node at the same time. With 0, it leaves them to other nodes, of which one must have
   * more than 0. @default 16
   */
  backgroundConcurrency?: number | undefined;
  /**
   * How long an activity may run in the background, in milliseconds, before it fails with `WM7041` and lends its place; each run, and each
   * attempt, has that much time. It does not hold for activities with a `timeout` of their own. @default false: no limit
   */
  backgroundTimeoutMs?: number | false | undefined;
  /**
   * How many dispatched instances of a definition run their first burst on this node at the same time, by definition id;
   * further ones wait in the outbox, for any node. @default limited by `deliveryConcurrency` only
   */
  dispatchLimits?: Readonly<Record<string, number>> | undefined;
  /** How long shutdown waits for running bursts, in milliseconds. @default 30000 */
  drainTimeoutMs?: number | undefined;
  /**
   * How long finished instances and their journal are kept, in milliseconds, at least an hour; false for no limit. @default 30
   * days
   */
  retentionMs?: number | false | undefined;
  /**
   * `retentionMs` for single definitions, by definition id. With 0, instances that complete are kept for an hour, and those
   * that complete in their first burst are never written, which makes short workflows faster; faulted and cancelled ones are
   * kept as long as others. @default none
   */
  retentionOf?: Readonly<Record<string, number | false>> | undefined;
  /**
   * How long the request key of a start is remembered, in milliseconds, and at least as long as its instance exists. After
   * that, the same request starts another instance. If false, they are kept without limit. @default `retentionMs`; 30 days when instances
   * are kept without limit
   */
  requestKeyRetentionMs?: number | false | undefined;
  /**
   * How long dead letters are kept, in milliseconds, at least an hour; false for no limit. Stimuli count from when they became dead letters,
   * messages of the outbox from when their last attempt was due. @default messages without limit, stimuli 7 days
   */
  deadLetterRetentionMs?: number | false | undefined;
  /** How long entries of the audit trail are kept, in milliseconds, at least an hour; false for no limit. @default 90 days */
  auditRetentionMs?: number | false | undefined;
  /**
   * Time after which another node takes over a burst that was committed half-way and whose node shows no sign of life, in
   * milliseconds; at least 30000, since a node shows one every ten seconds. @default 30000
   */
  interruptedAfterMs?: number | undefined;
  /**
   * Folders with workflow definitions: files `*.json`, also in subfolders, as Elsa and Waymark export them. At start, each is
   * stored as a read-only version of its definition and published; a changed file is a new version. Paths are absolute, or
   * relative to the working directory. @default none
   * @throws DefinitionFileError (`WM1050`) at start
   */
  definitionFolders?: readonly string[] | undefined;
  /**
   * The deployment that this node belongs to. A node publishes its versions of workflows in code over those of deployments with
   * a lower `order`, an integer that increases with each deployment, including rollbacks, such as the number of the pipeline
   * run or of the Helm revision. `id` is for logs.
   * @default none: versions that were stored before are not published again over a higher version or a version of a deployment
   */
  deployment?: DeploymentOptions | undefined;
  /**
   * Time after which an alarm is raised for work that waits for a node with the code of its version, in milliseconds. The alarm
   * is an error in the log, the event `waymark.code.missing`, and an entry in `MissingCode.alarms` for health checks. @default
   * 60000
   */
  missingCodeAlarmMs?: number | undefined;
}

/** Option `deployment`: the release that this node runs. */
export interface DeploymentOptions {
  /** Name of the deployment, for logs. */
  readonly id: string;
  /** An integer that increases with each deployment, including rollbacks. */
  readonly order: number;
}

/** Shortest `interruptedAfterMs`: three heartbeats of a burst that continues. */
export const SHORTEST_TAKEOVER_MS = 30_000;
/** Shortest `auditRetentionMs` and `deadLetterRetentionMs`: an hour. */
export const SHORTEST_RETENTION_MS = 3_600_000;

/** What is left undefined without being given. */
type Unset =
  | 'persistence'
  | 'clock'
  | 'writeLine'
  | 'readLine'
  | 'allowedSecrets'
  | 'deployment'
  | 'deadLetterRetentionMs';

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
