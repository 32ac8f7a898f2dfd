import type { DataSource } from 'typeorm';
import type { DatabaseFamily } from '../dialect/dialect.js';
import { UnsupportedDatabaseError } from '../errors.js';

/** Where the tables are. */
export interface SchemaSettings {
  readonly prefix: string;
  /** PostgreSQL only; undefined: the first of the search path. */
  readonly schema?: string;
}

/** @throws UnsupportedDatabaseError */
export function familyOf(dataSource: DataSource): DatabaseFamily {
  return familyOfType(dataSource.options.type);
}

export function familyOfType(type: string): DatabaseFamily {
  switch (type) {
    case 'better-sqlite3':
      return 'sqlite';
    case 'mysql':
    case 'mariadb':
      return 'mysql';
    case 'postgres':
      return 'postgres';
    default:
      throw new UnsupportedDatabaseError(type);
  }
}
