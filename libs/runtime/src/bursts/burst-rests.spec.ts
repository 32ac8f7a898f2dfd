import { beforeEach, describe, expect, it } from '@jest/globals';
import { BurstRests } from './burst-rests.js';

describe('BurstRests', () => {
  let now: number;
  let timers: Map<() => void, number>;
  let rests: BurstRests;
  const took = (ms: number): void => {
    now += ms;
    rests.begin('a', now - ms);
  };

  beforeEach(() => {
    now = 1_000_000;
    timers = new Map();
    const setTimer = (callback: () => void, ms: number) => {
      timers.set(callback, ms);
      return () => void timers.delete(callback);
    };
    rests = new BurstRests({ now: () => now, setTimer });
  });

  it('lets an instance rest for as long as its burst took, and no other one', async () => {
    took(300);
    expect([...timers.values()]).toEqual([300]);
    expect(rests.of('b')).toBeUndefined();
    const over = rests.of('a');
    for (const fire of timers.keys()) fire();
    await over;
    expect([rests.of('a'), timers.size]).toEqual([undefined, 0]);
  });

  it('an instance rests for a second at most, and not at all after a short burst', () => {
    took(60_000);
    expect([...timers.values()]).toEqual([1000]);
    now += 1000;
    expect(rests.of('a')).toBeUndefined();
    took(19);
    expect([rests.of('a'), timers.size]).toEqual([undefined, 0]);
  });

  it('ends when something comes that does not wait', async () => {
    took(500);
    const over = rests.of('a');
    rests.end('a');
    await over;
    expect([rests.of('a'), timers.size]).toEqual([undefined, 0]);
  });
});
