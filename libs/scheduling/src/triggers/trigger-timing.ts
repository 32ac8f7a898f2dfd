import { parseDate, toOwnMilliseconds } from '@waymark/core/adapter';
import { sha256 } from '@waymark/runtime/adapter';
import { LATEST_TIME } from '../activities/delay-until.js';
import type { MisfirePolicy } from './misfire-policy.js';
import { isOverlapPolicy, OverlapPolicy } from './overlap-policy.js';

/** Custom properties of a Timer, Cron or StartAt, in its payload; those that are not given are missing. */
export interface TriggerTiming {
  /** What happens to occurrences that were missed. */
  readonly misfire?: MisfirePolicy;
  /** What happens to an occurrence while an instance of the previous one runs. */
  readonly overlap?: OverlapPolicy;
  /** Time span text. The trigger fires later than its times by a part of this span, which never changes. */
  readonly jitter?: string;
  /** That part, in milliseconds. */
  readonly jitterMs?: number;
  /** ISO text. A timer counts from it; a cron expression matches from it on. */
  readonly validFrom?: string;
  /** ISO text: it has no time later than that. What was due by then may start after it: when it was missed, or had to wait. */
  readonly validUntil?: string;
}

type Timed = TriggerTiming | undefined;

/** Numbers that 32 bits can make. */
const SPREAD = 0x1_0000_0000;

/** What a row says, whichever client has written it: an unknown policy, or a payload of an older version, means `allow`. */
export function overlapOf(payload: unknown): OverlapPolicy {
  const { overlap } = (payload ?? {}) as { overlap?: unknown };
  return isOverlapPolicy(overlap) ? overlap : OverlapPolicy.Allow;
}

export const jitterOf = (payload: Timed): number => payload?.jitterMs ?? 0;

/**
 * The same part of the jitter each time, and another one for other names: thousands that are due at midnight are spread, and each
 * keeps its distance from one time to the next.
 * @param name of what does not change while it is published or scheduled again
 */
export function shareOf(jitter: unknown, name: readonly string[]): number {
  const ms = toOwnMilliseconds(jitter) ?? 0;
  return Math.floor((Math.max(0, ms) * Number.parseInt(sha256(JSON.stringify(name)).slice(0, 8), 16)) / SPREAD);
}

export const validFrom = (payload: Timed): number | undefined => timeOf(payload?.validFrom);

export const validUntil = (payload: Timed): number | undefined => timeOf(payload?.validUntil);

/** The time itself; null when there is none, or the trigger is not valid any more by then. */
export function whileValid(time: number | undefined, payload: Timed): Date | null {
  if (time === undefined || time > LATEST_TIME) return null;
  const until = validUntil(payload);
  return until !== undefined && time > until ? null : new Date(time);
}

/**
 * When a named time fires: later by the part of the jitter, and at the end of the validity at the latest. Without that limit, whether the last
 * time fires would depend on the ids from which the jitter is derived. null: there is none, or it comes no later than `after`.
 */
export function firingOf(named: number | undefined, payload: Timed, after: number): Date | null {
  const until = validUntil(payload) ?? Infinity;
  if (named === undefined || named > until) return null;
  const time = Math.min(named + jitterOf(payload), until);
  return time > after && time <= LATEST_TIME ? new Date(time) : null;
}

/** What is due then may be a time whose jitter would pass the end of the validity. */
export function isAtEnd(time: number, payload: Timed): boolean {
  return jitterOf(payload) > 0 && time === validUntil(payload);
}

function timeOf(text: string | undefined): number | undefined {
  return typeof text === 'string' ? parseDate(text)?.getTime() : undefined;
}

/**
 * The first time of the series `anchor + n · step` that is later than both the anchor and `after`. Counted from the
 * anchor, never from the time of firing: a timer does not drift.
 */
export function nextOnGrid(anchor: number, step: number, after: number): number {
  const passed = Math.max(0, Math.floor((after - anchor) / step));
  return anchor + (passed + 1) * step;
}
