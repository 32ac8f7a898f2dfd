import { randomBytes } from 'node:crypto';
import { InvalidOptionError, OptionConflictError } from '@waymark/core';
import { checkOptions, withoutCredentials } from '@waymark/core/adapter';
import { defaultBodyMemoryBytes } from '@waymark/runtime/adapter';
import { requireKnownPermissions } from '../identity/require-known-permissions.js';
import { API_EXTRA_KINDS, API_OPTION_KINDS } from './api-option-kinds.js';

/** A user who may log in. */
export interface ApiUser {
  /** Name to log in with, also the id in the audit trail. */
  readonly name: string;
  /** Password in clear text; give it from a secret store. */
  readonly password: string;
  /** Id in the audit trail. @default the name */
  readonly id?: string | undefined;
  /**
   * What the user may do, e.g. `read:workflow-definitions`; `*` is everything. One that neither the API nor
   * `applicationPermissions` knows is refused, and so is a value that is undefined: a setting that got lost must not permit all.
   * @default ['*']
   */
  readonly permissions?: readonly string[];
  /** Groups of the user, whose tasks are on the user's list. The permissions say what the user may do. @default [] */
  readonly roles?: readonly string[] | undefined;
}

/** A key for programs, sent as `Authorization: ApiKey …`. */
export interface ApiKey {
  /** The secret key, as requests send it. */
  readonly key: string;
  /** Name of the key in the audit trail. @default 'api-key' */
  readonly name?: string | undefined;
  /** What requests with the key may do, as for users. @default ['*'] */
  readonly permissions?: readonly string[];
}

/** Option `authentication` of `WorkflowApiModule`: who may call the API. */
export interface ApiAuthenticationOptions {
  /** People who log in with a name and a password. @default none */
  readonly users?: readonly ApiUser[] | undefined;
  /** Keys of programs; a text is a key with all permissions. @default none */
  readonly apiKeys?: readonly (ApiKey | string)[] | undefined;
  /**
   * Permissions that guards of the application ask for: users and keys may have them beside those of the API. `*` at the end of a
   * name stands for any text, as in `policy:*`. @default []
   */
  readonly applicationPermissions?: readonly string[] | undefined;
  /**
   * Key that signs access tokens (HS256), at least 32 characters. All nodes need the same one.
   * @default a random key, so that tokens end with the process
   */
  readonly signingKey?: string | undefined;
  /** Issuer of access tokens. @default 'http://elsa.api' */
  readonly issuer?: string | undefined;
  /** Audience of access tokens. @default 'http://elsa.api' */
  readonly audience?: string | undefined;
  /** How long access tokens are valid, in milliseconds. @default 3600000 (1 hour) */
  readonly accessTokenLifetimeMs?: number | undefined;
  /** How long refresh tokens are valid, in milliseconds. @default 7200000 (2 hours) */
  readonly refreshTokenLifetimeMs?: number | undefined;
  /**
   * Limits of failed logins, which slow down guessing; false for no limits. @default `{ accountFailures: 5, addressFailures: 50
   * }`
   */
  readonly loginLimits?: LoginLimits | false | undefined;
}

/**
 * Beyond a number of failures, each further one doubles the time in which no login is accepted: up to a minute for a user, up
 * to 15 minutes for an address (429, WM8011). Failures of the last 15 minutes count; each node counts separately.
 */
export interface LoginLimits {
  /** Failed logins of one user, from addresses that did not log in as that user before. @default 5 */
  readonly accountFailures?: number | undefined;
  /**
   * Failed logins and wrong API keys from one address, as `request.ip` says: behind a proxy, tell the adapter to trust it.
   * @default 50
   */
  readonly addressFailures?: number | undefined;
}

export type ResolvedLoginLimits = Readonly<Required<LoginLimits>>;

/** A capability that clients may ask for, e.g. `{ name: 'Resilience' }` is `Elsa.Resilience`. */
export interface InstalledFeature {
  /** Short name. */
  readonly name: string;
  /** Namespace of the feature. @default 'Elsa' */
  readonly namespace?: string;
  /** Name for people. @default the name */
  readonly displayName?: string;
  /** Description in a sentence. */
  readonly description?: string;
}

/** A type that designers offer for variables, inputs and outputs. */
export interface VariableType {
  /** An alias that the type registry knows. */
  readonly typeName: string;
  /** Name for people. */
  readonly displayName: string;
  /** Group under which designers list it. */
  readonly category: string;
  /** Description in a sentence. */
  readonly description?: string;
}

/** Options of `WorkflowApiModule.forRoot`. All of them have defaults. */
export interface WorkflowApiOptions {
  /** Who may call the API. @default none: the API is closed, unless `allowAnonymous` opens it */
  readonly authentication?: ApiAuthenticationOptions | undefined;
  /**
   * If true, the API requires no credentials, and every client that can reach it may do everything. For local servers, or if
   * guards of the application protect the API. Cannot be combined with `authentication`. @default false: without
   * `authentication` the API is closed
   */
  readonly allowAnonymous?: boolean | undefined;
  /** If true, definitions can be read and run, but not changed. @default false */
  readonly readOnly?: boolean | undefined;
  /**
   * Key that signs URLs which resume bookmarks and publish events, at least 32 characters. All nodes need the same one.
   * @default `authentication.signingKey`, or a random key, so that URLs end with the process
   */
  readonly urlTokenKey?: string | undefined;
  /**
   * URL at which clients reach this API, such as `https://example.org/elsa/api`; signed URLs begin with it.
   * @default none, and `ctx.resumeUrl` and `createEventTriggerUrl` fail
   */
  readonly publicUrl?: string | undefined;
  /**
   * How many instances or dead letters a request cancels, deletes, alters, retries or replays before it is answered. Larger requests are
   * answered 202 and executed by a plan. With 0, a plan is always used. @default 500
   */
  readonly synchronousBulkLimit?: number | undefined;
  /** Features reported besides the built-in ones. @default [] */
  readonly features?: readonly InstalledFeature[] | undefined;
  /** Types offered for variables besides the built-in ones. @default [] */
  readonly variableTypes?: readonly VariableType[] | undefined;
  /** Version that the API reports. Clients parse it as `major.minor.build`. @default '3.8.0' */
  readonly packageVersion?: string | undefined;
  /**
   * How many bytes of large values an answer about journals contains (`journalValueBytes` of the store defines which values are
   * large); for the others, it contains a link. Up to 268435456 (256 MB); with 0, it contains links only. @default 1048576 (1
   * MB)
   */
  readonly journalAnswerBytes?: number | undefined;
  /** As `journalAnswerBytes`, for exports of instances: all files of a request together. @default 67108864 (64 MB) */
  readonly journalExportBytes?: number | undefined;
  /** Maximum size of the body of a request in bytes, except for imports and saving of definitions. @default 1048576 (1 MB) */
  readonly bodyBytes?: number | undefined;
  /** Maximum number of JSON values in a body: members, items, and the lists and objects that contain them. @default 100000 */
  readonly bodyValues?: number | undefined;
  /**
   * Maximum size of a definition that is saved or imported, in bytes of its JSON. Each concurrent request for it takes several
   * times its size in memory. @default 10485760 (10 MB)
   */
  readonly definitionBytes?: number | undefined;
  /**
   * Maximum size of an upload of files with definitions or instances, in bytes; zip files count unpacked.
   * @default 67108864 (64 MB)
   */
  readonly importBytes?: number | undefined;
  /** Maximum number of JSON values in each document of an upload. @default 500000 */
  readonly importValues?: number | undefined;
  /** Maximum number of files in an upload, including those in zip files. @default 1000 */
  readonly importFiles?: number | undefined;
  /**
   * Memory in bytes that answers with whole definitions and instances may take at the same time; further large ones wait for up to
   * 30 s, and are then answered 503. The same amount may wait for clients to read it; beyond it, the oldest clients are
   * disconnected. @default a quarter of the heap that Node may use (`--max-old-space-size`)
   */
  readonly answerMemoryBytes?: number | undefined;
  /**
   * How many bytes per second a client must read of an answer with more than 2 kB, apart from 30 s in which it may pause.
   * Slower clients are disconnected, since their answers take memory until they are read. @default 16384
   */
  readonly answerBytesPerSecond?: number | undefined;
  /**
   * How long a client may pause while it sends a body, in milliseconds, before the request is answered 408; for a login, this
   * limits the total time. @default 30000
   */
  readonly bodyIdleTimeoutMs?: number | undefined;
  /** How long a body may take to arrive, in milliseconds, before the request is answered 408. @default 300000 */
  readonly bodyTimeoutMs?: number | undefined;
  /** How many clients may follow changes at this node (`GET events/stream`), from 0 to 10000. @default 100 */
  readonly liveClients?: number | undefined;
  /**
   * How many of them one user or API key, or without authentication one address, may have at this node, so that one alone
   * cannot use up all of them. From 0 to 10000. @default a quarter of `liveClients`, but at least 10
   */
  readonly liveClientsPerUser?: number | undefined;
  /**
   * How many bytes may wait for such a client to read them, at least 4096. A slower client is disconnected, and continues at
   * the same position when it reconnects. @default 262144 (256 KiB)
   */
  readonly liveBufferBytes?: number | undefined;
  /**
   * Elsa's SignalR hub, which provides live updates to the instance viewer of Elsa Studio. If false, the hub is disabled, and the
   * viewer polls every few seconds. @default `{ connections: 200, connectionsPerUser: 50 }`
   */
  readonly hub?: HubOptions | false | undefined;
  /** The audit trail, which records who changed what through this API (`GET audit`); false disables it. @default enabled */
  readonly audit?: ApiAuditOptions | false | undefined;
}

/**
 * Limits of the connections to Elsa's hub at this node. Further connections are answered 503 (WM9080). Up to `liveBufferBytes`
 * may wait for each of them.
 */
export interface HubOptions {
  /** Maximum number of connections, from 0 to 10000. A viewer of Elsa Studio uses three. @default 200 */
  readonly connections?: number | undefined;
  /**
   * Maximum number of connections of one user or API key, or without authentication of one address, from 0 to 10000. @default
   * 50
   */
  readonly connectionsPerUser?: number | undefined;
}

/** What the audit trail records of requests. The option `auditRetentionMs` of the runtime sets how long it is kept. */
export interface ApiAuditOptions {
  /** Actions that are not recorded, such as `instances.start` if programs start many instances. @default [] */
  readonly except?: readonly string[] | undefined;
  /**
   * Refused requests that are recorded in an hour, for each user and API key, and for all callers without credentials together;
   * of further ones, only the number is recorded. Each node counts separately. From 0 to 10000. @default 100
   */
  readonly refusalsPerHour?: number | undefined;
}

/** Options that cannot be provided asynchronously. */
export interface WorkflowApiExtras {
  /** Path of the API, below the global prefix of the application. @default 'elsa/api' */
  readonly routePrefix?: string | undefined;
}

export type ResolvedAuthentication = Required<
  Omit<ApiAuthenticationOptions, 'apiKeys' | 'users' | 'loginLimits' | 'applicationPermissions'>
> & {
  readonly loginLimits: ResolvedLoginLimits | false;
  readonly users: readonly Required<ApiUser>[];
  readonly apiKeys: readonly Required<ApiKey>[];
};

export interface ResolvedApiOptions extends Required<
  Omit<WorkflowApiOptions, 'audit' | 'authentication' | 'hub' | 'publicUrl'>
> {
  readonly audit: Required<ApiAuditOptions> | false;
  readonly hub: Required<HubOptions> | false;
  /** Without a slash at its end. */
  readonly publicUrl: string | undefined;
  readonly routePrefix: string;
  /** Absent: the API is closed, or with `allowAnonymous` open to everybody. */
  readonly authentication: ResolvedAuthentication | undefined;
}

/** Token of the resolved options. */
export const API_OPTIONS = Symbol.for('@waymark/api:options');

export const DEFAULT_ROUTE_PREFIX = 'elsa/api';
const OWNER = 'WorkflowApiModule';
const HOUR_MS = 3_600_000;
const MB = 1024 * 1024;

/**
 * Applies defaults and rejects values that cannot work.
 * @throws InvalidOptionError (`WM1090`), UnknownOptionError (`WM1091`), OptionConflictError (`WM1092`)
 */
export function resolveApiOptions(given: WorkflowApiOptions = {}, extras: WorkflowApiExtras = {}): ResolvedApiOptions {
  const options = checkOptions({ name: OWNER, beside: API_EXTRA_KINDS }, given, API_OPTION_KINDS);
  const { liveClients = 100 } = options;
  const authentication = options.authentication && resolveAuthentication(options.authentication);
  if (authentication && options.allowAnonymous)
    throw new OptionConflictError(OWNER, 'allowAnonymous', 'authentication', 'leave one of them out.');
  const packageVersion = options.packageVersion ?? '3.8.0';
  if (!/^\d+\.\d+(\.\d+){0,2}$/.test(packageVersion))
    throw new InvalidOptionError(OWNER, 'packageVersion', 'a version such as 3.8.0', `'${packageVersion}'`);
  return {
    routePrefix: extras.routePrefix ?? DEFAULT_ROUTE_PREFIX,
    authentication,
    allowAnonymous: options.allowAnonymous ?? false,
    readOnly: options.readOnly ?? false,
    urlTokenKey: options.urlTokenKey ?? authentication?.signingKey ?? randomKey(),
    publicUrl: requireUrl(options.publicUrl),
    synchronousBulkLimit: options.synchronousBulkLimit ?? 500,
    features: options.features ?? [],
    variableTypes: options.variableTypes ?? [],
    packageVersion,
    journalAnswerBytes: options.journalAnswerBytes ?? MB,
    journalExportBytes: options.journalExportBytes ?? 64 * MB,
    bodyBytes: options.bodyBytes ?? MB,
    bodyValues: options.bodyValues ?? 100_000,
    definitionBytes: options.definitionBytes ?? 10 * MB,
    importBytes: options.importBytes ?? 64 * MB,
    importValues: options.importValues ?? 500_000,
    importFiles: options.importFiles ?? 1000,
    answerMemoryBytes: options.answerMemoryBytes ?? defaultBodyMemoryBytes(),
    answerBytesPerSecond: options.answerBytesPerSecond ?? 16_384,
    bodyIdleTimeoutMs: options.bodyIdleTimeoutMs ?? 30_000,
    bodyTimeoutMs: options.bodyTimeoutMs ?? 300_000,
    liveClients,
    liveClientsPerUser: options.liveClientsPerUser ?? Math.max(10, Math.ceil(liveClients / 4)),
    hub: options.hub !== false && {
      connections: options.hub?.connections ?? 200,
      connectionsPerUser: options.hub?.connectionsPerUser ?? 50,
    },
    audit: options.audit !== false && {
      except: options.audit?.except ?? [],
      refusalsPerHour: options.audit?.refusalsPerHour ?? 100,
    },
    liveBufferBytes: options.liveBufferBytes ?? 256 * 1024,
  };
}

function resolveAuthentication(given: ApiAuthenticationOptions): ResolvedAuthentication {
  requireKnownPermissions(OWNER, given);
  return {
    users: (given.users ?? []).map(({ name, password, id, permissions, roles }) => ({
      name,
      password,
      id: id ?? name,
      permissions: permissions ?? ['*'],
      roles: roles ?? [],
    })),
    apiKeys: (given.apiKeys ?? []).map((given) => {
      const { key, name, permissions }: ApiKey = typeof given === 'string' ? { key: given } : given;
      return { key, name: name ?? 'api-key', permissions: permissions ?? ['*'] };
    }),
    signingKey: given.signingKey ?? randomKey(),
    issuer: given.issuer ?? 'http://elsa.api',
    audience: given.audience ?? 'http://elsa.api',
    accessTokenLifetimeMs: given.accessTokenLifetimeMs ?? HOUR_MS,
    refreshTokenLifetimeMs: given.refreshTokenLifetimeMs ?? 2 * HOUR_MS,
    loginLimits: given.loginLimits !== false && {
      accountFailures: given.loginLimits?.accountFailures ?? 5,
      addressFailures: given.loginLimits?.addressFailures ?? 50,
    },
  };
}

const randomKey = (): string => randomBytes(48).toString('base64');

/** Without a slash at its end. @throws InvalidOptionError (`WM1090`) */
function requireUrl(url: string | undefined): string | undefined {
  if (url === undefined || (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)))
    return url?.replace(/\/+$/, '');
  throw new InvalidOptionError(OWNER, 'publicUrl', 'an http or https URL', `'${withoutCredentials(url)}'`);
}
