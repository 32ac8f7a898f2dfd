import { bestSample, type ClockSample, isPossible, isPrecise } from './clock-sample.js';
import { systemTime, type TimeSources } from './time-sources.js';
import { type CancelTimer, type TimerOptions, WorkflowClock } from './workflow-clock.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';

/** Node's timers overflow past 2^31-1 ms and then fire at once; longer delays are waited for in steps. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** More than that between the wall clock and the monotonic one is a step, or a suspended machine, and no drift. */
const STEP_MS = 250;
const LOOK_FOR_STEPS_MS = 500;
/** Servers of one store may have clocks that differ: the clock does not run after each of them. */
const BETWEEN_DOUBTS_MS = 10_000;

/** The time of the store at one moment of the monotonic clock. */
interface Anchor {
  readonly time: number;
  readonly monotonic: number;
}

/**
 * A clock that follows the time of the store by the monotonic clock of the process: when the wall clock of the machine is set,
 * nothing happens early, late or twice. Until it follows a store that has a clock, it shows the wall clock.
 */
export class SystemClock extends WorkflowClock {
  private readonly logger = new WorkflowLogger('WorkflowClock');
  private anchor: Anchor | undefined;
  /** Wall clock minus monotonic clock, when they were last known to be right together. */
  private difference: number;
  private stepped = false;
  private readonly listeners = new Set<() => void>();
  private readonly setListeners = new Set<() => void>();
  private doubtedAt = -Infinity;
  private watch: NodeJS.Timeout | undefined;
  private synchronizing: Promise<void> | undefined;

  /** @param sources @default the clocks of the process */
  constructor(private readonly sources: TimeSources = systemTime) {
    super();
    this.difference = this.measureDifference();
  }

  now(): number {
    if (!this.anchor) return this.sources.wall();
    this.lookForStep();
    return Math.floor(this.timeAt(this.anchor, this.sources.monotonic()));
  }

  override storeTime(): Date | undefined {
    return this.anchor ? undefined : super.storeTime();
  }

  /**
   * True until the next `follow`, after the wall clock and the monotonic clock have disagreed (the wall clock was set, or the
   * machine was suspended, and then the time of this clock is old), or after the store gave a time that this clock has not.
   */
  get isInDoubt(): boolean {
    this.lookForStep();
    return this.stepped;
  }

  override monotonic(): number {
    return this.sources.monotonic();
  }

  override whenSet(listener: () => void): () => void {
    this.setListeners.add(listener);
    return () => void this.setListeners.delete(listener);
  }

  /** Comes into doubt when the store cannot have had that time since it was asked, if this clock is right. */
  override heard(time: number, askedAt: number): void {
    if (!this.anchor || this.stepped) return;
    const answeredAt = this.sources.monotonic();
    const isPossibleTime =
      time >= this.timeAt(this.anchor, askedAt) - STEP_MS && time <= this.timeAt(this.anchor, answeredAt) + STEP_MS;
    if (isPossibleTime || answeredAt - this.doubtedAt < BETWEEN_DOUBTS_MS) return;
    this.doubtedAt = answeredAt;
    this.doubt();
  }

  /** Calls back, within half a second, whenever the clock has come into doubt. @returns a function that ends the callbacks */
  whenInDoubt(listener: () => void): () => void {
    this.listeners.add(listener);
    this.watch ??= setInterval(() => this.lookForStep(), LOOK_FOR_STEPS_MS).unref();
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size > 0) return;
      clearInterval(this.watch);
      this.watch = undefined;
    };
  }

  /**
   * Makes `now()` show the time of another clock, such as the database's. It is asked several times, and the answer that
   * came fastest counts: half of its round trip is the most by which it can be wrong. When all answers took long, the time
   * stays as it is, unless even they prove it wrong. Calls at the same time are one.
   * @param read its time in milliseconds; undefined: it has none, and the wall clock is followed
   */
  follow(read: () => Promise<number | undefined>): Promise<void> {
    return (this.synchronizing ??= this.synchronize(read).finally(() => (this.synchronizing = undefined)));
  }

  setTimer(callback: () => void, delayMs: number, { holdsProcess = true }: TimerOptions = {}): CancelTimer {
    let remaining = Math.max(0, delayMs);
    let handle: NodeJS.Timeout;
    const arm = () => {
      const step = Math.min(remaining, LONGEST_TIMER_MS);
      remaining -= step;
      handle = setTimeout(() => (remaining > 0 ? arm() : callback()), step);
      if (!holdsProcess) handle.unref();
    };
    arm();
    return () => clearTimeout(handle);
  }

  private async synchronize(read: () => Promise<number | undefined>): Promise<void> {
    const sample = await bestSample(this.sources, read);
    const wasInDoubt = this.stepped;
    this.difference = this.measureDifference();
    this.stepped = false;
    if (!sample) {
      this.anchor = undefined;
      return;
    }
    const { anchor } = this;
    const known = anchor && this.timeAt(anchor, sample.answeredAt);
    if (!isPrecise(sample)) {
      if (known !== undefined && isPossible(sample, known)) return;
      this.logger.warn(
        `The store took ${Math.round(sample.roundTripMs)} ms to report its time: ` +
          `the clock of this node may be off by half of that until the store answers faster.`,
      );
    }
    this.report(sample, known, wasInDoubt);
    this.anchor = { time: sample.time, monotonic: sample.answeredAt };
    if (known !== undefined && Math.abs(sample.time - known) > STEP_MS)
      for (const listener of this.setListeners) listener();
  }

  private report({ time }: ClockSample, known: number | undefined, wasInDoubt: boolean): void {
    if (known === undefined) return;
    const correction = Math.round(time - known);
    if (Math.abs(correction) > STEP_MS)
      this.logger.warn(
        `The clock of this node was off and was corrected by ${correction} ms, to the time of the store.`,
      );
    else if (wasInDoubt)
      this.logger.warn('The system clock was changed; the clock of this node keeps to the time of the store.');
  }

  private lookForStep(): void {
    if (this.stepped || !this.anchor) return;
    if (Math.abs(this.measureDifference() - this.difference) > STEP_MS) this.doubt();
  }

  private doubt(): void {
    this.stepped = true;
    for (const listener of this.listeners) listener();
  }

  private measureDifference(): number {
    return this.sources.wall() - this.sources.monotonic();
  }

  private timeAt({ time, monotonic }: Anchor, moment: number): number {
    return time + (moment - monotonic);
  }
}
