import type { StoredTrigger } from '@waymark/runtime';
import { aBookmark, aBurst, aDefinition, after, anInstance, aTrigger, T0, uid } from '../builders.js';
import type { ContractContext } from './contract-context.js';

/** What operators see of due times, and change. */
export function schedulesContract(context: ContractContext): void {
  const { describe, it, expect } = context.framework;
  const add = async (...addedTriggers: StoredTrigger[]) =>
    context.store.definitions.apply({ saved: [], deletedIds: [], addedTriggers, removedTriggerIds: [] });
  const get = async (id: string) => (await context.otherNode.triggers.findMany({ ids: [id] }))[0]!;

  describe('schedules', () => {
    it('are listed by due time, those without one last', async () => {
      const { triggers } = context.store;
      const [one, two] = [aDefinition(), aDefinition()];
      const name = uid('Stimulus');
      const [late, early, over, untimed] = [after(9), after(1), null, undefined].map((dueAt) =>
        aTrigger(one, { name, dueAt }),
      ) as [StoredTrigger, StoredTrigger, StoredTrigger, StoredTrigger];
      const paused = aTrigger(two, { name, dueAt: null, paused: { at: after(2), dueAt: after(3) } });
      await add(late, early, over, untimed, paused);
      const all = { skip: 0, take: 10 };
      const last = [over, paused].toSorted((left, right) => (left.id < right.id ? -1 : 1));
      expect(await triggers.findScheduled({ names: [name] }, all)).toEqual({
        items: [early, late, ...last],
        totalCount: 4,
      });
      expect(await triggers.findScheduled({ names: [name] }, { skip: 1, take: 1 })).toEqual({
        items: [late],
        totalCount: 4,
      });
      const ids = async (filter: object) =>
        (await triggers.findScheduled({ names: [name], ...filter }, all)).items.map(({ id }) => id);
      expect(await ids({ paused: true })).toEqual([paused.id]);
      expect(await ids({ paused: false, workflowDefinitionIds: [one.definitionId] })).toEqual([
        early.id,
        late.id,
        over.id,
      ]);
      expect(await ids({ ids: [late.id, untimed.id] })).toEqual([late.id]);
      expect(await ids({ ids: [] })).toEqual([]);
    });

    it('lose their due time when they are paused, once, and get another one afterwards', async () => {
      const { store, otherNode } = context;
      const trigger = aTrigger(aDefinition(), { dueAt: T0 });
      await add(trigger);
      const firing = { triggerId: trigger.id, dueAt: T0, nextDueAt: after(60) };
      const paused = { at: after(7), dueAt: T0 };
      expect(await store.triggers.pause(trigger.id, { ...paused, dueAt: after(1) })).toBe(false);
      expect(await store.triggers.pause(trigger.id, paused)).toBe(true);
      expect(await otherNode.triggers.pause(trigger.id, paused)).toBe(false);
      expect(await get(trigger.id)).toEqual({ ...trigger, dueAt: null, paused });
      // An occurrence that another node saw before cannot be claimed any more (W4).
      await expect(otherNode.commit(aBurst(anInstance(), { firing }))).rejects.toMatchObject({ code: 'WM7003' });
      expect(await otherNode.triggers.advance(firing)).toBe(false);
      expect(await store.triggers.unpause(trigger.id, after(8), after(60))).toBe(false);
      expect(await store.triggers.unpause(trigger.id, paused.at, after(60))).toBe(true);
      expect(await otherNode.triggers.unpause(trigger.id, paused.at, after(60))).toBe(false);
      expect(await get(trigger.id)).toEqual({ ...trigger, dueAt: after(60) });
      await store.triggers.pause(trigger.id, { at: after(9), dueAt: after(60) });
      await store.triggers.unpause(trigger.id, after(9), null);
      expect(await get(trigger.id)).toEqual({ ...trigger, dueAt: null });
    });

    it('stay paused when they are indexed again, and keep what was fired last', async () => {
      const { store } = context;
      const trigger = aTrigger(aDefinition(), { dueAt: T0 });
      await add(trigger);
      const fired = { at: after(3), result: 'Started' } as const;
      const burst = aBurst(anInstance(), { firing: { triggerId: trigger.id, dueAt: T0, nextDueAt: after(60), fired } });
      await store.commit(burst);
      const lastFiring = { dueAt: T0, firedAt: after(3), result: 'Started' };
      expect(await get(trigger.id)).toEqual({ ...trigger, dueAt: after(60), lastFiring });
      const paused = { at: after(5), dueAt: after(60) };
      await store.triggers.pause(trigger.id, paused);
      await add({ ...trigger, dueAt: after(99) });
      expect(await get(trigger.id)).toEqual({ ...trigger, dueAt: null, paused, lastFiring });
      // Another trigger under the same id begins anew.
      const other = { ...trigger, hash: uid('hash'), dueAt: after(99) };
      await add(other);
      expect(await get(trigger.id)).toEqual(other);
    });

    it('record the result of an occurrence that started nothing', async () => {
      const { triggers } = context.store;
      const trigger = aTrigger(aDefinition(), { dueAt: T0 });
      await add(trigger);
      const refused = { at: after(2), result: 'Refused' } as const;
      await triggers.advance({ triggerId: trigger.id, dueAt: T0, nextDueAt: after(10), fired: refused });
      const lastFiring = { dueAt: T0, firedAt: after(2), result: 'Refused' };
      expect((await get(trigger.id)).lastFiring).toEqual(lastFiring);
      await triggers.advance({ triggerId: trigger.id, dueAt: after(10), nextDueAt: after(20) });
      expect(await get(trigger.id)).toEqual({ ...trigger, dueAt: after(20), lastFiring });
    });

    it('no longer fire when their due times are cleared', async () => {
      const { triggers } = context.store;
      const definition = aDefinition();
      const paused = { at: after(1), dueAt: T0 };
      const [due, held, over, other] = [{ dueAt: T0 }, { dueAt: null, paused }, { dueAt: null }, { dueAt: T0 }].map(
        (more) => aTrigger(definition, more),
      ) as [StoredTrigger, StoredTrigger, StoredTrigger, StoredTrigger];
      await add(due, held, over, other);
      expect(await triggers.clearDueTimes([])).toBe(0);
      expect(await triggers.clearDueTimes([due.id, held.id, over.id, uid('absent')])).toBe(2);
      expect(await get(due.id)).toEqual({ ...due, dueAt: null });
      expect(await get(held.id)).toEqual({ ...held, paused: undefined });
      expect((await get(other.id)).dueAt).toEqual(T0);
    });
  });

  describe('bookmarks with a due time', () => {
    it('are listed page by page, and lose it when it is cleared', async () => {
      const { store, otherNode } = context;
      const [instance, other] = [anInstance(), anInstance()];
      const name = uid('Delay');
      const [third, first, second, untimed] = [after(30), after(10), after(20), undefined].map((dueAt) =>
        aBookmark(instance.id, { name, dueAt }),
      );
      const foreign = aBookmark(other.id, { name, dueAt: after(20) });
      await store.commit(aBurst(instance, { addedBookmarks: [third!, first!, second!, untimed!] }));
      await store.commit(aBurst(other, { addedBookmarks: [foreign] }));
      const [left, right] = [second!, foreign].toSorted((a, b) => (a.id < b.id ? -1 : 1));
      const ids = async (window: object, limit = 10) =>
        (await store.bookmarks.findTimed({ names: [name], limit, ...window })).map(({ id }) => id);
      expect(await ids({})).toEqual([first!.id, left!.id, right!.id, third!.id]);
      expect(await ids({}, 2)).toEqual([first!.id, left!.id]);
      expect(await ids({ after: { dueAt: left!.dueAt!, id: left!.id } })).toEqual([right!.id, third!.id]);
      expect(await ids({ workflowInstanceId: other.id })).toEqual([foreign.id]);
      expect(await ids({ before: after(20) })).toEqual([first!.id, left!.id, right!.id]);
      expect(await ids({ names: [uid('absent')] })).toEqual([]);
      expect(await store.bookmarks.findTimed({ limit: 1, workflowInstanceId: instance.id })).toEqual([first]);

      expect(await store.bookmarks.clearDueTimes([first!.id, untimed!.id, uid('absent')])).toBe(1);
      expect(await otherNode.bookmarks.findMany({ ids: [first!.id] })).toEqual([{ ...first, dueAt: undefined }]);
      expect(await ids({ workflowInstanceId: instance.id })).toEqual([second!.id, third!.id]);
    });
  });
}
