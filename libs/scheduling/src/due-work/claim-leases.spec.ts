import { MemoryPersistence, StoreHealth } from '@waymark/runtime';
import { StoreOutages } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { ClaimLeases } from './claim-leases.js';

describe('ClaimLeases', () => {
  const setUp = (renewing: (ids: readonly string[]) => Promise<void> = async () => undefined) => {
    const clock = new VirtualClock(0);
    const outages = new StoreOutages(new StoreHealth(new MemoryPersistence(), clock), clock);
    /** When each claim ends, as far as the store knows. */
    const endsAt = new Map<string, number>();
    const leases = new ClaimLeases(clock, outages, { firstMs: 10_000, furtherMs: 30_000 }, async (ids, leaseMs) => {
      for (const id of ids) endsAt.set(id, clock.now() + leaseMs);
      await renewing(ids);
      return ids;
    });
    const claim = (id: string) => {
      endsAt.set(id, clock.now() + 10_000);
      leases.wait(id);
    };
    return { clock, leases, endsAt, claim };
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
});
