import type { Row, SqlValue } from '../database/statement.js';
import { deserialize } from '@waymark/core';
import { type StoredBookmark } from '@waymark/runtime';
import { orNull, time, timeOrNull, toDate, toOptionalDate, toOptionalText, toText } from '../rows/column-values.js';
import { serialize } from '../rows/stored-text.js';

export const BOOKMARK_COLUMNS = [
  'id',
  'name',
  'hash',
  'workflow_instance_id',
  'activity_instance_id',
  'correlation_id',
  'data',
  'created_at',
  'due_at',
] as const;

/** What is only read back, never searched. */
type Data = Pick<StoredBookmark, 'payload' | 'metadata'>;

export function bookmarkValues(bookmark: StoredBookmark): SqlValue[] {
  const { payload, metadata } = bookmark;
  const data: Data = {};
  if (payload !== undefined) data.payload = payload;
  if (metadata !== undefined) data.metadata = metadata;
  return [
    bookmark.id,
    bookmark.name,
    bookmark.hash,
    bookmark.workflowInstanceId,
    bookmark.activityInstanceId,
    orNull(bookmark.correlationId),
    payload === undefined && metadata === undefined ? null : serialize(data, `bookmark "${bookmark.name}"`),
    time(bookmark.createdAt),
    timeOrNull(bookmark.dueAt),
  ];
}

export function toBookmark(row: Row): StoredBookmark {
  const data = row.data === null ? {} : deserialize<Data>(toText(row.data));
  return {
    id: toText(row.id),
    name: toText(row.name),
    hash: toText(row.hash),
    workflowInstanceId: toText(row.workflow_instance_id),
    activityInstanceId: toText(row.activity_instance_id),
    correlationId: toOptionalText(row.correlation_id),
    payload: data.payload,
    metadata: data.metadata,
    createdAt: toDate(row.created_at),
    dueAt: toOptionalDate(row.due_at),
  };
}
