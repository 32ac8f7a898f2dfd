import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** No longer than that do messages keep the event loop to themselves. */
const LONGEST_RUN_MS = 10;

/**
 * Lets timers, requests and health checks have their turn. Where the store answers without leaving the process, one message
 * follows the other within one turn of the event loop, and a backlog of ten thousand would be one long standstill.
 */
export class Breather {
  private runsSince: number | undefined;
  private pause: Promise<void> | undefined;
  /** The last of those that go on one by one. */
  private last: Promise<void> | undefined;

  /** @param now monotonic, in milliseconds of real time: it is the processor that is shared */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /**
   * The same for work that takes long itself: what has to wait goes on one by one, in a turn of the event loop each.
   * @returns what to wait for, if there is anything
   */
  turn(): Promise<void> | undefined {
    const before = this.last ?? this.taken();
    if (!before) return undefined;
    const turn = before.then(() => nextTurn());
    this.last = turn;
    void turn.then(() => {
      if (this.last === turn) this.last = undefined;
    });
    return turn;
  }

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
