import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { VirtualClock } from '@waymark/testing';
import { StoreHealth } from '../outages/store-health.js';
import { StoreOutages } from '../outages/store-outages.js';
import { MemoryPersistence } from '../persistence/memory/memory-persistence.js';
import { StoreUnavailableError } from '../persistence/persistence-errors.js';
import { type Backlog, PacedDrain } from './paced-drain.js';

describe('a paced drain', () => {
  let clock: VirtualClock;
  let outages: StoreOutages;
  let drain: PacedDrain;
  let warnings: string[];
  /** Whose they were, in order. */
  let batches: string[];

  beforeEach(() => {
    clock = new VirtualClock();
    [warnings, batches] = [[], []];
    const logger = { warn: (text: string) => warnings.push(text) } as unknown as Logger;
    Logger.overrideLogger(false);
    outages = new StoreOutages(new StoreHealth(new MemoryPersistence(), clock), clock);
    drain = new PacedDrain(clock, outages, logger);
    drain.start();
  });
  afterEach(async () => {
    await drain.stop();
    outages.stop();
    Logger.overrideLogger(undefined as never);
  });

  /** So many full batches, and one that is not. */
  const backlog = (name: string, full: number): Backlog => ({
    name,
    takeBatch: async () => {
      batches.push(name);
      return full-- > 0;
    },
  });

  it('takes batch after batch while they are full, and one more', async () => {
    drain.begin(backlog('a', 5));
    await clock.advance(1000);
    expect(batches).toHaveLength(6);
  });

  it('takes turns, so that a large backlog keeps no small one waiting', async () => {
    drain.begin(backlog('large', 100));
    drain.begin(backlog('small', 1));
    await clock.advance(5);
    expect(batches.slice(0, 5)).toEqual(['large', 'small', 'large', 'small', 'large']);
  });

  it('begins a backlog once, however often it is begun', async () => {
    for (let times = 0; times < 3; times++) drain.begin(backlog('a', 2));
    await clock.advance(1000);
    expect(batches).toHaveLength(3);
  });

  it('takes no batch after it was stopped, and waits for the one under way', async () => {
    let end = (): void => undefined;
    let taken = 0;
    drain.begin({
      name: 'a',
      takeBatch: () => {
        taken++;
        return new Promise((resolve) => (end = () => resolve(true)));
      },
    });
    let hasStopped = false;
    const stopping = drain.stop().then(() => (hasStopped = true));
    await Promise.resolve();
    expect(hasStopped).toBe(false);
    end();
    await stopping;
    await clock.advance(60_000);
    drain.begin(backlog('b', 1));
    expect([taken, batches]).toEqual([1, []]);
  });

  it('asks nothing while the store is out, and continues behind the backlog that failed when it is back', async () => {
    const probe = jest.spyOn(StoreHealth.prototype, 'probe').mockRejectedValue(new Error('no connection'));
    const failing: Backlog = {
      name: 'failing',
      takeBatch: async () => {
        batches.push('failing');
        throw new StoreUnavailableError('no connection');
      },
    };
    drain.begin(failing);
    drain.begin(backlog('other', 1));
    await clock.advance(60_000);
    expect([batches, warnings]).toEqual([['failing'], []]);
    probe.mockRestore();
    await clock.advance(60_000);
    expect(batches).toEqual(['failing', 'other', 'other']);
    drain.begin(failing);
    await clock.advance(1);
    expect(batches).toEqual(['failing', 'other', 'other', 'failing']);
  });

  it('drains what waits behind a backlog for which the store never has time', async () => {
    const slow: Backlog = {
      name: 'slow',
      takeBatch: () => Promise.reject(new StoreUnavailableError('too slow', { isOfCall: true })),
    };
    for (let round = 0; round < 3; round++) {
      drain.begin(slow);
      drain.begin(backlog('other', 1));
      await clock.advance(60_000);
    }
    expect(batches).toEqual(Array(6).fill('other'));
  });

  it('ends the drain of a backlog that fails otherwise, says so, and continues with the others', async () => {
    const failing: Backlog = { name: 'failing rows', takeBatch: () => Promise.reject(new Error('too long')) };
    drain.begin(failing);
    drain.begin(backlog('other', 2));
    await clock.advance(1000);
    expect(batches).toHaveLength(3);
    expect(warnings).toEqual(['A batch of failing rows failed; retrying in the next round: too long']);
  });

  it('leaves three quarters of the time to others', async () => {
    let now = clock.now();
    jest.spyOn(clock, 'now').mockImplementation(() => now);
    const pauses: number[] = [];
    jest.spyOn(clock, 'setTimer').mockImplementation((_callback, ms) => {
      pauses.push(ms);
      return () => undefined;
    });
    const slow: Backlog = {
      name: 'slow',
      takeBatch: async () => {
        now += 40;
        return true;
      },
    };
    drain.begin(slow);
    await drain.batchUnderWay;
    expect(pauses).toEqual([120]);
  });
});
