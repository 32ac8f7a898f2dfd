import type { DataSource } from 'typeorm';
import { UnsupportedDatabaseError } from '../errors.js';
import { familyOf } from './database-family.js';

/** Oldest versions that know the SQL which is used: rows that are skipped where they are locked, and identity columns. */
const OLDEST = { MariaDB: [10, 6], MySQL: [8, 0, 1], PostgreSQL: [10] } as const;

type Product = keyof typeof OLDEST;

/**
 * An older server would take the migrations and the start, and then refuse each claim of work with a syntax error.
 * @throws UnsupportedDatabaseError (`WM7012`)
 */
export function requireSupportedServer(dataSource: DataSource): void {
  const family = familyOf(dataSource);
  if (family === 'sqlite') return;
  // TypeORM has asked for it, and leaves what it cannot read as it is.
  const { version } = dataSource.driver as { readonly version?: string };
  const numbers = /^\d+(?:\.\d+)*$/
    .exec(version ?? '')?.[0]
    .split('.')
    .map(Number);
  if (!numbers) return;
  // MySQL went from 5 to 8.
  const product: Product = family === 'postgres' ? 'PostgreSQL' : numbers[0]! >= 10 ? 'MariaDB' : 'MySQL';
  const oldest = OLDEST[product];
  if (isOlder(numbers, oldest))
    throw new UnsupportedDatabaseError(`${product} ${version}`, `${product} ${oldest.join('.')} or later`);
}

function isOlder(version: readonly number[], than: readonly number[]): boolean {
  const place = than.findIndex((number, at) => (version[at] ?? 0) !== number);
  return place >= 0 && (version[place] ?? 0) < than[place]!;
}
