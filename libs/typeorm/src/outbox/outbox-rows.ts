import type { Row, SqlValue, Statement } from '../database/statement.js';
import type { Dialect } from '../dialect/dialect.js';
import { insertRows } from '../dialect/insert-rows.js';
import { deserialize } from '@waymark/core';
import { type OutboxMessage } from '@waymark/runtime';
import { orNull, time, toDate, toNumber, toOptionalText, toText } from '../rows/column-values.js';
import { serialize } from '../rows/stored-text.js';

/**
 * `ready_at` is from when on the message may be claimed: its available time, then the end of its lease; NULL once it is
 * a dead letter. `turn` is 0 where a message has none, as in rows of nodes that do not know it. So one index answers who is next.
 */
export const OUTBOX_COLUMNS = [
  'id',
  'instance_id',
  'kind',
  'data',
  'created_at',
  'available_at',
  'ready_at',
  'attempts',
  'last_error',
  'turn',
] as const;

/** What `toMessage` reads, and by which number a row is locked. */
export const READ_COLUMNS = [...OUTBOX_COLUMNS, 'seq'].join(', ');

/** A known id is left alone. */
export function insertMessages(dialect: Dialect, outbox: string, messages: readonly OutboxMessage[]): Statement[] {
  return insertRows(dialect, outbox, OUTBOX_COLUMNS, messages.map(messageValues), dialect.ignoreKnown('id'));
}

export function messageValues(message: OutboxMessage): SqlValue[] {
  const available = time(message.availableAt);
  return [
    message.id,
    orNull(message.workflowInstanceId),
    message.kind,
    serialize(message.payload, `payload of message "${message.kind}"`),
    time(message.createdAt),
    available,
    available,
    message.attempts,
    orNull(message.lastError),
    message.turn ?? 0,
  ];
}

export function toMessage(row: Row): OutboxMessage {
  return {
    id: toText(row.id),
    workflowInstanceId: toOptionalText(row.instance_id),
    kind: toText(row.kind),
    payload: deserialize(toText(row.data)),
    createdAt: toDate(row.created_at),
    availableAt: toDate(row.available_at),
    attempts: toNumber(row.attempts),
    lastError: toOptionalText(row.last_error),
    turn: toNumber(row.turn) || undefined,
  };
}
