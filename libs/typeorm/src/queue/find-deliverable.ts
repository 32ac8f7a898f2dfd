import type { AddedBookmarks, DeliverableItems, DeliverableOptions } from '@waymark/runtime/adapter';
import type { Row, Statement } from '../database/statement.js';
import { Conditions } from '../dialect/conditions.js';
import type { Dialect } from '../dialect/dialect.js';
import type { Tables } from '../dialect/tables.js';
import { withoutMessage } from '../outbox/without-message.js';
import { time, toNumber, toText } from '../rows/column-values.js';

const AGREES = [
  ['bookmark_id', 'id'],
  ['stimulus_hash', 'hash'],
  ['workflow_instance_id', 'workflow_instance_id'],
  ['activity_instance_id', 'activity_instance_id'],
  ['correlation_id', 'correlation_id'],
  ['activity_type_name', 'name'],
] as const;

/**
 * By which columns of an index a bookmark is looked up for an item: the first of these that the item has. By its hash alone,
 * an item for one of thousands of instances that wait for the same thing would read the bookmarks of all.
 */
const LOOKUPS = [
  ['bookmark_id'],
  ['workflow_instance_id', 'stimulus_hash'],
  ['workflow_instance_id'],
  ['stimulus_hash', 'correlation_id'],
  ['stimulus_hash'],
] as const;

/**
 * Items for which a bookmark is there. One look-up by an index of the bookmarks for each item, along the index by which
 * items expire: the next batch reads none of them again.
 */
export function findDeliverable(
  dialect: Dialect,
  tables: Tables,
  { now, limit, after, unlessMessage, addedTo }: DeliverableOptions,
): Statement {
  const { bookmarks } = tables;
  const items = addedTo ? itemsFor(dialect, tables, addedTo) : { sql: tables.queue, params: [] };
  const agrees = AGREES.map(([item, bookmark]) => `(q.${item} IS NULL OR q.${item} = b.${bookmark})`).join(' AND ');
  const bookmarkColumn = new Map<string, string>(AGREES);
  const hasAll = (columns: readonly string[]): string =>
    columns.map((column) => `q.${column} IS NOT NULL`).join(' AND ');
  const cases = LOOKUPS.map((columns, index) => {
    const earlier = LOOKUPS.slice(0, index).map((others) => `NOT (${hasAll(others)}) AND `);
    const lookup = columns.map((column) => `b.${bookmarkColumn.get(column)} = q.${column}`).join(' AND ');
    return `(${earlier.join('')}${hasAll(columns)} AND EXISTS (SELECT 1 FROM ${bookmarks} b WHERE ${lookup} AND ${agrees}))`;
  });
  // What has none of them: only the names and the correlation id are left.
  const none = LOOKUPS.map((columns) => `NOT (${hasAll(columns)}) AND `).join('');
  cases.push(`(${none}EXISTS (SELECT 1 FROM ${bookmarks} b WHERE ${agrees}))`);
  const conditions = new Conditions(dialect).add('q.expires_at > ?', time(now));
  if (after !== undefined) {
    const [expiresAt, seq] = after.split('.').map(Number) as [number, number];
    conditions.add('q.expires_at >= ?', expiresAt).add('(q.expires_at > ? OR q.seq > ?)', expiresAt, seq);
  }
  const unasked = withoutMessage(dialect, tables, unlessMessage, 'q.id');
  conditions.add(unasked.sql, ...unasked.params).add(`(${cases.join(' OR ')})`);
  const { where, params } = conditions;
  return {
    sql: `SELECT q.id, q.expires_at, q.seq FROM ${items.sql} q${where} ORDER BY q.expires_at, q.seq LIMIT ?`,
    params: [...items.params, ...params, limit],
  };
}

/** Part by part, each of which goes by an index: with OR between them, a database may read all items along the one by time. */
function itemsFor(dialect: Dialect, { queue }: Tables, { workflowInstanceId, hashes }: AddedBookmarks): Statement {
  const ofAny = (): Conditions => new Conditions(dialect).add('workflow_instance_id IS NULL');
  const parts = [new Conditions(dialect).equals('workflow_instance_id', workflowInstanceId)];
  if (hashes) parts.push(ofAny().oneOf('stimulus_hash', hashes), ofAny().add('stimulus_hash IS NULL'));
  else parts.push(ofAny());
  const columns = ['id', 'expires_at', 'seq', ...AGREES.map(([item]) => item)].join(', ');
  return {
    sql: `(${parts.map(({ where }) => `SELECT ${columns} FROM ${queue}${where}`).join(' UNION ALL ')})`,
    params: parts.flatMap(({ params }) => params),
  };
}

/** @param limit with which the rows were asked for */
export function toDeliverable(rows: readonly Row[], limit: number): DeliverableItems {
  const ids = rows.map((row) => toText(row.id));
  const last = rows.length === limit ? rows.at(-1) : undefined;
  return { ids, next: last && `${toNumber(last.expires_at)}.${toNumber(last.seq)}` };
}
