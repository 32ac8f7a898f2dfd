import { ScheduleOrigin } from '@waymark/runtime';
import { countLimit, type ListedScheduleFilter, type Page } from '@waymark/runtime/adapter';
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

/** A stretch of the list: rows that an index has in the order of the list. */
interface Stretch {
  readonly source: ScheduleOrigin;
  readonly table: string;
  readonly where: Conditions;
  /** Rows without a due time come last. */
  readonly isTimed: boolean;
  readonly order: string;
}

/**
 * Triggers with a due time and schedules of the application, as one list by time. Of each stretch no more is read than the page
 * could show: among a hundred thousand schedules, sorting all of them took each page a third of a second.
 */
export function listedSchedules(
  dialect: Dialect,
  tables: Pick<Tables, 'schedules' | 'triggers'>,
  filter: ListedScheduleFilter,
  page: Page,
): ListedStatements {
  const stretches = stretchesOf(dialect, tables, filter);
  return { page: pageStatement(stretches, page), count: countStatement(stretches, countLimit(page)) };
}

function stretchesOf(
  dialect: Dialect,
  { triggers, schedules }: Pick<Tables, 'schedules' | 'triggers'>,
  filter: ListedScheduleFilter,
): Stretch[] {
  const { Application, Trigger } = ScheduleOrigin;
  const of = (source: ScheduleOrigin, isTimed: boolean): Stretch => {
    const where = conditionsOf(dialect, filter).add(`due_at IS ${isTimed ? 'NOT ' : ''}NULL`);
    // Of triggers, most without a due time are no schedules.
    if (source === Trigger && !isTimed) where.add('ended = 1');
    // As the index has them: PostgreSQL knows it by its first column, though there is nothing in it.
    const order = source === Trigger && !isTimed ? 'id' : 'due_at, id';
    return { source, table: source === Trigger ? triggers : schedules, where, isTimed, order };
  };
  const sources = [Trigger, Application].filter((source) => filter.origin === undefined || filter.origin === source);
  // A pause takes the due time away: with one, there is nothing to look for among all that have one.
  const kinds = filter.paused === true ? [false] : [true, false];
  return sources.flatMap((source) => kinds.map((isTimed) => of(source, isTimed)));
}

function pageStatement(stretches: readonly Stretch[], { skip, take }: Page): Statement {
  const most = Math.min(skip + take, Number.MAX_SAFE_INTEGER);
  // Not pushed by one call: a hundred thousand of them do not fit on its stack.
  const params: SqlValue[] = stretches.flatMap(({ where }) => [...where.params, most]);
  const parts = stretches.map(({ source, table, where, isTimed, order }, at) => {
    const columns = `'${source}' AS source, id, due_at, ${isTimed ? 0 : 1} AS untimed`;
    const range = `SELECT ${columns} FROM ${table}${where.where} ORDER BY ${order} LIMIT ?`;
    return `SELECT source, id, due_at, untimed FROM (${range}) stretch${at}`;
  });
  return {
    sql: `SELECT source, id FROM (${parts.join(' UNION ALL ')}) listed ORDER BY untimed, due_at, id LIMIT ? OFFSET ?`,
    params: [...params, take, skip],
  };
}

/** Of each stretch no more is counted than one beyond the limit, which shows that there are more. */
function countStatement(stretches: readonly Stretch[], limit: number | undefined): Statement {
  const end = limit === undefined ? [] : [limit + 1];
  const params: SqlValue[] = stretches.flatMap(({ where }) => [...where.params, ...end]);
  const counts = stretches.map(({ table, where }, at) => {
    const rows = `${table}${where.where}`;
    const counted = limit === undefined ? rows : `(SELECT 1 FROM ${rows} LIMIT ?) counted${at}`;
    return `(SELECT COUNT(*) FROM ${counted})`;
  });
  return { sql: `SELECT ${counts.join(' + ')} AS total`, params };
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
