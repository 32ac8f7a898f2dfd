import { describe, expect, it } from '@jest/globals';
import { MemoryPersistence } from '@waymark/runtime';
import { type BurstCommit } from '@waymark/runtime/adapter';
import { definePersistenceContract } from './persistence-contract.js';
import type { TestFramework } from './test-framework.js';

// Who tests the tests: each of these stores breaks one promise, and the suite must notice.

class Faulty extends MemoryPersistence {
  constructor(
    private readonly spoil: (burst: BurstCommit, store: MemoryPersistence) => BurstCommit | Promise<BurstCommit>,
  ) {
    super();
  }

  override async commit(burst: BurstCommit): Promise<void> {
    await super.commit(await this.spoil(burst, this));
  }
}

const FAULTS: Record<string, () => MemoryPersistence> = {
  'a consumed bookmark may be consumed again': () => new Faulty((burst) => ({ ...burst, consumedBookmarkIds: [] })),
  'a stale writer is let through': () =>
    new Faulty(async (burst, store) => ({
      ...burst,
      expectedRevision: (await store.instances.load(burst.instance.id))?.revision,
    })),
  'an occurrence fires twice': () => new Faulty((burst) => ({ ...burst, firing: undefined })),
  'a message is served twice': () => new Faulty((burst) => ({ ...burst, consumedMessageIds: [] })),
  'a queue item is served twice': () => new Faulty((burst) => ({ ...burst, consumedQueueItemIds: [] })),
  'a request starts two instances': () => new Faulty((burst) => ({ ...burst, requestKey: undefined })),
  'a singleton runs twice': () => new Faulty((burst) => ({ ...burst, activationKey: undefined })),
  'the journal is lost': () => new Faulty((burst) => ({ ...burst, journal: { log: [], records: [] } })),
  'new bookmarks are lost': () => new Faulty((burst) => ({ ...burst, addedBookmarks: [] })),
  'messages are lost': () => new Faulty((burst) => ({ ...burst, outbox: [] })),
  'milliseconds are lost': () =>
    new Faulty((burst) => {
      const createdAt = new Date(Math.floor(burst.instance.createdAt.getTime() / 1000) * 1000);
      return { ...burst, instance: { ...burst.instance, createdAt } };
    }),
  'types are lost': () =>
    new Faulty((burst) => {
      const state = JSON.parse(
        JSON.stringify(burst.instance.state, (_, value) => (typeof value === 'bigint' ? 1 : value)),
      );
      return { ...burst, instance: { ...burst.instance, state } };
    }),
  'the journal is written before the checks': () =>
    new Faulty(async (burst, store) => {
      await store.journal.append(burst.instance.id, burst.journal);
      return { ...burst, journal: { log: [], records: [] } };
    }),
  'a claim does not hold': () => {
    const store = new MemoryPersistence();
    const { claim } = store.outbox;
    store.outbox.claim = (options) => claim.call(store.outbox, { ...options, leaseMs: 0 });
    return store;
  },
  'an idempotency key is ignored': () => {
    const store = new MemoryPersistence();
    const { enqueue } = store.queue;
    store.queue.enqueue = (item) => enqueue.call(store.queue, { ...item, idempotencyKey: undefined });
    return store;
  },
  'an empty filter means everything': () => {
    const store = new MemoryPersistence();
    const { findMany } = store.bookmarks;
    store.bookmarks.findMany = (filter) =>
      findMany.call(store.bookmarks, Object.values(filter).some(Boolean) ? filter : { ids: [] });
    return store;
  },
};

interface Registered {
  readonly tests: [name: string, body: () => Promise<void>][];
  readonly before: (() => Promise<void>)[];
  readonly after: (() => Promise<void>)[];
}

/** Runs the suite by hand and returns the name of the first test that fails. */
async function firstFailure(store: MemoryPersistence): Promise<string | undefined> {
  const { tests, before, after }: Registered = { tests: [], before: [], after: [] };
  const framework: TestFramework = {
    describe: (_name, body) => body(),
    it: (name, body) => tests.push([name, body]),
    beforeAll: (body) => before.push(body),
    afterAll: (body) => after.push(body),
    expect: expect as unknown as TestFramework['expect'],
  };
  definePersistenceContract('by hand', { create: async () => store }, framework);
  for (const body of before) await body();
  let failed: string | undefined;
  for (const [name, body] of tests) {
    await body().catch(() => (failed = name));
    if (failed !== undefined) break;
  }
  for (const body of after) await body();
  return failed;
}

describe('the persistence contract suite', () => {
  it('passes a store that keeps all promises', async () => {
    expect(await firstFailure(new MemoryPersistence())).toBeUndefined();
  });

  it.each(Object.entries(FAULTS))('notices that %s', async (_fault, make) => {
    expect(await firstFailure(make())).toBeDefined();
  });
});
