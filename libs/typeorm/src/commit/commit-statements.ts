import { WorkflowStatus } from '@waymark/core';
import { insertRows, type Statement } from '../database/statement.js';
import { BOOKMARK_COLUMNS, bookmarkValues } from '../bookmarks/bookmark-rows.js';
import { deleteRows } from '../dialect/conditions.js';
import type { Dialect } from '../dialect/dialect.js';
import type { Tables } from '../dialect/tables.js';
import { INSTANCE_COLUMNS, instanceValues } from '../instances/instance-rows.js';
import { insertChunk } from '../journal/journal-rows.js';
import { insertMessages } from '../outbox/outbox-rows.js';
import type { BurstCommit } from '@waymark/runtime';
import { enqueueStatements } from '../queue/queue-rows.js';
import { claimOccurrence } from '../triggers/trigger-rows.js';

/**
 * The statements of one commit. Their order is the same for every commit, so that two of them cannot wait for each other:
 * first what starts a burst (message, queue item, occurrence, keys), then the instance, then what hangs on it. Whoever
 * has the instance's row is alone with its bookmarks.
 */
export function commitStatements(dialect: Dialect, tables: Tables, burst: BurstCommit): Statement[] {
  const { instance, expectedRevision, firing, requestKey, activationKey } = burst;
  const isNew = expectedRevision === undefined;
  const finished = instance.status === WorkflowStatus.Finished;
  const statements = [
    ...consume(dialect, tables.outbox, burst.consumedMessageIds),
    ...consume(dialect, tables.queue, burst.consumedQueueItemIds),
  ];
  if (firing) statements.push(claimOccurrence(tables.triggers, firing));
  if (requestKey !== undefined) {
    statements.push(takeKey(dialect, tables.request_keys, 'request_key', requestKey, instance.id, isNew));
  }
  if (activationKey !== undefined) {
    statements.push(takeKey(dialect, tables.activation_keys, 'activation_key', activationKey, instance.id, isNew));
  }
  statements.push(
    writeInstance(tables.instances, burst),
    ...consume(dialect, tables.bookmarks, burst.consumedBookmarkIds),
  );
  if (finished) {
    // A new instance has none yet, and its only key is the one just taken.
    if (!isNew) statements.push(...deleteRows(dialect, tables.bookmarks, 'workflow_instance_id', [instance.id]));
    if (!isNew || activationKey !== undefined) {
      statements.push(...deleteRows(dialect, tables.activation_keys, 'instance_id', [instance.id]));
    }
  } else {
    const used = new Set(burst.consumedBookmarkIds);
    const removed = burst.removedBookmarkIds.filter((id) => !used.has(id)).sort();
    statements.push(
      ...deleteRows(dialect, tables.bookmarks, 'id', removed),
      ...insertRows(tables.bookmarks, BOOKMARK_COLUMNS, burst.addedBookmarks.map(bookmarkValues)),
    );
  }
  statements.push(
    ...insertChunk(tables.journal, instance.id, burst.journal),
    ...insertMessages(dialect, tables.outbox, burst.outbox),
    ...burst.queue.flatMap((item) => enqueueStatements(dialect, tables, item)),
  );
  return statements;
}

/** Deletes rows that must be there. */
function consume(dialect: Dialect, table: string, ids: readonly string[]): Statement[] {
  const unique = [...new Set(ids)].sort();
  const expect = { affected: unique.length };
  return deleteRows(dialect, table, 'id', unique).map((statement) => ({ ...statement, expect }));
}

function writeInstance(instances: string, { instance, expectedRevision }: BurstCommit): Statement {
  if (expectedRevision === undefined) {
    const columns = ['id', ...INSTANCE_COLUMNS];
    return {
      sql: `INSERT INTO ${instances} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
      params: [instance.id, ...instanceValues(instance, 1)],
    };
  }
  return {
    sql: `UPDATE ${instances} SET ${INSTANCE_COLUMNS.map((column) => `${column} = ?`).join(', ')} WHERE id = ? AND revision = ?`,
    params: [...instanceValues(instance, expectedRevision + 1), instance.id, expectedRevision],
    expect: { affected: 1 },
  };
}

/** Fails when another instance has the key. An instance that is not new may have it itself. */
function takeKey(
  { fromNothing }: Dialect,
  table: string,
  column: string,
  key: string,
  instanceId: string,
  isNew: boolean,
): Statement {
  const into = `INSERT INTO ${table} (${column}, instance_id)`;
  if (isNew) return { sql: `${into} VALUES (?, ?)`, params: [key, instanceId] };
  return {
    sql: `${into} SELECT ?, ?${fromNothing} WHERE NOT EXISTS (SELECT 1 FROM ${table} WHERE ${column} = ? AND instance_id = ?)`,
    params: [key, instanceId, key, instanceId],
  };
}
