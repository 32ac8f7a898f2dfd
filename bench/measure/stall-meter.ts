import { createHistogram } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** How often the event loop is expected to come round. */
const EVERY_MILLIS = 2;

/** How long the event loop was kept from its next turn, in milliseconds. */
export interface Stall {
  readonly millis: number;
  /** Of that, what this process computed: the rest it waited for the disk, or for a processor that others had. */
  readonly cpuMillis: number;
}

/** Measures for how long the event loop of this process does nothing else. */
export class StallMeter {
  private timer: NodeJS.Timeout | undefined;
  private last = { time: 0, cpu: 0 };
  private longest: Stall = { millis: 0, cpuMillis: 0 };
  private turns = createHistogram();

  begin(): void {
    clearInterval(this.timer);
    this.longest = { millis: 0, cpuMillis: 0 };
    this.turns = createHistogram();
    this.last = now();
    this.timer = setInterval(() => this.note(), EVERY_MILLIS);
  }

  /** The longest of each since `begin`, without the time that two turns are apart anyway. */
  async end(): Promise<Stall> {
    // A stall right before is seen in the turn after it.
    await new Promise((resolve) => setTimeout(resolve, EVERY_MILLIS));
    this.note();
    clearInterval(this.timer);
    return this.longest;
  }

  /** With the 99th percentile of all turns: what a request that comes at any time waits for the others at most. */
  async endWithP99(): Promise<Stall & { readonly p99Millis: number }> {
    const longest = await this.end();
    return { ...longest, p99Millis: this.turns.percentile(99) / 1000 };
  }

  private note(): void {
    const { time, cpu } = now();
    const millis = Math.max(0, time - this.last.time - EVERY_MILLIS);
    // Other threads compute, too: no more than the whole time.
    const cpuMillis = Math.min(millis, cpu - this.last.cpu);
    // In microseconds, of which a histogram counts whole ones.
    this.turns.record(Math.max(1, Math.round(millis * 1000)));
    const { longest } = this;
    this.longest = {
      millis: Math.max(longest.millis, millis),
      cpuMillis: Math.max(longest.cpuMillis, cpuMillis),
    };
    this.last = { time, cpu };
  }
}

/** What is left on the heap after a collection. */
export function heapMegabytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

function now(): { time: number; cpu: number } {
  const { user, system } = process.cpuUsage();
  return { time: performance.now(), cpu: (user + system) / 1000 };
}
