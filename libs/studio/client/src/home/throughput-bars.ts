import type { Throughput } from '../api/operations.js';

export interface Bar {
  /** When its stretch begins. */
  readonly from: number;
  readonly started: number;
  readonly finished: number;
  readonly faulted: number;
}

/** One for each stretch of the hour before `at`, those without anything included; the oldest first. */
export function barsOf({ slotMs, slots }: Throughput, at: number, count = 12): Bar[] {
  const known = new Map(slots.map((slot) => [new Date(slot.from).getTime(), slot]));
  const last = at - (at % slotMs);
  return Array.from({ length: count }, (_, index) => {
    const from = last - (count - 1 - index) * slotMs;
    const { started = 0, finished = 0, faulted = 0 } = known.get(from) ?? {};
    return { from, started, finished, faulted };
  });
}
