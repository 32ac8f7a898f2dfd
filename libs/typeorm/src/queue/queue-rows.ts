import { deserialize } from '@waymark/core/adapter';
import {
  type BookmarkQueueDeadLetter,
  type BookmarkQueueItem,
  requireCondition,
  requireStorableItem,
} from '@waymark/runtime/adapter';
import type { Statement } from '../database/statement.js';
import type { Dialect } from '../dialect/dialect.js';
import type { Tables } from '../dialect/tables.js';
import { type Column, columnMap } from '../rows/column-map.js';
import { time, toText } from '../rows/column-values.js';
import { date, flag, number, optionalDate, optionalText, text } from '../rows/member-columns.js';
import { serialize } from '../rows/stored-text.js';

/** What is only read back, never searched. */
type Data = Pick<BookmarkQueueItem, 'input' | 'properties'>;

const DATA: Required<Column<Data, Data>> = {
  members: ['input', 'properties'],
  write: ({ input, properties }) => {
    const data: Data = {};
    if (input !== undefined) data.input = input;
    if (properties !== undefined) data.properties = properties;
    return serialize(data, 'bookmark queue item');
  },
  read: (value, item) => {
    const { input, properties } = deserialize<Data>(toText(value));
    item.input = input;
    item.properties = properties;
  },
};

/** Columns that queue and dead letters have in common. */
const TEXTS = {
  id: text('id'),
  idempotency_key: optionalText('idempotencyKey'),
  workflow_instance_id: optionalText('workflowInstanceId'),
  correlation_id: optionalText('correlationId'),
  bookmark_id: optionalText('bookmarkId'),
  stimulus_hash: optionalText('stimulusHash'),
  activity_instance_id: optionalText('activityInstanceId'),
  activity_type_name: optionalText('activityTypeName'),
  data: DATA,
  last_error: optionalText('lastError'),
};
const NUMBERS = {
  created_at: date('createdAt'),
  expires_at: date('expiresAt'),
  attempts: number('attempts'),
};

export const ITEM = columnMap<Omit<BookmarkQueueItem, 'unreadable'>>()({ ...TEXTS, ...NUMBERS });

export const DEAD_LETTER = columnMap<Omit<BookmarkQueueDeadLetter, 'unreadable'>>()({
  ...TEXTS,
  ...NUMBERS,
  original_queue_item_id: text('originalQueueItemId'),
  dead_lettered_at: date('deadLetteredAt'),
  reason: text('reason'),
  can_replay: flag('canReplay'),
  replayed_at: optionalDate('replayedAt'),
});

/** @throws EmptyFilterError for an item that any bookmark would satisfy; TextNotStorableError */
export function requireMatchable(item: BookmarkQueueItem): void {
  const { workflowInstanceId, correlationId, bookmarkId, stimulusHash, activityInstanceId, activityTypeName } = item;
  const conditions = {
    workflowInstanceId,
    correlationId,
    bookmarkId,
    stimulusHash,
    activityInstanceId,
    activityTypeName,
  };
  requireCondition('bookmark queue item', conditions);
  requireStorableItem(item);
}

/** Puts an item in the queue, unless its idempotency key is known. */
export function enqueueStatements(dialect: Dialect, tables: Tables, item: BookmarkQueueItem): Statement[] {
  const { idempotencyKey } = item;
  if (idempotencyKey === undefined) return [insertItem(dialect, tables, item)];
  const key = {
    sql:
      `INSERT INTO ${tables.queue_keys} (idempotency_key, queue_item_id, expires_at) VALUES (?, ?, ?)` +
      dialect.ignoreKnown('idempotency_key'),
    params: [idempotencyKey, item.id, time(item.expiresAt)],
  };
  // The second statement asks who got the key, so that nothing has to be read in between.
  const ifOurs = {
    sql: `EXISTS (SELECT 1 FROM ${tables.queue_keys} WHERE idempotency_key = ? AND queue_item_id = ?)`,
    params: [idempotencyKey, item.id],
  };
  return [key, insertItem(dialect, tables, item, ifOurs)];
}

/** Deletes a key whose item is not in the queue any more. */
export function forgetting({ queue, queue_keys }: Tables, idempotencyKey: string): Statement {
  return {
    sql:
      `DELETE FROM ${queue_keys} WHERE idempotency_key = ? ` +
      `AND NOT EXISTS (SELECT 1 FROM ${queue} WHERE ${queue}.id = ${queue_keys}.queue_item_id)`,
    params: [idempotencyKey],
  };
}

/** A known id is left alone. */
export function insertItem(
  dialect: Dialect,
  { queue }: Tables,
  item: BookmarkQueueItem,
  condition: Statement = { sql: '1 = 1', params: [] },
): Statement {
  const params = ITEM.names.map((name) => (name in NUMBERS ? dialect.bigintParam : '?'));
  return {
    sql:
      `INSERT INTO ${queue} (${ITEM.list}) SELECT ${params.join(', ')}${dialect.fromNothing} ` +
      `WHERE ${condition.sql}${dialect.ignoreKnown('id')}`,
    params: [...ITEM.values(item), ...condition.params],
  };
}
