import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { type WorkflowPersistence } from '@waymark/runtime';
import { type BookmarkQueueItem, isStoreOutage } from '@waymark/runtime/adapter';
import { TypeOrmPersistence, type TypeOrmPersistenceOptions } from '@waymark/typeorm';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { aBurstOf } from '../support/a-burst.js';
import { anInstanceOf } from '../support/an-instance.js';
import { testBackends } from '../support/backends.js';
import { isThorough } from '../support/depth.js';
import { describeOn } from '../support/describe-on.js';
import { makeImpatient } from '../support/impatient.js';
import { until } from '../support/until.js';
import { FaultProxy, WRITES } from './fault-proxy.js';

// Servers that are half there: connections that swallow everything, hosts that vanish in a transaction, no room for more.
// What keeps no deadline waits without end, and so runs into the time limit of its test.

const backends = await testBackends('mysql', 'postgres');

const TIMEOUT_MS = 400;
/** Of a test in which much waits, on a machine that has much else to do. */
const HANG_MS = 120_000;

/** The first burst of an instance, or with a revision the next one. */
const burst = (id: string, expectedRevision?: number) => aBurstOf(anInstanceOf(id), { expectedRevision });

/** A stimulus that waits for its bookmark. */
const anItem = (id: string): BookmarkQueueItem => ({
  id,
  stimulusHash: id,
  createdAt: new Date(),
  expiresAt: new Date(Date.now() + HANG_MS),
  attempts: 0,
});

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: { code?: string; message: string }) => (isStoreOutage(error) ? (error.code ?? '') : error.message),
  );

describeOn(backends, 'a half-broken server: $name', (backend) => {
  const { tablePrefix } = backend;
  const opened: (() => Promise<unknown>)[] = [];
  let proxy: FaultProxy;

  const opensAt = async (url: string, options: TypeOrmPersistenceOptions = {}): Promise<WorkflowPersistence> => {
    const settings = { tablePrefix, statementTimeoutMs: TIMEOUT_MS, ...options };
    const persistence = TypeOrmPersistence.fromUrl(url, settings);
    await persistence.initialize();
    opened.push(() => persistence.close());
    return persistence;
  };

  /** So many connections are open and rest in the pool. */
  const fill = async (persistence: WorkflowPersistence): Promise<void> => {
    await Promise.all(
      Array.from({ length: 40 }, (_, n) => persistence.instances.findIds({ ids: [`${n}`], definitionIds: [`${n}`] })),
    );
    expect(proxy.figures.connections).toBeGreaterThan(3);
  };

  beforeEach(async () => {
    proxy = await FaultProxy.open(backend.url ?? '');
  });

  afterEach(async () => {
    proxy.heal();
    for (const close of opened.splice(0)) await close();
    await proxy.close();
  });

  afterAll(() => backend.drop());

  it('answers all callers within the deadline when the connections are silent, and opens new ones', async () => {
    const persistence = await opensAt(proxy.url);
    await fill(persistence);
    const before = proxy.blackHole('established');
    const codes = await Promise.all([
      ...Array.from({ length: 50 }, (_, n) => codeOf(persistence.commit(burst(`hole-${n}`)))),
      ...Array.from({ length: 50 }, (_, n) => codeOf(persistence.instances.load(`${n}`))),
    ]);
    expect(codes.filter((code) => code !== 'done' && code !== 'WM7015')).toEqual([]);
    // One deadline for all connections, not one for each: none of them is tried again.
    const { swallowed } = proxy;
    expect(swallowed).toBeGreaterThan(0);
    await persistence.commit(burst('after-hole'));
    expect(proxy.swallowed).toBe(swallowed);
    expect(before).toBeGreaterThan(3);
  });

  it("drops only its own session of an application's pool", async () => {
    const options = { type: backend.name, url: proxy.url, poolSize: 2 } as DataSourceOptions;
    const shared = await new DataSource(options).initialize();
    opened.push(() => shared.destroy());
    const persistence = TypeOrmPersistence.fromDataSource(shared, { tablePrefix, statementTimeoutMs: TIMEOUT_MS });
    await persistence.initialize();
    proxy.blackHole('established');
    expect(await codeOf(persistence.instances.load('x'))).toBe('done');
    await persistence.close();
  });

  it('closes within a deadline when nothing answers any more', async () => {
    const persistence = await opensAt(proxy.url, { connectTimeoutMs: 300 });
    await fill(persistence);
    proxy.blackHole('all');
    const answers = Array.from({ length: 30 }, (_, n) => codeOf(persistence.commit(burst(`closing-${n}`))));
    await persistence.close();
    expect(new Set(await Promise.all(answers))).toEqual(new Set(['WM7014']));
  });

  it('fails with a typed error when all connections are silent', async () => {
    const persistence = await opensAt(proxy.url, { connectTimeoutMs: 300 });
    proxy.blackHole('all');
    // A quarter of a minute, as long as it is, only where all long tests run.
    const patience = isThorough ? undefined : makeImpatient();
    expect(await codeOf(persistence.instances.load('x'))).toBe('WM7014');
    patience?.mockRestore();
    proxy.heal();
    // A new connection has 300 ms here, which a server on a busy machine may need more than once.
    let code: string | undefined;
    for (let attempt = 0; attempt < 10 && code !== 'done'; attempt++)
      code = await codeOf(persistence.instances.load('x'));
    expect(code).toBe('done');
  }, 30_000);

  it(
    'stores starts with keys once, each, when it has few connections',
    async () => {
      const persistence = await opensAt(proxy.url, { statementTimeoutMs: 5000 });
      proxy.limitConnections(2);
      const start = (n: number) => codeOf(persistence.commit({ ...burst(`few-${n}`), requestKey: `few-${n}` }));
      const alone = (n: number) =>
        codeOf(persistence.commit({ ...burst(`alone-${n}`), queue: [anItem(`alone-${n}`)] }));
      const numbers = Array.from({ length: 100 }, (_, n) => n);
      const codes = await Promise.all(numbers.flatMap((n) => [start(n), alone(n)]));
      expect(codes.filter((code) => code !== 'done')).toEqual([]);
      expect(proxy.figures.turnedAway).toBeGreaterThan(0);
      expect(await persistence.instances.count({ ids: numbers.map((n) => `few-${n}`) })).toBe(numbers.length);
    },
    HANG_MS,
  );

  /** A host loses power in a transaction, and many more wait for what it held than there are connections. */
  const losesPower = async (id: string, statementTimeoutMs: number) => {
    const persistence = await opensAt(backend.url ?? '', { statementTimeoutMs });
    await persistence.commit(burst(id));
    const dying = await opensAt(proxy.url, { statementTimeoutMs });
    proxy.cutCommits('black-hole', 1);
    const lost = codeOf(dying.commit(burst(id, 1)));
    await until(() => proxy.figures.commitsCut > 0);
    const waiters = Array.from({ length: 40 }, () => codeOf(persistence.commit({ ...burst(id, 1), requestKey: id })));
    return { persistence, lost, waiters };
  };

  it(
    'is not blocked by a host that loses power in a transaction: others continue',
    async () => {
      const { persistence, lost, waiters } = await losesPower('held', 60_000);
      let ended = 0;
      for (const waiter of waiters) void waiter.then(() => ended++);
      await persistence.commit(burst('free'));
      for (let revision = 1; revision <= 10; revision++) await persistence.commit(burst('free', revision));
      await persistence.definitions.changeCounter();
      // All of that while the others still wait.
      expect(ended).toBe(0);
      proxy.cutAll();
      await Promise.all(waiters);
      expect(await lost).toBe('WM7015');
    },
    HANG_MS,
  );

  it(
    'is not blocked by a host that loses power in a transaction: its locks are released',
    async () => {
      const { lost, waiters } = await losesPower('freed', 3000);
      const codes = await Promise.all(waiters);
      expect(codes.filter((code) => code === 'done')).toHaveLength(1);
      expect(codes.filter((code) => code === 'WM7014')).toEqual([]);
      expect(await lost).toBe('WM7015');
    },
    HANG_MS,
  );

  it(
    'works with fewer connections than its pool has, and uses more when there are more',
    async () => {
      const persistence = await opensAt(proxy.url, { statementTimeoutMs: 5000 });
      proxy.limitConnections(3);
      // Each for itself: what adds to the queue shares no transaction.
      const commit = (n: number) =>
        codeOf(persistence.commit({ ...burst(`limit-${n}`), queue: [anItem(`limit-${n}`)] }));
      const codes = await Promise.all(Array.from({ length: 200 }, (_, n) => commit(n)));
      expect(codes.filter((code) => code !== 'done')).toEqual([]);
      expect(proxy.figures.connections).toBeLessThanOrEqual(3);
      expect(proxy.figures.turnedAway).toBeGreaterThan(0);
      proxy.heal();
      for (let n = 200; proxy.figures.connections < 6; n += 40)
        await Promise.all(Array.from({ length: 40 }, (_, more) => commit(n + more)));
    },
    HANG_MS,
  );

  it.each(['before', 'after'] as const)(
    'says that the outcome of a commit is unknown when it is cut %s it is done',
    async (moment) => {
      const persistence = await opensAt(proxy.url);
      proxy.cutCommits(moment);
      expect(await codeOf(persistence.commit(burst(`cut-${moment}`)))).toBe('WM7015');
      proxy.heal();
      expect(await persistence.instances.findIds({ ids: [`cut-${moment}`] })).toHaveLength(moment === 'after' ? 1 : 0);
    },
  );

  it('finds its commit in the stored rows when only the answer was lost, alone and in a group', async () => {
    const persistence = await opensAt(proxy.url);
    const withBookmark = (id: string) => {
      const bookmark = { name: 'x', hash: id, workflowInstanceId: id, activityInstanceId: 'a', createdAt: new Date() };
      return { ...burst(id), addedBookmarks: [{ ...bookmark, id: `${id}-bookmark` }] };
    };
    const ids = Array.from({ length: 20 }, (_, n) => `found-${n}`);
    proxy.cutCommits('after', 2);
    const alone = { ...withBookmark('found-alone'), queue: [anItem('found-alone')] };
    const commits = [...ids.map((id) => ({ ...withBookmark(id), requestKey: id })), alone];
    const codes = await Promise.all(commits.map((commit) => codeOf(persistence.commit(commit))));
    expect([new Set(codes), proxy.figures.commitsCut]).toEqual([new Set(['done']), 2]);
    expect(await persistence.instances.count({ ids: [...ids, 'found-alone'] })).toBe(ids.length + 1);
  });

  it('finds the new primary at once when its connections lead to a server that has become read-only', async () => {
    const persistence = await opensAt(proxy.url);
    await fill(persistence);
    proxy.refuse(WRITES, 'read-only', 'established');
    expect(await codeOf(persistence.commit(burst('after-failover')))).toBe('done');
    const codes = Array.from({ length: 30 }, (_, n) => codeOf(persistence.commit(burst(`failover-${n}`))));
    expect(new Set(await Promise.all(codes))).toEqual(new Set(['done']));
  });

  it.each(['read-only', 'disk-full', 'out-of-memory'] as const)(
    'distinguishes an outage from a wrong statement, and continues after it: %s',
    async (refusal) => {
      const persistence = await opensAt(proxy.url);
      proxy.refuse(WRITES, refusal);
      expect(await codeOf(persistence.commit(burst(refusal)))).toBe('WM7014');
      expect(await codeOf(persistence.instances.load(refusal))).toBe('done');
      proxy.heal();
      expect(await codeOf(persistence.commit(burst(refusal)))).toBe('done');
    },
  );
});
