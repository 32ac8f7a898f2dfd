import type { CompletionCallbackState, ScheduledActivityState } from '@waymark/core';
import { restingLists } from '@waymark/core/adapter';
import { type LargePart, ValueTooLargeError } from '@waymark/runtime';
import { type BurstCommit, largestParts, largestPartsInTurns } from '@waymark/runtime/adapter';
import type { SqlValue } from '../database/statement.js';
import type { Dialect } from '../dialect/dialect.js';
import { STATE } from '../instances/instance-rows.js';
import type { Pause } from '../rows/stored-lines.js';
import { serialize } from '../rows/stored-text.js';
import type { BurstRows } from './burst-rows.js';

/** An instance whose state just fits must have room for the incident with which it may have to end. */
const ROOM_FOR_INCIDENT = 65_536;

/** As text, a character takes three bytes at most, and MySQL may want each of them escaped. */
const MOST_BYTES_OF_A_CHARACTER = 6;

const ADVICE = 'TypeOrmPersistence takes more with its option maxStateBytes.';

/**
 * Before anything is made text: a loop that has scheduled a hundred thousand branches would take seconds and hundreds of megabytes
 * to be made the text that is refused.
 * @throws ValueTooLargeError
 */
export function requirePossible({ instance, atAnySize = false }: BurstCommit, maxStateBytes: number): void {
  const { scheduledActivities } = instance.state;
  // Parts that are at rest were stored before: they fit.
  const completionCallbacks: readonly CompletionCallbackState[] = restingLists(instance.state)
    ? []
    : instance.state.completionCallbacks;
  if (atAnySize || scheduledActivities.length + completionCallbacks.length < MANY_ENTRIES) return;
  const parts = [
    { name: 'scheduledActivities', bytes: sum(scheduledActivities, leastOfScheduled) },
    { name: 'completionCallbacks', bytes: sum(completionCallbacks, leastOfCallback) },
  ];
  const bytes = sum(parts, (part) => part.bytes);
  if (bytes <= maxStateBytes) return;
  throw new ValueTooLargeError({
    ...{ subject: `The state of workflow instance "${instance.id}"`, bytes, maxBytes: maxStateBytes, advice: ADVICE },
    ...{ workflowInstanceId: instance.id, largest: parts },
  });
}

/** Fewer are not worth being counted. */
const MANY_ENTRIES = 10_000;

/** Characters of the names of members, of brackets and of what else stands in each entry. */
const FRAME = { scheduled: 40, variable: 55, callback: 55 };

const leastOfScheduled = ({ activityNodeId, variables }: ScheduledActivityState): number => {
  const least = FRAME.scheduled + activityNodeId.length;
  if (!variables) return least;
  return least + sum(variables, ({ definition: { id, name } }) => FRAME.variable + id.length + name.length);
};

const leastOfCallback = ({ ownerInstanceId, childNodeId, methodName }: CompletionCallbackState): number =>
  FRAME.callback + ownerInstanceId.length + childNodeId.length + methodName.length;

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  let total = 0;
  for (const item of items) total += of(item);
  return total;
}

/**
 * Before anything is sent. What most bursts have is not even counted: all of their texts together are shorter.
 * @throws ValueTooLargeError
 */
export function requireFitting(rows: BurstRows, dialect: Dialect, maxStateBytes: number): void {
  if (isSmall(rows, dialect, maxStateBytes)) return;
  const excess = excessOf(rows, dialect, maxStateBytes);
  if (excess) throw tooLarge(rows, excess, largestParts(rows.burst.instance.state, sizeOf));
  requireFittingRows(rows, dialect);
}

/**
 * The same with pauses: what does not fit is made text once more, part by part, to name the largest.
 * @throws ValueTooLargeError
 */
export async function requireFittingInTurns(
  rows: BurstRows,
  dialect: Dialect,
  maxStateBytes: number,
  pause: Pause,
): Promise<void> {
  if (isSmall(rows, dialect, maxStateBytes)) return;
  const excess = excessOf(rows, dialect, maxStateBytes);
  if (excess) throw tooLarge(rows, excess, await largestPartsInTurns(rows.burst.instance.state, sizeOf, pause));
  requireFittingRows(rows, dialect);
}

const roomOf = ({ maxValueBytes }: Dialect): number => Math.min(ROOM_FOR_INCIDENT, maxValueBytes / 8);

function isSmall({ size }: BurstRows, dialect: Dialect, maxStateBytes: number): boolean {
  return size * MOST_BYTES_OF_A_CHARACTER <= Math.min(maxStateBytes, dialect.maxValueBytes - roomOf(dialect));
}

/** By how much the state is too large, and for what. */
interface Excess {
  readonly bytes: number;
  readonly maxBytes: number;
  readonly advice: string;
}

function excessOf(rows: BurstRows, dialect: Dialect, maxStateBytes: number): Excess | undefined {
  const { atAnySize = false } = rows.burst;
  const state = rows.instance[STATE] as string;
  const bytes = Buffer.byteLength(state);
  if (!atAnySize && bytes > maxStateBytes) return { bytes, maxBytes: maxStateBytes, advice: ADVICE };
  const sent = dialect.sentBytes(state);
  const maxBytes = dialect.maxValueBytes - (atAnySize ? 0 : roomOf(dialect));
  return sent > maxBytes ? { bytes: sent, maxBytes, advice: dialect.sizeAdvice } : undefined;
}

function tooLarge({ burst }: BurstRows, excess: Excess, largest: LargePart[]): ValueTooLargeError {
  const { id } = burst.instance;
  const subject = `The state of workflow instance "${id}"`;
  return new ValueTooLargeError({ subject, ...excess, workflowInstanceId: id, largest });
}

function requireFittingRows(rows: BurstRows, dialect: Dialect): void {
  const { instance } = rows.burst;
  for (const kind of ['journal', 'values', 'messages', 'bookmarks'] as const)
    for (const row of rows[kind])
      requireFittingRow(`${SUBJECTS[kind]} of workflow instance "${instance.id}"`, row, rows, dialect);
}

const SUBJECTS = {
  journal: 'One entry of the journal',
  values: 'A value in the journal',
  messages: 'A message',
  bookmarks: 'A bookmark',
} as const;

function requireFittingRow(subject: string, row: readonly SqlValue[], { burst }: BurstRows, dialect: Dialect): void {
  const { maxValueBytes: maxBytes, sizeAdvice: advice } = dialect;
  for (const value of row) {
    if (typeof value !== 'string' || value.length * MOST_BYTES_OF_A_CHARACTER <= maxBytes) continue;
    const bytes = dialect.sentBytes(value);
    if (bytes > maxBytes)
      throw new ValueTooLargeError({ subject, bytes, maxBytes, advice, workflowInstanceId: burst.instance.id });
  }
}

function sizeOf(value: unknown): number {
  if (value === undefined) return 0;
  return Buffer.byteLength(serialize(value, 'value'));
}
