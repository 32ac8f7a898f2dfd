import { once } from 'node:events';
import { connect } from 'node:net';
import mysql from 'mysql2/promise';
import pg from 'pg';

/** Servers that tests look for. Nothing stores in Redis yet; it can be required all the same. */
export type ServerName = 'mysql' | 'postgres' | 'redis';

/** Where a server answers, or why tests do without it. */
export type Probed = { readonly url: string } | { readonly reason: string };
export type ProbedServers = Readonly<Record<ServerName, Probed>>;

/** A backend that tests do without, and why. */
export interface SkippedBackend {
  readonly name: string;
  readonly reason: string;
}

/** In it the set-up of a test run hands what it found to all test files, as JSON of {@link ProbedServers}. */
export const PROBED_VARIABLE = 'WAYMARK_TEST_PROBED';

interface Server {
  /** Names the only address to try. */
  readonly variable: string;
  /** Tried without it, best known first. */
  readonly local: readonly string[];
  /** Logs in and leaves. */
  knock(url: string, patienceMs: number): Promise<void>;
}

const SERVERS: Readonly<Record<ServerName, Server>> = {
  mysql: {
    variable: 'WAYMARK_TEST_MYSQL_URL',
    local: ['mysql://waymark:waymark@127.0.0.1:3306/waymark_test', 'mysql://root@127.0.0.1:3306/waymark_test'],
    knock: knockMysql,
  },
  postgres: {
    variable: 'WAYMARK_TEST_POSTGRES_URL',
    local: [
      'postgres://waymark:waymark@127.0.0.1:5432/waymark_test',
      'postgres://postgres@127.0.0.1:5432/waymark_test',
    ],
    knock: knockPostgres,
  },
  redis: { variable: 'WAYMARK_TEST_REDIS_URL', local: ['redis://127.0.0.1:6379'], knock: knockRedis },
};
const NAMES = Object.keys(SERVERS) as ServerName[];
const BUILT_IN = ['memory', 'sqlite'];

/** An address behind which packets vanish must not hold up the tests. */
const PATIENCE_MS = 3000;

/**
 * Looks for the servers once. `WAYMARK_HIDE_BACKENDS` (comma list) leaves some unasked.
 * @throws Error when one that `WAYMARK_REQUIRE_BACKENDS` (comma list) names cannot be used, or when a list has an unknown name
 */
export async function probeServers(
  env: NodeJS.ProcessEnv = process.env,
  patienceMs = PATIENCE_MS,
): Promise<ProbedServers> {
  const hidden = listOf(env, 'WAYMARK_HIDE_BACKENDS', NAMES);
  const required = listOf(env, 'WAYMARK_REQUIRE_BACKENDS', [...BUILT_IN, ...NAMES]);
  const entries = await Promise.all(
    NAMES.map(async (name): Promise<[ServerName, Probed]> => {
      if (hidden.includes(name)) return [name, { reason: 'hidden by WAYMARK_HIDE_BACKENDS' }];
      return [name, await probe(SERVERS[name], env, patienceMs)];
    }),
  );
  const missing = entries.flatMap(([name, probed]) =>
    required.includes(name) && 'reason' in probed ? [`${name} (${probed.reason})`] : [],
  );
  if (missing.length > 0)
    throw new Error(`WAYMARK_REQUIRE_BACKENDS asks for backends that cannot be used: ${missing.join(', ')}`);
  return Object.fromEntries(entries) as ProbedServers;
}

/** One line that says which stores tests have, and which they do without. */
export function describeBackends(found: {
  readonly available: readonly { readonly name: string }[];
  readonly skipped: readonly SkippedBackend[];
}): string {
  const left = found.skipped.map(({ name, reason }) => `${name} (${reason})`).join(', ');
  return `backends: ${found.available.map(({ name }) => name).join(', ')}${left && `; without ${left}`}\n`;
}

async function probe({ variable, local, knock }: Server, env: NodeJS.ProcessEnv, patienceMs: number): Promise<Probed> {
  const given = env[variable];
  let reason: string | undefined;
  for (const url of given ? [given] : local) {
    try {
      await knock(url, patienceMs);
      return { url };
    } catch (error) {
      // What the usual account met says more than what the last resort met.
      reason ??= reasonOf(error);
    }
  }
  return { reason: given ? `${variable}: ${reason}` : reason! };
}

/** Names are checked: a slip in one must not hide or require nothing. */
function listOf(env: NodeJS.ProcessEnv, variable: string, known: readonly string[]): string[] {
  const names = (env[variable] ?? '').split(',').map((name) => name.trim());
  const given = names.filter((name) => name !== '');
  const unknown = given.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`${variable} knows ${known.join(', ')}, not '${unknown}'.`);
  return given;
}

/** A refused connection to a name with several addresses has its text in the parts. */
function reasonOf(error: unknown): string {
  const { message, code, errors } = error as { message?: string; code?: string; errors?: Error[] };
  return message || errors?.map((part) => part.message).join(', ') || code || String(error);
}

async function knockMysql(uri: string, connectTimeout: number): Promise<void> {
  const connection = await mysql.createConnection({ uri, connectTimeout });
  await connection.end();
}

async function knockPostgres(connectionString: string, connectionTimeoutMillis: number): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis });
  // A server that hangs up afterwards has been found all the same.
  client.on('error', () => {});
  await client.connect();
  await client.end();
}

async function knockRedis(url: string, patienceMs: number): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port || 6379), signal: AbortSignal.timeout(patienceMs) });
  try {
    socket.write('PING\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    // One that wants a password answers as well: it is Redis.
    if (!/^(\+PONG|-NOAUTH)/.test(answer.toString())) throw new Error(`${url} does not answer as Redis does.`);
  } finally {
    socket.destroy();
  }
}
