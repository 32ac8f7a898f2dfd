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

/**
 * Turns values into text before the burst meets any other: one that cannot be stored is the error of that burst only.
 * @throws ValueNotStorableError, ValueTooLargeError
 */
export function toRows(
  burst: BurstCommit,
  dialect: Dialect,
  { maxStateBytes, journalValueBytes }: Pick<PersistenceSettings, 'maxStateBytes' | 'journalValueBytes'>,
): BurstRows {
  const { instance, expectedRevision } = burst;
  const isFinished = instance.status === WorkflowStatus.Finished;
  const journal = journalValues(instance.id, burst.journal, dialect, journalValueBytes);
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
