import { ScheduleOrigin } from '@waymark/runtime';
import { type ListedScheduleFilter, type Page } from '@waymark/runtime/adapter';
import type { SqlValue, Statement } from '../database/statement.js';
import { Conditions } from '../dialect/conditions.js';
import type { Dialect } from '../dialect/dialect.js';
import type { Tables } from '../dialect/tables.js';

export interface ListedStatements {
  /** Rows with `source` and `id`. */
  readonly page: Statement;
  /** One row with `total`. */
  readonly count: Statement;
}

/** Triggers with a due time and schedules of the application, as one list by time. */
export function listedSchedules(
  dialect: Dialect,
  { triggers, schedules }: Pick<Tables, 'schedules' | 'triggers'>,
  filter: ListedScheduleFilter,
  { skip, take }: Page,
): ListedStatements {
  const parts: string[] = [];
  const params: SqlValue[] = [];
  const add = (source: ScheduleOrigin, table: string, conditions: Conditions): void => {
    parts.push(`SELECT '${source}' AS source, id, due_at FROM ${table}${conditions.where}`);
    params.push(...conditions.params);
  };
  if (filter.origin !== ScheduleOrigin.Application)
    add(ScheduleOrigin.Trigger, triggers, conditionsOf(dialect, filter).add('(due_at IS NOT NULL OR ended = 1)'));
  if (filter.origin !== ScheduleOrigin.Trigger)
    add(ScheduleOrigin.Application, schedules, conditionsOf(dialect, filter));
  const listed = `(${parts.join(' UNION ALL ')}) listed`;
  return {
    page: {
      sql:
        `SELECT source, id FROM ${listed} ` +
        'ORDER BY CASE WHEN due_at IS NULL THEN 1 ELSE 0 END, due_at, id LIMIT ? OFFSET ?',
      params: [...params, take, skip],
    },
    count: { sql: `SELECT COUNT(*) AS total FROM ${listed}`, params },
  };
}

function conditionsOf(
  dialect: Dialect,
  { ids, names, workflowDefinitionIds, paused }: ListedScheduleFilter,
): Conditions {
  const conditions = new Conditions(dialect)
    .oneOf('id', ids)
    .oneOf('name', names)
    .oneOf('workflow_definition_id', workflowDefinitionIds);
  return paused === undefined ? conditions : conditions.add(`paused_at IS ${paused ? 'NOT ' : ''}NULL`);
}
