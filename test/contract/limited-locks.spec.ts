import { expect, it } from '@jest/globals';
import { withLimitedLocks } from '@waymark/typeorm';
import mysql2 from 'mysql2';
import { DataSource } from 'typeorm';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';

const backends = await testBackends('mysql');

describeOn(backends, 'the locks of an application on $name', (backend) => {
  it('locks are limited on each connection of the pool, the first one included', async () => {
    const { url } = backend;
    const dataSource = new DataSource({ type: 'mysql', url: url!, poolSize: 5, driver: withLimitedLocks(mysql2) });
    await dataSource.initialize();
    try {
      const sql = 'SELECT @@SESSION.innodb_lock_wait_timeout AS seconds, CONNECTION_ID() AS id, SLEEP(0.05)';
      const asked: unknown = await Promise.all(Array.from({ length: 10 }, () => dataSource.query<unknown[]>(sql)));
      const rows = (asked as { seconds: string | number; id: string | number }[][]).flat();
      expect(new Set(rows.map(({ id }) => String(id))).size).toBe(5);
      expect(rows.map(({ seconds }) => Number(seconds))).toEqual(Array(10).fill(1));
    } finally {
      await dataSource.destroy();
    }
  });
});
