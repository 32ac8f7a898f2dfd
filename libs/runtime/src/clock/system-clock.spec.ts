import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { SystemClock } from './system-clock.js';

const T0 = Date.parse('2026-03-01T00:00:00Z');
const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** A machine and a database that stand still until they are moved. */
class World {
  wallTime = T0;
  monotonicTime = 5_000;
  databaseTime = T0 + 3 * MINUTE;
  questions = 0;
  wall = () => this.wallTime;
  monotonic = () => this.monotonicTime;

  pass(ms: number): void {
    this.wallTime += ms;
    this.monotonicTime += ms;
    this.databaseTime += ms;
  }

  /** A virtual machine that is suspended: its monotonic clock stands still. */
  suspend(ms: number): void {
    this.wallTime += ms;
    this.databaseTime += ms;
  }

  /** A database that answers after those times, there and back; the last ones hold for all further questions. */
  answering(...ways: readonly (readonly [there: number, back: number])[]): () => Promise<number> {
    let asked = 0;
    return async () => {
      this.questions++;
      const [there, back] = ways[Math.min(asked++, ways.length - 1)]!;
      this.pass(there);
      const answer = this.databaseTime;
      this.pass(back);
      return answer;
    };
  }
}

let world: World;
let clock: SystemClock;
let warnings: string[];
/** By how much the node's time differs from the database's. */
const error = () => clock.now() - world.databaseTime;

beforeEach(() => {
  world = new World();
  clock = new SystemClock(world);
  warnings = [];
  jest.spyOn(Logger.prototype, 'warn').mockImplementation((text: unknown) => void warnings.push(String(text)));
});
afterEach(() => void jest.restoreAllMocks());

describe('SystemClock', () => {
  it('is the wall clock as long as it follows no other', async () => {
    expect(clock.now()).toBe(T0);
    await clock.follow(async () => undefined);
    world.wallTime += 11 * MINUTE;
    expect(clock.now()).toBe(T0 + 11 * MINUTE);
    expect(clock.isInDoubt).toBe(false);
    expect(clock.storeTime()).toEqual(new Date(T0 + 11 * MINUTE));
  });

  it('follows the database, and lets it decide by its own time', async () => {
    await clock.follow(world.answering([1, 1]));
    expect([error(), world.questions]).toEqual([0, 1]);
    expect(clock.storeTime()).toBeUndefined();
    world.pass(10 * MINUTE + 0.7);
    expect(error()).toBeCloseTo(0, -0.5);
    expect(Number.isInteger(clock.now())).toBe(true);
    expect(warnings).toEqual([]);
  });

  it.each([11 * MINUTE, -11 * MINUTE])('continues when the wall clock of the machine steps by %d ms', async (step) => {
    await clock.follow(world.answering([1, 1]));
    world.pass(SECOND);
    world.wallTime += step;
    expect(error()).toBe(0);
    world.pass(SECOND);
    expect([error(), clock.isInDoubt]).toEqual([0, true]);
    await clock.follow(world.answering([1, 1]));
    expect([error(), clock.isInDoubt]).toEqual([0, false]);
    expect(warnings).toEqual(['The system clock was changed; the clock of this node keeps to the time of the store.']);
  });

  it('asks for a new synchronisation, once, when the clocks of the machine disagree', async () => {
    await clock.follow(world.answering([1, 1]));
    const asked: number[] = [];
    const end = clock.whenInDoubt(() => asked.push(clock.now()));
    world.wallTime += 200;
    clock.now();
    expect(asked).toEqual([]);
    world.wallTime += 100;
    clock.now();
    clock.now();
    expect(asked).toHaveLength(1);
    await clock.follow(world.answering([1, 1]));
    world.wallTime -= 5 * MINUTE;
    clock.now();
    expect(asked).toHaveLength(2);
    end();
    await clock.follow(world.answering([1, 1]));
    world.wallTime -= 5 * MINUTE;
    clock.now();
    expect(asked).toHaveLength(2);
  });

  it('notices a step by itself, although the time is not asked for', async () => {
    jest.useFakeTimers();
    try {
      await clock.follow(world.answering([1, 1]));
      let asked = 0;
      const end = clock.whenInDoubt(() => asked++);
      world.wallTime += 11 * MINUTE;
      jest.advanceTimersByTime(SECOND);
      expect(asked).toBe(1);
      end();
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  it('stays in doubt until the database has answered', async () => {
    await clock.follow(world.answering([1, 1]));
    world.wallTime += 11 * MINUTE;
    await expect(clock.follow(() => Promise.reject(new Error('no connection')))).rejects.toThrow('no connection');
    expect([clock.isInDoubt, error()]).toEqual([true, 0]);
  });

  it('catches up after the machine was suspended', async () => {
    await clock.follow(world.answering([1, 1]));
    world.suspend(11 * MINUTE);
    expect(clock.isInDoubt).toBe(true);
    await clock.follow(world.answering([1, 1]));
    expect([error(), clock.isInDoubt]).toEqual([0, false]);
    expect(warnings).toEqual([
      `The clock of this node was off and was corrected by ${11 * MINUTE} ms, to the time of the store.`,
    ]);
  });

  it('takes no notice of an answer during which the machine was suspended', async () => {
    await clock.follow(world.answering([1, 1]));
    const answering = world.answering([1, 1]);
    let suspends = true;
    await clock.follow(async () => {
      const answer = await answering();
      if (suspends) world.suspend(11 * MINUTE);
      suspends = false;
      return answer;
    });
    expect(error()).toBe(0);
  });

  it.each([-60, 60])(
    'synchronises again when an answer of the store shows a time that was set by %d minutes',
    async (minutes) => {
      await clock.follow(world.answering([1, 1]));
      const doubts: boolean[] = [];
      const sets: number[] = [];
      clock.whenInDoubt(() => doubts.push(clock.isInDoubt));
      const end = clock.whenSet(() => sets.push(clock.now()));
      const asked = clock.monotonic();
      world.pass(MINUTE);
      // Read at the beginning or at the end of a minute: both may be.
      clock.heard(world.databaseTime - MINUTE, asked);
      clock.heard(world.databaseTime, asked);
      expect(doubts).toEqual([]);
      world.databaseTime += minutes * MINUTE;
      const before = clock.monotonic();
      clock.heard(world.databaseTime, before);
      expect(doubts).toEqual([true]);
      await clock.follow(world.answering([0, 0]));
      expect([error(), sets, clock.monotonic(), clock.isInDoubt]).toEqual([0, [world.databaseTime], before, false]);
      end();
      // Of another server of the store: it is not run after each time.
      clock.heard(world.databaseTime - MINUTE, clock.monotonic());
      expect(doubts).toEqual([true]);
      world.pass(10 * SECOND);
      clock.heard(world.databaseTime - MINUTE, clock.monotonic());
      expect(doubts).toEqual([true, true]);
    },
  );

  it('counts the best of several answers', async () => {
    await clock.follow(world.answering([20, 180], [400, 0], [20, 80], [100, 100], [0, 300]));
    expect([world.questions, error()]).toEqual([5, -30]);
    world.questions = 0;
    await clock.follow(world.answering([0, 20_000], [2, 4], [0, 300]));
    // The first one used up the patience; the time stays as it is.
    expect([world.questions, error()]).toEqual([1, -30]);
    await clock.follow(world.answering([0, 900], [2, 4], [0, 300]));
    expect([world.questions, error()]).toEqual([3, -1]);
    expect(warnings).toEqual([]);
  });

  it('keeps its time when all answers take long', async () => {
    await clock.follow(world.answering([1, 1]));
    await clock.follow(world.answering([0, 20_000]));
    await clock.follow(world.answering([20_000, 0]));
    await clock.follow(world.answering([0, 700]));
    expect([error(), warnings]).toEqual([0, []]);
  });

  it('is corrected by slow answers when even they prove it wrong', async () => {
    await clock.follow(world.answering([1, 1]));
    world.suspend(11 * MINUTE);
    await clock.follow(world.answering([0, 700]));
    expect(Math.abs(error())).toBeLessThanOrEqual(350);
    expect(warnings[0]).toContain('took 700 ms to report its time');
  });

  it('starts with the best answer available, and logs that', async () => {
    await clock.follow(world.answering([0, 900], [0, 800], [0, 1000]));
    expect([world.questions, error()]).toEqual([3, -400]);
    expect(warnings).toEqual([
      'The store took 800 ms to report its time: the clock of this node may be off by half of that until the store answers faster.',
    ]);
  });

  it('asks once for all who want it synchronised at the same time', async () => {
    const read = world.answering([1, 1]);
    await Promise.all([clock.follow(read), clock.follow(read)]);
    expect(world.questions).toBe(1);
  });

  it('waits for longer than a timer of Node can', () => {
    jest.useFakeTimers();
    try {
      let fired = 0;
      clock.setTimer(() => fired++, 2 ** 31 + 10);
      const cancel = clock.setTimer(() => fired++, 10);
      cancel();
      jest.advanceTimersByTime(2 ** 31 + 9);
      expect(fired).toBe(0);
      jest.advanceTimersByTime(1);
      expect(fired).toBe(1);
    } finally {
      jest.useRealTimers();
    }
  });
});
