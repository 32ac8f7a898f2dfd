import { InvalidStoreOptionError } from '../errors.js';
import { familyOfType } from './database-family.js';
import { requireServerUrl, takesFromEnvironment } from './server-url.js';

type Named = Readonly<Record<'database' | 'url' | 'replication', unknown>> & {
  readonly extra?: Readonly<Record<string, unknown>>;
};

/**
 * The options, if they name a database. A setting may be missing, such as an environment variable: without a name SQLite opens a
 * temporary database, MySQL none, and PostgreSQL the one that is called like the user, often that for maintenance.
 * @throws InvalidStoreOptionError (`WM7016`)
 */
export function withDatabase<T extends { readonly type: string }>(options: T): T {
  const { database, url, replication, extra } = options as T & Named;
  if (typeof database === 'string' ? database.trim() !== '' : database != null) return options;
  if (familyOfType(options.type) === 'sqlite')
    throw missing('database', database, "the file of the database, such as 'data/waymark.db', or ':memory:'");
  if (replication || extra?.database || extra?.connectionString || takesFromEnvironment(options.type)) return options;
  if (database === '' || !('url' in options)) throw missing('database', database, 'the name of a database that exists');
  if (typeof url !== 'string' || url.trim() === '') throw missing('url', url, 'the URL of a database');
  requireServerUrl(url, options.type as 'postgres' | 'mysql' | 'mariadb');
  return options;
}

const missing = (option: string, given: unknown, expected: string) =>
  new InvalidStoreOptionError(option, withoutValue(given), `${expected}. A setting may be missing`);

/** What there is in place of a text: never the value, which may be a password in the wrong place. */
export function withoutValue(given: unknown): string {
  if (typeof given === 'string') return 'empty';
  return given == null ? String(given) : `a ${typeof given}`;
}
