import { afterAll, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';

interface Pool {
  readonly idleCount: number;
  connect(): Promise<Client>;
}

interface Client {
  query(sql: string): Promise<{ rows: { name: string; generic: string; custom: string }[] }>;
  release(): void;
}

// The seventh use of a prepared statement may take the plan that the server keeps for all parameters. Made while the table
// was empty, it reads the whole table, however many rows a backlog brings before the next ANALYZE.
const USES = 20;

describeOn(await testBackends('postgres'), 'plans of prepared statements: $name', (backend) => {
  afterAll(() => backend.drop());

  it('are made for the table as it is, not kept from when it was empty', async () => {
    const store = await backend.create();
    await store.initialize();
    for (let use = 0; use < USES; use++) await store.outbox.delete('missing');
    const { dataSource } = store as unknown as { dataSource: DataSource };
    const { master: pool } = dataSource.driver as unknown as { master: Pool };
    const clients = await Promise.all(Array.from({ length: pool.idleCount }, () => pool.connect()));
    const found = await Promise.all(
      clients.map((client) =>
        client.query(
          'SELECT name, generic_plans AS generic, custom_plans AS custom FROM pg_prepared_statements ' +
            `WHERE statement LIKE 'DELETE FROM ${backend.tablePrefix}outbox%'`,
        ),
      ),
    );
    const settings = await Promise.all(
      clients.map((client) =>
        client.query("SELECT name, setting AS generic, '' AS custom FROM pg_settings WHERE name = 'jit'"),
      ),
    );
    for (const client of clients) client.release();
    // Compiling a plan of ours takes a hundred times as long as carrying it out.
    expect(settings.flatMap(({ rows }) => rows.map(({ generic }) => generic))).toEqual(clients.map(() => 'off'));
    const plans = found.flatMap(({ rows }) => rows);
    expect(plans.reduce((sum, { custom }) => sum + Number(custom), 0)).toBeGreaterThanOrEqual(USES);
    expect(plans.map(({ generic }) => Number(generic))).toEqual(plans.map(() => 0));
    await store.close();
  });
});
