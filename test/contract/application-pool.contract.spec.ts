import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { definePersistenceContract } from '@waymark/testing/adapter';
import { TypeOrmPersistence } from '@waymark/typeorm';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { testBackends } from '../support/backends.js';
import { describeInTurnOn } from '../support/describe-on.js';

// The application's own pool takes one statement at a time and may be set up in any way, so the contract runs on it too.

const servers = await testBackends('mysql', 'postgres');

describeInTurnOn(
  servers,
  "persistence contract on the application's pool of $name",
  ({ name, url, tablePrefix, drop }) => {
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
  },
);
