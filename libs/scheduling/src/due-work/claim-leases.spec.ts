import { MemoryPersistence, StoreHealth } from '@waymark/runtime';
import { StoreOutages } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { ClaimLeases } from './claim-leases.js';

describe('ClaimLeases', () => {
  const setUp = (renewing: (ids: readonly string[]) => Promise<void> = async () => undefined) => {
    /** Rows that a transaction of the database has locked. */
    const locked = new Set<string>();
    const clock = new VirtualClock(0);
    const outages = new StoreOutages(new StoreHealth(new MemoryPersistence(), clock), clock);
    /** When each claim ends, as far as the store knows. */
    const endsAt = new Map<string, number>();
    const leases = new ClaimLeases(clock, outages, { firstMs: 10_000, furtherMs: 30_000 }, async (ids, leaseMs) => {
      const renewed = ids.filter((id) => !locked.has(id));
      for (const id of renewed) endsAt.set(id, clock.now() + leaseMs);
      await renewing(ids);
      return { renewed, locked: ids.filter((id) => locked.has(id)) };
    });
    const claim = (id: string) => {
      endsAt.set(id, clock.now() + 10_000);
      leases.wait(id);
    };
    return { clock, leases, endsAt, claim, locked };
  };
  /** The least time that a claim had left, for as long as the clock is moved. */
  const leastLeft = async ({ clock, endsAt }: ReturnType<typeof setUp>, id: string, ms: number) => {
    let least = Infinity;
    for (let passed = 0; passed < ms; passed += 100) {
      await clock.advance(100);
      least = Math.min(least, endsAt.get(id)! - clock.now());
    }
    return least;
  };

  it('renews the claim of a burst for the long time, once it has run for some seconds', async () => {
    const set = setUp();
    set.claim('a');
    set.leases.add('a');
    expect(await leastLeft(set, 'a', 60_000)).toBeGreaterThanOrEqual(6_000);
    expect(set.endsAt.get('a')! - set.clock.now()).toBeGreaterThan(10_000);
    set.leases.delete('a');
    expect(set.clock.pending).toEqual([]);
  });

  it('renews a claim for the short time while its burst waits for a place', async () => {
    const set = setUp();
    set.claim('a');
    expect(await leastLeft(set, 'a', 60_000)).toBeGreaterThanOrEqual(6_000);
    expect(set.endsAt.get('a')! - set.clock.now()).toBeLessThanOrEqual(10_000);
    set.leases.delete('a');
    expect(set.clock.pending).toEqual([]);
  });

  it('does not let a claim expire whose burst begins while it is renewed for the short time', async () => {
    let begin: (() => void) | undefined;
    const set = setUp(async (ids) => {
      if (ids.includes('a')) begin?.();
    });
    // Has the long beat begin at another moment than that of the burst.
    set.claim('other');
    set.leases.add('other');
    await set.clock.advance(12_500);
    set.claim('a');
    begin = () => {
      begin = undefined;
      set.leases.add('a');
    };
    expect(await leastLeft(set, 'a', 60_000)).toBeGreaterThanOrEqual(6_000);
  });

  it('does not let a claim expire that was locked when it was to be renewed', async () => {
    const set = setUp();
    set.claim('a');
    set.leases.add('a');
    set.locked.add('a');
    expect(await leastLeft(set, 'a', 5_000)).toBe(5_000);
    set.locked.delete('a');
    expect(await leastLeft(set, 'a', 30_000)).toBeGreaterThanOrEqual(3_000);
    // The same later on, when renewals come every ten seconds.
    set.locked.add('a');
    await set.clock.advance(25_000 - (set.clock.now() - (set.endsAt.get('a')! - 30_000)));
    set.locked.delete('a');
    expect(await leastLeft(set, 'a', 30_000)).toBeGreaterThanOrEqual(2_000);
    set.leases.delete('a');
    expect(set.clock.pending).toEqual([]);
  });

  it('renews nothing any more when its node has given up', async () => {
    const set = setUp();
    for (const id of ['young', 'old', 'waiting']) set.claim(id);
    set.leases.add('old');
    await set.clock.advance(6_000);
    set.leases.add('young');
    set.leases.end();
    set.leases.wait('later');
    expect(set.clock.pending).toEqual([]);
    const ends = new Map(set.endsAt);
    await set.clock.advance(60_000);
    expect(set.endsAt).toEqual(ends);
  });
});
