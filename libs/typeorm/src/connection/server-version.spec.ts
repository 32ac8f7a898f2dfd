import { describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { UnsupportedDatabaseError } from '../errors.js';
import { requireSupportedServer } from './server-version.js';

const server = (type: string, version: string | undefined) =>
  ({ options: { type }, driver: { version } }) as unknown as DataSource;

describe('the version of the server', () => {
  it.each([
    ['mysql', '10.6.0'],
    ['mariadb', '11.4.2'],
    ['mysql', '8.0.1'],
    ['mysql', '8.4.3'],
    ['mysql', '9.1.0'],
    ['postgres', '10'],
    ['postgres', '15.4'],
    // Of products that speak the same protocol nothing is known.
    ['postgres', 'CockroachDB CCL v25.1.0'],
    ['postgres', undefined],
    ['better-sqlite3', undefined],
  ])('%s %s is accepted', (type, version) => {
    expect(() => requireSupportedServer(server(type, version))).not.toThrow();
  });

  it.each([
    ['mariadb', '10.5.12', 'MariaDB 10.5.12 is too old: Waymark needs MariaDB 10.6 or later.'],
    ['mysql', '10.5.12', 'MariaDB 10.5.12 is too old: Waymark needs MariaDB 10.6 or later.'],
    ['mysql', '5.7.44', 'MySQL 5.7.44 is too old: Waymark needs MySQL 8.0.1 or later.'],
    ['mysql', '8.0.0', 'MySQL 8.0.0 is too old: Waymark needs MySQL 8.0.1 or later.'],
    ['postgres', '9.6.24', 'PostgreSQL 9.6.24 is too old: Waymark needs PostgreSQL 10 or later.'],
  ])('%s %s is refused', (type, version, message) => {
    const check = () => requireSupportedServer(server(type, version));
    expect(check).toThrow(UnsupportedDatabaseError);
    expect(check).toThrow(message);
  });
});
