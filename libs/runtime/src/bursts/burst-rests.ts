import { performance } from 'node:perf_hooks';
import { clearTimeout, setTimeout } from 'node:timers';

/** Shorter bursts cost so little that no time has to pass between two of them, in milliseconds. */
const SHORTEST_MS = 20;
/** However long a burst took, the next one does not wait for longer, in milliseconds. */
const LONGEST_REST_MS = 1000;

interface Rest {
  readonly until: number;
  readonly over: Promise<void>;
  readonly end: () => void;
}

/** What bursts cost is real time, also where that of workflows stands still. */
export interface RestTime {
  now(): number;
  setTimer(callback: () => void, ms: number): () => void;
}

const REAL_TIME: RestTime = {
  now: () => performance.now(),
  setTimer: (callback, ms) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * After a burst for which others had to wait, its instance rests for as long as the burst took, and what comes meanwhile shares the next one. So at most
 * half of the time goes into loading and storing a state, however large it is and however fast work for it comes: the bursts
 * become fewer as the state grows. Only what came by a message waits for that; everything else ends the rest.
 */
export class BurstRests {
  private readonly rests = new Map<string, Rest>();

  constructor(private readonly time: RestTime = REAL_TIME) {}

  /** For `begin`, when a burst begins. */
  now(): number {
    return this.time.now();
  }

  /** @param begunAt when the burst began that has ended now */
  begin(instanceId: string, begunAt: number): void {
    const now = this.time.now();
    const took = Math.min(now - begunAt, LONGEST_REST_MS);
    if (took < SHORTEST_MS) return;
    this.end(instanceId);
    let resolve = (): void => {};
    const over = new Promise<void>((done) => (resolve = done));
    const cancel = this.time.setTimer(() => this.end(instanceId), took);
    const end = (): void => {
      cancel();
      this.rests.delete(instanceId);
      resolve();
    };
    this.rests.set(instanceId, { until: now + took, over, end });
  }

  /** Resolves when the rest of that instance is over; undefined: it does not rest. */
  of(instanceId: string): Promise<void> | undefined {
    const rest = this.rests.get(instanceId);
    // Timers may be late.
    if (rest && rest.until <= this.time.now()) rest.end();
    return this.rests.get(instanceId)?.over;
  }

  end(instanceId: string): void {
    this.rests.get(instanceId)?.end();
  }
}
