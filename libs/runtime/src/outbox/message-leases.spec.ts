import { VirtualClock } from '@waymark/testing';
import { StoreHealth } from '../outages/store-health.js';
import { StoreOutages } from '../outages/store-outages.js';
import { StoreUnavailableError } from '../persistence/persistence-errors.js';
import { MemoryPersistence } from '../persistence/memory/memory-persistence.js';
import { MessageLeases } from './message-leases.js';

const LEASE = 30_000;

describe('leases of messages', () => {
  let clock: VirtualClock;
  let store: MemoryPersistence;
  let leases: MessageLeases;
  /** Rows that a transaction of the database has locked. */
  const locked = new Set<string>();
  let renewals: number;
  let outages: StoreOutages;
  const message = (id: string) => {
    const now = new Date(clock.now());
    return { id, kind: 'test', payload: null, createdAt: now, availableAt: now, attempts: 0 };
  };
  const claim = (owner: string) =>
    store.outbox.claim({ owner, limit: 10, leaseMs: LEASE, now: new Date(clock.now()) }).then((rows) => rows.length);
  beforeEach(async () => {
    clock = new VirtualClock();
    store = new MemoryPersistence();
    locked.clear();
    renewals = 0;
    const { outbox } = store;
    const renew = outbox.renew.bind(outbox);
    outbox.renew = async (ids, lease) => {
      renewals++;
      const { renewed } = await renew(
        ids.filter((id) => !locked.has(id)),
        lease,
      );
      return { renewed, locked: ids.filter((id) => locked.has(id)) };
    };
    outages = new StoreOutages(new StoreHealth(store, clock), clock);
    leases = new MessageLeases(store, clock, outages, 'one', () => {});
    await outbox.add([message('m')]);
    expect(await claim('one')).toBe(1);
    leases.add(message('m'), undefined);
  });
  afterEach(() => leases.delete('m'));

  it('holds a message as long as it is served, with one question in ten seconds', async () => {
    for (let passed = 0; passed < 120; passed++) {
      await clock.advance(1000);
      expect(await claim('two')).toBe(0);
    }
    expect(leases.isLost('m')).toBe(false);
    expect(renewals).toBeLessThanOrEqual(13);
  });

  it('holds a message that is locked whenever it is to be renewed, but for a moment', async () => {
    for (let passed = 0; passed < 120; passed++) {
      // Free for four of thirty seconds, such as between two commits.
      if (passed % 30 < 26) locked.add('m');
      else locked.delete('m');
      await clock.advance(1000);
      if (!locked.has('m')) expect(await claim('two')).toBe(0);
    }
    locked.clear();
    expect([await claim('two'), leases.isLost('m')]).toEqual([0, false]);
  });

  it('begins no work of a message that another transaction has locked: it may be that of a node that takes it over', async () => {
    locked.add('m');
    expect([await leases.kept('m'), await leases.renewed('m')]).toEqual([false, true]);
    locked.clear();
    expect(await leases.kept('m')).toBe(true);
  });

  it('renews all messages as soon as the store is back, since others take what was not renewed, a second later', async () => {
    const checkWritable = store.checkWritable.bind(store);
    const fault = new StoreUnavailableError('no connection');
    store.checkWritable = () => Promise.reject(fault);
    // Right behind a renewal: the next one would come two seconds after the outage.
    await clock.advance(10_000);
    outages.report(fault);
    await clock.advance(40_000);
    expect(outages.isOut).toBe(true);
    store.checkWritable = checkWritable;
    await clock.advance(600);
    expect([outages.isOut, await claim('two'), leases.isLost('m')]).toEqual([false, 0, false]);
  });

  it('asks nothing more because of a message that is gone, however long its handler continues', async () => {
    await store.outbox.add([message('n')]);
    await claim('one');
    leases.add(message('n'), undefined);
    await store.outbox.delete('m');
    await clock.advance(LEASE);
    expect([leases.isLost('m'), leases.isLost('n')]).toEqual([true, false]);
    renewals = 0;
    // What is called before each look at the store.
    for (let look = 0; look < 100; look++) await leases.renewOverdue();
    expect(renewals).toBe(0);
    leases.delete('n');
  });

  it('ends when its node gives up: the work is called off, and other nodes take it over', async () => {
    const signal = leases.signalOf('m');
    void leases.end();
    expect([signal.aborted, leases.isLost('m'), clock.pending]).toEqual([true, true, []]);
    // What is still being served then is not held either.
    leases.add(message('n'), undefined);
    expect([leases.isLost('n'), clock.pending]).toEqual([true, []]);
    leases.delete('n');
    await clock.advance(LEASE);
    expect(await claim('two')).toBe(1);
  });

  it('gives claims up behind a renewal that is under way, so that the end of its node does not count as a death', async () => {
    const renew = store.outbox.renew.bind(store.outbox);
    let answer = (): void => {};
    const late = new Promise<void>((resolve) => (answer = resolve));
    store.outbox.renew = async (...given) => {
      await late;
      return renew(...given);
    };
    const renewed = leases.renewed('m');
    const ended = leases.end();
    answer();
    expect(await renewed).toBe(false);
    await ended;
    expect(await claim('two')).toBe(0);
    await clock.advance(LEASE);
    expect([await claim('two'), (await store.outbox.find('m'))?.attempts]).toEqual([1, 0]);
  });

  it('ends where the claims cannot be given up: the attempt is counted', async () => {
    store.outbox.giveUpClaims = () => Promise.reject(new StoreUnavailableError('no connection'));
    await leases.end();
    await clock.advance(LEASE);
    expect([await claim('two'), (await store.outbox.find('m'))?.attempts]).toEqual([1, 1]);
  });
});
