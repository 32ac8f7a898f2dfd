import { randomBytes } from 'node:crypto';
import { InvalidOptionError, OptionConflictError } from '@waymark/core';
import { checkOptions } from '@waymark/core/adapter';
import { defaultBodyMemoryBytes } from '@waymark/runtime/adapter';
import { requireKnownPermissions } from '../identity/require-known-permissions.js';
import { API_OPTION_KINDS } from './api-option-kinds.js';

/** A user who may log in. */
export interface ApiUser {
  /** Name to log in with, also the id in the audit trail. */
  readonly name: string;
  /** Password in clear text; give it from a secret store. */
  readonly password: string;
  /** Id in the audit trail. @default the name */
  readonly id?: string;
  /**
   * What the user may do, e.g. `read:workflow-definitions`; `*` is everything. One that neither the API nor
   * `applicationPermissions` knows is refused. @default ['*']
   */
  readonly permissions?: readonly string[];
  /** Groups of the user, whose tasks are on the user's list. The permissions say what the user may do. @default [] */
  readonly roles?: readonly string[];
}

/** A key for programs, sent as `Authorization: ApiKey …`. */
export interface ApiKey {
  /** The secret key, as requests send it. */
  readonly key: string;
  /** Name of the key in the audit trail. @default 'api-key' */
  readonly name?: string;
  /** What requests with the key may do, as for users. @default ['*'] */
  readonly permissions?: readonly string[];
}

/** Option `authentication` of `WorkflowApiModule`: who may call the API. */
export interface ApiAuthenticationOptions {
  /** People who log in with a name and a password. @default none */
  readonly users?: readonly ApiUser[];
  /** Keys of programs; a text is a key with all permissions. @default none */
  readonly apiKeys?: readonly (ApiKey | string)[];
  /**
   * Permissions that guards of the application ask for: users and keys may have them beside those of the API. `*` at the end of a
   * name stands for any text, as in `policy:*`. @default []
   */
  readonly applicationPermissions?: readonly string[];
  /**
   * Signs access tokens (HS256); at least 32 characters. Give all nodes the same one.
   * @default a random one: tokens end with the process
   */
  readonly signingKey?: string;
  /** Issuer of access tokens. @default 'http://elsa.api' */
  readonly issuer?: string;
  /** Audience of access tokens. @default 'http://elsa.api' */
  readonly audience?: string;
  /** In milliseconds. @default 3600000 (1 hour) */
  readonly accessTokenLifetimeMs?: number;
  /** In milliseconds. @default 7200000 (2 hours) */
  readonly refreshTokenLifetimeMs?: number;
  /** When guessing is slowed down; false: never. @default `{ accountFailures: 5, addressFailures: 50 }` */
  readonly loginLimits?: LoginLimits | false;
}

/**
 * After so many failures each further one doubles the time in which no login is tried: for a user up to a minute, for an
 * address up to 15 minutes (429, WM8011). Failures of the last 15 minutes count, each node counts by itself.
 */
export interface LoginLimits {
  /** Failed logins of one user, from addresses that did not log in as that user before. @default 5 */
  readonly accountFailures?: number;
  /**
   * Failed logins and wrong API keys from one address, as `request.ip` says: behind a proxy, tell the adapter to trust it.
   * @default 50
   */
  readonly addressFailures?: number;
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
  /** A sentence about it. */
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
  /** A sentence about it. */
  readonly description?: string;
}

/** What `WorkflowApiModule.forRoot` takes. Everything has a default. */
export interface WorkflowApiOptions {
  /** Who may call the API. @default none: the API is closed, unless `allowAnonymous` opens it */
  readonly authentication?: ApiAuthenticationOptions;
  /**
   * True: the API asks for no credentials, and everybody who reaches it may do everything; for a server of one machine, or where
   * the application's own guards decide. Not together with `authentication`. @default false: without `authentication` the API is closed
   */
  readonly allowAnonymous?: boolean;
  /** True: definitions can be read and run, but not changed. @default false */
  readonly readOnly?: boolean;
  /**
   * Signs the tokens of URLs that resume bookmarks and trigger events; at least 32 characters. Give all nodes the same
   * one. @default `authentication.signingKey`, or a random one: URLs end with the process
   */
  readonly urlTokenKey?: string;
  /**
   * Where clients reach this API, such as `https://example.org/elsa/api`: signed URLs begin with it.
   * @default none: `ctx.resumeUrl` and `createEventTriggerUrl` fail
   */
  readonly publicUrl?: string;
  /**
   * How many instances or dead letters a bulk request cancels, deletes or replays before it is answered; beyond, it is
   * answered 202 with a plan that does it. 0: always a plan. @default 500
   */
  readonly synchronousBulkLimit?: number;
  /** Features reported besides the built-in ones. @default [] */
  readonly features?: readonly InstalledFeature[];
  /** Types offered for variables besides the built-in ones. @default [] */
  readonly variableTypes?: readonly VariableType[];
  /** Version that the API reports. Clients parse it as `major.minor.build`. @default '3.8.0' */
  readonly packageVersion?: string;
  /**
   * How many bytes of large values an answer about journals holds (`journalValueBytes` of the store says what is large):
   * for the others it says where to fetch them. Up to 268435456 (256 MB); 0: for all. @default 1048576 (1 MB)
   */
  readonly journalAnswerBytes?: number;
  /** The same for exports of instances, all files of a request together. @default 67108864 (64 MB) */
  readonly journalExportBytes?: number;
  /** Largest body of a request, in bytes, but for imports and the saving of definitions. @default 1048576 (1 MB) */
  readonly bodyBytes?: number;
  /** Most JSON values in it: members, items, and the lists and objects that hold them. @default 100000 */
  readonly bodyValues?: number;
  /**
   * Largest definition that is saved or imported, in bytes of its JSON: who may read it can ask for it many times at once, each
   * of which takes several times its size of memory. @default 10485760 (10 MB)
   */
  readonly definitionBytes?: number;
  /**
   * Largest upload of files with definitions or instances, in bytes; the content of zip files counts unpacked.
   * @default 67108864 (64 MB)
   */
  readonly importBytes?: number;
  /** Most JSON values in each of its documents. @default 500000 */
  readonly importValues?: number;
  /** Most files in an upload, those in zip files included. @default 1000 */
  readonly importFiles?: number;
  /**
   * Memory in bytes that answers with whole definitions and instances may take at the same time; further large ones wait for up to
   * 30 s, and are then answered 503. So much may also wait for clients to read it; then the oldest are disconnected. @default a quarter of the heap that Node may use (`--max-old-space-size`)
   */
  readonly answerMemoryBytes?: number;
  /**
   * How many bytes a second a client has to read of an answer with more than 2 kB, beside 30 s in which it may pause: a slower one
   * is disconnected, since its answer takes memory until it is read. @default 16384
   */
  readonly answerBytesPerSecond?: number;
  /** How long in milliseconds nothing of a body may arrive, before it is answered 408; a login has no more than that in all. @default 30000 */
  readonly bodyIdleTimeoutMs?: number;
  /** How long in milliseconds a body may take to arrive, before it is answered 408. @default 300000 */
  readonly bodyTimeoutMs?: number;
  /** How many clients may follow changes at this node (`GET events/stream`), from 0 to 10000. @default 100 */
  readonly liveClients?: number;
  /**
   * How many of them one user or API key may have at this node, and where no credentials are asked for one address: one alone would
   * keep all others from following. From 0 to 10000. @default a quarter of `liveClients`, but at least 10
   */
  readonly liveClientsPerUser?: number;
  /**
   * How many bytes may wait for such a client to read them, from 4096 on; one that is slower is disconnected, and goes on where it
   * was when it comes again. @default 262144 (256 KiB)
   */
  readonly liveBufferBytes?: number;
  /**
   * Elsa's SignalR hub, by which the instance viewer of Elsa Studio is live; false: there is none, and the viewer asks again every few
   * seconds. @default `{ connections: 200, connectionsPerUser: 50 }`
   */
  readonly hub?: HubOptions | false;
  /** Who changed what by this API (`GET audit`); false: it is not recorded. @default recorded */
  readonly audit?: ApiAuditOptions | false;
}

/** How many connections Elsa's hub has at this node; beyond, 503 (WM9080). `liveBufferBytes` may wait for each of them. */
export interface HubOptions {
  /** A viewer of Elsa Studio takes three. From 0 to 10000. @default 200 */
  readonly connections?: number;
  /** Of one user or API key; where the API asks for no credentials, of one address. From 0 to 10000. @default 50 */
  readonly connectionsPerUser?: number;
}

/** What the audit trail has of requests. How long it is kept is `auditRetentionMs` of the runtime. */
export interface ApiAuditOptions {
  /** Actions that leave no entry, such as `instances.start` where programs start many. @default [] */
  readonly except?: readonly string[];
  /**
   * Refused requests that are recorded in an hour, for each user and API key, and for all callers without credentials together;
   * the number of those beyond is recorded. Each node counts by itself. From 0 to 10000. @default 100
   */
  readonly refusalsPerHour?: number;
}

/** What cannot be given asynchronously. */
export interface WorkflowApiExtras {
  /** Below the global prefix of the application. @default 'elsa/api' */
  readonly routePrefix?: string;
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
  const options = checkOptions({ name: OWNER }, given, API_OPTION_KINDS);
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
    users: (given.users ?? []).map((user) => ({ id: user.name, permissions: ['*'], roles: [], ...user })),
    apiKeys: (given.apiKeys ?? []).map((key) => ({
      name: 'api-key',
      permissions: ['*'],
      ...(typeof key === 'string' ? { key } : key),
    })),
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
  throw new InvalidOptionError(OWNER, 'publicUrl', 'an http or https URL', `'${url}'`);
}
