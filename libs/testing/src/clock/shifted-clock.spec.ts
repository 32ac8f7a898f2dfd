import { ShiftedClock } from './shifted-clock.js';

const DAY = 86_400_000;
const MINUTE = 60_000;

describe('ShiftedClock', () => {
  it('shows real time, and later time once it was advanced', async () => {
    const clock = new ShiftedClock();
    /** Between two looks at the machine's clock, which is corrected now and then. */
    const expectAhead = (ms: number) => {
      const before = Date.now();
      const ahead = clock.now() - ms;
      expect([before - MINUTE <= ahead, ahead <= Date.now() + MINUTE]).toEqual([true, true]);
    };
    expectAhead(0);
    await clock.advance(10 * DAY);
    expectAhead(10 * DAY);
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

  describe('that knows what is stored', () => {
    /** An application that looks every minute, and does at once what it finds then. */
    function application(clock: ShiftedClock, ...due: number[]) {
      const start = clock.now();
      const did: number[] = [];
      let looks = 0;
      let stop: () => void;
      const look = () => {
        looks++;
        while (due.length && start + due[0]! <= clock.now()) {
          due.shift();
          did.push(clock.now() - start);
        }
        stop = clock.setTimer(look, MINUTE, { isPoll: true });
      };
      stop = clock.setTimer(look, MINUTE, { isPoll: true });
      const nextDue = async (until: number) => due.map((time) => start + time).find((time) => time <= until);
      return { work: { rest: async () => {}, nextDue }, did, looks: () => looks, stop: () => stop() };
    }

    it('jumps over polls, with a stop at all that is due, each at about its own time', async () => {
      const clock = new ShiftedClock();
      const { work, did, looks, stop } = application(clock, 10 * DAY, 20 * DAY);
      const fired: number[] = [];
      const start = clock.now();
      clock.setTimer(() => void fired.push(Math.round((clock.now() - start) / DAY)), 15 * DAY);
      await clock.advance(31 * DAY, work);
      expect([did.map((time) => Math.round(time / DAY)), fired, looks()]).toEqual([[10, 20], [15], 4]);
      stop();
    });

    it('goes from poll to poll as long as something is waited for', async () => {
      const clock = new ShiftedClock();
      const { work, looks, stop } = application(clock);
      let asked = 0;
      const nextDue = async () => (++asked > 3 ? undefined : clock.now());
      await clock.advance(DAY, { ...work, nextDue });
      expect(looks()).toBe(4);
      stop();
    });

    it('waits for the application to come to rest, but not without end', async () => {
      const clock = new ShiftedClock({ patienceMs: 5 });
      let rests = 0;
      const rest = () =>
        ++rests > 1 ? Promise.resolve() : new Promise<void>((resolve) => clock.setTimer(resolve, DAY));
      const start = clock.now();
      await clock.advance(2 * DAY, { rest, nextDue: async () => undefined });
      expect(rests).toBeGreaterThan(1);
      expect(clock.now() - start).toBeGreaterThanOrEqual(2 * DAY);
    });
  });

  it('runs on by itself, with the timers that were set before it was advanced', async () => {
    const clock = new ShiftedClock();
    const fired = new Promise<number>((resolve) => clock.setTimer(() => resolve(clock.now()), DAY + 20));
    await clock.advance(DAY);
    expect(await fired).toBeGreaterThanOrEqual(DAY);
  });
});
