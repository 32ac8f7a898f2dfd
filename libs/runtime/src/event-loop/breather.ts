import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers';

/** No longer than that do messages keep the event loop to themselves. */
const LONGEST_RUN_MS = 10;

/**
 * Lets timers, requests and health checks have their turn. Where the store answers without leaving the process, one message
 * follows the other within one turn of the event loop, and a backlog of ten thousand would be one long standstill.
 */
export class Breather {
  private runsSince: number | undefined;
  private pause: Promise<void> | undefined;

  /** @param now monotonic, in milliseconds of real time: it is the processor that is shared */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** @returns what to wait for, if there is anything */
  taken(): Promise<void> | undefined {
    const now = this.now();
    if (this.runsSince === undefined) {
      this.runsSince = now;
      setImmediate(() => (this.runsSince = undefined));
    }
    if (now - this.runsSince < LONGEST_RUN_MS) return undefined;
    return (this.pause ??= new Promise((resolve) => {
      setImmediate(() => {
        this.pause = undefined;
        resolve();
      });
    }));
  }
}
