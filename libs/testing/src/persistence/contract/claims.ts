import type { WorkflowPersistence, StoredBookmark } from '@waymark/runtime';

import { aBookmark, aBurst, anInstance, aResume, uid } from '../builders.js';
import type { ContractContext } from './contract-context.js';

const LEASE = 30_000;
// Long before anything else in this store is due: claims are over all bookmarks.
const at = (ms: number) => new Date(2 * 86_400_000 + ms);

/** Claims of due bookmarks in `BookmarkStore`. */
export function claimsContract(context: ContractContext): void {
  const { describe, it, expect } = context.framework;

  const claim = async (now: number, { until = 60_000, node = context.store, ...given }: Given = {}) => {
    const options = { owner: 'node-a', limit: 100, leaseMs: LEASE, now: at(now), lookAheadMs: until - now, ...given };
    const { now: decidedBy, ...answer } = await node.bookmarks.claimDue(options);
    expect(decidedBy).toEqual(at(now));
    return answer;
  };
  const lease = (owner: string, ends: number) => ({ owner, leaseMs: LEASE, now: at(ends - LEASE) });
  const claimIds = async (now: number, given?: Given) => (await claim(now, given)).bookmarks.map(({ id }) => id);

  async function waiting(...dueTimes: number[]): Promise<StoredBookmark[]> {
    const instance = anInstance();
    const bookmarks = dueTimes.map((ms) => aBookmark(instance.id, { dueAt: at(ms), payload: { ms } }));
    await context.store.commit(aBurst(instance, { addedBookmarks: bookmarks }));
    return bookmarks;
  }
  /** No more than that is read: the rest of a row takes longer than to find it. */
  const claimed = (...bookmarks: readonly (StoredBookmark | undefined)[]) =>
    bookmarks.map((bookmark) => ({
      id: bookmark!.id,
      name: bookmark!.name,
      workflowInstanceId: bookmark!.workflowInstanceId,
      dueAt: bookmark!.dueAt,
    }));
  const remove = (...bookmarks: readonly StoredBookmark[]) =>
    context.store.instances.delete(bookmarks.map((bookmark) => bookmark.workflowInstanceId));

  describe('claims of due bookmarks', () => {
    it('belong to one node until its lease ends, earliest first', async () => {
      const [second, first, later] = await waiting(0, -5, 10);
      expect(await claim(0)).toEqual({ bookmarks: claimed(first, second), nextAt: at(10), hasMore: false });
      expect(await claim(0, { owner: 'node-b', node: context.otherNode })).toEqual({
        bookmarks: [],
        nextAt: at(10),
        hasMore: false,
      });
      expect(await claimIds(10, { owner: 'node-b' })).toEqual([later!.id]);
      expect(await claim(11, { owner: 'node-b' })).toEqual({ bookmarks: [], nextAt: at(LEASE), hasMore: false });
      expect(await claimIds(LEASE - 1, { owner: 'node-b' })).toEqual([]);
      expect(await claimIds(LEASE, { owner: 'node-b' })).toEqual([first!.id, second!.id]);
      await remove(first!);
    });

    it('report when to ask again, but not later than requested, and not while there may be more', async () => {
      const rows = await waiting(0, 0, 40);
      expect(await claim(0, { limit: 1 })).toMatchObject({ nextAt: undefined, hasMore: true });
      expect(await claim(0, { limit: 1 })).toMatchObject({ nextAt: undefined, hasMore: true });
      expect((await claim(0, { until: 39 })).nextAt).toBeUndefined();
      expect((await claim(0, { until: 40 })).nextAt).toEqual(at(40));
      expect((await claim(39, { until: 40 })).nextAt).toEqual(at(40));
      await remove(...rows);
    });

    it('include what else is due for the same instances, up to a limit', async () => {
      const ours = await waiting(0, 1, 2, 3, 90);
      const [other] = await waiting(2);
      const ids = ours.map(({ id }) => id);
      const first = await claim(50, { limit: 1, along: 2 });
      expect(first.bookmarks.map(({ id }) => id)).toEqual(ids.slice(0, 3));
      expect(first.hasMore).toBe(true);
      expect(await claimIds(50, { limit: 1, along: 2, exceptInstanceIds: [ours[0]!.workflowInstanceId] })).toEqual([
        other!.id,
      ]);
      expect(await claimIds(50, { limit: 1, along: 2 })).toEqual([ids[3]]);
      expect(await claim(50, { limit: 1, along: 2 })).toEqual({ bookmarks: [], nextAt: at(90), hasMore: false });
      await remove(ours[0]!, other!);
    });

    it('skip an instance that another node is resuming, and take the next', async () => {
      const ours = await waiting(0, 1, 2);
      const [behind, last] = [await waiting(3), await waiting(4)].flat();
      expect(await claimIds(10, { limit: 1 })).toEqual([ours[0]!.id]);
      const other = { owner: 'node-b', node: context.otherNode, limit: 1, along: 10 };
      expect(await claimIds(10, other)).toEqual([behind!.id]);
      expect(await claimIds(10, other)).toEqual([last!.id]);
      expect((await claim(10, other)).bookmarks).toEqual([]);
      // Its claims end when its node has died.
      expect(await claimIds(10 + LEASE, { ...other, limit: 2 })).toEqual(ours.map(({ id }) => id));
      await remove(ours[0]!, behind!, last!);
    });

    it('can be renewed by their owner only', async () => {
      const [row] = await waiting(0);
      await claim(0);
      const { bookmarks } = context.otherNode;
      expect((await bookmarks.renewClaims([row!.id], lease('node-b', 90_000))).renewed).toEqual([]);
      expect(
        (await context.store.bookmarks.renewClaims([row!.id, uid('gone')], lease('node-a', 50_000))).renewed,
      ).toEqual([row!.id]);
      expect(await claimIds(LEASE + 1, { owner: 'node-b' })).toEqual([]);
      expect(await claimIds(50_000, { owner: 'node-b' })).toEqual([row!.id]);
      expect((await context.store.bookmarks.renewClaims([row!.id], lease('node-a', 90_000))).renewed).toEqual([]);
      await remove(row!);
    });

    it('can be released by their owner only, for a time', async () => {
      const [row] = await waiting(0);
      await claim(0);
      await context.otherNode.bookmarks.releaseClaim(row!.id, 'node-b', at(1));
      expect(await claimIds(1)).toEqual([]);
      await context.store.bookmarks.releaseClaim(row!.id, 'node-a', at(500));
      expect((await context.store.bookmarks.renewClaims([row!.id], lease('node-a', 90_000))).renewed).toEqual([]);
      expect(await claim(2, { owner: 'node-b' })).toEqual({ bookmarks: [], nextAt: at(500), hasMore: false });
      expect(await claimIds(500, { owner: 'node-b' })).toEqual([row!.id]);
      await remove(row!);
    });

    it('say whether a node had the bookmark before, and did not give it back', async () => {
      const [lost, given, renewed, repeated] = await waiting(0, 1, 2, 3);
      const marks = async (now: number, given: Given) =>
        Object.fromEntries((await claim(now, given)).bookmarks.map(({ id, wasClaimed }) => [id, wasClaimed ?? false]));
      const all = (mark: boolean) => Object.fromEntries([lost, given, renewed, repeated].map((row) => [row!.id, mark]));
      expect(await marks(10, {})).toEqual(all(false));
      const { bookmarks } = context.store;
      await bookmarks.releaseClaim(given!.id, 'node-a', at(11));
      await bookmarks.renewClaims([renewed!.id], lease('node-a', 20_000));
      // One that is due again is another row of the same id, as if it had never been claimed.
      const instance = (await context.store.instances.load(lost!.workflowInstanceId))!;
      await context.store.commit(
        aBurst(instance, {
          expectedRevision: instance.revision,
          consumedBookmarkIds: [repeated!.id],
          addedBookmarks: [repeated!],
        }),
      );
      const otherNode = { owner: 'node-b', node: context.otherNode };
      expect(await marks(LEASE + 10, otherNode)).toEqual({
        ...all(true),
        [given!.id]: false,
        [repeated!.id]: false,
      });
      expect(await marks(2 * LEASE + 20, otherNode)).toEqual(all(true));
      await remove(lost!);
    });

    it('decide nothing: the first to commit consumes the bookmark (W2)', async () => {
      const instance = anInstance();
      const bookmark = aBookmark(instance.id, { dueAt: at(0) });
      await context.store.commit(aBurst(instance, { addedBookmarks: [bookmark] }));
      expect(await claimIds(0)).toEqual([bookmark.id]);
      await context.otherNode.commit(aResume(instance, 1, bookmark.id));
      const { bookmarks } = context.store;
      expect((await bookmarks.renewClaims([bookmark.id], lease('node-a', 90_000))).renewed).toEqual([]);
      await bookmarks.releaseClaim(bookmark.id, 'node-a', at(0));
      expect(await claimIds(1)).toEqual([]);
    });

    it('are not visible in what is found or due', async () => {
      const [row] = await waiting(0);
      await claim(0);
      expect(await context.store.bookmarks.findMany({ ids: [row!.id] })).toEqual([row]);
      expect(await context.store.bookmarks.findDue(at(0), 10)).toEqual([row]);
      await remove(row!);
    });

    it('are handed out again to an owner that does not know of them, after a lost answer', async () => {
      const [known, lost, others] = await waiting(0, 1, 2);
      expect(await claimIds(1)).toEqual([known!.id, lost!.id]);
      expect(await claimIds(2, { owner: 'node-b' })).toEqual([others!.id]);
      expect(await claimIds(3)).toEqual([]);
      expect(await claim(3, { held: [known!.id] })).toEqual({
        bookmarks: claimed(lost),
        nextAt: at(LEASE + 1),
        hasMore: false,
      });
      expect(await claimIds(3, { held: [known!.id, lost!.id] })).toEqual([]);
      expect(await claimIds(4, { held: [] })).toEqual([known!.id, lost!.id]);
      expect(await claimIds(LEASE + 3, { owner: 'node-b', held: [others!.id] })).toEqual([others!.id]);
      expect(await claimIds(LEASE + 4, { owner: 'node-b', held: [others!.id] })).toEqual([known!.id, lost!.id]);
      await remove(known!);
    });

    it('of many nodes at once share out what is due', async () => {
      const rows = await waiting(...Array.from({ length: 60 }, (_, n) => n % 7));
      const claimed = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          claimIds(100, { owner: `node-${n}`, limit: 7, node: n % 2 ? context.store : context.otherNode }),
        ),
      );
      // A node may pass over what another one is just claiming: that is found by the next look.
      const all = [...claimed.flat(), ...(await claimIds(100))];
      expect(all.toSorted()).toEqual(rows.map(({ id }) => id).sort());
      await remove(...rows);
    });
  });
}

interface Given {
  readonly along?: number;
  readonly exceptInstanceIds?: readonly string[];
  readonly owner?: string;
  readonly limit?: number;
  readonly until?: number;
  readonly held?: readonly string[];
  readonly node?: WorkflowPersistence;
}
