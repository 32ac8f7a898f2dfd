import { AnswerLimit } from './answer-limit.js';

describe('the limit of an answer', () => {
  const timers = new Map<object, { ms: number; callback: () => void }>();
  const limit = new AnswerLimit((ms, callback) => {
    const key = {};
    timers.set(key, { ms, callback });
    return () => timers.delete(key);
  });
  const limits = () => [...timers.values()].map(({ ms }) => ms);
  const never = () => limit.ask(() => new Promise<never>(() => {}));
  const end = () => timers.values().next().value!.callback();

  it('ends a request that is not answered, as an outage, and waits longer for the next', async () => {
    let signal: AbortSignal | undefined;
    const lost = limit.ask((given) => {
      signal = given;
      return new Promise<never>(() => {});
    });
    expect(limits()).toEqual([30_000]);
    end();
    await expect(lost).rejects.toMatchObject({ status: 0, isOutage: true });
    expect([signal?.aborted, limits()]).toEqual([true, []]);
    for (const ms of [60_000, 120_000, 240_000, 480_000, 480_000]) {
      const next = never();
      expect(limits()).toEqual([ms]);
      end();
      await expect(next).rejects.toMatchObject({ status: 0 });
    }
  });

  it('lets an answer through, after which the limit is the first again', async () => {
    expect(await limit.ask(() => Promise.resolve(1))).toBe(1);
    await expect(limit.ask(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    expect(limits()).toEqual([]);
    const next = never();
    expect(limits()).toEqual([30_000]);
    end();
    await expect(next).rejects.toMatchObject({ status: 0 });
  });
});
