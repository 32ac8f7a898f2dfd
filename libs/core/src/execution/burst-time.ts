import type { JournalWriter } from './journal-writer.js';
import { BurstState } from './burst-state.js';
import type { EngineOptions } from './engine-options.js';

const RADIX = 36;
/** Without a journal the clock is read this seldom as long as nothing is awaited. */
const STEPS_PER_CLOCK = 16;
const DIGITS = Array.from({ length: RADIX }, (_, digit) => digit.toString(RADIX));

/** When the steps of a burst end, and the ids of its executions: what every step needs, and needs to be cheap. */
export abstract class BurstTime extends BurstState {
  abstract readonly id: string;
  abstract readonly engine: EngineOptions;
  abstract readonly journal: JournalWriter | undefined;
  private latestTime = 0;
  /** If true, something since the last look at the clock may have taken long. */
  hasTakenTime = false;
  /** Steps that ended since. */
  private stepsSinceClock = 0;
  /** Ids share all digits but the last, and this is the beginning of those made now. */
  private idPrefix = '';
  private idGroup = -1;

  /** The time of the host, in milliseconds since 1970. */
  now(): number {
    this.stepsSinceClock = 0;
    return (this.latestTime = this.engine.clock.now());
  }

  /**
   * When a step ends, which is when the next one begins. The journal shows it of every step; without one it is kept only
   * of what outlives the burst, and most steps take the time of one before them: reading the clock is a tenth of a step.
   */
  endOfStep(): number {
    if (this.journal || ++this.stepsSinceClock >= STEPS_PER_CLOCK) return this.now();
    return this.latestTime;
  }

  /** When the clock was read last. */
  get time(): number {
    return this.latestTime;
  }

  /** Time passes while the burst waits or a script runs: the next step that ends reads the clock. */
  expectTimeToPass(): void {
    this.hasTakenTime = true;
    this.stepsSinceClock = STEPS_PER_CLOCK;
  }

  /** The id of the activity execution with that number. */
  idOf(number: number): string {
    const group = Math.floor(number / RADIX);
    if (group !== this.idGroup) {
      this.idGroup = group;
      this.idPrefix = `${this.id}-${group === 0 ? '' : group.toString(RADIX)}`;
    }
    return this.idPrefix + DIGITS[number % RADIX]!;
  }
}
