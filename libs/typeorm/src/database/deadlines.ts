/** Something that must be over in time. */
export interface Deadline {
  /** The tick of its beginning, or of its last sign of life. */
  since: number;
  readonly ticks: number;
  readonly expire: () => void;
}

/** Ticks in the shortest limit. A deadline ends one to two of them late: the server, which has the same limit, may answer first. */
const TICKS = 8;

/**
 * Deadlines of what is under way. One coarse timer looks at all of them: a timer for each statement would cost more than
 * sending it. It counts ticks and not time on purpose: a process that stood still (a debugger, a paused container) finds
 * the answers that came meanwhile before it gives up on them. The timer keeps no process alive.
 */
export class Deadlines {
  private readonly open = new Set<Deadline>();
  private readonly tickMs: number;
  private timer: NodeJS.Timeout | undefined;
  private ticks = 0;

  /** @param shortestMs the shortest limit that matters */
  constructor(shortestMs: number) {
    this.tickMs = Math.max(10, shortestMs / TICKS);
  }

  /** The present tick. */
  get now(): number {
    return this.ticks;
  }

  /** @param expire called once, unless it is ended or touched in time */
  start(limitMs: number, expire: () => void): Deadline {
    const deadline = { since: this.ticks, ticks: Math.ceil(limitMs / this.tickMs) + 2, expire };
    this.open.add(deadline);
    // oxlint-disable-next-line no-restricted-globals -- real time: it is the server that must answer, as in `backoff`
    this.timer ??= setInterval(() => this.tick(), this.tickMs).unref();
    return deadline;
  }

  /** A sign of life: it begins anew. */
  touch(deadline: Deadline): void {
    deadline.since = this.ticks;
  }

  end(deadline: Deadline): void {
    this.open.delete(deadline);
  }

  private tick(): void {
    this.ticks++;
    if (this.open.size === 0) {
      clearInterval(this.timer);
      this.timer = undefined;
    }
    for (const deadline of this.open) {
      if (this.ticks - deadline.since < deadline.ticks) continue;
      this.open.delete(deadline);
      deadline.expire();
    }
  }
}
