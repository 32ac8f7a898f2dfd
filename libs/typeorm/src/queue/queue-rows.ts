import type { Row, SqlValue, Statement } from '../database/statement.js';
import type { Dialect } from '../dialect/dialect.js';
import type { Tables } from '../dialect/tables.js';
import { deserialize } from '@waymark/core';
import {
  type BookmarkQueueDeadLetter,
  type BookmarkQueueItem,
  requireCondition,
  requireStorableItem,
} from '@waymark/runtime';
import {
  orNull,
  time,
  toDate,
  toFlag,
  toNumber,
  toOptionalDate,
  toOptionalText,
  toText,
} from '../rows/column-values.js';
import { serialize } from '../rows/stored-text.js';

/** Columns that queue and dead letters have in common; the last four are numbers. */
export const ITEM_COLUMNS = [
  'id',
  'idempotency_key',
  'workflow_instance_id',
  'correlation_id',
  'bookmark_id',
  'stimulus_hash',
  'activity_instance_id',
  'activity_type_name',
  'data',
  'last_error',
  'created_at',
  'expires_at',
  'attempts',
] as const;

export const DEAD_LETTER_COLUMNS = [
  ...ITEM_COLUMNS,
  'original_queue_item_id',
  'dead_lettered_at',
  'reason',
  'can_replay',
  'replayed_at',
] as const;

const FIRST_NUMBER = ITEM_COLUMNS.indexOf('created_at');

/** What is only read back, never searched. */
type Data = Pick<BookmarkQueueItem, 'input' | 'properties'>;

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

/** A known id is left alone. */
export function insertItem(
  dialect: Dialect,
  { queue }: Tables,
  item: BookmarkQueueItem,
  condition: Statement = { sql: '1 = 1', params: [] },
): Statement {
  const params = ITEM_COLUMNS.map((_, index) => (index < FIRST_NUMBER ? '?' : dialect.bigintParam));
  return {
    sql:
      `INSERT INTO ${queue} (${ITEM_COLUMNS.join(', ')}) SELECT ${params.join(', ')}${dialect.fromNothing} ` +
      `WHERE ${condition.sql}${dialect.ignoreKnown('id')}`,
    params: [...itemValues(item), ...condition.params],
  };
}

function itemValues(item: BookmarkQueueItem): SqlValue[] {
  const { input, properties } = item;
  const data: Data = {};
  if (input !== undefined) data.input = input;
  if (properties !== undefined) data.properties = properties;
  return [
    item.id,
    orNull(item.idempotencyKey),
    orNull(item.workflowInstanceId),
    orNull(item.correlationId),
    orNull(item.bookmarkId),
    orNull(item.stimulusHash),
    orNull(item.activityInstanceId),
    orNull(item.activityTypeName),
    serialize(data, 'bookmark queue item'),
    orNull(item.lastError),
    time(item.createdAt),
    time(item.expiresAt),
    item.attempts,
  ];
}

export function toItem(row: Row): BookmarkQueueItem {
  const { input, properties } = deserialize<Data>(toText(row.data));
  return {
    id: toText(row.id),
    idempotencyKey: toOptionalText(row.idempotency_key),
    workflowInstanceId: toOptionalText(row.workflow_instance_id),
    correlationId: toOptionalText(row.correlation_id),
    bookmarkId: toOptionalText(row.bookmark_id),
    stimulusHash: toOptionalText(row.stimulus_hash),
    activityInstanceId: toOptionalText(row.activity_instance_id),
    activityTypeName: toOptionalText(row.activity_type_name),
    input,
    properties,
    createdAt: toDate(row.created_at),
    expiresAt: toDate(row.expires_at),
    attempts: toNumber(row.attempts),
    lastError: toOptionalText(row.last_error),
  };
}

export function toDeadLetter(row: Row): BookmarkQueueDeadLetter {
  return {
    ...toItem(row),
    originalQueueItemId: toText(row.original_queue_item_id),
    deadLetteredAt: toDate(row.dead_lettered_at),
    reason: row.reason as BookmarkQueueDeadLetter['reason'],
    canReplay: toFlag(row.can_replay),
    replayedAt: toOptionalDate(row.replayed_at),
  };
}
