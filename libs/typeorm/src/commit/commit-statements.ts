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
  const firing = bursts.some((burst) => burst.firing) ? bursts : [];
  const all: Statement[] = [];
  // Most commits have few of these kinds: what there is none of costs no list.
  const add = (statements: readonly Statement[]): void => {
    for (const statement of statements) all.push(statement);
  };
  const addRows = (table: string, columns: readonly string[], rows: readonly Values[], suffix?: string): void => {
    if (rows.length > 0) add(insertRows(dialect, table, columns, rows, suffix));
  };
  add(consume(dialect, tables.outbox, bursts, 'consumedMessageIds'));
  add(consume(dialect, tables.queue, bursts, 'consumedQueueItemIds'));
  if (continued.length > 0)
    // Messages for what the instance was, while its own new ones are still to come.
    add(deleteRows(dialect, tables.outbox, 'instance_id', idsOf(continued.filter(takesBack))));
  if (firing.length > 0) {
    if (isGroup) add(lockFirings(dialect, tables, firing));
    add(claimFirings(dialect, tables, firing));
  }
  add(takeKeys(dialect, tables, members));
  if (continued.length < members.length) add(insertInstances(dialect, tables.instances, members));
  if (isGroup) add(updateInstancesAtOnce(dialect, tables.instances, continued));
  else for (const member of continued) all.push(updateInstance(tables.instances, member));
  add(consume(dialect, tables.bookmarks, bursts, 'consumedBookmarkIds'));
  add(releaseFinished(dialect, tables, members));
  add(deleteRows(dialect, tables.bookmarks, 'id', listed(members, removedIds).sort()));
  addRows(
    tables.bookmarks,
    BOOKMARK.names,
    listed(members, (member) => member.bookmarks),
  );
  addRows(
    tables.journal,
    CHUNK.names,
    listed(members, (member) => member.journal),
  );
  addRows(
    tables.journal_values,
    VALUE.names,
    listed(members, (member) => member.values),
    dialect.ignoreKnown(...VALUE_KEY),
  );
  addRows(
    tables.outbox,
    MESSAGE.names,
    listed(members, (member) => member.messages),
    dialect.ignoreKnown('id'),
  );
  for (const { queue } of bursts) for (const item of queue) add(enqueueStatements(dialect, tables, item));
  for (const { userTasks } of bursts) if (userTasks) add(taskStatements(dialect, tables, userTasks));
  for (const { patterns } of bursts) if (patterns?.length) add(announcePatterns(dialect, tables, patterns));
  return all;
}

const NONE: readonly never[] = [];

type Values = BurstRows['instance'];

/** Of all members, one after the other. */
function listed<T>(members: readonly BurstRows[], of: (member: BurstRows) => readonly T[]): T[] {
  const all: T[] = [];
  for (const member of members) for (const item of of(member)) all.push(item);
  return all;
}

/** A new instance has no bookmarks yet, and its only key is the one just taken. */
function releaseFinished(dialect: Dialect, tables: Tables, members: readonly BurstRows[]): Statement[] {
  const released = members.filter(
    ({ isFinished, isNew, burst }) =>
      (isFinished || burst.releasesActivationKey) && (!isNew || burst.activationKey !== undefined),
  );
  if (released.length === 0) return [];
  return [
    ...deleteRowsOf(
      dialect,
      { table: tables.bookmarks, key: 'id', column: 'workflow_instance_id' },
      idsOf(released.filter(({ isFinished, isNew }) => isFinished && !isNew)),
    ),
    ...deleteRowsOf(
      dialect,
      { table: tables.activation_keys, key: 'activation_key', column: 'instance_id' },
      idsOf(released),
    ),
  ];
}

/** Deletes rows that must be there. */
function consume(
  dialect: Dialect,
  table: string,
  bursts: readonly BurstCommit[],
  kind: 'consumedMessageIds' | 'consumedQueueItemIds' | 'consumedBookmarkIds',
): readonly Statement[] {
  if (bursts.every((burst) => burst[kind].length === 0)) return NONE;
  const ids = bursts.flatMap((burst) => [...new Set(burst[kind])]).sort();
  const expect = { affected: ids.length };
  return deleteRows(dialect, table, 'id', ids).map((statement) => ({ ...statement, expect }));
}

function idsOf(members: readonly BurstRows[]): string[] {
  return members.map(({ burst }) => burst.instance.id).sort();
}

function takesBack({ burst }: BurstRows): boolean {
  return burst.takesBackMessages === true || burst.instance.subStatus === WorkflowSubStatus.Cancelled;
}

/** Bookmarks that go without having been used; those of a finished instance go with it. */
function removedIds({ burst, isFinished }: BurstRows): readonly string[] {
  if (isFinished || burst.removedBookmarkIds.length === 0) return NONE;
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
