import type { InstanceFilter } from '@waymark/runtime';
import { lookups } from '../database/lookups.js';
import type { SqlDatabase } from '../database/sql-database.js';
import { Conditions } from '../dialect/conditions.js';
import { toNumber, toText } from '../rows/column-values.js';

/**
 * Counts the running instances of a definition. Each start of a Singleton asks that: a query of its own for each would cost a thousand
 * of them as much as starting does.
 */
export function countingRunning(database: SqlDatabase, instances: string): (definitionId: string) => Promise<number> {
  return lookups(database, async (definitionIds) => {
    const { where, params } = new Conditions(database.dialect)
      .oneOf('definition_id', [...new Set(definitionIds)])
      .equals('status', 'Running');
    const sql = `SELECT definition_id, COUNT(*) AS running FROM ${instances}${where} GROUP BY definition_id`;
    const rows = await database.read({ sql, params });
    const counts = new Map(rows.map((row) => [toText(row.definition_id), toNumber(row.running)]));
    return definitionIds.map((id) => counts.get(id) ?? 0);
  });
}

/** The definition whose running instances a filter selects, all of them and no others; undefined: it selects something else. */
export function definitionOfRunning(filter: InstanceFilter): string | undefined {
  const { definitionIds, statuses, ...others } = filter;
  const isAllRunning = statuses?.length === 1 && statuses[0] === 'Running';
  if (!isAllRunning || definitionIds?.length !== 1) return undefined;
  return Object.values(others).every((value) => value === undefined) ? definitionIds[0] : undefined;
}
