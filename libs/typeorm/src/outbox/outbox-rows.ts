import { deserialize } from '@waymark/core/adapter';
import { type OutboxMessage } from '@waymark/runtime/adapter';
import type { Statement } from '../database/statement.js';
import type { Dialect } from '../dialect/dialect.js';
import { insertRows } from '../dialect/insert-rows.js';
import { columnMap, isUnreadable } from '../rows/column-map.js';
import { time, toNumber, toText } from '../rows/column-values.js';
import { date, number, optionalText, text } from '../rows/member-columns.js';
import { serialize } from '../rows/stored-text.js';

export const MESSAGE = columnMap<OutboxMessage>()({
  id: text('id'),
  instance_id: optionalText('workflowInstanceId'),
  kind: text('kind'),
  data: {
    members: ['payload', 'unreadable'],
    write: ({ kind, payload }) => serialize(payload, `payload of message "${kind}"`),
    read: (value, message) => {
      try {
        message.payload = deserialize(toText(value));
      } catch (error) {
        // It is claimed with others, which are to be served.
        if (!isUnreadable(error)) throw error;
        message.unreadable = error;
      }
    },
  },
  created_at: date('createdAt'),
  available_at: date('availableAt'),
  // From when on it may be claimed: its available time, then the end of its lease; NULL once it is a dead letter.
  ready_at: { write: ({ availableAt }) => time(availableAt) },
  attempts: number('attempts'),
  last_error: optionalText('lastError'),
  // 0 where a message has none, as in rows of nodes that do not know it. So one index answers who is next.
  turn: {
    members: ['turn'],
    write: ({ turn }) => turn ?? 0,
    read: (value, message) => {
      message.turn = toNumber(value) || undefined;
    },
  },
  written_by: optionalText('writtenBy'),
});

/** What `MESSAGE` reads, and by which number a row is locked. */
export const READ_COLUMNS = `${MESSAGE.list}, seq`;

/** A known id is left alone. */
export function insertMessages(dialect: Dialect, outbox: string, messages: readonly OutboxMessage[]): Statement[] {
  return insertRows(dialect, outbox, MESSAGE.names, messages.map(MESSAGE.values), dialect.ignoreKnown('id'));
}

/** Refused when its id is known. */
export function insertOnce(dialect: Dialect, outbox: string, message: OutboxMessage): Statement {
  return insertRows(dialect, outbox, MESSAGE.names, [MESSAGE.values(message)])[0]!;
}
