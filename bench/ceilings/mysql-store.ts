import mysql, { type PoolConnection, type ResultSetHeader } from 'mysql2/promise';
import {
  createTables,
  HASH,
  type HandWrittenInstance,
  type HandWrittenStore,
  requireOne,
  statements,
} from './hand-written-store.js';
import { rowId } from './row-id.js';

const SEED_BATCH = 500;

/** mysql2 with server-side prepared statements, a pool of 10. */
export async function openMysql(url: string, prefix: string): Promise<HandWrittenStore> {
  const pool = mysql.createPool({ uri: url, connectionLimit: 10 });
  for (const sql of createTables(prefix, { longText: 'longtext', bigInt: 'bigint' })) await pool.query(sql);
  const sql = statements(prefix);

  async function transaction(body: (connection: PoolConnection) => Promise<void>): Promise<void> {
    const connection = await pool.getConnection();
    try {
      await connection.beginTransaction();
      await body(connection);
      await connection.commit();
    } catch (error) {
      await connection.rollback();
      throw error;
    } finally {
      connection.release();
    }
  }

  return {
    suspend: ({ id, correlationId, state }) =>
      transaction(async (connection) => {
        const now = Date.now();
        await connection.execute(sql.insertInstance, [id, correlationId, state, now, now]);
        await connection.execute(sql.insertBookmark, [rowId(), HASH, correlationId, id, now]);
      }),
    resume: ({ id, correlationId, state }) =>
      transaction(async (connection) => {
        const [deleted] = await connection.execute<ResultSetHeader>(sql.deleteBookmark, [HASH, correlationId]);
        requireOne(deleted.affectedRows);
        await connection.execute(sql.updateInstance, [state, Date.now(), id]);
      }),
    async seed(instances: readonly HandWrittenInstance[]) {
      const now = Date.now();
      for (let i = 0; i < instances.length; i += SEED_BATCH) {
        const batch = instances.slice(i, i + SEED_BATCH);
        await pool.query(
          `insert into ${prefix}instance (id, correlation_id, status, state, created_at, updated_at) values ?`,
          [batch.map(({ id, correlationId, state }) => [id, correlationId, 'Suspended', state, now, now])],
        );
        await pool.query(`insert into ${prefix}bookmark (id, hash, correlation_id, instance_id, created_at) values ?`, [
          batch.map(({ id, correlationId }) => [rowId(), HASH, correlationId, id, now]),
        ]);
      }
    },
    close: () => pool.end(),
  };
}
