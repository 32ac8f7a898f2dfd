import type { TimeSources } from './time-sources.js';

/** An answer that came that fast is as good as any. */
const FAST_MS = 10;
/** A slower answer says too little: it is wrong by up to half of that. */
const LONGEST_PRECISE_MS = 500;
const MOST_SAMPLES = 5;
/** No further question after that time: the caller has waited long enough. */
const PATIENCE_MS = 2000;

/** One answer of another clock. */
export interface ClockSample {
  /** Its time when the answer arrived, by the best guess: half of the round trip after it was read. */
  readonly time: number;
  /** The moment of the monotonic clock at which it arrived. */
  readonly answeredAt: number;
  readonly roundTripMs: number;
}

/** Asks until an answer came fast, a few times at most. Undefined: the other side has no clock. */
export async function bestSample(
  sources: TimeSources,
  read: () => Promise<number | undefined>,
): Promise<ClockSample | undefined> {
  const begun = sources.monotonic();
  let best: ClockSample | undefined;
  for (let asked = 0; asked < MOST_SAMPLES; asked++) {
    const sample = await take(sources, read);
    if (!sample) return undefined;
    if (!best || sample.roundTripMs < best.roundTripMs) best = sample;
    if (best.roundTripMs <= FAST_MS || sample.answeredAt - begun > PATIENCE_MS) break;
  }
  return best;
}

export function isPrecise({ roundTripMs }: ClockSample): boolean {
  return roundTripMs <= LONGEST_PRECISE_MS;
}

/** Returns false if that cannot have been the other clock's time, whatever the answer's way took. */
export function isPossible({ time, roundTripMs }: ClockSample, known: number): boolean {
  return Math.abs(known - time) <= roundTripMs / 2;
}

async function take(sources: TimeSources, read: () => Promise<number | undefined>): Promise<ClockSample | undefined> {
  const [asked, askedWall] = [sources.monotonic(), sources.wall()];
  const answer = await read();
  const answeredAt = sources.monotonic();
  if (answer === undefined) return undefined;
  // Both clocks: while a virtual machine is suspended the monotonic one may stand still, and the answer is old.
  const roundTripMs = Math.max(answeredAt - asked, Math.abs(sources.wall() - askedWall));
  return { time: answer + roundTripMs / 2, answeredAt, roundTripMs };
}
