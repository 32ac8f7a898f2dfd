import { createHash } from 'node:crypto';
import type { DatabaseFamily } from './dialect.js';

/** MySQL refuses a longer name, where PostgreSQL cuts it and SQLite has no limit. */
const MYSQL_LONGEST = 64;
const DIGITS = 8;

/**
 * What the index of these columns is called. On MySQL a table prefix of more than 16 characters makes some names too long: the end of these
 * is a hash, so that they stay different from each other.
 * @param table with its prefix, without its schema
 */
export function indexName(family: DatabaseFamily, table: string, columns: readonly string[]): string {
  const name = `${table}_${columns.join('_')}`;
  if (family !== 'mysql' || name.length <= MYSQL_LONGEST) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, DIGITS);
  return `${name.slice(0, MYSQL_LONGEST - DIGITS - 1)}_${hash}`;
}
