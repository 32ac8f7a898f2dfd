import pg from 'pg';
import {
  createTables,
  HASH,
  type HandWrittenInstance,
  type HandWrittenStore,
  requireOne,
  statements,
} from './hand-written-store.js';
import { rowId } from './row-id.js';

/** pg with named prepared statements, a pool of 10. */
export async function openPostgres(url: string, prefix: string): Promise<HandWrittenStore> {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  for (const sql of createTables(prefix, { longText: 'text', bigInt: 'bigint' })) await pool.query(sql);
  const sql = Object.fromEntries(
    Object.entries(statements(prefix)).map(([name, text]) => {
      let count = 0;
      return [name, { name, text: text.replaceAll('?', () => `$${++count}`) }];
    }),
  ) as Record<keyof ReturnType<typeof statements>, { name: string; text: string }>;

  async function transaction(body: (client: pg.PoolClient) => Promise<void>): Promise<void> {
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      await body(client);
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    } finally {
      client.release();
    }
  }

  return {
    suspend: ({ id, correlationId, state }) =>
      transaction(async (client) => {
        const now = Date.now();
        await client.query({ ...sql.insertInstance, values: [id, correlationId, state, now, now] });
        await client.query({ ...sql.insertBookmark, values: [rowId(), HASH, correlationId, id, now] });
      }),
    resume: ({ id, correlationId, state }) =>
      transaction(async (client) => {
        const { rowCount } = await client.query({ ...sql.deleteBookmark, values: [HASH, correlationId] });
        requireOne(rowCount);
        await client.query({ ...sql.updateInstance, values: [state, Date.now(), id] });
      }),
    async seed(instances: readonly HandWrittenInstance[]) {
      const now = Date.now();
      const ids = instances.map(({ id }) => id);
      await pool.query(
        `insert into ${prefix}instance (id, correlation_id, status, state, created_at, updated_at) select id, id, 'Suspended', $2, $3, $3 from unnest($1::text[]) as id`,
        [ids, instances[0]?.state, now],
      );
      await pool.query(
        `insert into ${prefix}bookmark (id, hash, correlation_id, instance_id, created_at) select b, $3, id, id, $4 from unnest($1::text[], $2::text[]) as rows (id, b)`,
        [ids, ids.map(() => rowId()), HASH, now],
      );
    },
    close: () => pool.end(),
  };
}
