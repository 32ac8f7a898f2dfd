import { ShiftedClock } from './shifted-clock.js';

const DAY = 86_400_000;

describe('ShiftedClock', () => {
  it('shows real time, and later time once it was advanced', async () => {
    const clock = new ShiftedClock();
    expect(Math.abs(clock.now() - Date.now())).toBeLessThan(1000);
    await clock.advance(10 * DAY);
    expect(Math.abs(clock.now() - Date.now() - 10 * DAY)).toBeLessThan(1000);
    expect(() => clock.advance(-1)).toThrow(RangeError);
  });

  it('fires what becomes due on the way, in order, at about its own time', async () => {
    const clock = new ShiftedClock();
    const start = clock.now();
    const fired: [string, number][] = [];
    const note = (name: string) => void fired.push([name, Math.round((clock.now() - start) / DAY)]);
    clock.setTimer(() => note('late'), 40 * DAY);
    clock.setTimer(() => {
      note('early');
      clock.setTimer(() => note('set on the way'), 10 * DAY);
    }, 10 * DAY);
    const cancel = clock.setTimer(() => note('cancelled'), 10 * DAY);
    cancel();
    await clock.advance(30 * DAY);
    expect(fired).toEqual([
      ['early', 10],
      ['set on the way', 20],
    ]);
    await clock.advance(10 * DAY);
    expect(fired.at(-1)).toEqual(['late', 40]);
  });

  it('waits for the work that a callback returns', async () => {
    const clock = new ShiftedClock();
    let done = false;
    clock.setTimer(async () => {
      for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
      done = true;
    }, DAY);
    await clock.advance(DAY);
    expect(done).toBe(true);
  });

  it('runs on by itself, with the timers that were set before it was advanced', async () => {
    const clock = new ShiftedClock();
    const fired = new Promise<number>((resolve) => clock.setTimer(() => resolve(clock.now()), DAY + 20));
    await clock.advance(DAY);
    expect(await fired).toBeGreaterThanOrEqual(DAY);
  });
});
