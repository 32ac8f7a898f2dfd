import { setImmediate as nextTurn } from 'node:timers/promises';
import { WorkflowStatus } from '@waymark/core';
import type { BurstCommit } from '@waymark/runtime';
import { BOOKMARK } from '../bookmarks/bookmark-rows.js';
import type { PersistenceSettings } from '../connection/settings.js';
import type { SqlValue } from '../database/statement.js';
import type { Dialect } from '../dialect/dialect.js';
import { INSTANCE } from '../instances/instance-rows.js';
import { journalValues } from '../journal/journal-rows.js';
import { MESSAGE } from '../outbox/outbox-rows.js';
import { requireFitting } from './size-limits.js';

type Values = readonly SqlValue[];

/** A burst with its values as they stand in the tables. */
export interface BurstRows {
  readonly burst: BurstCommit;
  readonly isNew: boolean;
  readonly isFinished: boolean;
  /** As `INSTANCE` writes it. */
  readonly instance: Values;
  readonly bookmarks: readonly Values[];
  readonly journal: readonly Values[];
  /** Large values of the journal. */
  readonly values: readonly Values[];
  readonly messages: readonly Values[];
  /** About how many characters it takes to send. */
  readonly size: number;
}

/** So many executions are turned into text that others get their turn in between. */
const MANY = 1000;

/**
 * The same, part by part where it takes long. Not of a burst that goes on: it could change meanwhile what is to be stored. A
 * promise for those only, as it would cost every other commit more than it does.
 */
export function toRowsInTurns(...given: Parameters<typeof toRows>): BurstRows | Promise<BurstRows> {
  const [{ instance, journal }] = given;
  const size = instance.state.activityExecutionContexts.length + journal.records.length;
  return size < MANY || instance.isExecuting ? toRows(...given) : inTurns(...given);
}

async function inTurns(...[burst, dialect, settings]: Parameters<typeof toRows>): Promise<BurstRows> {
  const journal = journalValues(burst.instance.id, burst.journal, dialect, settings.journalValueBytes);
  await nextTurn();
  const rows = toRows(burst, dialect, settings, journal);
  await nextTurn();
  return rows;
}

/**
 * Turns values into text before the burst meets any other: one that cannot be stored is the error of that burst only.
 * @throws ValueNotStorableError, ValueTooLargeError
 */
export function toRows(
  burst: BurstCommit,
  dialect: Dialect,
  { maxStateBytes, journalValueBytes }: Pick<PersistenceSettings, 'maxStateBytes' | 'journalValueBytes'>,
  journal = journalValues(burst.instance.id, burst.journal, dialect, journalValueBytes),
): BurstRows {
  const { instance, expectedRevision } = burst;
  const isFinished = instance.status === WorkflowStatus.Finished;
  const rows = {
    instance: INSTANCE.values({ ...instance, revision: (expectedRevision ?? 0) + 1 }),
    bookmarks: isFinished ? [] : burst.addedBookmarks.map(BOOKMARK.values),
    journal: journal.chunks,
    values: journal.values,
    messages: burst.outbox.map(MESSAGE.values),
  };
  let size = 0;
  for (const values of [rows.instance, ...rows.bookmarks, ...rows.journal, ...rows.values, ...rows.messages])
    for (const value of values) size += typeof value === 'string' ? value.length : 8;
  const all = { burst, isNew: expectedRevision === undefined, isFinished, ...rows, size };
  requireFitting(all, dialect, maxStateBytes);
  return all;
}
