import { Refresher } from './refresher.js';

describe('refreshing changed data', () => {
  it('happens once for simultaneous changes, and again only after the last one has ended and a pause', async () => {
    const timers: { ms: number; callback: () => void }[] = [];
    const refresher = new Refresher((ms, callback) => {
      timers.push({ ms, callback });
      return () => undefined;
    });
    const reads: (() => void)[] = [];
    const want = () => refresher.want('lists', 2_000, () => new Promise<void>((resolve) => void reads.push(resolve)));
    const run = () => {
      const [timer] = timers.splice(0, 1);
      timer!.callback();
      return timer!.ms;
    };
    want();
    want();
    expect(run()).toBe(25);
    expect([reads.length, timers.length]).toEqual([1, 0]);
    // While it is read: that answer may be old already.
    want();
    expect(timers).toEqual([]);
    reads[0]!();
    await new Promise((resolve) => void setImmediate(resolve));
    expect(run()).toBe(2_000);
    expect(run()).toBe(25);
    expect(reads.length).toBe(2);
    reads[1]!();
    await new Promise((resolve) => void setImmediate(resolve));
    expect(run()).toBe(2_000);
    // Calm again.
    expect([reads.length, timers.length]).toEqual([2, 0]);
    want();
    expect([run(), reads.length]).toEqual([25, 3]);
  });
});
