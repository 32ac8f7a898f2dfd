import { type FanOut, requireCondition } from '@waymark/runtime/adapter';
import { bookmarkConditions } from '../bookmarks/bookmark-filter.js';
import type { Statement } from '../database/statement.js';
import type { Dialect } from '../dialect/dialect.js';
import type { Tables } from '../dialect/tables.js';
import { time } from '../rows/column-values.js';
import { serialize } from '../rows/stored-text.js';
import { consuming } from './consumed-message.js';
import { insertMessages, MESSAGE } from './outbox-rows.js';

/**
 * One statement for all bookmarks, however many: what waits is what the database sees at that moment, nothing can come
 * between two parts of it, and no row of it comes to this process. Its result is the last one.
 */
export function fanOutStatements(
  dialect: Dialect,
  { outbox, bookmarks }: Pick<Tables, 'outbox' | 'bookmarks'>,
  fanOut: FanOut,
): Statement[] {
  const { consumedMessageId, messages } = fanOut;
  return [
    ...consuming({ outbox }, consumedMessageId),
    ...insertMessages(dialect, outbox, messages),
    insertForEach(dialect, outbox, bookmarks, fanOut),
  ];
}

function insertForEach(dialect: Dialect, outbox: string, bookmarks: string, fanOut: FanOut): Statement {
  const { id, filter, kind, createdAt, availableAt, exceptBookmarkIds, isForSome } = fanOut;
  requireCondition('bookmark', filter);
  const { textParam, bigintParam, joined, asJson } = dialect;
  const [start, end] = payloadAround(fanOut);
  const { where, params } = bookmarkConditions(dialect, filter).noneOf('id', exceptBookmarkIds);
  const values: Record<(typeof MESSAGE.names)[number], string> = {
    // Not by the id of the bookmark, which may fill the column by itself.
    id: joined(textParam, 'ROW_NUMBER() OVER (ORDER BY created_at, id)'),
    instance_id: 'workflow_instance_id',
    kind: textParam,
    data: joined(textParam, asJson('id'), textParam),
    created_at: bigintParam,
    available_at: bigintParam,
    ready_at: bigintParam,
    attempts: '0',
    last_error: 'NULL',
    turn: '0',
    written_by: 'NULL',
  };
  const available = time(availableAt);
  return {
    sql:
      `INSERT INTO ${outbox} (${MESSAGE.list}) ` +
      `SELECT ${MESSAGE.names.map((column) => values[column]).join(', ')} FROM ${bookmarks}${where} ORDER BY created_at, id`,
    // In the order of `MESSAGE`.
    params: [`${id}/`, kind, start, end, time(createdAt), available, available, ...params],
    ...(isForSome && { expect: { atLeast: 1 } }),
  };
}

/** The text of the payload before and after the id of the bookmark, as a string of JSON. */
function payloadAround({ id, kind, payload }: FanOut): readonly [string, string] {
  // No value can have it: it is as new as the id is.
  const placeholder = `${id}/bookmark`;
  const text = serialize({ bookmarkId: placeholder, ...payload }, `payload of message "${kind}"`);
  const at = text.indexOf(JSON.stringify(placeholder));
  return [text.slice(0, at), text.slice(at + JSON.stringify(placeholder).length)];
}
