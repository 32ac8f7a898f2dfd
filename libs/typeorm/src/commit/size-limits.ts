import type { CompletionCallbackState, ScheduledActivityState } from '@waymark/core';
import { ValueTooLargeError } from '@waymark/runtime';
import { type BurstCommit, largestParts } from '@waymark/runtime/adapter';
import type { SqlValue } from '../database/statement.js';
import type { Dialect } from '../dialect/dialect.js';
import { STATE } from '../instances/instance-rows.js';
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
  const { scheduledActivities, completionCallbacks } = instance.state;
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
  const { maxValueBytes } = dialect;
  const room = Math.min(ROOM_FOR_INCIDENT, maxValueBytes / 8);
  if (rows.size * MOST_BYTES_OF_A_CHARACTER <= Math.min(maxStateBytes, maxValueBytes - room)) return;
  const { instance, atAnySize = false } = rows.burst;
  const state = rows.instance[STATE] as string;
  const bytes = Buffer.byteLength(state);
  const subject = `The state of workflow instance "${instance.id}"`;
  const largest = () => largestParts(instance.state, sizeOf);
  if (!atAnySize && bytes > maxStateBytes)
    throw new ValueTooLargeError({
      ...{ subject, bytes, maxBytes: maxStateBytes, advice: ADVICE },
      ...{ workflowInstanceId: instance.id, largest: largest() },
    });
  const sent = dialect.sentBytes(state);
  const maxBytes = maxValueBytes - (atAnySize ? 0 : room);
  if (sent > maxBytes)
    throw new ValueTooLargeError({
      ...{ subject, bytes: sent, maxBytes, advice: dialect.sizeAdvice },
      ...{ workflowInstanceId: instance.id, largest: largest() },
    });
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
