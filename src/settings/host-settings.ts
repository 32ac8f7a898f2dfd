import { readdirSync } from 'node:fs';
import type { ApiUser } from '@waymark/api';
import { type HostLimits, readLimits } from './host-limits.js';
import { readUsers } from './host-users.js';
import { readOutgoing } from './outgoing.js';
import { SettingsError, shown } from './settings-error.js';
import { readTrustedProxies, type TrustedProxies } from './trusted-proxies.js';

export { SettingsError };

/** What the environment says about this host. Every member is resolved: but for secrets of workflows nothing else reads `process.env`. */
export interface HostSettings {
  readonly port: number;
  readonly host: string;
  /** `mysql://`, `mariadb://`, `postgres://` or `sqlite:path`. */
  readonly databaseUrl: string;
  readonly redisUrl: string | undefined;
  /** With a key, every management request must carry it: `Authorization: ApiKey <key>`. */
  readonly apiKey: string | undefined;
  /** Where others reach this host, for URLs that are handed out. @default `http://HOST:PORT` */
  readonly publicUrl: string | undefined;
  /** Who may log in at the management API. */
  readonly users: readonly ApiUser[];
  /** Signs the tokens of those who log in. Without one they end with the process. */
  readonly signingKey: string | undefined;
  /** Signs URLs that resume instances. Without one they end with the process. */
  readonly urlTokenKey: string | undefined;
  /** Milliseconds within which the process ends after SIGTERM or SIGINT. @default 30 seconds */
  readonly shutdownTimeoutMs: number;
  readonly flowchartMode: 'counter' | 'token';
  /** Values are converted strictly in all definitions that do not say otherwise, and inputs of starts checked for unknown names. */
  readonly strictConversions: boolean;
  /** How often this node asks for timers of nodes that were killed, in milliseconds. Undefined: the library's default. */
  readonly timerPollMs: number | undefined;
  /** Which deployment this node belongs to. Undefined: none is stated. */
  readonly deployment: { readonly id: string; readonly order: number } | undefined;
  /** How long work waits for a node with its code until an alarm is raised, in milliseconds. Undefined: the library's default. */
  readonly missingCodeAlarmMs: number | undefined;
  /** How long entries of the audit trail are kept, in milliseconds. Undefined: the library's default. */
  readonly auditRetentionMs: number | undefined;
  /** How long dead letters are kept, in milliseconds. Undefined: the library's default. */
  readonly deadLetterRetentionMs: number | undefined;
  /** Requests whose workflow waits before it has answered are answered 202, and the answer is kept for them. */
  readonly respondAsync: boolean;
  /** `Idempotency-Key` makes requests that start a workflow one. */
  readonly idempotencyKeys: boolean;
  /** Where files with secrets of workflows lie, each named as its secret. */
  readonly secretsDirectory: string | undefined;
  /** Whose word about the addresses of clients counts. @default false: none */
  readonly trustProxy: TrustedProxies;
  /** Limits of what strangers and authors may cause. */
  readonly limits: HostLimits;
  /** Where requests of workflows may go. @default public addresses only */
  readonly outgoing: ReturnType<typeof readOutgoing>;
  /** If true, `WAYMARK_ENCRYPTION_KEYS` is given. The keys themselves stay in the environment. */
  readonly hasEncryptionKeys: boolean;
  /** Accept `POST /test/clock`; for black-box tests only. */
  readonly testClock: boolean;
}

/** Token of the settings. */
export const HOST_SETTINGS = Symbol('host settings');

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '::1']);
const DATABASE_SCHEMES = ['mysql:', 'mariadb:', 'postgres:', 'postgresql:', 'sqlite:'];

/** @throws SettingsError naming the variable and what it may be */
export function readSettings(env: NodeJS.ProcessEnv): HostSettings {
  const apiKey = env.WAYMARK_API_KEY || undefined;
  const host = env.HOST || '127.0.0.1';
  const users = readUsers(env.WAYMARK_USERS, apiKey);
  if (users.length === 0 && !LOOPBACK.has(host))
    throw new SettingsError(
      `HOST=${host} would open the management API to the network without a key. Set WAYMARK_API_KEY or WAYMARK_USERS, or leave HOST at 127.0.0.1.`,
    );
  const databaseUrl = env.DATABASE_URL || 'sqlite:data/waymark.db';
  if (!DATABASE_SCHEMES.some((scheme) => databaseUrl.startsWith(scheme)))
    throw new SettingsError(
      `DATABASE_URL must begin with mysql://, mariadb://, postgres:// or sqlite:, not with ${schemeOf(databaseUrl)}.`,
    );
  if (databaseUrl === 'sqlite:')
    throw new SettingsError('DATABASE_URL=sqlite: does not name a file: all data would be lost when the host ends.');
  const redisUrl = env.REDIS_URL || undefined;
  if (redisUrl && !/^rediss?:\/\//.test(redisUrl))
    throw new SettingsError('REDIS_URL must begin with redis:// or rediss://.');
  return {
    port: readPort(env.PORT),
    host,
    databaseUrl,
    redisUrl,
    publicUrl: readPublicUrl(env.WAYMARK_PUBLIC_URL),
    apiKey,
    users,
    signingKey: readKey('WAYMARK_SIGNING_KEY', env.WAYMARK_SIGNING_KEY),
    urlTokenKey: readKey('WAYMARK_URL_TOKEN_KEY', env.WAYMARK_URL_TOKEN_KEY),
    shutdownTimeoutMs: readSeconds('WAYMARK_SHUTDOWN_SECONDS', env.WAYMARK_SHUTDOWN_SECONDS, 30) * 1000,
    flowchartMode: readMode(env.WAYMARK_FLOWCHART),
    timerPollMs: readMilliseconds('WAYMARK_TIMER_POLL_MS', env.WAYMARK_TIMER_POLL_MS),
    deployment: readDeployment(env.WAYMARK_DEPLOYMENT),
    missingCodeAlarmMs: readMilliseconds('WAYMARK_MISSING_CODE_ALARM_MS', env.WAYMARK_MISSING_CODE_ALARM_MS),
    auditRetentionMs: readDays('WAYMARK_AUDIT_DAYS', env.WAYMARK_AUDIT_DAYS),
    deadLetterRetentionMs: readDays('WAYMARK_DEAD_LETTER_DAYS', env.WAYMARK_DEAD_LETTER_DAYS),
    strictConversions: readSwitch('WAYMARK_STRICT_CONVERSIONS', env.WAYMARK_STRICT_CONVERSIONS),
    respondAsync: readSwitch('WAYMARK_HTTP_RESPOND_ASYNC', env.WAYMARK_HTTP_RESPOND_ASYNC),
    idempotencyKeys: readSwitch('WAYMARK_HTTP_IDEMPOTENCY_KEYS', env.WAYMARK_HTTP_IDEMPOTENCY_KEYS),
    secretsDirectory: readDirectory('WAYMARK_SECRETS_DIR', env.WAYMARK_SECRETS_DIR),
    trustProxy: readTrustedProxies(env.WAYMARK_TRUST_PROXY),
    limits: readLimits(env),
    outgoing: readOutgoing(env),
    hasEncryptionKeys: Boolean(env.WAYMARK_ENCRYPTION_KEYS),
    testClock: readSwitch('WAYMARK_TEST_CLOCK', env.WAYMARK_TEST_CLOCK),
  };
}

/** A mount that is missing would show only when a workflow asks for what should lie there. */
function readDirectory(name: string, text: string | undefined): string | undefined {
  if (!text) return undefined;
  try {
    readdirSync(text);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SettingsError(`${name} must name a directory that this process can read, not ${shown(text)} (${code}).`);
  }
  return text;
}

/** What stands before `://`; nothing else of a text that may hold a password, such as `Server=db;Password=…`. */
const schemeOf = (text: string): string => /^[a-z][a-z0-9+.-]*:\/\//i.exec(text)?.[0] ?? 'anything else';

/** Without any part of the text: a URL with a password in it is the usual one that is refused. */
function readPublicUrl(text: string | undefined): string | undefined {
  if (!text) return undefined;
  const expected =
    'WAYMARK_PUBLIC_URL must be the address that others reach the host at, such as https://flows.example.com';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new SettingsError(`${expected}. It is not an http or https URL.`);
  if (url.username || url.password)
    throw new SettingsError(`${expected}, without user and password: all who get a link would read them.`);
  return text.replace(/\/+$/, '');
}

function readPort(text: string | undefined): number {
  if (!text) return 3000;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new SettingsError(`PORT must be a number from 0 to 65535, not ${shown(text)}.`);
  return port;
}

/** A day: more would overflow no timer, but is a mistake. */
const MOST_SECONDS = 86_400;

function readSeconds(name: string, text: string | undefined, otherwise: number): number {
  if (!text) return otherwise;
  const seconds = Number(text);
  if (!(seconds > 0 && seconds <= MOST_SECONDS))
    throw new SettingsError(`${name} must be a number of seconds above 0, up to ${MOST_SECONDS}, not ${shown(text)}.`);
  return seconds;
}

function readMilliseconds(name: string, text: string | undefined): number | undefined {
  if (!text) return undefined;
  const ms = Number(text);
  if (!Number.isSafeInteger(ms) || ms < 1)
    throw new SettingsError(`${name} must be a number of milliseconds from 1, not ${shown(text)}.`);
  return ms;
}

const MOST_DAYS = 36_500;

function readDays(name: string, text: string | undefined): number | undefined {
  if (!text) return undefined;
  const days = Number(text);
  if (!Number.isSafeInteger(days) || days < 1 || days > MOST_DAYS)
    throw new SettingsError(`${name} must be a whole number of days from 1 to ${MOST_DAYS}, not ${shown(text)}.`);
  return days * 24 * 3_600_000;
}

/** `42`, or `v1.4.2:42` with the id before the order. */
function readDeployment(text: string | undefined): HostSettings['deployment'] {
  const given = text?.trim();
  if (!given) return undefined;
  const [, id, digits] = /^(?:(.*\S)\s*:\s*)?(\d+)$/.exec(given) ?? [];
  const order = Number(digits ?? NaN);
  if (Number.isSafeInteger(order)) return { id: id ?? `deployment ${order}`, order };
  throw new SettingsError(
    `WAYMARK_DEPLOYMENT is the order of the deployment, a whole number that grows with each of them, or id:order such as "v1.4.2:42", not ${shown(given)}.`,
  );
}

const MIN_KEY_LENGTH = 32;

function readKey(name: string, text: string | undefined): string | undefined {
  if (!text) return undefined;
  if (text.length < MIN_KEY_LENGTH) throw new SettingsError(`${name} needs at least ${MIN_KEY_LENGTH} characters.`);
  return text;
}

function readSwitch(name: string, text: string | undefined): boolean {
  if (!text || text === '0') return false;
  if (text === '1') return true;
  throw new SettingsError(`${name} is 1 or not set, not ${shown(text)}.`);
}

function readMode(text: string | undefined): 'counter' | 'token' {
  if (!text || text === 'counter') return 'counter';
  if (text === 'token') return 'token';
  throw new SettingsError(`WAYMARK_FLOWCHART is 'counter' or 'token', not ${shown(text)}.`);
}
