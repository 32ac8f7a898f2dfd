import type { Deadline } from '../../budget/deadline.js';

/** Thrown through the frames of the sandbox to stop it. The module cannot be used any more afterwards. */
export class SandboxStopped extends Error {
  override readonly name = 'SandboxStopped';
}

/** Fuel between two looks at the clock: one to three milliseconds of native loops. */
const FUEL_PER_CHECK = 1_000_000;

/** Until when sandbox code may run. */
export interface TimeLimits {
  /** When the evaluation has to have its result, as `performance.now()` tells it. */
  readonly deadline: number;
  /** How long this turn may hold the process. */
  readonly turn: Deadline;
  /** It is over, whatever the time. */
  readonly isCancelled?: boolean;
}

/** The option whose limit ended a script. */
export type TimeOption = 'timeoutMs' | 'blockingMs';

/** For the clean end of a script, before the module is given up. */
const GRACE_MS = 20;

/**
 * Keeps evaluations within their time, in two steps:
 *
 * 1. QuickJS asks {@link isLate} every few thousand interpreted jumps and calls, and ends the script cleanly.
 * 2. Native loops never ask. They burn fuel (see `wasm-meter.ts`); when the time is over by a grace period,
 *    {@link refuel} throws through WebAssembly, which costs the module.
 *
 * Time here is real time, never the clock port: it measures what the machine does.
 */
export class Watchdog {
  /** Set by {@link refuel}: the module is in an undefined state, even when the error was caught. */
  isStopped = false;
  /** What the last script that was late had used up. */
  exceeded: TimeOption = 'timeoutMs';

  private limits: TimeLimits | undefined;
  private lateSince: number | undefined;
  private hostCalls = 0;

  constructor(private readonly fuel: { value: number }) {
    fuel.value = FUEL_PER_CHECK;
  }

  get isEmpty(): boolean {
    return this.fuel.value <= 0;
  }

  isLate(): boolean {
    if (this.lateSince !== undefined) return true;
    if (!this.limits) return false;
    const now = performance.now();
    const { deadline, turn, isCancelled } = this.limits;
    if (isCancelled) this.exceeded = 'timeoutMs';
    else if (turn.isOver(now)) this.exceeded = 'blockingMs';
    else if (now > deadline) this.exceeded = 'timeoutMs';
    else return false;
    this.lateSince = now;
    return true;
  }

  /** Called when the fuel is used up. */
  refuel(): void {
    this.fuel.value = FUEL_PER_CHECK;
    // The frames of a host function must not be left by this error: the library below would log and swallow it.
    if (this.hostCalls > 0) return;
    if (!this.isStopped && !(this.isLate() && performance.now() > this.lateSince! + GRACE_MS)) return;
    this.isStopped = true;
    throw new SandboxStopped('The sandbox did not stop in time.');
  }

  /** Runs sandbox code within limits. Runs may be nested through host functions. */
  guard<T>(limits: TimeLimits, run: () => T): T {
    const { limits: outerLimits, lateSince, hostCalls } = this;
    this.limits = limits;
    this.lateSince = undefined;
    this.hostCalls = 0;
    try {
      return run();
    } finally {
      this.limits = outerLimits;
      this.lateSince = lateSince;
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
