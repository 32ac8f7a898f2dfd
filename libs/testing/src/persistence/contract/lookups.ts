import { aBookmark, aBurst, aDefinition, after, aMessage, anInstance, aTrigger, T0, uid } from '../builders.js';
import type { OutboxMessage, TriggerFilter } from '@waymark/runtime/adapter';
import type { BookmarkFilter, StoredTrigger } from '@waymark/runtime';
import type { ContractContext } from './contract-context.js';

/** `BookmarkStore` and `TriggerStore`. */
export function lookupsContract(context: ContractContext): void {
  const { describe, it, expect } = context.framework;

  describe('bookmarks', () => {
    it('are found by every member of the filter, oldest first', async () => {
      const { store } = context;
      const [first, second] = [anInstance(), anInstance()];
      const hash = uid('hash');
      const correlationId = uid('correlation');
      const name = uid('Event');
      const a = aBookmark(first.id, {
        hash,
        createdAt: after(3),
        correlationId,
        payload: { id: 1n },
        metadata: { m: '1' },
      });
      const b = aBookmark(first.id, { name, createdAt: after(2) });
      const c = aBookmark(second.id, { hash, createdAt: after(1), activityInstanceId: a.activityInstanceId });
      await store.commit(aBurst(first, { addedBookmarks: [a, b] }));
      await store.commit(aBurst(second, { addedBookmarks: [c] }));
      const cases: [BookmarkFilter, unknown[]][] = [
        [{ ids: [a.id, b.id, uid('absent')] }, [b, a]],
        [{ ids: [] }, []],
        [{ hash }, [c, a]],
        [{ hashes: [hash, b.hash] }, [c, b, a]],
        [{ names: [name] }, [b]],
        [{ names: [name.toUpperCase()] }, []],
        [{ workflowInstanceId: first.id }, [b, a]],
        [{ workflowInstanceIds: [first.id, second.id] }, [c, b, a]],
        [{ correlationId }, [a]],
        [{ activityInstanceId: a.activityInstanceId }, [c, a]],
        [{ hash, workflowInstanceId: second.id }, [c]],
        [{ hash, correlationId: undefined }, [c, a]],
        [{ hash: uid('absent') }, []],
      ];
      for (const [filter, expected] of cases) {
        expect([filter, await store.bookmarks.findMany(filter)]).toEqual([filter, expected]);
      }
      expect(await context.otherNode.bookmarks.findMany({ hash })).toEqual([c, a]);
      const isThere = [name, name.toUpperCase()].map((one) => context.otherNode.bookmarks.hasName(one));
      expect(await Promise.all(isThere)).toEqual([true, false]);
    });

    it('are found by their hash, each for the one who asks, also when many ask at once', async () => {
      const { store } = context;
      const instance = anInstance();
      const hashes = Array.from({ length: 100 }, () => uid('hash'));
      const added = hashes.flatMap((hash, n) =>
        n % 3 === 0
          ? []
          : [
              aBookmark(instance.id, { hash, createdAt: after(n) }),
              aBookmark(instance.id, { hash, createdAt: after(0) }),
            ],
      );
      await store.commit(aBurst(instance, { addedBookmarks: added }));
      const found = await Promise.all(hashes.map((hash) => store.bookmarks.findMany({ hash }, 1)));
      expect(found).toEqual(hashes.map((hash) => added.filter((one) => one.hash === hash).slice(1)));
    });

    it('are not found by an empty filter, which would select all of them', async () => {
      await expect(context.store.bookmarks.findMany({})).rejects.toMatchObject({ code: 'WM7008' });
      await expect(context.store.bookmarks.findMany({ hash: undefined })).rejects.toMatchObject({ code: 'WM7008' });
    });

    it('are due at their time, earliest first', async () => {
      const { store } = context;
      const instance = anInstance();
      // Long before anything else in this store is due.
      const at = (ms: number) => new Date(86_400_000 + ms);
      const [late, early, exact, never] = [at(5), at(-5), at(0), undefined].map((dueAt) =>
        aBookmark(instance.id, { dueAt }),
      );
      await store.commit(aBurst(instance, { addedBookmarks: [late!, early!, exact!, never!] }));
      expect(await store.bookmarks.findDue(at(0), 10)).toEqual([early, exact]);
      expect(await store.bookmarks.findDue(at(0), 1)).toEqual([early]);
      expect(await store.bookmarks.findDue(at(9), 10)).toEqual([early, exact, late]);
      await store.instances.delete([instance.id]);
    });
  });

  describe('triggers', () => {
    const add = async (...triggers: StoredTrigger[]) =>
      context.store.definitions.apply({ saved: [], deletedIds: [], addedTriggers: triggers, removedTriggerIds: [] });
    const get = async (id: string) => (await context.store.triggers.findMany({ ids: [id] }))[0];

    it('are found by every member of the filter', async () => {
      const { store } = context;
      const [one, two] = [aDefinition(), aDefinition()];
      const name = uid('Stimulus');
      const a = aTrigger(one, { name, payload: { path: 'orders', at: T0 } });
      const b = aTrigger(one, { hash: a.hash, exclusiveKey: uid('GET') });
      const c = aTrigger(two, { name, dueAt: after(1) });
      await add(a, b, c);
      const sorted = (rows: StoredTrigger[]) => [...rows].sort((left, right) => (left.id < right.id ? -1 : 1));
      const cases: [TriggerFilter, StoredTrigger[]][] = [
        [{ ids: [a.id, c.id] }, [a, c]],
        [{ ids: [] }, []],
        [{ hash: a.hash }, [a, b]],
        [{ names: [name] }, [a, c]],
        [{ workflowDefinitionIds: [one.definitionId] }, [a, b]],
        [{ workflowDefinitionVersionIds: [two.id, uid('absent')] }, [c]],
        [{ names: [name], workflowDefinitionIds: [one.definitionId] }, [a]],
        [{ exclusiveKeys: [b.exclusiveKey!, uid('absent')] }, [b]],
        [{ names: [name], exclusiveKeys: [b.exclusiveKey!] }, []],
      ];
      for (const [filter, expected] of cases) {
        expect([filter, sorted(await store.triggers.findMany(filter))]).toEqual([filter, sorted(expected)]);
      }
      expect((await store.triggers.findMany({})).length).toBeGreaterThanOrEqual(3);
    });

    it('are due at their time, earliest first, and move on once', async () => {
      const { store } = context;
      const at = (ms: number) => new Date(86_400_000 + ms);
      const definition = aDefinition();
      const [late, early, exact, never, over] = [at(5), at(-5), at(0), undefined, null].map((dueAt) =>
        aTrigger(definition, { dueAt }),
      );
      await add(late!, early!, exact!, never!, over!);
      expect(await store.triggers.findDue(at(0), 10)).toEqual([early, exact]);
      expect(await store.triggers.findDue(at(0), 1)).toEqual([early]);
      const upcoming = (now: number, lookAheadMs: number, limit = 10) =>
        store.triggers.findUpcoming({ now: at(now), lookAheadMs, limit });
      expect(await upcoming(0, 5)).toEqual({ triggers: [early, exact, late], now: at(0) });
      expect(await upcoming(0, 4)).toEqual({ triggers: [early, exact], now: at(0) });
      expect(await upcoming(0, 5, 1)).toEqual({ triggers: [early], now: at(0) });
      expect(await upcoming(-9, 3)).toEqual({ triggers: [], now: undefined });

      const firing = { triggerId: early!.id, dueAt: at(-5), nextDueAt: at(100) };
      expect(await store.triggers.advance(firing)).toBe(true);
      expect(await context.otherNode.triggers.advance(firing)).toBe(false);
      expect(await get(early!.id)).toEqual({ ...early, dueAt: at(100) });
      expect(await store.triggers.advance({ triggerId: exact!.id, dueAt: at(0), nextDueAt: null })).toBe(true);
      expect((await get(exact!.id))?.dueAt).toBeNull();
      expect((await get(over!.id))?.dueAt).toBeNull();
      expect((await get(never!.id))?.dueAt).toBeUndefined();
      expect(await store.triggers.advance({ triggerId: uid('absent'), dueAt: at(0), nextDueAt: null })).toBe(false);
      expect(await store.triggers.findDue(at(50), 10)).toEqual([late]);
      const ids = [late, early, exact, never, over].map((trigger) => trigger!.id);
      await store.definitions.apply({ saved: [], deletedIds: [], addedTriggers: [], removedTriggerIds: ids });
    });

    it('are claimed together with what starts their instances, those that are still due (W4)', async () => {
      const { store, otherNode } = context;
      const definition = aDefinition();
      const due = (dueAt: Date | null) => aTrigger(definition, { dueAt });
      const [first, same, other, left, moved, over] = [T0, T0, after(5), T0, after(7), null].map(due);
      await add(first!, same!, other!, left!, moved!, over!);
      const absent = due(T0);
      const fired = { at: after(9), result: 'Started' } as const;
      const claimOf = ({ id: triggerId }: StoredTrigger, dueAt: Date, nextDueAt: Date | null = after(60)) => ({
        firing: { triggerId, dueAt, nextDueAt, fired },
        message: aMessage(),
      });
      const mine = [claimOf(first!, T0), claimOf(same!, T0), claimOf(other!, after(5), null)];
      const missed = {
        firing: { triggerId: left!.id, dueAt: T0, nextDueAt: after(60), fired: { at: after(9), result: 'Missed' } },
      } as const;
      const notMine = [claimOf(moved!, T0), claimOf(over!, T0), claimOf(absent, T0)];
      const claimed = await store.triggers.claim([...mine, missed, ...notMine]);
      expect([...claimed].toSorted()).toEqual([first!.id, same!.id, other!.id, left!.id].toSorted());
      const lastFiring = { dueAt: T0, firedAt: after(9), result: 'Started' };
      expect(await get(first!.id)).toEqual({ ...first, dueAt: after(60), lastFiring });
      expect(await get(same!.id)).toEqual({ ...same, dueAt: after(60), lastFiring });
      expect(await get(other!.id)).toEqual({ ...other, dueAt: null, lastFiring: { ...lastFiring, dueAt: after(5) } });
      expect(await get(left!.id)).toEqual({
        ...left,
        dueAt: after(60),
        lastFiring: { ...lastFiring, result: 'Missed' },
      });
      expect(await get(moved!.id)).toEqual(moved);
      // Messages are there for what was claimed, and for nothing else.
      const isNew = (claims: readonly { message: OutboxMessage }[]) =>
        Promise.all(claims.map(({ message }) => otherNode.outbox.addOnce(message)));
      expect(await isNew(mine)).toEqual([false, false, false]);
      expect(await isNew(notMine)).toEqual([true, true, true]);
      expect(await otherNode.triggers.claim([...mine, missed])).toEqual(new Set());
      expect(await store.triggers.claim([])).toEqual(new Set());
      for (const { message } of [...mine, ...notMine]) await store.outbox.delete(message.id);
      const removedTriggerIds = [first!, same!, other!, left!, moved!, over!].map(({ id }) => id);
      await store.definitions.apply({ saved: [], deletedIds: [], addedTriggers: [], removedTriggerIds });
    });

    it('keep the due time that the scheduler gave them when they are indexed again (W4)', async () => {
      const { store } = context;
      const definition = aDefinition();
      const trigger = aTrigger(definition, { dueAt: T0 });
      await add(trigger);
      await store.triggers.advance({ triggerId: trigger.id, dueAt: T0, nextDueAt: after(60_000) });
      const next = aDefinition({ definitionId: definition.definitionId, version: 2 });
      await add({ ...trigger, workflowDefinitionVersionId: next.id });
      expect(await get(trigger.id)).toEqual({
        ...trigger,
        workflowDefinitionVersionId: next.id,
        dueAt: after(60_000),
      });
      const rescheduled = { ...trigger, hash: uid('hash'), dueAt: after(5) };
      await add(rescheduled);
      expect(await get(trigger.id)).toEqual(rescheduled);
      await store.definitions.apply({
        saved: [],
        deletedIds: [],
        addedTriggers: [{ ...rescheduled, dueAt: after(9) }],
        removedTriggerIds: [trigger.id],
      });
      expect((await get(trigger.id))?.dueAt).toEqual(after(9));
    });
  });
}
