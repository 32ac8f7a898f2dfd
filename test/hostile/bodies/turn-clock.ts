/** Measures turns of the event loop: during one nothing else can run, no request and no health check. */
export class TurnClock {
  private longest = 0;
  private isRunning = false;
  private last = process.cpuUsage();

  start(): void {
    this.longest = 0;
    this.last = process.cpuUsage();
    if (this.isRunning) return;
    this.isRunning = true;
    setImmediate(this.turn);
  }

  /** The longest turn since the start, in milliseconds of the processor: what a busy machine takes away does not count. */
  stop(): number {
    this.isRunning = false;
    this.look();
    return this.longest / 1000;
  }

  private readonly turn = (): void => {
    if (!this.isRunning) return;
    this.look();
    setImmediate(this.turn);
  };

  private look(): void {
    const { user, system } = process.cpuUsage(this.last);
    this.longest = Math.max(this.longest, user + system);
    this.last = process.cpuUsage();
  }
}
