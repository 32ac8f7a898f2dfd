/** Thrown through the frames of the sandbox to stop it. The module cannot be used any more afterwards. */
export class SandboxStopped extends Error {
  override readonly name = 'SandboxStopped';
}

/** Fuel between two looks at the clock: one to three milliseconds of native loops. */
const FUEL_PER_CHECK = 1_000_000;

/**
 * Keeps evaluations within their time, in two steps:
 *
 * 1. QuickJS asks {@link isLate} every few thousand interpreted jumps and calls, and ends the script cleanly.
 * 2. Native loops never ask. They burn fuel (see `wasm-meter.ts`); when a deadline is over by the grace period,
 *    {@link refuel} throws through WebAssembly, which costs the module.
 *
 * Time here is real time, never the clock port: it measures what the machine does.
 */
export class Watchdog {
  /** Set by {@link refuel}: the module is in an undefined state, whoever caught the error. */
  isStopped = false;
  private deadline = Infinity;
  private graceMs = 0;
  private hostCalls = 0;

  constructor(private readonly fuel: { value: number }) {
    fuel.value = FUEL_PER_CHECK;
  }

  get isEmpty(): boolean {
    return this.fuel.value <= 0;
  }

  isLate(): boolean {
    return performance.now() > this.deadline;
  }

  /** Called when the fuel is used up. */
  refuel(): void {
    this.fuel.value = FUEL_PER_CHECK;
    // The frames of a host function must not be left by this error: the library below would log and swallow it.
    if (this.hostCalls > 0 || (!this.isStopped && performance.now() <= this.deadline + this.graceMs)) return;
    this.isStopped = true;
    throw new SandboxStopped('The sandbox did not stop in time.');
  }

  /** Runs sandbox code under a deadline (a value of `performance.now()`). Runs may be nested through host functions. */
  guard<T>(deadline: number, timeoutMs: number, run: () => T): T {
    const { deadline: outerDeadline, graceMs, hostCalls } = this;
    this.deadline = deadline;
    this.graceMs = Math.max(20, timeoutMs / 10);
    this.hostCalls = 0;
    try {
      return run();
    } finally {
      this.deadline = outerDeadline;
      this.graceMs = graceMs;
      this.hostCalls = hostCalls;
    }
  }

  /** Host code runs that was called from the sandbox, until the answered function is called. */
  enterHost(): () => void {
    this.hostCalls++;
    return this.leaveHost;
  }

  private readonly leaveHost = (): void => {
    this.hostCalls--;
  };
}
