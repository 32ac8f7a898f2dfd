import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { MemoryPersistence, StoreHealth, StoreUnavailableError } from '@waymark/runtime';
import { StoreOutages } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import type { DueLook, DueRow, DueRows, DueWork } from './due-work.js';
import { DueWorkPool } from './due-work-pool.js';
import { PlacesOfGroups } from './places-of-groups.js';

const row = (id: string, dueAt = 0): DueRow => ({ id, dueAt: new Date(dueAt) });

/** Rows that stay until they are released; counts how many are fired at the same time. */
class HeldWork implements DueWork {
  readonly kind = 'bookmark';
  rows: DueRow[] = [];
  limits: number[] = [];
  active: string[] = [];
  most = 0;
  private readonly releases = new Map<string, (error?: Error) => void>();

  async find({ now, until, free, held }: DueLook): Promise<DueRows> {
    const limit = held + free + 1;
    this.limits.push(limit);
    const rows = this.rows.filter((r) => r.dueAt <= until).slice(0, limit);
    return { rows, hasMore: rows.length === limit && rows.at(-1)!.dueAt <= now };
  }

  fire({ id }: DueRow): Promise<null> {
    this.active.push(id);
    this.most = Math.max(this.most, this.active.length);
    return new Promise((resolve, reject) => {
      this.releases.set(id, (error) => {
        this.active = this.active.filter((other) => other !== id);
        if (error) return reject(error);
        this.rows = this.rows.filter((r) => r.id !== id);
        resolve(null);
      });
    });
  }

  async release(id: string, error?: Error): Promise<void> {
    this.releases.get(id)!(error);
    await new Promise((resolve) => setImmediate(resolve));
  }

  describe = ({ id }: DueRow): string => id;
}

describe('DueWorkPool', () => {
  const wakes: number[] = [];
  let open = true;
  let refusals = 0;
  const host = { isOpen: () => open, wakeAt: (time: number) => void wakes.push(time), refused: () => void refusals++ };
  const options = { concurrency: 4, retryMinMs: 1000, retryMaxMs: 3000 };
  let work: HeldWork;
  let clock: VirtualClock;
  let pool: DueWorkPool;

  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => Logger.overrideLogger(undefined as never));
  afterEach(() => jest.restoreAllMocks());
  beforeEach(() => {
    wakes.length = refusals = 0;
    open = true;
    clock = new VirtualClock(0);
    work = new HeldWork();
    const outages = new StoreOutages(new StoreHealth(new MemoryPersistence(), clock), clock);
    pool = new DueWorkPool(work, clock, outages, options, host);
  });

  describe('with rows that may wait', () => {
    class WaitingWork extends HeldWork {
      readonly mayWait = true;
      givenBack: string[] = [];
      giveBack = async ({ id }: DueRow): Promise<void> => void this.givenBack.push(id);
    }
    const many = (count: number): DueRow[] => Array.from({ length: count }, (_, n) => row(`r${n}`));

    /** After firings that took hardly any time, or that many milliseconds by a clock that stands still otherwise. */
    async function quick(millis?: number): Promise<WaitingWork> {
      const waiting = new WaitingWork();
      const outages = new StoreOutages(new StoreHealth(new MemoryPersistence(), clock), clock);
      work = waiting;
      pool = new DueWorkPool(work, clock, outages, options, host);
      for (let n = 0; n < 60; n++) {
        work.rows = [row(`quick${n}`)];
        await pool.collect(n, 1000);
        if (millis !== undefined) jest.mocked(performance.now).mockReturnValue((n + 1) * millis);
        await work.release(`quick${n}`);
      }
      return waiting;
    }

    it('takes more rows than there are places where firings are short, and fires no more at a time than there are places', async () => {
      const waiting = await quick();
      work.rows = many(40);
      await pool.collect(100, 1000);
      expect([work.limits.at(-1), pool.pending.length, work.active.length]).toEqual([4 * 3 + 1, 12, 4]);
      for (let n = 0; n < 12; n++) await work.release(`r${n}`);
      // The store had one more.
      expect([work.most, pool.pending.length, waiting.givenBack]).toEqual([4, 0, ['r12']]);
    });

    it.each([
      [40, 12],
      [120, 12],
      [190, 9],
      [500, 6],
      [60_000, 4],
    ])(
      'rows that take %d ms each are taken by %d for four places, so that none waits for long',
      async (millis, rows) => {
        const time = jest.spyOn(performance, 'now').mockReturnValue(0);
        try {
          await quick(millis);
          work.rows = many(40);
          await pool.collect(100, 1000);
          expect(pool.pending).toHaveLength(rows);
        } finally {
          time.mockRestore();
        }
      },
    );

    it('gives back rows without a place, and those that wait when it stops', async () => {
      const waiting = await quick();
      work.rows = many(40);
      work.find = async () => ({ rows: work.rows, hasMore: false });
      await pool.collect(100, 1000);
      expect(waiting.givenBack).toEqual(
        many(40)
          .slice(12)
          .map(({ id }) => id),
      );
      open = false;
      for (let n = 0; n < 4; n++) await work.release(`r${n}`);
      expect(waiting.givenBack).toHaveLength(28 + 8);
      expect([pool.pending.length, work.active]).toEqual([0, []]);
    });
  });

  describe('with rows in groups', () => {
    const inGroup = (group: string, count: number): DueRow[] =>
      Array.from({ length: count }, (_, i) => row(`${group}/${i}`));
    /** Claims what it returns. */
    class GroupedWork extends HeldWork {
      looks: DueLook[] = [];
      override async find(look: DueLook): Promise<DueRows> {
        this.looks.push(look);
        const free = this.rows.filter(
          (r) => !look.fullGroups.includes(this.groupOf(r)) && !look.running.includes(r.id),
        );
        const first = free.slice(0, look.free);
        const groups = new Set(first.map((r) => this.groupOf(r)));
        const along = free.filter((r) => groups.has(this.groupOf(r)) && !first.includes(r));
        return { rows: [...first, ...along.slice(0, 1000)], hasMore: first.length === look.free };
      }
      groupOf = ({ id }: DueRow): string => id.split('/')[0]!;
    }
    let grouped: GroupedWork;
    beforeEach(() => {
      grouped = new GroupedWork();
      const outages = new StoreOutages(new StoreHealth(new MemoryPersistence(), clock), clock);
      pool = new DueWorkPool(grouped, clock, outages, options, host);
    });

    it('fires those of one group together, in one place', async () => {
      grouped.rows = [
        ...inGroup('a', 10),
        ...inGroup('b', 1),
        ...inGroup('c', 1),
        ...inGroup('d', 1),
        ...inGroup('e', 1),
      ];
      // The places that are left are for others: looked for at once.
      expect(await pool.collect(0, 100)).toBe(0);
      expect(grouped.active).toHaveLength(10);
      expect(await pool.collect(0, 100)).toBe(100);
      expect(grouped.active.slice(10)).toEqual(['b/0', 'c/0', 'd/0']);
      expect(grouped.looks.map(({ free }) => free)).toEqual([4, 3]);
    });

    it('looks past a group of which enough is being fired, until some of it is through', async () => {
      grouped.rows = [...inGroup('a', 3000), ...inGroup('b', 1)];
      await pool.collect(0, 100);
      await pool.collect(0, 100);
      expect(grouped.looks[1]!.fullGroups).toEqual(['a']);
      expect(grouped.active).toHaveLength(1005);
      for (const id of grouped.active.filter((each) => each.startsWith('a/')).slice(0, 10)) await grouped.release(id);
      await pool.collect(0, 100);
      expect(grouped.looks[2]!.fullGroups).toEqual([]);
    });

    it.each(['WM2053', 'WM3043', 'WM3044'])('leaves what it cannot read (%s) to other nodes at once', async (code) => {
      const givenBack: [string, number][] = [];
      (grouped as DueWork).giveBack = async ({ id }, at) => void givenBack.push([id, at.getTime()]);
      jest.spyOn(Math, 'random').mockReturnValue(1);
      grouped.rows = [...inGroup('a', 2), ...inGroup('b', 1)];
      await pool.collect(0, 100);
      const unreadable = Object.assign(new Error('no'), { code });
      for (const id of ['a/0', 'a/1']) await grouped.release(id, unreadable);
      await grouped.release('b/0', new Error('no'));
      expect(givenBack).toEqual([
        ['a/0', 0],
        ['a/1', 0],
        ['b/0', 1000],
      ]);
      // It waits by itself, and looks for it again afterwards.
      await clock.setTime(10);
      expect(await pool.collect(10, 5000)).toBe(1000);
      expect([grouped.looks.at(-1)!.fullGroups, grouped.active]).toEqual([['a'], []]);
      await pool.collect(1000, 5000);
      expect([grouped.looks.at(-1)!.fullGroups, grouped.active]).toEqual([[], ['a/0', 'a/1', 'b/0']]);
    });

    it('gives back for other nodes what a look has taken that was under way when it could not be read', async () => {
      const givenBack: [string, number][] = [];
      (grouped as DueWork).giveBack = async ({ id }, at) => void givenBack.push([id, at.getTime()]);
      grouped.rows = inGroup('a', 1);
      await pool.collect(0, 100);
      grouped.find = async () => {
        await grouped.release('a/0', Object.assign(new Error('no'), { code: 'WM3044' }));
        return { rows: grouped.rows, hasMore: false };
      };
      await pool.collect(0, 100);
      expect(givenBack).toEqual([
        ['a/0', 0],
        ['a/0', 0],
      ]);
    });
  });

  it('fires no more than its limit at a time, and looks again when half of them have finished', async () => {
    work.rows = Array.from({ length: 20 }, (_, i) => row(`r${i}`));
    await pool.collect(0, 100);
    expect(work.active).toEqual(['r0', 'r1', 'r2', 'r3']);
    await work.release('r0');
    expect(wakes).toEqual([]);
    await work.release('r1');
    expect(wakes).toEqual([0]);
    await pool.collect(0, 100);
    expect(work.active).toEqual(['r2', 'r3', 'r4', 'r5']);
    expect(work.most).toBe(4);
  });

  it('lends the places of firings that continue for a minute, up to four for each', async () => {
    for (let round = 0; round < 7; round++) {
      work.rows.push(...Array.from({ length: 4 }, (_, n) => row(`endless${round}-${n}`)));
      await pool.collect(clock.now(), clock.now() + 1000);
      await clock.advance(60_000);
    }
    // Four places, and sixteen that are lent.
    expect(work.active).toHaveLength(20);
    await work.release('endless0-0');
    work.rows = [row('next')];
    await pool.collect(clock.now(), clock.now() + 1000);
    expect(work.active.at(-1)).toBe('next');
    expect(work.active).toHaveLength(20);
  });

  it('does not lend the place of a group whose rows end', async () => {
    const places = new PlacesOfGroups(1, () => clock.monotonic());
    for (let n = 0; n < 3; n++) expect(places.enter('busy')).toBeUndefined();
    let hasEntered = false;
    void places.enter('other')!.then(() => (hasEntered = true));
    for (let n = 0; n < 2; n++) {
      await clock.advance(45_000);
      places.leave('busy');
      places.lendLong();
    }
    await Promise.resolve();
    expect([places.lent, hasEntered]).toEqual([0, false]);
    await clock.advance(60_000);
    places.lendLong();
    await Promise.resolve();
    expect([places.lent, hasEntered, places.enter('busy')]).toEqual([1, true, undefined]);
    places.leave('busy');
    places.leave('busy');
    expect(places.lent).toBe(0);
  });

  it('reads only as many rows as it can use', async () => {
    await pool.collect(0, 100);
    expect(work.limits).toEqual([5]);
  });

  it('says when the next row is due', async () => {
    work.rows = [row('a', 70), row('b', 90)];
    expect(await pool.collect(0, 100)).toBe(70);
    expect(await pool.collect(0, 60)).toBe(60);
    expect(work.active).toEqual([]);
  });

  it('does not fire what is being fired', async () => {
    work.rows = [row('a')];
    await pool.collect(0, 100);
    await pool.collect(0, 100);
    expect(work.active).toEqual(['a']);
  });

  it('does not fire a row again that was fired while it was looking', async () => {
    work.rows = [row('a')];
    await pool.collect(0, 100);
    const stale = work.rows;
    const { find } = work;
    work.find = async () => {
      await work.release('a');
      return { rows: stale, hasMore: false };
    };
    await pool.collect(0, 100);
    expect([work.active, pool.failing]).toEqual([[], 0]);
    work.find = find;
  });

  it('waits longer after each failure, up to a limit, and forgets deleted rows', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(1);
    work.rows = [row('a')];
    const pauses: number[] = [];
    for (let now = 0; pauses.length < 4; now = wakes.at(-1)!) {
      await clock.setTime(now);
      await pool.collect(now, now + 100);
      await work.release('a', new Error('no'));
      pauses.push(wakes.at(-1)! - now);
    }
    expect(pauses).toEqual([1000, 2000, 3000, 3000]);
    expect(pool.failureOf(row('a'))).toMatchObject({ attempts: 4, lastError: 'no' });
    expect(pool.failureOf(row('a', 1))).toBeUndefined();
    work.rows = [];
    await pool.collect(wakes.at(-1)!, Infinity);
    expect(pool.failing).toBe(0);
  });

  it('does not count faults of the store, and pauses for a second at most', async () => {
    work.rows = [row('a')];
    const pauses: number[] = [];
    for (let now = 0; pauses.length < 8; now = wakes.at(-1)!) {
      await clock.setTime(now);
      await pool.collect(now, now + 100);
      await work.release('a', new StoreUnavailableError('out'));
      pauses.push(wakes.at(-1)! - now);
    }
    expect(pauses[0]).toBeLessThanOrEqual(50);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(1000);
    expect(pool.failureOf(row('a'))).toBeUndefined();
  });

  it('does not count the refusal of a paused runtime as a failure', async () => {
    work.rows = [row('a')];
    await pool.collect(0, 100);
    await work.release('a', Object.assign(new Error('paused'), { code: 'WM3005' }));
    expect([refusals, pool.failing, wakes]).toEqual([1, 0, []]);
  });

  describe('with rows that are claimed', () => {
    const givenBack: [string, number][] = [];
    beforeEach(() => {
      givenBack.length = 0;
      work.find = async ({ free }) => {
        const rows = work.rows.splice(0, free);
        return { rows, hasMore: rows.length === free, nextAt: new Date(40) };
      };
      (work as DueWork).giveBack = async ({ id }, at) => void givenBack.push([id, at.getTime()]);
    });

    it('takes no more of them than it can fire at once', async () => {
      work.rows = Array.from({ length: 6 }, (_, i) => row(`r${i}`));
      await pool.collect(0, 100);
      await pool.collect(0, 100);
      expect([work.active, work.rows.map(({ id }) => id)]).toEqual([
        ['r0', 'r1', 'r2', 'r3'],
        ['r4', 'r5'],
      ]);
      await work.release('r0');
      await work.release('r1');
      expect(wakes).toEqual([0]);
      await pool.collect(0, 100);
      expect(work.active).toEqual(['r2', 'r3', 'r4', 'r5']);
    });

    it('looks again when the store says that more can be claimed', async () => {
      expect(await pool.collect(0, 100)).toBe(40);
      expect(await pool.collect(0, 30)).toBe(30);
    });

    it('gives back what failed, for after the pause, and what was refused, at once', async () => {
      work.rows = [row('a'), row('b')];
      await pool.collect(0, 100);
      jest.spyOn(Math, 'random').mockReturnValue(1);
      await work.release('a', new Error('no'));
      await work.release('b', Object.assign(new Error('paused'), { code: 'WM3005' }));
      expect([givenBack, wakes, refusals]).toEqual([
        [
          ['a', 1000],
          ['b', 0],
        ],
        [1000],
        1,
      ]);
    });

    it('gives back what it may not fire yet, or any more', async () => {
      work.rows = [row('a')];
      await pool.collect(0, 100);
      await work.release('a', new Error('no'));
      work.rows = [row('a')];
      expect(await pool.collect(10, 100)).toBe(40);
      open = false;
      work.rows = [row('b')];
      await pool.collect(20, 100);
      expect([givenBack.slice(1), work.active]).toEqual([
        [
          ['a', 100],
          ['b', 20],
        ],
        [],
      ]);
    });
  });

  it('fires nothing once its runner has stopped', async () => {
    work.rows = [row('a')];
    open = false;
    await pool.collect(0, 100);
    expect(work.active).toEqual([]);
  });
});
