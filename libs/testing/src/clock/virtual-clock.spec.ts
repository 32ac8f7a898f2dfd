import { VirtualClock } from './virtual-clock.js';

const DAY = 86_400_000;

describe('VirtualClock', () => {
  it('stands still until it is moved', () => {
    const clock = new VirtualClock('2026-03-29T00:00:00Z');
    expect(clock.now()).toBe(Date.parse('2026-03-29T00:00:00Z'));
    expect(() => new VirtualClock('soon')).toThrow("'soon' is not a time.");
  });

  it('fires timers in order, each at its own time, also those set on the way', async () => {
    const clock = new VirtualClock(0);
    const fired: unknown[] = [];
    const note = (name: string) => void fired.push([name, clock.now()]);
    clock.setTimer(() => note('c'), 30);
    clock.setTimer(() => {
      note('a');
      clock.setTimer(() => note('b'), 10);
    }, 10);
    clock.setTimer(() => note('c, set later'), 30);
    await clock.advance(40);
    expect(fired).toEqual([
      ['a', 10],
      ['b', 20],
      ['c', 30],
      ['c, set later', 30],
    ]);
    expect(clock.now()).toBe(40);
  });

  it('waits for the work that a callback returns', async () => {
    const clock = new VirtualClock(0);
    const done: number[] = [];
    clock.setTimer(async () => {
      for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve));
      done.push(clock.now());
    }, 10);
    await clock.advance(100);
    expect(done).toEqual([10]);
  });

  it('moves on when the work waits for a later timer', async () => {
    const clock = new VirtualClock(0, { patienceMs: 5 });
    const done: number[] = [];
    clock.setTimer(async () => {
      await new Promise<void>((resolve) => clock.setTimer(() => resolve(), 10));
      done.push(clock.now());
    }, 10);
    await clock.advance(100);
    expect(done).toEqual([20]);
  });

  it('cancels timers before they fire', async () => {
    const clock = new VirtualClock(0);
    const fired: number[] = [];
    const cancel = clock.setTimer(() => void fired.push(1), 10);
    cancel();
    cancel();
    await clock.advance(100);
    expect([fired, clock.pending]).toEqual([[], []]);
  });

  it('jumps: what is over by then fires late', async () => {
    const clock = new VirtualClock(0);
    const fired: number[] = [];
    clock.setTimer(() => void fired.push(clock.now()), 10);
    clock.setTimer(() => void fired.push(clock.now()), 200 * DAY);
    await clock.setTime(100 * DAY);
    expect(fired).toEqual([100 * DAY]);
    await clock.setTime(0);
    expect([clock.now(), clock.pending]).toEqual([0, [new Date(200 * DAY)]]);
  });

  it('passes on what a callback throws, and can be moved again', async () => {
    const clock = new VirtualClock(0);
    clock.setTimer(() => Promise.reject(new Error('boom')), 10);
    await expect(clock.advance(20)).rejects.toThrow('boom');
    await clock.advance(20);
    expect(clock.now()).toBe(30);
    expect(() => clock.advance(-1)).toThrow(RangeError);
  });

  it('does one move after the other', async () => {
    const clock = new VirtualClock(0);
    await Promise.all([clock.advance(10), clock.advance(10)]);
    expect(clock.now()).toBe(20);
  });
});

it('VirtualClock fires the timers of one moment side by side', async () => {
  const clock = new VirtualClock(0);
  const order: string[] = [];
  const cancels: (() => void)[] = [];
  for (const name of ['a', 'b']) {
    clock.setTimer(async () => {
      order.push(`${name} begins`);
      cancels.at(-1)!();
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`${name} ends`);
    }, 10);
  }
  cancels.push(clock.setTimer(() => order.push('cancelled'), 10));
  await clock.advance(10);
  expect(order).toEqual(['a begins', 'b begins', 'a ends', 'b ends']);
});
