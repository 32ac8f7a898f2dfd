import { aBookmark, aBurst, after, aMessage, anInstance, anItem, matchOf, T0, uid } from '../builders.js';
import type { BookmarkQueueItem, DeadLetterFilter, IdPage } from '@waymark/runtime/adapter';
import { type ContractContext, outcomes } from './contract-context.js';

const FOR_EVER = 10 ** 12;

/** `BookmarkQueueStore`: stimuli that wait for their bookmark (W5). */
export function queueContract(context: ContractContext): void {
  const { describe, it, expect } = context.framework;

  const expire = (now: Date, limit: number, keepDeadLettersMs = FOR_EVER, node = context.store) =>
    node.queue.expire({ now, limit, keepDeadLettersMs });

  /** Expiry is over the whole queue, so tests of it begin with an empty one. */
  async function drain(): Promise<void> {
    const farOff = new Date('2090-01-01T00:00:00Z');
    for (;;) {
      const { expired, purged, forgotten } = await expire(farOff, 1000, -FOR_EVER);
      if (expired + purged + forgotten === 0) return;
    }
  }

  describe('bookmark queue', () => {
    it('keeps an item as it was given', async () => {
      const { store } = context;
      const item = anItem({
        idempotencyKey: uid('key'),
        workflowInstanceId: uid('instance'),
        correlationId: uid('correlation'),
        bookmarkId: uid('bookmark'),
        activityInstanceId: uid('activity'),
        activityTypeName: 'Elsa.Event',
        input: { at: after(3), amount: 12n, missing: undefined },
        properties: { nested: [new Map([['a', 1]])] },
        attempts: 1,
        lastError: 'before',
      });
      expect(await store.queue.enqueue(item)).toBe(item.id);
      expect(await context.otherNode.queue.find(item.id)).toEqual(item);
      expect(await store.queue.find(uid('absent'))).toBeUndefined();
    });

    it('queues one key once, also after it was delivered', async () => {
      const { store } = context;
      const idempotencyKey = uid('key');
      const item = anItem({ idempotencyKey });
      const again = anItem({ idempotencyKey });
      expect(await store.queue.enqueue(item)).toBe(item.id);
      expect(await store.queue.enqueue(again)).toBe(item.id);
      await store.commit(aBurst(anInstance(), { consumedQueueItemIds: [item.id] }));
      expect(await store.queue.enqueue(again)).toBe(item.id);
      expect(await store.queue.find(item.id)).toBeUndefined();
      expect(await store.queue.find(again.id)).toBeUndefined();
      await expire(item.expiresAt, 1000);
      expect(await store.queue.enqueue(again)).toBe(again.id);
    });

    it('renews a key whose item is not in the queue any more, if it is asked to', async () => {
      const { store, otherNode } = context;
      const idempotencyKey = uid('key');
      const items = Array.from({ length: 20 }, () => anItem({ idempotencyKey }));
      const [first, second] = items;
      const renew = (item: BookmarkQueueItem, node = store) => node.queue.enqueue(item, undefined, { renewsKey: true });
      expect(await renew(first!)).toBe(first!.id);
      expect(await renew(second!)).toBe(first!.id);
      await store.commit(aBurst(anInstance(), { consumedQueueItemIds: [first!.id] }));
      expect(await store.queue.enqueue(second!)).toBe(first!.id);
      const kept = await Promise.all(items.slice(1).map((item, n) => renew(item, n % 2 ? store : otherNode)));
      expect(new Set(kept).size).toBe(1);
      const there = await Promise.all(items.map(({ id }) => store.queue.find(id)));
      expect(there.flatMap((item) => item?.id ?? [])).toEqual([kept[0]]);
    });

    it('queues an item in place of a message, once', async () => {
      const { store } = context;
      const [message, item] = [aMessage(), anItem()];
      await store.outbox.add([message]);
      expect(await store.queue.enqueue(item, message.id)).toBe(item.id);
      expect(await store.outbox.find(message.id)).toBeUndefined();
      const again = anItem({ idempotencyKey: uid('key') });
      const refused = context.otherNode.queue.enqueue(again, message.id);
      await expect(refused).rejects.toMatchObject({ code: 'WM7004', messageId: message.id });
      expect(await store.queue.find(again.id)).toBeUndefined();
      expect(await store.queue.enqueue(again)).toBe(again.id);
    });

    it('uses up the message although the key is known', async () => {
      const { store } = context;
      const idempotencyKey = uid('key');
      const [message, item] = [aMessage(), anItem({ idempotencyKey })];
      await store.outbox.add([message]);
      await store.queue.enqueue(item);
      expect(await store.queue.enqueue(anItem({ idempotencyKey }), message.id)).toBe(item.id);
      expect(await store.outbox.find(message.id)).toBeUndefined();
    });

    it('refuses an item without a condition to match', async () => {
      const item = anItem({ stimulusHash: undefined });
      await expect(context.store.queue.enqueue(item)).rejects.toMatchObject({ code: 'WM7008' });
    });

    it('finds the items that a bookmark satisfies, oldest first', async () => {
      const { store } = context;
      const bookmark = aBookmark(uid('instance'), { correlationId: uid('correlation') });
      const { hash, workflowInstanceId, activityInstanceId, correlationId } = bookmark;
      const fitting: Partial<BookmarkQueueItem>[] = [
        { stimulusHash: hash },
        { stimulusHash: undefined, bookmarkId: bookmark.id },
        { stimulusHash: undefined, workflowInstanceId, activityTypeName: bookmark.name },
        { stimulusHash: undefined, activityInstanceId },
        { stimulusHash: hash, workflowInstanceId, activityInstanceId, correlationId, bookmarkId: bookmark.id },
      ];
      const other: Partial<BookmarkQueueItem>[] = [
        { stimulusHash: uid('other') },
        { stimulusHash: hash, workflowInstanceId: uid('other') },
        { stimulusHash: hash, correlationId: uid('other') },
        { stimulusHash: hash, activityInstanceId: uid('other') },
        { stimulusHash: hash, bookmarkId: uid('other') },
        { stimulusHash: hash, activityTypeName: 'Other' },
      ];
      const items = fitting.map((given, n) => anItem({ ...given, createdAt: after(-n) }));
      for (const item of items) await store.queue.enqueue(item);
      for (const given of other) await store.queue.enqueue(anItem(given));
      const oldestFirst = [...items].reverse();
      expect(await store.queue.findMatching(matchOf(bookmark), 100)).toEqual(oldestFirst);
      expect(await store.queue.findMatching(matchOf(bookmark), 2)).toEqual(oldestFirst.slice(0, 2));
      const uncorrelated = matchOf({ ...bookmark, correlationId: undefined });
      expect(await store.queue.findMatching(uncorrelated, 100)).toEqual(oldestFirst.slice(1));
      expect(await store.queue.findMatching(matchOf(aBookmark(uid('instance'))), 100)).toEqual([]);
    });

    it('does not match what has expired', async () => {
      const bookmark = aBookmark(uid('instance'));
      const item = anItem({ stimulusHash: bookmark.hash, expiresAt: after(100) });
      await context.store.queue.enqueue(item);
      expect(await context.store.queue.findMatching(matchOf(bookmark), 5, after(99))).toEqual([item]);
      expect(await context.store.queue.findMatching(matchOf(bookmark), 5, after(100))).toEqual([]);
      expect(await context.store.queue.findMatching(matchOf(bookmark), 5)).toEqual([item]);
    });

    it('counts failures and gives up at the last', async () => {
      const { store } = context;
      const workflowInstanceId = uid('instance');
      const item = anItem({ workflowInstanceId, input: { at: T0 }, idempotencyKey: uid('key') });
      await store.queue.enqueue(item);
      await store.queue.fail(item.id, 'first', 3, after(1));
      await store.queue.fail(item.id, 'second', 3, after(2));
      expect(await store.queue.find(item.id)).toEqual({ ...item, attempts: 2, lastError: 'second' });
      await store.queue.fail(item.id, 'third', 3, after(3));
      expect(await store.queue.find(item.id)).toBeUndefined();
      const { items, totalCount } = await store.queue.findDeadLetters({ workflowInstanceId });
      const letter = {
        ...item,
        id: items[0]!.id,
        attempts: 3,
        lastError: 'third',
        originalQueueItemId: item.id,
        deadLetteredAt: after(3),
        reason: 'Failed',
        canReplay: true,
      };
      expect([items, totalCount]).toEqual([[letter], 1]);
      expect(await store.queue.findDeadLetter(letter.id)).toEqual(letter);
      await store.queue.fail(uid('absent'), 'x', 1, T0);
    });

    it('moves expired items to the dead letters and deletes old ones', async () => {
      const { store } = context;
      await drain();
      const workflowInstanceId = uid('instance');
      const [late, early, alive] = [after(20), after(10), after(99)].map((expiresAt) =>
        anItem({ workflowInstanceId, expiresAt }),
      );
      for (const item of [late!, early!, alive!]) await store.queue.enqueue(item);
      expect(await expire(after(9), 10)).toEqual({ expired: 0, purged: 0, forgotten: 0 });
      expect(await expire(after(20), 1)).toEqual({ expired: 1, purged: 0, forgotten: 0 });
      expect(await store.queue.find(early!.id)).toBeUndefined();
      expect(await expire(after(21), 10)).toEqual({ expired: 1, purged: 0, forgotten: 0 });
      expect(await store.queue.find(alive!.id)).toEqual(alive);
      const { items } = await store.queue.findDeadLetters({ workflowInstanceId });
      expect(items.map((row) => [row.originalQueueItemId, row.reason, row.deadLetteredAt])).toEqual([
        [late!.id, 'Expired', after(21)],
        [early!.id, 'Expired', after(20)],
      ]);
      expect(await expire(after(22), 10, 1)).toEqual({ expired: 0, purged: 1, forgotten: 0 });
      expect((await store.queue.findDeadLetters({ workflowInstanceId })).totalCount).toBe(1);
    });

    it('deletes keys in batches', async () => {
      await drain();
      const items = Array.from({ length: 5 }, () => anItem({ expiresAt: after(1), idempotencyKey: uid('key') }));
      for (const item of items) {
        await context.store.queue.enqueue(item);
        await context.store.commit(aBurst(anInstance(), { consumedQueueItemIds: [item.id] }));
      }
      const counts = [];
      for (let batch = 0; batch < 3; batch++) counts.push(await expire(after(2), 2));
      expect(counts.map(({ expired, forgotten }) => [expired, forgotten])).toEqual([
        [0, 2],
        [0, 2],
        [0, 1],
      ]);
    });

    it('expires every item once when several nodes do it', async () => {
      await drain();
      const items = Array.from({ length: 60 }, () => anItem({ expiresAt: after(1) }));
      for (const item of items) await context.store.queue.enqueue(item);
      const counts = await Promise.all(
        Array.from({ length: 8 }, (_, n) => expire(after(2), 20, FOR_EVER, n % 2 ? context.store : context.otherNode)),
      );
      let expired = counts.reduce((sum, count) => sum + count.expired, 0);
      expired += (await expire(after(2), 100)).expired;
      expect(expired).toBe(60);
      expect((await context.store.queue.findDeadLetters({})).totalCount).toBe(60);
    });

    it('pages dead letters, newest first', async () => {
      const { store } = context;
      const workflowInstanceId = uid('instance');
      const items = Array.from({ length: 5 }, () => anItem({ workflowInstanceId }));
      for (const [n, item] of items.entries()) {
        await store.queue.enqueue(item);
        await store.queue.fail(item.id, 'x', 1, after(n));
      }
      const page = await store.queue.findDeadLetters({ workflowInstanceId }, { skip: 1, take: 2 });
      expect(page.items.map((row) => row.originalQueueItemId)).toEqual([items[3]!.id, items[2]!.id]);
      expect(page.totalCount).toBe(5);
      const counted = await store.queue.findDeadLetters({ workflowInstanceId }, { skip: 0, take: 0, countUpTo: 4 });
      expect(counted).toEqual({ items: [], totalCount: 4, isTotalLowerBound: true });
      expect((await store.queue.findDeadLetters({})).totalCount).toBeGreaterThanOrEqual(5);
      expect(await store.queue.deleteDeadLetters([page.items[0]!.id, uid('absent')])).toBe(1);
      expect(await store.queue.deleteDeadLetters([page.items[0]!.id])).toBe(0);
      expect(await store.queue.deleteDeadLetters([])).toBe(0);
      expect(await store.queue.findDeadLetter(page.items[0]!.id)).toBeUndefined();
    });

    it('finds dead letters in order of id, by all that they are filtered by', async () => {
      const { store } = context;
      const [workflowInstanceId, activityTypeName] = [uid('instance'), uid('name')];
      const items = [0, 1, 2].map(() => anItem({ workflowInstanceId }));
      const named = anItem({ workflowInstanceId, activityTypeName, expiresAt: after(1) });
      for (const item of [...items, named]) await store.queue.enqueue(item);
      for (const [n, { id }] of items.entries()) await store.queue.fail(id, `WM300${n}: no`, 1, after(n));
      await expire(after(5), 100);
      const [first, second, third] = items.map(({ id }) => id);
      const all = [first!, second!, third!, named.id].toSorted();
      const find = async (filter: DeadLetterFilter, page: IdPage = { limit: 9 }) =>
        (await store.queue.findDeadLettersAfter({ workflowInstanceId, ...filter }, page)).map(({ id }) => id);
      expect(await find({}, { limit: 3 })).toEqual(all.slice(0, 3));
      expect(await find({}, { after: all[2], limit: 3 })).toEqual(all.slice(3));
      expect(await find({ errorCode: 'WM3001' })).toEqual([second]);
      expect(await find({ reason: 'Expired' })).toEqual([named.id]);
      expect(await find({ name: activityTypeName })).toEqual([named.id]);
      expect(await find({ deadLetteredAfter: after(0), deadLetteredBefore: after(2) })).toEqual([second]);
      expect(await find({ ids: [third!, uid('absent')] })).toEqual([third]);
      await store.queue.replay(first!, anItem({ workflowInstanceId, createdAt: after(6) }));
      expect(await find({ canReplay: false })).toEqual([first]);
      expect((await store.queue.findDeadLetters({ workflowInstanceId, reason: 'Failed' })).totalCount).toBe(3);
    });

    it('replays a dead letter once', async () => {
      const { store } = context;
      const item = anItem({ idempotencyKey: uid('key'), workflowInstanceId: uid('instance') });
      await store.queue.enqueue(item);
      await store.queue.fail(item.id, 'x', 1, T0);
      const [letter] = (await store.queue.findDeadLetters({ workflowInstanceId: item.workflowInstanceId })).items;
      const replays = Array.from({ length: 10 }, () => ({
        ...item,
        id: uid('replay'),
        createdAt: after(10),
        attempts: 0,
      }));
      const counts = await outcomes(
        replays.map(async (replay, n) => {
          const node = n % 2 ? store : context.otherNode;
          if (!(await node.queue.replay(letter!.id, replay))) throw new Error('refused');
        }),
      );
      expect(counts).toEqual({ fulfilled: 1, refused: 9 });
      const queued = (await Promise.all(replays.map((replay) => store.queue.find(replay.id)))).filter(Boolean);
      expect(queued).toEqual([expect.objectContaining({ idempotencyKey: item.idempotencyKey })]);
      expect(await store.queue.findDeadLetter(letter!.id)).toEqual({
        ...letter,
        canReplay: false,
        replayedAt: after(10),
      });
      expect(await store.queue.replay(uid('absent'), anItem())).toBe(false);
      // A later failure of the replayed item is a dead letter of its own.
      await store.queue.fail(queued[0]!.id, 'again', 1, after(20));
      expect((await store.queue.findDeadLetters({ workflowInstanceId: item.workflowInstanceId })).totalCount).toBe(2);
    });

    it('finds items for which a bookmark is there, by whatever they name', async () => {
      const { store } = context;
      await drain();
      const instance = anInstance();
      const bookmark = aBookmark(instance.id, { correlationId: uid('correlation') });
      await store.commit(aBurst(instance, { addedBookmarks: [bookmark] }));
      const {
        id: bookmarkId,
        hash: stimulusHash,
        name: activityTypeName,
        correlationId,
        activityInstanceId,
      } = bookmark;
      const conditions: Partial<BookmarkQueueItem>[] = [
        { stimulusHash },
        { stimulusHash, correlationId, workflowInstanceId: instance.id },
        { bookmarkId },
        { workflowInstanceId: instance.id, activityTypeName },
        { activityInstanceId, activityTypeName },
      ];
      const only = { stimulusHash: undefined, activityTypeName: undefined };
      const matching = conditions.map((given, n) => anItem({ ...only, ...given, expiresAt: after(1000 + n) }));
      const others = [
        anItem({ stimulusHash, correlationId: uid('other') }),
        anItem({ stimulusHash, workflowInstanceId: uid('other') }),
        anItem({ ...only, bookmarkId, stimulusHash: uid('hash') }),
        anItem({ stimulusHash, expiresAt: after(100) }),
      ];
      for (const item of [...others, ...matching]) await store.queue.enqueue(item);
      const ids = matching.map(({ id }) => id);
      const found = await context.otherNode.queue.findDeliverable({ now: after(100), limit: 10 });
      expect(found).toEqual({ ids, next: undefined });
      expect((await store.queue.findDeliverable({ now: after(99), limit: 10 })).ids).toHaveLength(6);
      // Batch by batch, and none twice.
      const batches: string[][] = [];
      for (let after_: string | undefined, isFirst = true; isFirst || after_ !== undefined; isFirst = false) {
        const batch = await store.queue.findDeliverable({ now: after(100), limit: 2, after: after_ });
        batches.push(batch.ids);
        after_ = batch.next;
      }
      expect(batches).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
    });

    it('finds all items for the new bookmarks of one instance, among items for others', async () => {
      const { store } = context;
      await drain();
      const [mine, other] = [anInstance(), anInstance()];
      const bookmarks = [aBookmark(mine.id), aBookmark(mine.id)];
      const { hash } = bookmarks[0]!;
      await store.commit(aBurst(mine, { addedBookmarks: bookmarks }));
      await store.commit(aBurst(other, { addedBookmarks: [aBookmark(other.id, { hash })] }));
      const items = [
        anItem({ stimulusHash: hash }),
        anItem({ stimulusHash: bookmarks[1]!.hash, workflowInstanceId: mine.id }),
        anItem({ stimulusHash: undefined, activityTypeName: bookmarks[1]!.name }),
      ];
      const deliverable = items.map(({ id }) => id);
      const others = [
        anItem({ stimulusHash: hash, workflowInstanceId: other.id }),
        anItem({ stimulusHash: uid('hash') }),
      ];
      for (const item of [...items, ...others]) await store.queue.enqueue(item);
      for (const hashes of [bookmarks.map((bookmark) => bookmark.hash), undefined]) {
        const addedTo = { workflowInstanceId: mine.id, hashes };
        const { ids } = await store.queue.findDeliverable({ now: after(1), limit: 10, addedTo });
        expect(ids.filter((id) => deliverable.includes(id)).sort()).toEqual([...deliverable].sort());
      }
    });

    it('skips items whose delivery is already requested by a message', async () => {
      const { store } = context;
      await drain();
      const instance = anInstance();
      const bookmark = aBookmark(instance.id);
      const items = [anItem({ stimulusHash: bookmark.hash }), anItem({ stimulusHash: bookmark.hash })];
      for (const item of items) await store.queue.enqueue(item);
      const [asked, other] = items.map(({ id }) => id) as [string, string];
      await store.commit(aBurst(instance, { addedBookmarks: [bookmark] }));
      await store.outbox.add([aMessage({ id: `ask/${asked}` })]);
      const find = async (unlessMessage?: string) =>
        (await store.queue.findDeliverable({ now: after(1), limit: 10, unlessMessage })).ids;
      expect([await find('ask/'), await find('other/'), await find()]).toEqual([
        [other],
        [asked, other],
        [asked, other],
      ]);
      await store.outbox.delete(`ask/${asked}`);
    });
  });
}
