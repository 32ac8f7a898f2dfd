import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { definePersistenceContract } from '@waymark/testing';
import { TypeOrmPersistence } from '@waymark/typeorm';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { describeBackends, testBackends } from '../support/backends.js';

// The application's own pool takes one statement at a time and may be set up in any way, so the contract runs on it too.

const backends = await testBackends();
const servers = backends.available.filter(({ name }) => name === 'mysql' || name === 'postgres');
process.stdout.write(
  `persistence contract on application pools, ${describeBackends({ ...backends, available: servers })}`,
);

for (const { name, url, tablePrefix, drop } of servers) {
  const dataSource = new DataSource({ type: name, url, entities: [], poolSize: 5 } as DataSourceOptions);
  beforeAll(async () => {
    await dataSource.initialize();
  });
  const open = async () => TypeOrmPersistence.fromDataSource(dataSource, { tablePrefix });
  definePersistenceContract(
    `${name}, application's pool`,
    { create: open, openOnAnotherNode: open },
    { describe, it, beforeAll, afterAll, expect },
  );
  afterAll(async () => {
    // Still the application's after `close`.
    expect(dataSource.isInitialized).toBe(true);
    await dataSource.destroy();
    await drop();
  });
}

it('leaves no server out that is required', () => {
  // testBackends throws before this when WAYMARK_REQUIRE_BACKENDS names a server that cannot be reached.
  expect(servers.length + backends.skipped.length).toBe(2);
});
