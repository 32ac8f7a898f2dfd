/** What was seen of the event loop and of the memory of the process. */
export interface Turns {
  /** The longest turn since the start, in milliseconds of the processor: what a busy machine takes away does not count. */
  readonly longestMs: number;
  /** Bytes since the process began, as far as they were looked at. */
  readonly peak: { readonly rss: number; readonly heap: number };
}

/** Turns that take longer look at the heap afterwards: that costs as much as some turns do. */
const LONG_MICROS = 5000;

/**
 * Milliseconds between two looks, which the loop makes when they are due, once per turn: short turns may be measured together, a long one
 * alone. A look in every turn (`setImmediate`) would keep a processor busy for as long as a request waits.
 */
const LOOK_MS = 2;

/** Measures turns of the event loop: during one nothing else can run, no request and no health check. */
export class TurnClock {
  private longest = 0;
  private heap = 0;
  private looking: NodeJS.Timeout | undefined;
  private last = process.cpuUsage();

  start(): void {
    this.longest = 0;
    this.last = process.cpuUsage();
    this.looking ??= setInterval(() => this.look(), LOOK_MS);
  }

  stop(): Turns {
    clearInterval(this.looking);
    this.looking = undefined;
    this.look();
    const rss = process.resourceUsage().maxRSS * 1024;
    return { longestMs: this.longest / 1000, peak: { rss, heap: this.heap } };
  }

  private look(): void {
    const { user, system } = process.cpuUsage(this.last);
    const took = user + system;
    if (took > LONG_MICROS) this.heap = Math.max(this.heap, process.memoryUsage().heapUsed);
    this.longest = Math.max(this.longest, took);
    this.last = process.cpuUsage();
  }
}
