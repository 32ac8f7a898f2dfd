import type { StoredBookmark } from '@waymark/runtime';
import { aBookmark, aBurst, aDefinition, aMessage, anInstance, anItem, aTrigger, uid } from '../builders.js';
import type { ContractContext } from './contract-context.js';

const MINUTE = 60_000;
/** How far the store's clock may continue between two statements of a test. */
const SLACK = 20_000;

/** What is decided by time: by the store's own, unless another one is given (W3). What is due next. */
export function storeTimeContract(context: ContractContext): void {
  const { describe, it, expect } = context.framework;

  const storeTime = async () => (await context.store.now()) ?? Date.now();
  async function waiting(...dueTimes: number[]): Promise<StoredBookmark[]> {
    const instance = anInstance();
    const bookmarks = dueTimes.map((time) => aBookmark(instance.id, { dueAt: new Date(time) }));
    await context.store.commit(aBurst(instance, { addedBookmarks: bookmarks }));
    return bookmarks;
  }
  const remove = ([bookmark]: readonly StoredBookmark[]) =>
    context.store.instances.delete([bookmark!.workflowInstanceId]);

  describe('the time of the store', () => {
    it('decides which bookmarks are due, and when claims end', async () => {
      const { bookmarks } = context.store;
      const now = await storeTime();
      const rows = await waiting(now - 1, now + MINUTE, now + 2 * MINUTE);
      const mine = new Set(rows.map(({ id }) => id));
      const claim = async (owner: string, leaseMs: number) => {
        const claimed = await bookmarks.claimDue({ owner, leaseMs, limit: 1000, lookAheadMs: MINUTE });
        return { ...claimed, ids: claimed.bookmarks.map(({ id }) => id).filter((id) => mine.has(id)) };
      };
      const first = await claim('node-a', -1);
      expect(first.ids).toEqual([rows[0]!.id]);
      expect(Math.abs(first.now.getTime() - now)).toBeLessThan(SLACK);
      expect(first.nextAt).toEqual(new Date(now + MINUTE));
      // A lease that has ended already.
      expect((await claim('node-b', MINUTE)).ids).toEqual([rows[0]!.id]);
      expect((await claim('node-a', MINUTE)).ids).toEqual([]);
      expect((await bookmarks.renewClaims([rows[0]!.id], { owner: 'node-b', leaseMs: -1 })).renewed).toEqual([
        rows[0]!.id,
      ]);
      expect((await claim('node-a', MINUTE)).ids).toEqual([rows[0]!.id]);
      await remove(rows);
    });

    it('is returned with the next due time', async () => {
      const now = await storeTime();
      const told: number[] = [];
      await context.store.findNextDue({ lookAheadMs: MINUTE, heard: (time) => told.push(time) });
      expect(told).toHaveLength(1);
      expect(Math.abs(told[0]! - now)).toBeLessThan(SLACK);
    });

    it('decides which triggers are due', async () => {
      const { definitions, triggers } = context.store;
      const now = await storeTime();
      const definition = aDefinition();
      const [due, soon, later] = [now - 1, now + MINUTE, now + 3 * MINUTE].map((time) =>
        aTrigger(definition, { dueAt: new Date(time) }),
      );
      await definitions.apply({
        saved: [],
        deletedIds: [],
        addedTriggers: [due!, soon!, later!],
        removedTriggerIds: [],
      });
      const found = await triggers.findUpcoming({ lookAheadMs: 2 * MINUTE, limit: 1000 });
      const ids = found.triggers
        .filter((row) => row.workflowDefinitionId === definition.definitionId)
        .map(({ id }) => id);
      expect(ids).toEqual([due!.id, soon!.id]);
      expect(Math.abs(found.now!.getTime() - now)).toBeLessThan(SLACK);
      const removedTriggerIds = [due!.id, soon!.id, later!.id];
      await definitions.apply({ saved: [], deletedIds: [], addedTriggers: [], removedTriggerIds });
    });

    it('decides which messages are available, and when claims end', async () => {
      const { outbox } = context.store;
      const now = await storeTime();
      const kind = uid('kind');
      const [available, later] = [now - 1, now + MINUTE].map((time) => aMessage({ kind, availableAt: new Date(time) }));
      await outbox.add([available!, later!]);
      const claim = async (owner: string, leaseMs: number) => {
        const claimed = await outbox.claim({ owner, limit: 1000, leaseMs });
        return claimed.filter((message) => message.kind === kind).map(({ id, attempts }) => [id, attempts]);
      };
      expect(await claim('node-a', -1)).toEqual([[available!.id, 0]]);
      expect(await claim('node-b', MINUTE)).toEqual([[available!.id, 1]]);
      expect(await claim('node-a', MINUTE)).toEqual([]);
      expect((await outbox.renew([available!.id], { owner: 'node-b', leaseMs: -1 })).renewed).toEqual([available!.id]);
      expect(await claim('node-a', MINUTE)).toEqual([[available!.id, 2]]);
      for (const { id } of [available!, later!]) await outbox.delete(id);
    });

    it('decides which stimuli are expired', async () => {
      const { queue } = context.store;
      const now = await storeTime();
      const workflowInstanceId = uid('instance');
      const [expired, alive] = [now - 1, now + MINUTE].map((time) =>
        anItem({ workflowInstanceId, expiresAt: new Date(time) }),
      );
      for (const item of [expired!, alive!]) await queue.enqueue(item);
      await queue.expire({ limit: 1000, keepDeadLettersMs: MINUTE });
      expect([await queue.find(expired!.id), await queue.find(alive!.id)]).toEqual([undefined, alive]);
      const { items } = await queue.findDeadLetters({ workflowInstanceId });
      expect(items.map((row) => row.originalQueueItemId)).toEqual([expired!.id]);
      expect(Math.abs(items[0]!.deadLetteredAt.getTime() - now)).toBeLessThan(SLACK);
      await queue.expire({ limit: 1000, keepDeadLettersMs: -MINUTE });
      expect((await queue.findDeadLetters({ workflowInstanceId })).items).toEqual([]);
    });

    it('says which bursts give no sign of life', async () => {
      const { store } = context;
      const now = await storeTime();
      const instance = anInstance({ isExecuting: true, updatedAt: new Date(now - 2 * MINUTE) });
      await store.commit(aBurst(instance));
      const isInterrupted = async () =>
        (await store.instances.findInterrupted({ quietMs: MINUTE, limit: 1000 })).ids.includes(instance.id);
      expect(await isInterrupted()).toBe(true);
      await store.instances.touch([instance.id]);
      expect(await isInterrupted()).toBe(false);
      const { updatedAt } = (await store.instances.load(instance.id))!;
      expect(Math.abs(updatedAt.getTime() - now)).toBeLessThan(SLACK);
      await store.instances.delete([instance.id]);
    });
  });

  describe('what is due next', () => {
    // Before all that other tests leave behind.
    const at = (ms: number) => new Date(86_400_000 + ms);
    const next = (now: number, lookAheadMs = 100) => context.otherNode.findNextDue({ now: at(now), lookAheadMs });

    it('is a trigger or an unclaimed bookmark', async () => {
      const { bookmarks, definitions } = context.store;
      const definition = aDefinition();
      const trigger = aTrigger(definition, { dueAt: at(50) });
      const rows = await waiting(at(20).getTime(), at(90).getTime());
      expect([await next(-81), await next(-80), await next(0), await next(20), await next(25)]).toEqual([
        undefined,
        100,
        20,
        0,
        0,
      ]);
      await bookmarks.claimDue({ owner: 'node-a', limit: 10, leaseMs: 60, lookAheadMs: 0, now: at(25) });
      expect([await next(26, 10), await next(26)]).toEqual([undefined, 64]);
      await definitions.apply({ saved: [], deletedIds: [], addedTriggers: [trigger], removedTriggerIds: [] });
      expect([await next(26), await next(60)]).toEqual([24, 0]);
      const removed = { saved: [], deletedIds: [], addedTriggers: [], removedTriggerIds: [trigger.id] };
      await definitions.apply(removed);
      // The claim ends with its lease.
      expect([await next(84), await next(85), await next(86)]).toEqual([6, 0, 0]);
      await remove(rows);
      expect(await next(90)).toBeUndefined();
    });

    it('is decided by the time of the store', async () => {
      const rows = await waiting((await storeTime()) + 5 * MINUTE);
      const before = await context.store.findNextDue({ lookAheadMs: 6 * MINUTE });
      expect(before).toBeLessThanOrEqual(5 * MINUTE);
      await remove(rows);
      const overdue = await waiting((await storeTime()) - 1);
      expect(await context.store.findNextDue({ lookAheadMs: 0 })).toBe(0);
      await remove(overdue);
    });
  });
}
