/** A machine that does not get to it must not fault what would have ended in time; but the wait has an end as well. */
const PATIENCE = 4;
/** Work is looked at between its pieces: it is ended a tenth early, so that the last piece still fits. */
const RESERVE = 0.9;

/**
 * Until when something may hold the process: a limit of time spent, not of time gone by. When the limit has gone by, the
 * processor time is asked too (of all threads, so it never counts too little), and what was starved by other processes
 * continues, up to four times the limit.
 *
 * Time here is real time, never the clock port: it measures what the machine does.
 */
export class Deadline {
  private mark: { readonly at: number; readonly usage: NodeJS.CpuUsage } | undefined;

  private readonly limitMs: number;

  /** @param begin when the work began, as `performance.now()` tells it */
  constructor(
    limitMs: number,
    private begin = performance.now(),
  ) {
    this.limitMs = limitMs * RESERVE;
  }

  /** Time that something else took, and that does not count. */
  leaveOut(ms: number): void {
    this.begin += ms;
  }

  isOver(now = performance.now()): boolean {
    const { limitMs } = this;
    const elapsed = now - this.begin;
    // Asking for the processor time costs as much as a short template, so most never do.
    if (elapsed < limitMs / 4) return false;
    this.mark ??= { at: elapsed, usage: process.cpuUsage() };
    if (elapsed <= limitMs) return false;
    if (elapsed > limitMs * PATIENCE) return true;
    const { user, system } = process.cpuUsage(this.mark.usage);
    return Math.min(this.mark.at, limitMs / 2) + (user + system) / 1000 > limitMs;
  }
}
