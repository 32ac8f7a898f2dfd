import Database from 'better-sqlite3';
import {
  createTables,
  HASH,
  type HandWrittenInstance,
  type HandWrittenStore,
  requireOne,
  statements,
} from './hand-written-store.js';
import { rowId } from './row-id.js';

/** better-sqlite3 with prepared statements and one synchronous transaction each; WAL, durable. */
export function openSqlite(file: string, prefix: string): HandWrittenStore {
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  for (const sql of createTables(prefix, { longText: 'text', bigInt: 'integer' })) db.exec(sql);
  const sql = statements(prefix);
  const insertInstance = db.prepare(sql.insertInstance);
  const insertBookmark = db.prepare(sql.insertBookmark);
  const deleteBookmark = db.prepare(sql.deleteBookmark);
  const updateInstance = db.prepare(sql.updateInstance);
  const insert = ({ id, correlationId, state }: HandWrittenInstance): void => {
    const now = Date.now();
    insertInstance.run(id, correlationId, state, now, now);
    insertBookmark.run(rowId(), HASH, correlationId, id, now);
  };
  const resume = db.transaction(({ id, correlationId, state }: HandWrittenInstance) => {
    requireOne(deleteBookmark.run(HASH, correlationId).changes);
    updateInstance.run(state, Date.now(), id);
  });
  return {
    suspend: db.transaction(insert).immediate,
    resume: resume.immediate,
    seed: db.transaction((instances: readonly HandWrittenInstance[]) => instances.forEach(insert)).immediate,
    close: () => db.close(),
  };
}
