import { WorkflowSubStatus } from '@waymark/core';
import type { Statement } from '../database/statement.js';
import { BOOKMARK } from '../bookmarks/bookmark-rows.js';
import { deleteRows, deleteRowsOf, lockRows } from '../dialect/conditions.js';
import type { Dialect } from '../dialect/dialect.js';
import { insertRows } from '../dialect/insert-rows.js';
import type { Tables } from '../dialect/tables.js';
import { CHUNK, VALUE, VALUE_KEY } from '../journal/journal-rows.js';
import { MESSAGE } from '../outbox/outbox-rows.js';
import { announcePatterns } from '../patterns/pattern-rows.js';
import { enqueueStatements } from '../queue/queue-rows.js';
import { claimStatement } from '../schedules/schedule-rows.js';
import { claimOccurrences } from '../triggers/trigger-rows.js';
import { taskStatements } from '../user-tasks/task-statements.js';
import type { BurstCommit } from '@waymark/runtime/adapter';
import type { BurstRows } from './burst-rows.js';
import { takeKeys } from './key-statements.js';
import { insertInstances, updateInstance, updateInstancesAtOnce } from './instance-statements.js';

/**
 * The statements of one commit, or of several in one transaction. Their order is the same for every commit, so that two of
 * them cannot wait for each other: first what starts a burst (message, queue item, occurrence, keys), then the instance,
 * then what hangs on it. The holder of the instance's row is alone with its bookmarks.
 *
 * Each check counts over all of them, so it holds for each: what two want to use up is there only once, and an instance
 * that two write has the revision of one only.
 * @param isGroup locks of occurrences and instances are not waited for, also when there is only one member
 */
export function commitStatements(
  dialect: Dialect,
  tables: Tables,
  members: readonly BurstRows[],
  isGroup = false,
): Statement[] {
  const bursts = members.map(({ burst }) => burst);
  const continued = members.filter(({ isNew }) => !isNew);
  const finished = members.filter(({ isFinished }) => isFinished);
  return [
    ...consume(
      dialect,
      tables.outbox,
      bursts.map((burst) => burst.consumedMessageIds),
    ),
    ...consume(
      dialect,
      tables.queue,
      bursts.map((burst) => burst.consumedQueueItemIds),
    ),
    // Messages for a cancelled instance, while its own new ones are still to come.
    ...deleteRows(dialect, tables.outbox, 'instance_id', idsOf(continued.filter(isCancelled))),
    ...(isGroup ? lockFirings(dialect, tables, bursts) : []),
    ...claimFirings(dialect, tables, bursts),
    ...takeKeys(dialect, tables, members),
    ...insertInstances(dialect, tables.instances, members),
    ...(isGroup
      ? updateInstancesAtOnce(dialect, tables.instances, continued)
      : continued.map((member) => updateInstance(tables.instances, member))),
    ...consume(
      dialect,
      tables.bookmarks,
      bursts.map((burst) => burst.consumedBookmarkIds),
    ),
    // A new instance has none yet, and its only key is the one just taken.
    ...deleteRowsOf(
      dialect,
      { table: tables.bookmarks, key: 'id', column: 'workflow_instance_id' },
      idsOf(finished.filter(({ isNew }) => !isNew)),
    ),
    ...deleteRowsOf(
      dialect,
      { table: tables.activation_keys, key: 'activation_key', column: 'instance_id' },
      idsOf(finished.filter(({ isNew, burst }) => !isNew || burst.activationKey !== undefined)),
    ),
    ...deleteRows(dialect, tables.bookmarks, 'id', members.flatMap(removedIds).sort()),
    ...insertRows(
      dialect,
      tables.bookmarks,
      BOOKMARK.names,
      members.flatMap((member) => member.bookmarks),
    ),
    ...insertRows(
      dialect,
      tables.journal,
      CHUNK.names,
      members.flatMap((member) => member.journal),
    ),
    ...insertRows(
      dialect,
      tables.journal_values,
      VALUE.names,
      members.flatMap((member) => member.values),
      dialect.ignoreKnown(...VALUE_KEY),
    ),
    ...insertRows(
      dialect,
      tables.outbox,
      MESSAGE.names,
      members.flatMap((member) => member.messages),
      dialect.ignoreKnown('id'),
    ),
    ...bursts.flatMap((burst) => burst.queue.flatMap((item) => enqueueStatements(dialect, tables, item))),
    ...bursts.flatMap(({ userTasks }) => (userTasks ? taskStatements(dialect, tables, userTasks) : [])),
    ...bursts.flatMap((burst) => announcePatterns(dialect, tables, burst.patterns ?? [])),
  ];
}

/** Deletes rows that must be there. */
function consume(dialect: Dialect, table: string, idsOfEach: readonly (readonly string[])[]): Statement[] {
  const ids = idsOfEach.flatMap((some) => [...new Set(some)]).sort();
  const expect = { affected: ids.length };
  return deleteRows(dialect, table, 'id', ids).map((statement) => ({ ...statement, expect }));
}

function idsOf(members: readonly BurstRows[]): string[] {
  return members.map(({ burst }) => burst.instance.id).sort();
}

function isCancelled({ burst }: BurstRows): boolean {
  return burst.instance.subStatus === WorkflowSubStatus.Cancelled;
}

/** Bookmarks that go without having been used; those of a finished instance go with it. */
function removedIds({ burst, isFinished }: BurstRows): string[] {
  if (isFinished) return [];
  const used = new Set(burst.consumedBookmarkIds);
  return burst.removedBookmarkIds.filter((id) => !used.has(id));
}

/** Fails at once when another node is claiming one of the occurrences: the claims that follow would wait for it. */
function lockFirings(dialect: Dialect, tables: Tables, bursts: readonly BurstCommit[]): Statement[] {
  const firings = bursts.flatMap(({ firing }) => (firing ? [firing] : []));
  const triggers = firings.flatMap((firing) => ('triggerId' in firing ? [firing.triggerId] : []));
  const schedules = firings.flatMap((firing) => ('triggerId' in firing ? [] : [firing.id]));
  const lock = (table: string, ids: readonly string[]): Statement[] =>
    ids.length === 0 ? [] : [lockRows(dialect, table, 'id', ids)];
  return [...lock(tables.triggers, triggers), ...lock(tables.schedules, schedules)];
}

function claimFirings(dialect: Dialect, tables: Tables, bursts: readonly BurstCommit[]): Statement[] {
  const firings = bursts.flatMap(({ firing }) => firing ?? []);
  const triggers = firings.flatMap((firing) => ('triggerId' in firing ? firing : []));
  const schedules = firings.flatMap((firing) => ('triggerId' in firing ? [] : firing));
  return [
    ...claimOccurrences(dialect, tables.triggers, triggers),
    ...schedules.map((firing) => claimStatement(tables.schedules, firing)),
  ];
}
