import { setImmediate as nextTurn } from 'node:timers/promises';
import { WorkflowStatus } from '@waymark/core';
import { listLengths, restingLists } from '@waymark/core/adapter';
import type { StoredBookmark } from '@waymark/runtime';
import { type BurstCommit, loopTurns } from '@waymark/runtime/adapter';
import { BOOKMARK } from '../bookmarks/bookmark-rows.js';
import type { PersistenceSettings } from '../connection/settings.js';
import type { SqlValue } from '../database/statement.js';
import type { Dialect } from '../dialect/dialect.js';
import { executedByText, INSTANCE, instanceValues } from '../instances/instance-rows.js';
import { partsOf, type StateParts, textOfParts } from '../instances/state-parts.js';
import { stateTextInLines } from '../instances/state-text.js';
import { type JournalRows, journalValues, journalValuesInTurns } from '../journal/journal-rows.js';
import { hasLargeValues } from '../journal/journal-text.js';
import { MESSAGE } from '../outbox/outbox-rows.js';
import { requireFitting, requireFittingInTurns, requirePossible } from './size-limits.js';

type Values = readonly SqlValue[];
type RowSettings = Pick<PersistenceSettings, 'maxStateBytes' | 'journalValueBytes'>;

/** A burst with its values as they stand in the tables. */
export interface BurstRows {
  readonly burst: BurstCommit;
  readonly isNew: boolean;
  readonly isFinished: boolean;
  /** As `WRITTEN_INSTANCE` lists it. */
  readonly instance: Values;
  readonly bookmarks: readonly Values[];
  readonly journal: readonly Values[];
  /** Large values of the journal. */
  readonly values: readonly Values[];
  readonly messages: readonly Values[];
  /** The state in parts, where the bursts to come may use them. */
  readonly parts: StateParts | undefined;
  /** About how many characters it takes to send. */
  readonly size: number;
}

/** Bookmarks or messages that are turned into rows without a pause: about two milliseconds. */
const ROWS_OF_PART = 250;
/** So many executions are turned into text that others get their turn in between. */
const MANY = 1000;
/** So many messages as well: each may have a large payload. */
const MANY_MESSAGES = 50;
/** So many characters as well. */
const LARGE = 1_000_000;

/**
 * The same, part by part where it takes long. A burst that continues is stored in parts only if it has many executions: it pauses until it
 * is stored. The start of a burst that is noted while it runs has none, and could change in between. Other commits get no promise, which
 * would cost more than they do.
 * @throws ValueNotStorableError, ValueTooLargeError
 */
export function toRowsInTurns(
  burst: BurstCommit,
  dialect: Dialect,
  settings: RowSettings,
): BurstRows | Promise<BurstRows> {
  const { instance } = burst;
  requirePossible(burst, settings.maxStateBytes);
  const { scheduledActivities } = instance.state;
  const lengths = listLengths(instance.state);
  // That of a start which is noted while it runs is empty: with such values, a burst has ended, or waits until they are stored.
  const isHeavy = hasLargeValues(burst.journal);
  if (!isHeavy && instance.isExecuting && lengths.activityExecutionContexts + scheduledActivities.length < MANY)
    return burst.outbox.length < MANY_MESSAGES ? toRows(burst, dialect, settings) : halfway(burst, dialect, settings);
  const isLong =
    burst.outbox.length >= MANY_MESSAGES ||
    restingLists(instance.state) !== undefined ||
    Math.max(
      lengths.activityExecutionContexts,
      scheduledActivities.length,
      lengths.bookmarks,
      burst.addedBookmarks.length,
    ) >= MANY;
  if (isLong) return inTurns(() => rowsInLines(burst, dialect, settings), dialect, settings);
  if (isHeavy) return inTurns(() => rowsAfterJournal(burst, dialect, settings), dialect, settings);
  const journal = journalOf(burst, dialect, settings);
  if (burst.journal.records.length < MANY && lengthOf(journal.chunks, journal.values) < LARGE) {
    const rows = rowsOf(burst, journal);
    if (rows.size < LARGE) return fitting(rows, dialect, settings);
    return inTurns(() => rows, dialect, settings);
  }
  return inTurns(() => rowsOf(burst, journal), dialect, settings);
}

/** The rows of a half-way commit with many messages. Messages no longer change, so that they can be serialized in several turns. */
async function halfway(burst: BurstCommit, dialect: Dialect, settings: RowSettings): Promise<BurstRows> {
  const rows = rowsOf({ ...burst, outbox: [] }, journalOf(burst, dialect, settings));
  const messages = await eachWithPauses(burst.outbox, MESSAGE.values, () => loopTurns.goOn());
  return fitting({ ...rows, burst, messages, size: rows.size + lengthOf(messages) }, dialect, settings);
}

async function inTurns(
  make: () => BurstRows | Promise<BurstRows>,
  dialect: Dialect,
  settings: RowSettings,
): Promise<BurstRows> {
  await nextTurn();
  const rows = await make();
  await nextTurn();
  await requireFittingInTurns(rows, dialect, settings.maxStateBytes, () => loopTurns.goOn());
  await nextTurn();
  return rows;
}

/** Of a burst with values of megabytes: each is made text, and hashed, in turns of its own, and so is the state. */
async function rowsAfterJournal(burst: BurstCommit, dialect: Dialect, settings: RowSettings): Promise<BurstRows> {
  const { id } = burst.instance;
  const pause = () => loopTurns.goOn();
  const journal = await journalValuesInTurns(id, burst.journal, dialect, settings.journalValueBytes, pause);
  await nextTurn();
  return rowsOf(burst, journal);
}

/** Of an instance with thousands of branches, or children that it starts at once. */
async function rowsInLines(burst: BurstCommit, dialect: Dialect, settings: RowSettings): Promise<BurstRows> {
  const pause = () => loopTurns.goOn();
  const { id } = burst.instance;
  const journal = await journalValuesInTurns(id, burst.journal, dialect, settings.journalValueBytes, pause);
  const { state: given } = burst.instance;
  const lists = restingLists(given);
  const parts = lists && (await partsOf(given, lists, pause));
  const state = parts ? textOfParts(parts) : await stateTextInLines(given, pause);
  const bookmarks = await eachWithPauses(added(burst), BOOKMARK.values, pause);
  const messages = await eachWithPauses(burst.outbox, MESSAGE.values, pause);
  const instance = instanceValues(burst.instance, state, nextRevision(burst));
  return { ...rowsWith(burst, journal, instance, bookmarks, messages), parts };
}

async function eachWithPauses<T>(
  records: readonly T[],
  valuesOf: (record: T) => Values,
  pause: () => Promise<void> | undefined,
): Promise<Values[]> {
  const rows: Values[] = [];
  let [chars, paused] = [0, 0];
  for (const record of records) {
    const values = valuesOf(record);
    chars += lengthOf([values]);
    rows.push(values);
    if (rows.length % ROWS_OF_PART !== 0 && chars - paused < LARGE) continue;
    paused = chars;
    const turn = pause();
    if (turn) await turn;
  }
  return rows;
}

/**
 * Turns values into text before the burst meets any other: one that cannot be stored is the error of that burst only.
 * @throws ValueNotStorableError, ValueTooLargeError
 */
function toRows(burst: BurstCommit, dialect: Dialect, settings: RowSettings): BurstRows {
  return fitting(rowsOf(burst, journalOf(burst, dialect, settings)), dialect, settings);
}

function journalOf({ instance, journal }: BurstCommit, dialect: Dialect, settings: RowSettings): JournalRows {
  return journalValues(instance.id, journal, dialect, settings.journalValueBytes);
}

function rowsOf(burst: BurstCommit, journal: JournalRows): BurstRows {
  const instance = INSTANCE.values({ ...burst.instance, revision: nextRevision(burst) });
  return rowsWith(burst, journal, instance, added(burst).map(BOOKMARK.values));
}

function rowsWith(
  burst: BurstCommit,
  { chunks, values }: JournalRows,
  known: Values,
  bookmarks: readonly Values[],
  messages: readonly Values[] = burst.outbox.map(MESSAGE.values),
): BurstRows {
  const instance = [...known, executedBy(burst)];
  const rows = { instance, bookmarks, journal: chunks, values, messages, parts: undefined };
  const size = lengthOf([instance], bookmarks, chunks, values, rows.messages);
  return { burst, isNew: burst.expectedRevision === undefined, isFinished: isFinished(burst), ...rows, size };
}

export const nextRevision = ({ expectedRevision = 0 }: BurstCommit): number => expectedRevision + 1;

function executedBy(burst: BurstCommit): string | null {
  const { executedBy: node, instance } = burst;
  return node !== undefined && instance.isExecuting ? executedByText(nextRevision(burst), node) : null;
}

const isFinished = ({ instance }: BurstCommit): boolean => instance.status === WorkflowStatus.Finished;

/** Bookmarks that get a row. */
const added = (burst: BurstCommit): readonly StoredBookmark[] => (isFinished(burst) ? [] : burst.addedBookmarks);

function fitting(rows: BurstRows, dialect: Dialect, { maxStateBytes }: RowSettings): BurstRows {
  requireFitting(rows, dialect, maxStateBytes);
  return rows;
}

/** About how many characters they take to send. */
function lengthOf(...tables: (readonly Values[])[]): number {
  let length = 0;
  for (const rows of tables)
    for (const values of rows) for (const value of values) length += typeof value === 'string' ? value.length : 8;
  return length;
}
