import { describe, expect, it } from '@jest/globals';
import { FaultPoints, VirtualClock, withFaultPoints } from '@waymark/testing';
import { MemoryPersistence, StoreHealth } from '@waymark/runtime';

const SECOND = 1000;

describe('StoreHealth', () => {
  const memory = new MemoryPersistence();
  const clock = new VirtualClock();
  const points = new FaultPoints();
  const health = new StoreHealth(withFaultPoints(memory, points), clock);
  const next = async () => {
    await clock.advance(SECOND);
    return health.check();
  };

  it('distinguishes a read-only store from an unreachable one, and detects its recovery within a second', async () => {
    expect(await next()).toBe('writable');
    points.refuse('writes');
    expect(await next()).toBe('unwritable');
    points.refuse('everything');
    expect(await next()).toBe('unreachable');
    points.heal();
    expect(await next()).toBe('writable');
  });

  it('asks the store once in a second, however many want to know', async () => {
    await clock.advance(SECOND);
    const before = points.reached.length;
    await Promise.all([health.check(), health.check(), health.check()]);
    await health.check();
    expect(points.reached.slice(before).map((point) => point.split('#')[0])).toEqual([
      'definitions.changeCounter',
      'checkWritable',
    ]);
  });

  it.each([
    ['busy', 'writes'],
    ['unreachable', 'everything'],
  ])('answers %s within two seconds when %s are not answered, one look at a time', async (status, what) => {
    let looks = 0;
    let answer = (): void => {};
    const silence = new Promise<void>((resolve) => (answer = resolve));
    const slow = Object.assign(Object.create(memory) as MemoryPersistence, {
      checkWritable: () => {
        looks++;
        return silence;
      },
    });
    if (what === 'everything')
      Object.assign(slow, {
        definitions: { changeCounter: () => silence.then(() => memory.definitions.changeCounter()) },
      });
    const silent = new StoreHealth(slow, clock);
    for (let round = 0; round < 3; round++) {
      const asked = silent.check();
      await clock.advance(2 * SECOND);
      expect(await asked).toBe(status);
    }
    expect(looks).toBe(1);
    answer();
    await clock.advance(SECOND);
    expect(await silent.check()).toBe('writable');
  });
});
