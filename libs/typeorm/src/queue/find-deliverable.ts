import type { Statement } from '../database/statement.js';
import type { Tables } from '../dialect/tables.js';
import { time } from '../rows/column-values.js';

const AGREES = [
  ['bookmark_id', 'id'],
  ['stimulus_hash', 'hash'],
  ['workflow_instance_id', 'workflow_instance_id'],
  ['activity_instance_id', 'activity_instance_id'],
  ['correlation_id', 'correlation_id'],
  ['activity_type_name', 'name'],
] as const;

/** By which column a bookmark is looked up for an item: the first that the item has. */
const LOOKUPS = ['bookmark_id', 'stimulus_hash', 'workflow_instance_id'] as const;

/** Items for which a bookmark is there. One look-up by an index of the bookmarks for each item. */
export function findDeliverable({ queue, bookmarks }: Tables, now: Date, limit: number): Statement {
  const agrees = AGREES.map(([item, bookmark]) => `(q.${item} IS NULL OR q.${item} = b.${bookmark})`).join(' AND ');
  const bookmarkColumn = new Map<string, string>(AGREES);
  const cases = LOOKUPS.map((column, index) => {
    const earlier = LOOKUPS.slice(0, index).map((other) => `q.${other} IS NULL AND `);
    const lookup = `b.${bookmarkColumn.get(column)} = q.${column}`;
    return `(${earlier.join('')}EXISTS (SELECT 1 FROM ${bookmarks} b WHERE ${lookup} AND ${agrees}))`;
  });
  // What names neither: only the names and the correlation id are left.
  const none = LOOKUPS.map((column) => `q.${column} IS NULL AND `).join('');
  cases.push(`(${none}EXISTS (SELECT 1 FROM ${bookmarks} b WHERE ${agrees}))`);
  return {
    sql: `SELECT q.id FROM ${queue} q WHERE q.expires_at > ? AND (${cases.join(' OR ')}) ORDER BY q.created_at, q.id LIMIT ?`,
    params: [time(now), limit],
  };
}
