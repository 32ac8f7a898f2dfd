import { afterAll, expect, it } from '@jest/globals';
import { TypeOrmPersistence } from '@waymark/typeorm';
import { testBackends } from '../support/backends.js';
import { isThorough } from '../support/depth.js';
import { describeOn } from '../support/describe-on.js';
import { inspect, manifestOf, schemaOf } from '../support/schema.js';
import { FaultProxy } from './fault-proxy.js';

// A node dies in the middle of a migration. MySQL and MariaDB commit each statement that changes a table by itself, so what is done
// stays: each statement must be one that can be run again.

/** A death behind every statement; in quick runs behind every so many. */
const STEP = isThorough ? 1 : 8;
const CHANGES = /^\s*(?:CREATE|ALTER|DROP|INSERT|UPDATE|DELETE)\b/i;

describeOn(await testBackends('mysql', 'postgres'), 'migrations of nodes that die: $name', (backend) => {
  afterAll(() => backend.drop());

  it('migrations of nodes that die continue where they were after processes died between their statements', async () => {
    const proxy = await FaultProxy.open(backend.url);
    const { tablePrefix } = backend;
    const seen = new Set<string>();
    const isNew = (sql: string): boolean => seen.size < seen.add(sql.replace(/created_at = \d+/, '')).size;
    proxy.cutAt('after', (sql) => CHANGES.test(sql) && isNew(sql) && seen.size % STEP === 0);
    let deaths = 0;
    for (let isUp = false; !isUp;) {
      const before = seen.size;
      const node = TypeOrmPersistence.fromUrl(proxy.url, { tablePrefix });
      isUp = await node.initialize().then(
        () => true,
        (error: unknown) => {
          expect(error).toMatchObject({ code: 'WM7014', message: expect.stringContaining('Start again') });
          return false;
        },
      );
      await node.close();
      if (isUp) continue;
      deaths++;
      // Otherwise it is in the way of itself, and no start helps.
      expect(seen.size).toBeGreaterThan(before);
    }
    await proxy.close();
    expect(deaths).toBeGreaterThan(50 / STEP);
    expect(deaths).toBe(Math.floor(seen.size / STEP));
    expect(await schemaOf(backend)).toEqual(manifestOf(backend));
    const rows = await inspect(backend, (dataSource) => dataSource.query(`SELECT name FROM ${tablePrefix}migrations`));
    const names = (rows as { name: string }[]).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const node = await backend.create({ migrate: false });
    await node.initialize();
    expect(await node.definitions.changeCounter()).toBe(0);
    await node.close();
  }, 120_000);
});
