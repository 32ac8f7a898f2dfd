import { toErrorLike } from '@waymark/core/adapter';
import type { DataSourceOptions } from 'typeorm';

/** What the codes of drivers ask for. Of SQLite, MariaDB and MySQL, PostgreSQL, and the network. */
const ADVICE: readonly (readonly [advice: string, codes: readonly string[]])[] = [
  [
    'Nothing listens there: start the database, or correct the address.',
    ['ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'PROTOCOL_CONNECTION_LOST'],
  ],
  ['No host has that name: correct the address.', ['ENOTFOUND', 'EAI_AGAIN']],
  [
    'It does not answer: look at the address, at firewalls, and at how busy it is.',
    ['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', '57P03'],
  ],
  [
    'Correct the user and the password, or let this user in.',
    ['ER_ACCESS_DENIED_ERROR', 'ER_DBACCESS_DENIED_ERROR', 'ER_ACCESS_DENIED_NO_PASSWORD_ERROR', '28P01', '28000'],
  ],
  ['Create that database, or correct its name: only the tables are made.', ['ER_BAD_DB_ERROR', '3D000']],
  ['Raise the number of connections of the server, or lower `poolSize`.', ['ER_CON_COUNT_ERROR', '53300']],
  [
    'The user of this process must be able to write the file, and its folder.',
    ['SQLITE_CANTOPEN', 'SQLITE_READONLY', 'EACCES', 'EROFS', 'EPERM', 'ENOTDIR'],
  ],
  ['Correct its name: this is a file of another kind.', ['SQLITE_NOTADB']],
];

/**
 * Why a database could not be opened, for people: what the driver says, of which database, and what to do. Without user and
 * password.
 */
export function connectFailure(options: DataSourceOptions, error: unknown): string {
  const { words, codes } = reasonsOf(error);
  const advice = ADVICE.find(([, known]) => codes.some((code) => known.includes(code)))?.[0] ?? '';
  const place = placeOf(options);
  const database = `${options.type === 'better-sqlite3' ? 'sqlite' : options.type} database`;
  return `Cannot connect to the ${database}${place && ` ${place}`}: ${words}. ${advice}`.trimEnd();
}

/** Node tries all addresses of a host, and then throws an error whose message is empty. */
function reasonsOf(error: unknown): { words: string; codes: string[] } {
  const { errors = [error] } = (error ?? {}) as { readonly errors?: readonly unknown[] };
  const reasons = errors.map((each) => ({ ...(each as { code?: unknown }), message: toErrorLike(each).message }));
  const said = [...new Set(reasons.map(({ message, code }) => message || String(code)))];
  return {
    words: said.map((text) => text.replace(/\.$/, '')).join('; '),
    codes: [...reasons.map(({ code }) => code), (error as { code?: unknown } | null)?.code].filter(
      (code) => typeof code === 'string',
    ),
  };
}

function placeOf(options: DataSourceOptions): string {
  const { url, host, port, database } = options as {
    readonly url?: string;
    readonly host?: string;
    readonly port?: number;
    readonly database?: unknown;
  };
  if (url !== undefined && URL.canParse(url)) {
    const { host: hostAndPort, pathname } = new URL(url);
    return [pathname.length > 1 && `"${pathname.slice(1)}"`, `at ${hostAndPort}`].filter(Boolean).join(' ');
  }
  const named = typeof database === 'string' ? `"${database}"` : '';
  return [named, host && `at ${host}${port === undefined ? '' : `:${port}`}`].filter(Boolean).join(' ');
}
