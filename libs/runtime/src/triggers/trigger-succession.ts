import { canonicalJson, parseDate } from '@waymark/core/adapter';
import type { StoredTrigger } from '../persistence/records.js';

/** Rows to store and to delete, of one definition. */
export interface Succession {
  /** With what those in whose place they come have had. */
  readonly added: readonly StoredTrigger[];
  /** Rows that an added one has the id of. */
  readonly replaced: readonly StoredTrigger[];
  /** The others. */
  readonly removed: readonly StoredTrigger[];
}

/**
 * Gives each new row what it takes over from the one in whose place it comes. With the same times it is the same schedule: it keeps
 * id, due time, last firing and pause. Otherwise a deploy that only changes `overlap` would lose the occurrence that is due.
 * @param namesOf other ids of the activity that a row is of
 */
export function succeed(
  added: readonly StoredTrigger[],
  removed: readonly StoredTrigger[],
  namesOf: ReadonlyMap<StoredTrigger, readonly string[]>,
): Succession {
  // There may be thousands of both: those of one activity are looked at only.
  const before = grouped(removed, placeOf);
  // An activity with another id is known by its times, if one row alone had them and one has them now.
  const [timesBefore, timesNow] = [removed, added].map((rows) => grouped(rows, (row) => timesOf(row) ?? ''));
  const timedBefore = removed.filter(({ dueAt, paused }) => dueAt || paused);
  const timedNow = added.filter(({ dueAt }) => dueAt !== undefined);
  const replaced = new Map<string, StoredTrigger>();
  const followed = (row: StoredTrigger): StoredTrigger => {
    const names = [row.activityId, ...(namesOf.get(row) ?? [])];
    const ofPlace = names.map((activityId) => before.get(placeOf({ ...row, activityId }))).find(Boolean) ?? [];
    const times = timesOf(row);
    const ofTimes = times !== undefined && timesNow!.get(times)?.length === 1 ? timesBefore!.get(times) : undefined;
    const predecessors = ofPlace.length === 0 && ofTimes?.length === 1 ? ofTimes : ofPlace;
    const same = predecessors.find(
      (each) => times !== undefined && timesOf(each) === times && !each.unreadable && !replaced.has(each.id),
    );
    if (same) {
      replaced.set(same.id, same);
      return continued(row, same);
    }
    // With another id and other times, but nothing else that it could be.
    const isOnlyOne = timedBefore.length === 1 && timedNow.length === 1;
    return staysPaused(
      staysOver(row, predecessors),
      predecessors.length === 0 && isOnlyOne ? timedBefore : predecessors,
    );
  };
  const rows = added.map(followed);
  return { added: rows, replaced: [...replaced.values()], removed: removed.filter(({ id }) => !replaced.has(id)) };
}

/** In their order. */
export function grouped(
  rows: readonly StoredTrigger[],
  keyOf: (row: StoredTrigger) => string,
): Map<string, StoredTrigger[]> {
  const groups = new Map<string, StoredTrigger[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}

/** Equal for rows of which one may take the place of the other. */
const placeOf = ({ name, activityId }: StoredTrigger): string => JSON.stringify([name, activityId]);

/**
 * Equal for rows that fire at the same times. Members of a payload have the names that Elsa, and the activities that fire at times, give
 * them. How occurrences are started, and until when, is left out: that changes no time.
 */
function timesOf(row: StoredTrigger): string | undefined {
  const once = onceAt(row);
  if (once !== undefined || row.dueAt === undefined) return once;
  const payload = (row.payload ?? {}) as Record<string, unknown>;
  if (!('interval' in payload) && !('cronExpression' in payload)) return undefined;
  const { misfire: _misfire, overlap: _overlap, jitter: _jitter, validUntil: _validUntil, ...times } = payload;
  return canonicalJson([row.name, times]);
}

/** The time of a trigger that has one only: payloads name it `executeAt`, as in Elsa. */
function onceAt({ payload }: StoredTrigger): string | undefined {
  const { executeAt } = (payload ?? {}) as { executeAt?: unknown };
  return executeAt === undefined || executeAt === null ? undefined : canonicalJson(executeAt);
}

/** @param before has the same times */
function continued(row: StoredTrigger, before: StoredTrigger): StoredTrigger {
  const { id, lastFiring, paused, dueAt } = before;
  const kept: StoredTrigger = { ...row, id, ...(lastFiring && { lastFiring }) };
  const isOnce = onceAt(row) !== undefined;
  if (paused) {
    const next = (isOnce ? row.dueAt : undefined) ?? paused.dueAt;
    return { ...kept, dueAt: null, paused: { ...paused, dueAt: next } };
  }
  // A series that has ended continues where it was given a later end. What fires once has fired, unless it has another time.
  if (!dueAt) return isOnce && row.dueAt ? { ...kept, dueAt: null } : kept;
  // Its own time may be over by now: it is still due.
  if (isOnce) return { ...kept, dueAt: row.dueAt ?? dueAt };
  if (isValidAt(row, dueAt)) return { ...kept, dueAt };
  // With the part of its jitter that its new end leaves, that time may still come.
  return { ...kept, dueAt: row.dueAt && isValidAt(row, row.dueAt) ? row.dueAt : null };
}

function isValidAt({ payload }: StoredTrigger, dueAt: Date): boolean {
  const { validUntil } = payload as { validUntil?: unknown };
  const until = typeof validUntil === 'string' ? parseDate(validUntil) : undefined;
  return until === undefined || dueAt <= until;
}

/**
 * One that fires once, in the place of one that has for the same time: it was published with other properties, or by a version that
 * did not store them. To fire again, it needs another time.
 * @param replaced rows of the same place that are removed
 */
function staysOver(row: StoredTrigger, replaced: readonly StoredTrigger[]): StoredTrigger {
  const time = onceAt(row);
  if (time === undefined || !row.dueAt) return row;
  const before = replaced.find((each) => (each.unreadable ? hasFiredFor(each, row) : onceAt(each) === time));
  return before?.dueAt === null && !before.paused ? { ...row, dueAt: null } : row;
}

/** Of a row that was damaged: its time cannot be read, but when it was fired for the last time: never before it was due. */
function hasFiredFor({ lastFiring }: StoredTrigger, { payload, dueAt }: StoredTrigger): boolean {
  const { executeAt } = payload as { readonly executeAt?: unknown };
  // Without the jitter, which may have been another one.
  const time = executeAt instanceof Date ? executeAt : dueAt!;
  return lastFiring !== undefined && time <= lastFiring.dueAt;
}

/**
 * One that takes the place of a paused one is paused as well: its new times would have come as a surprise. Also one without a next
 * time, or the version after it would fire. Its next time is a past one then, so that it has none when it is resumed.
 */
function staysPaused(row: StoredTrigger, replaced: readonly StoredTrigger[]): StoredTrigger {
  const { dueAt } = row;
  const paused = replaced.find((each) => each.paused)?.paused;
  if (!paused || dueAt === undefined || (dueAt === null && onceAt(row) !== undefined)) return row;
  return { ...row, dueAt: null, paused: { at: paused.at, dueAt: dueAt ?? paused.at } };
}
