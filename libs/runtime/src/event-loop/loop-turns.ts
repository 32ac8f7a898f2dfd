import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers';

/** After so long a turn of the event loop, work that has not begun waits for a later one. */
const LONGEST_TURN_MS = 25;
/** The same after states of so many characters, however fast they were handled. */
const CHARS_OF_TURN = 500_000;
/** Smaller states count by their time only, and wait for no larger ones. */
const LARGE_CHARS = 32_768;
/** So many of those that wait may begin in one turn, if its time allows. */
const MOST_OF_TURN = 16;
/** While no more than these wait to continue, every second place is for work that has not begun. */
const FEW_BEGUN = 4;
/** No longer than that does work wait for connections, however long its last turn took. */
const LONGEST_PAUSE_MS = 250;
/** After so many turns without a new connection, none is assumed to wait. */
const QUIET_TURNS = 2;

interface Waiting {
  readonly chars: number;
  readonly begin: () => void;
}

/**
 * Shares the event loop between bursts. Where the store answers without leaving the process, one instance follows the other within a turn:
 * twenty states of a megabyte were read, run and written before the next request was served, 0.7 s later.
 *
 * 1. Work that need not wait begins without an `await` in between: the next caller sees how long that took.
 * 2. Work that waits begins in its order, at least one piece in each turn; requests and timers are served in between. Work under way comes
 *    before work that has not begun, but while few wait to continue they alternate: one long list of reads would hold up all starts.
 * 3. A turn is over by its time or by the size of the states in it, whichever comes first: never by their number.
 * 4. A turn takes one new connection from the system, however many wait there. So work waits while they come, for as long as its last turn
 *    took: behind a thousand connections and scripts of 150 ms, a health check was served after minutes.
 */
export class LoopTurns {
  private readonly waiting: Waiting[] = [];
  private readonly begun: Waiting[] = [];
  /** When the turn began, as far as it is known; undefined: it was not asked for in this turn. */
  private since: number | undefined;
  private chars = 0;
  private scheduled = 0;
  private hasGoneOn = false;
  /** Until then work waits while connections come. */
  private pauseUntil = -Infinity;
  /** Turns since the last connection; undefined: they are not counted. */
  private quietTurns: number | undefined;
  /** The turn had a large state or was long, and ends a round of the loop later. */
  private isProlonged = false;

  /** @param now monotonic, in milliseconds of real time: it is the processor that is shared */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /**
   * Asks before work on an instance.
   * @param chars of the state, where they are known
   * @returns what to wait for; undefined: it may begin
   */
  begin(chars = 0): Promise<void> | undefined {
    return this.ask(this.waiting, chars);
  }

  /**
   * Asks before a further part of work that has begun. Many such parts come before work that has not begun, because begun work takes
   * memory.
   */
  goOn(chars = 0): Promise<void> | undefined {
    return this.ask(this.begun, chars);
  }

  /** Resolves in a later turn in any case. */
  next(): Promise<void> {
    this.isOver(0);
    return this.wait(this.waiting, 0);
  }

  /** Counts a state that was written, whose size was unknown before. */
  spend(chars: number): void {
    if (chars >= LARGE_CHARS) this.chars += chars;
  }

  /** A connection was taken: more of them may wait. */
  connected(): void {
    const isCounted = this.quietTurns !== undefined;
    if (!isCounted && this.since === undefined && this.now() >= this.pauseUntil) return;
    this.quietTurns = 0;
    if (!isCounted) setImmediate(this.countQuiet);
  }

  private ask(line: Waiting[], chars: number): Promise<void> | undefined {
    const isBehind = chars >= LARGE_CHARS && line.length > 0;
    if (this.isOver(chars) || isBehind) return this.wait(line, chars);
    this.spend(chars);
    return undefined;
  }

  private isOver(chars: number): boolean {
    const now = this.now();
    if (this.quietTurns !== undefined && now < this.pauseUntil) return true;
    if (this.since === undefined) {
      this.since = now;
      // Before all that are scheduled for those who wait from now on.
      setImmediate(this.endTurn);
      return false;
    }
    const isTooMuch = chars >= LARGE_CHARS && this.chars > 0 && this.chars + chars > CHARS_OF_TURN;
    return isTooMuch || now - this.since >= LONGEST_TURN_MS;
  }

  private wait(line: Waiting[], chars: number): Promise<void> {
    return new Promise((begin) => {
      line.push({ chars, begin });
      this.schedule();
    });
  }

  /** Callbacks of one phase of the loop. Promises continue between them: what one has let begin is done before the next looks. */
  private schedule(): void {
    const most = Math.min(this.waiting.length + this.begun.length, MOST_OF_TURN);
    while (this.scheduled < most) {
      this.scheduled++;
      setImmediate(this.letBegin);
    }
  }

  private readonly letBegin = (): void => {
    this.scheduled--;
    const line = this.nextLine();
    const [first] = line;
    if (!first) return;
    if (!this.isOver(first.chars)) {
      line.shift();
      this.hasGoneOn = line === this.begun;
      this.spend(first.chars);
      first.begin();
    }
    this.schedule();
  };

  private nextLine(): Waiting[] {
    if (this.waiting.length === 0) return this.begun;
    if (this.begun.length === 0) return this.waiting;
    return this.hasGoneOn && this.begun.length <= FEW_BEGUN ? this.waiting : this.begun;
  }

  /**
   * What was read from a connection comes before the immediates of the same round of the loop: a large state or a long script that began
   * there would be followed by another one in these, with no request in between.
   */
  private readonly endTurn = (): void => {
    const isLong = this.chars > 0 || this.now() - this.since! >= LONGEST_TURN_MS;
    if (isLong && !this.isProlonged) {
      this.isProlonged = true;
      setImmediate(this.endTurn);
      return;
    }
    this.isProlonged = false;
    const now = this.now();
    this.pauseUntil = now + Math.min(now - this.since!, LONGEST_PAUSE_MS);
    this.since = undefined;
    this.chars = 0;
  };

  private readonly countQuiet = (): void => {
    if (++this.quietTurns! < QUIET_TURNS) setImmediate(this.countQuiet);
    else this.quietTurns = undefined;
  };
}

/** The turns of this process, which has one event loop for all applications, nodes and stores in it. */
export const loopTurns = new LoopTurns();
