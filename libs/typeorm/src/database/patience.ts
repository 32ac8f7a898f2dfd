import { PATIENCE_MS } from './backoff.js';

/** What is asked of the database, and may be asked again. */
export interface Call {
  readonly start: number;
  /** How many answers there had been by then. */
  readonly answers: number;
}

/** Of the last try: a server that is back answers within that time, as a rule. */
const SHORTEST_LIMIT_MS = 1000;

interface Outage {
  readonly since: number;
  failedAt: number;
}

/**
 * How long those who ask a database wait for it when it does not answer: all of them together, from the first call without an answer to the
 * next answer. If each call waited for itself, a request that asks twice would be answered after twice the documented time, and the tenth
 * of those that wait for each other, at one instance or for their turn, after ten times that. A call that comes later is tried once.
 */
export class Patience {
  private answers = 0;
  private outage: Outage | undefined;
  /** The one call that is given time although the patience is used up. */
  private scout: Call | undefined;

  /** It was at an end when a call failed last. */
  get isOver(): boolean {
    return this.outage !== undefined && this.outage.failedAt - this.outage.since > PATIENCE_MS;
  }

  begin(): Call {
    const start = performance.now();
    // Nothing was asked meanwhile: what is wrong now may be something else.
    if (this.outage && start - this.outage.failedAt > PATIENCE_MS) this.outage = undefined;
    return { start, answers: this.answers };
  }

  /** Also an error is an answer. */
  answered(): void {
    this.answers++;
    this.outage = undefined;
  }

  /** The call got no answer. Others may have had one since it began. */
  failed({ start, answers }: Call): void {
    const failedAt = performance.now();
    this.outage ??= { since: answers === this.answers ? start : failedAt, failedAt };
    this.outage.failedAt = failedAt;
  }

  /** From when on the call has waited, alone or along with others. */
  sinceOf({ start }: Call): number {
    return Math.min(start, this.outage?.since ?? start);
  }

  /** How long it waits at most from now on, in milliseconds. */
  leftOf(call: Call): number {
    return Math.max(0, PATIENCE_MS - (performance.now() - this.sinceOf(call)));
  }

  /**
   * How long the answer to a call may take that has a connection now, in milliseconds; `ended` has to follow. When the patience is used up
   * this is short, except for one call at a time: a server that is back and slow at first, with cold memory and all of its clients at once,
   * would otherwise be given up with each call, and the outage would last as long as it is slow.
   */
  limitOf(call: Call): number {
    const left = this.leftOf(call);
    if (left >= SHORTEST_LIMIT_MS || this.scout) return Math.max(left, SHORTEST_LIMIT_MS);
    this.scout = call;
    return PATIENCE_MS;
  }

  ended(call: Call): void {
    if (this.scout === call) this.scout = undefined;
  }
}
