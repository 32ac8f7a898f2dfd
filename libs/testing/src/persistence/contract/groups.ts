import {
  aBookmark,
  aBurst,
  aLogEntry,
  aMessage,
  anInstance,
  anItem,
  aResume,
  finished,
  matchOf,
  uid,
} from '../builders.js';
import type { BurstCommit, WorkflowInstanceRecord } from '@waymark/runtime/adapter';
import type { StoredBookmark } from '@waymark/runtime';
import { type ContractContext, outcomes } from './contract-context.js';

const MANY = 40;

interface Waiting {
  readonly instance: WorkflowInstanceRecord;
  readonly bookmark: StoredBookmark;
}

/** What a store may do together because it is wanted at the same time. No caller must notice. */
export function groupsContract(context: ContractContext): void {
  const { describe, it, expect } = context.framework;

  async function someWaiting(count: number): Promise<Waiting[]> {
    const waiting = Array.from({ length: count }, (): Waiting => {
      const instance = anInstance();
      return { instance, bookmark: aBookmark(instance.id) };
    });
    await Promise.all(
      waiting.map(({ instance, bookmark }) => context.store.commit(aBurst(instance, { addedBookmarks: [bookmark] }))),
    );
    return waiting;
  }

  describe('commits at the same time', () => {
    it('each write their own data', async () => {
      const { store } = context;
      const waiting = await someWaiting(MANY);
      const renewed = waiting.map(({ instance }) => aBookmark(instance.id));
      const bursts = waiting.map(({ instance, bookmark }, n): BurstCommit => {
        const parts = {
          outbox: [aMessage({ payload: n })],
          journal: { log: [aLogEntry(n + 1)], records: [] },
        };
        return n % 2
          ? { ...aResume(finished(instance), 1, bookmark.id), ...parts }
          : {
              ...aResume({ ...instance, name: `number ${n}`, incidentCount: n }, 1, bookmark.id),
              addedBookmarks: [renewed[n]!],
              ...parts,
            };
      });
      await Promise.all(bursts.map((burst) => store.commit(burst)));
      for (const [n, { instance, outbox }] of bursts.entries()) {
        expect(await context.otherNode.instances.load(instance.id)).toEqual({ ...instance, revision: 2 });
        expect(await store.bookmarks.findMany({ workflowInstanceId: instance.id })).toEqual(n % 2 ? [] : [renewed[n]]);
        expect((await store.journal.readLog(instance.id)).map(({ sequence }) => sequence)).toEqual([n + 1]);
        expect(await store.outbox.delete(outbox[0]!.id)).toBe(true);
      }
    });

    it('fail alone, each with its own reason', async () => {
      const { store } = context;
      const waiting = await someWaiting(MANY);
      const [stale, used, taken, gone] = await someWaiting(4);
      await store.commit(aResume(used!.instance, 1, used!.bookmark.id));
      const unstorable = anInstance({ name: 'this cannot be stored' });
      unstorable.state.output = { body: () => undefined };
      const bad: [BurstCommit, object][] = [
        [aBurst(stale!.instance, { expectedRevision: 7 }), { code: 'WM7001', id: stale!.instance.id }],
        [aResume(used!.instance, 2, used!.bookmark.id), { code: 'WM7002', bookmarkId: used!.bookmark.id }],
        [aBurst(taken!.instance), { code: 'WM7001', id: taken!.instance.id }],
        [aBurst(anInstance(), { consumedMessageIds: [gone!.instance.id] }), { code: 'WM7004' }],
        [aBurst(unstorable), { code: 'WM1102' }],
      ];
      const good = waiting.map(({ instance, bookmark }) => store.commit(aResume(instance, 1, bookmark.id)));
      const refused = bad.map(([burst, error]) => expect(store.commit(burst)).rejects.toMatchObject(error));
      await Promise.all([...good, ...refused]);
      for (const { instance } of waiting)
        expect(await store.instances.load(instance.id)).toMatchObject({ revision: 2 });
      expect(await store.instances.load(unstorable.id)).toBeUndefined();
    });

    it('let one of two consume a bookmark that both want, and write only its state (W2, W3)', async () => {
      const waiting = await someWaiting(MANY);
      const message = aMessage();
      await context.store.outbox.add([message]);
      const bothWays = waiting.flatMap(({ instance, bookmark }) => [
        context.store.commit(aResume(instance, 1, bookmark.id)),
        context.otherNode.commit(aResume(instance, 1, bookmark.id)),
      ]);
      const served = [1, 2].map(() => context.store.commit(aBurst(anInstance(), { consumedMessageIds: [message.id] })));
      const counts = await Promise.all([outcomes(bothWays), outcomes(served)]);
      expect(counts).toEqual([
        { fulfilled: MANY, WM7002: MANY },
        { fulfilled: 1, WM7004: 1 },
      ]);
    });
  });

  describe('look-ups at the same time', () => {
    it('each find their own', async () => {
      const { store } = context;
      const hashes = [uid('hash'), uid('hash')];
      const bookmarks = Array.from({ length: MANY }, (_, n) => {
        const instance = anInstance();
        const bookmark = aBookmark(instance.id, { hash: hashes[n % 2]!, correlationId: `${hashes[0]}-${n >> 2}` });
        return { instance, bookmark };
      });
      await Promise.all(
        bookmarks.map(({ instance, bookmark }) => store.commit(aBurst(instance, { addedBookmarks: [bookmark] }))),
      );
      const missing = uid('nowhere');
      const [found, loaded, absent] = await Promise.all([
        Promise.all(
          bookmarks.map(({ bookmark: { hash, correlationId } }) => store.bookmarks.findMany({ hash, correlationId })),
        ),
        Promise.all(bookmarks.map(({ instance }) => store.instances.load(instance.id))),
        Promise.all([
          store.instances.load(missing),
          store.bookmarks.findMany({ hash: hashes[0]!, correlationId: missing }),
          store.bookmarks.findMany({ hash: missing, correlationId: `${hashes[0]}-0` }),
        ]),
      ]);
      for (const [n, { instance, bookmark }] of bookmarks.entries()) {
        const same = bookmarks
          .map((each) => each.bookmark)
          .filter(({ hash, correlationId }) => hash === bookmark.hash && correlationId === bookmark.correlationId);
        expect(found[n]!.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
          same.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
        );
        expect(loaded[n]).toEqual({ ...instance, revision: 1 });
      }
      expect(absent).toEqual([undefined, [], []]);
    });

    it('of a stimulus and its bookmark, one finds the other, whichever comes second (W5)', async () => {
      const met = Array.from({ length: MANY }, async (_, n): Promise<boolean> => {
        const [sender, waiter] = n % 2 ? [context.store, context.otherNode] : [context.otherNode, context.store];
        const instance = anInstance();
        const bookmark = aBookmark(instance.id, { correlationId: uid('correlation') });
        const { hash, correlationId } = bookmark;
        const item = anItem({ stimulusHash: n % 3 ? hash : undefined, correlationId });
        const [byStimulus, byBookmark] = await Promise.all([
          sender.queue.enqueue(item).then(() => sender.bookmarks.findMany({ hash, correlationId })),
          waiter
            .commit(aBurst(instance, { addedBookmarks: [bookmark] }))
            .then(() => waiter.queue.findMatching(matchOf(bookmark), 10)),
        ]);
        return byStimulus.length + byBookmark.length > 0;
      });
      expect((await Promise.all(met)).filter((one) => !one)).toEqual([]);
    });
  });
}
