import { START_KINDS } from '@waymark/runtime/adapter';
import type { Work } from '../database/sql-database.js';
import type { Statement } from '../database/statement.js';
import { Conditions, deleteRows } from '../dialect/conditions.js';
import type { Dialect } from '../dialect/dialect.js';
import { lockFreeRows } from '../dialect/lock-free-rows.js';
import type { Tables } from '../dialect/tables.js';
import { time } from '../rows/column-values.js';

/**
 * The instance first, as in a commit: the holder of its row is alone with everything that belongs to it.
 * @param parents those of them that leave the starts of their children behind
 */
export function deletion(
  dialect: Dialect,
  tables: Tables,
  ids: readonly string[],
  parents: readonly string[],
): Statement[] {
  const { instances, bookmarks, journal, journal_values, activation_keys, queue, outbox, ...others } = tables;
  return [
    ...deleteRows(dialect, instances, 'id', ids),
    ...deleteRows(dialect, bookmarks, 'workflow_instance_id', ids),
    ...deleteRows(dialect, journal, 'instance_id', ids),
    ...deleteRows(dialect, journal_values, 'instance_id', ids),
    ...deleteRows(dialect, activation_keys, 'instance_id', ids),
    ...deleteRows(dialect, queue, 'workflow_instance_id', ids),
    ...leavingStarts(dialect, outbox, parents),
    ...deleteRows(dialect, outbox, 'instance_id', ids),
    ...[others.user_tasks, others.user_task_entries, others.user_task_events].flatMap((table) =>
      deleteRows(dialect, table, 'workflow_instance_id', ids),
    ),
  ];
}

/** Of instances, those that have finished: they leave the starts of their children behind. */
export function findingFinished(dialect: Dialect, { instances }: Tables, ids: readonly string[]): Statement {
  const { where, params } = new Conditions(dialect).oneOfTexts('id', ids).equals('sub_status', 'Finished');
  return { sql: `SELECT id FROM ${instances}${where}`, params };
}

function leavingStarts(dialect: Dialect, outbox: string, parents: readonly string[]): Statement[] {
  if (parents.length === 0) return [];
  const starts = new Conditions(dialect).oneOf('instance_id', parents).oneOf('kind', START_KINDS);
  return [{ sql: `UPDATE ${outbox} SET instance_id = NULL${starts.where}`, params: starts.params }];
}

/** @param candidates of finished instances, those that finished first before the others */
export function* purging(
  dialect: Dialect,
  tables: Tables,
  candidates: readonly string[],
  limit: number,
): Work<string[]> {
  // One that was repaired meanwhile runs again.
  const isOld = (conditions: Conditions) => conditions.equals('status', 'Finished');
  const ids = yield* lockFreeRows(dialect, { table: tables.instances, key: 'id', candidates, isOld }, limit);
  if (ids.length > 0) yield deletion(dialect, tables, ids, ids);
  return ids;
}

/** @param candidates keys that were used before that time when they were found, the oldest first */
export function* purgingKeys(
  dialect: Dialect,
  { request_keys: table }: Tables,
  candidates: readonly string[],
  before: Date,
  limit: number,
): Work<number> {
  // One that was forgotten and used again meanwhile is a new key.
  const isOld = (conditions: Conditions) => conditions.add('created_at < ?', time(before));
  const keys = yield* lockFreeRows(dialect, { table, key: 'request_key', candidates, isOld }, limit);
  if (keys.length > 0) yield deleteRows(dialect, table, 'request_key', keys);
  return keys.length;
}
