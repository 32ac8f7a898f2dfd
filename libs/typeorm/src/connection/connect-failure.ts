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
    'It does not answer: check the address, firewalls, and the load of the server.',
    ['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', '57P03'],
  ],
  [
    'Correct the user and the password, or grant this user access.',
    ['ER_ACCESS_DENIED_ERROR', 'ER_DBACCESS_DENIED_ERROR', 'ER_ACCESS_DENIED_NO_PASSWORD_ERROR', '28P01', '28000'],
  ],
  ['Create that database, or correct its name: Waymark creates tables, not databases.', ['ER_BAD_DB_ERROR', '3D000']],
  ['Raise the connection limit of the server, or lower `poolSize`.', ['ER_CON_COUNT_ERROR', '53300']],
  [
    'The user of this process must be able to write the file and its folder.',
    ['SQLITE_CANTOPEN', 'SQLITE_READONLY', 'EACCES', 'EROFS', 'EPERM'],
  ],
  ['Make room on its disk, then start again.', ['SQLITE_FULL', 'ENOSPC']],
  // The files beside it that SQLite begins cannot be made where there is no room.
  [
    'Look whether its disk is full, and whether it has failed.',
    ['SQLITE_IOERR', 'SQLITE_IOERR_SHMSIZE', 'SQLITE_IOERR_WRITE', 'SQLITE_IOERR_FSYNC'],
  ],
  ['Correct the path: this file is not a SQLite database.', ['SQLITE_NOTADB']],
];

/** Of the folder of a SQLite file; of a server they mean something else. */
const ADVICE_FOR_FOLDERS: (typeof ADVICE)[number] = [
  'Correct the path: its folder does not exist and cannot be made.',
  ['ENOENT', 'EEXIST', 'ENOTDIR'],
];

/**
 * Why a database could not be opened, for people: what the driver says, of which database, and what to do. Without user and
 * password.
 */
export function connectFailure(options: DataSourceOptions, error: unknown): string {
  const { words, codes } = reasonsOf(error);
  const known = options.type === 'better-sqlite3' ? [ADVICE_FOR_FOLDERS, ...ADVICE] : ADVICE;
  const advice = known.find(([, those]) => codes.some((code) => those.includes(code)))?.[0] ?? '';
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
