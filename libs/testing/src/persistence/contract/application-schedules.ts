import type { ListedSchedule, StoredSchedule } from '@waymark/runtime/adapter';
import { aBurst, after, aMessage, anInstance, aDefinition, aSchedule, aTrigger, T0, uid } from '../builders.js';
import type { ContractContext } from './contract-context.js';

/** What the application schedules under ids of its own. */
export function applicationSchedulesContract(context: ContractContext): void {
  const { describe, it, expect } = context.framework;
  const get = async (id: string) => (await context.otherNode.schedules.findMany([id]))[0];
  const claim = ({ id, token, dueAt }: StoredSchedule, nextDueAt: Date | null = after(60)) =>
    ({ id, token, dueAt: dueAt!, nextDueAt, fired: { at: after(3), result: 'Sent' } }) as const;
  const lastFiring = { dueAt: T0, firedAt: after(3), result: 'Sent' } as const;

  describe('schedules of the application', () => {
    it('are returned as they were stored, on every node, until they are deleted', async () => {
      const { store, otherNode } = context;
      const payload = { interval: 1500, validFrom: '2026-03-01T10:20:30.000Z' };
      const request = { kind: 'start', definition: 'w', values: { input: { at: T0, list: [1n, new Set(['a'])] } } };
      const [one, two] = [
        aSchedule({ payload, request, workflowDefinitionId: 'w', workflowInstanceId: uid('instance') }),
        aSchedule(),
      ];
      await store.schedules.put(one);
      await otherNode.schedules.put(two);
      expect(await get(one.id)).toEqual(one);
      expect(await otherNode.schedules.findMany([two.id, one.id, two.id, uid('absent')])).toEqual(
        [one, two].toSorted((left, right) => (left.id < right.id ? -1 : 1)),
      );
      expect(await store.schedules.findMany([])).toEqual([]);
      expect(await store.schedules.delete(one.id, two.token)).toBe(false);
      expect(await store.schedules.delete(one.id, one.token)).toBe(true);
      expect(await otherNode.schedules.delete(one.id)).toBe(false);
      expect(await get(one.id)).toBe(undefined);
      expect(await otherNode.schedules.delete(two.id)).toBe(true);
    });

    it('keep their next time, pause and latest firing while their times do not change', async () => {
      const { schedules } = context.store;
      const schedule = aSchedule();
      await schedules.put(schedule);
      expect(await schedules.fire(claim(schedule), [])).toBe(true);
      const again = {
        ...schedule,
        token: uid('token'),
        dueAt: after(5),
        request: { other: true },
        createdAt: after(1),
      };
      await schedules.put(again);
      expect(await get(schedule.id)).toEqual({ ...again, dueAt: after(60), lastFiring });
      const paused = { at: after(7), dueAt: after(60) };
      await schedules.pause(schedule.id, paused);
      const third = { ...again, token: uid('token') };
      await schedules.put(third);
      expect(await get(schedule.id)).toEqual({ ...third, dueAt: undefined, paused, lastFiring });
    });

    it('start counting again when their times change, and stay paused', async () => {
      const { schedules } = context.store;
      const schedule = aSchedule();
      await schedules.put(schedule);
      await schedules.fire(claim(schedule), []);
      const second = aSchedule({ id: schedule.id, name: 'Elsa.Cron', dueAt: after(500) });
      await schedules.put(second);
      expect(await get(schedule.id)).toEqual(second);
      await schedules.pause(schedule.id, { at: after(7), dueAt: after(500) });
      const third = aSchedule({ id: schedule.id, dueAt: after(900) });
      await schedules.put(third);
      expect(await get(schedule.id)).toEqual({
        ...third,
        dueAt: undefined,
        paused: { at: after(7), dueAt: after(900) },
      });
    });

    it('are claimed once for each occurrence, together with what they send', async () => {
      const { store, otherNode } = context;
      const schedule = aSchedule();
      await store.schedules.put(schedule);
      const messages = [aMessage(), aMessage(), aMessage(), aMessage()];
      const attempts = messages.map((message, index) =>
        (index % 2 ? store : otherNode).schedules.fire(claim(schedule), [message]),
      );
      const won = await Promise.all(attempts);
      expect(won.filter(Boolean)).toHaveLength(1);
      // Of the others, none is there: each id can be written.
      const isNew = await Promise.all(messages.map((message) => store.outbox.addOnce(message)));
      expect(isNew).toEqual(won.map((hasWon) => !hasWon));
      expect(await get(schedule.id)).toEqual({ ...schedule, dueAt: after(60), lastFiring });
      for (const { id } of messages) await store.outbox.delete(id);
    });

    it('are claimed together, each once, with what they send', async () => {
      const { store, otherNode } = context;
      const all = Array.from({ length: 6 }, (_, n) => aSchedule(n === 1 ? { dueAt: after(2) } : {}));
      const [first, second, last, replaced, moved, held] = all as [
        StoredSchedule,
        StoredSchedule,
        StoredSchedule,
        StoredSchedule,
        StoredSchedule,
        StoredSchedule,
      ];
      for (const each of all) await store.schedules.put(each);
      await store.schedules.put({ ...replaced, token: uid('token') });
      await otherNode.schedules.fire(claim(moved), []);
      await otherNode.schedules.pause(held.id, { at: after(1), dueAt: T0 });
      const next = (schedule: StoredSchedule) => (schedule === last ? null : after(60));
      const claims = all.map((schedule) => ({
        firing: claim(schedule, next(schedule)),
        // One of them was missed.
        message: schedule === second ? undefined : aMessage(),
      }));
      const answers = await Promise.all([store.schedules.claim(claims), otherNode.schedules.claim(claims)]);
      const claimed = answers.flatMap((ids) => [...ids]).toSorted((left, right) => (left < right ? -1 : 1));
      expect(claimed).toEqual([first.id, second.id, last.id].toSorted((left, right) => (left < right ? -1 : 1)));
      expect(await get(first.id)).toEqual({ ...first, dueAt: after(60), lastFiring });
      expect(await get(second.id)).toMatchObject({ dueAt: after(60), lastFiring: { dueAt: after(2) } });
      expect(await get(last.id)).toBe(undefined);
      expect((await get(replaced.id))?.dueAt).toEqual(T0);
      for (const { firing, message } of claims)
        if (message) expect(await store.outbox.delete(message.id)).toBe([first.id, last.id].includes(firing.id));
      expect(await store.schedules.claim([])).toEqual(new Set());
    });

    it('are claimed by the commit of the instance that they start, or that is not stored', async () => {
      const { store, otherNode } = context;
      const [schedule, last, replaced] = [aSchedule(), aSchedule(), aSchedule()];
      for (const each of [schedule, last, replaced]) await store.schedules.put(each);
      await store.schedules.put({ ...replaced, token: uid('token') });
      const instance = anInstance();
      const burst = aBurst(instance, { firing: claim(schedule) });
      await store.commit(burst);
      expect(await get(schedule.id)).toEqual({ ...schedule, dueAt: after(60), lastFiring });
      await store.commit(aBurst(anInstance(), { firing: claim(last, null) }));
      expect(await get(last.id)).toBe(undefined);
      for (const late of [schedule, last, replaced]) {
        const refused = anInstance();
        const commit = otherNode.commit(aBurst(refused, { firing: claim(late) }));
        await expect(commit).rejects.toMatchObject({ code: 'WM7003', scheduleId: late.id });
        expect(await otherNode.instances.load(refused.id)).toBe(undefined);
      }
    });

    it('are removed with their last occurrence', async () => {
      const { store, otherNode } = context;
      const schedule = aSchedule();
      await store.schedules.put(schedule);
      expect(await otherNode.schedules.fire(claim(schedule, null), [])).toBe(true);
      expect(await store.schedules.fire(claim(schedule, null), [])).toBe(false);
      expect(await get(schedule.id)).toBe(undefined);
    });

    it('do not fire after they were replaced, deleted or paused', async () => {
      const { store, otherNode } = context;
      const [replaced, deleted, held] = [aSchedule(), aSchedule(), aSchedule()];
      for (const each of [replaced, deleted, held]) await store.schedules.put(each);
      await otherNode.schedules.put({ ...replaced, token: uid('token') });
      await otherNode.schedules.delete(deleted.id);
      await otherNode.schedules.pause(held.id, { at: after(1), dueAt: T0 });
      const message = aMessage();
      for (const each of [replaced, deleted, held])
        expect(await store.schedules.fire(claim(each), [message])).toBe(false);
      expect(await store.outbox.delete(message.id)).toBe(false);
      expect((await get(replaced.id))?.dueAt).toEqual(T0);
    });

    it('are paused and resumed once', async () => {
      const { store, otherNode } = context;
      const schedule = aSchedule();
      await store.schedules.put(schedule);
      const paused = { at: after(7), dueAt: T0 };
      expect(await store.schedules.pause(schedule.id, { ...paused, dueAt: after(1) })).toBe(false);
      expect(await store.schedules.pause(schedule.id, paused)).toBe(true);
      expect(await otherNode.schedules.pause(schedule.id, paused)).toBe(false);
      expect(await get(schedule.id)).toEqual({ ...schedule, dueAt: undefined, paused });
      expect(await store.schedules.unpause(schedule.id, after(8), after(60))).toBe(false);
      expect(await store.schedules.unpause(schedule.id, paused.at, after(60))).toBe(true);
      expect(await otherNode.schedules.unpause(schedule.id, paused.at, after(60))).toBe(false);
      expect(await get(schedule.id)).toEqual({ ...schedule, dueAt: after(60) });
    });

    it('are found when they are due or soon will be, and wake nodes', async () => {
      const { store, otherNode } = context;
      // Before whatever other tests have left behind.
      const early = new Date('2001-01-01T00:00:00.000Z');
      const at = (ms: number) => new Date(early.getTime() + ms);
      const [late, first, second, held] = [9000, 10, 20, 15].map((ms) => aSchedule({ dueAt: at(ms) })) as [
        StoredSchedule,
        StoredSchedule,
        StoredSchedule,
        StoredSchedule,
      ];
      for (const each of [late, first, second, held]) await store.schedules.put(each);
      await store.schedules.pause(held.id, { at: early, dueAt: held.dueAt! });
      const look = { now: early, lookAheadMs: 100, limit: 10 };
      expect(await otherNode.schedules.findUpcoming(look)).toEqual({ schedules: [first, second], now: early });
      expect((await store.schedules.findUpcoming({ ...look, limit: 1 })).schedules).toEqual([first]);
      expect(await store.schedules.findUpcoming({ ...look, lookAheadMs: 5 })).toEqual({
        schedules: [],
        now: undefined,
      });
      expect(await store.findNextDue({ now: early, lookAheadMs: 100 })).toBe(10);
      for (const each of [late, first, second, held]) await store.schedules.delete(each.id);
    });

    it('are listed among triggers, by due time, those without one last', async () => {
      const { store, otherNode } = context;
      const definition = aDefinition();
      const name = uid('Stimulus');
      const own = (given: Partial<StoredSchedule>) =>
        aSchedule({ name, workflowDefinitionId: definition.definitionId, ...given });
      const [late, paused] = [own({ dueAt: after(9) }), own({ dueAt: after(3) })];
      const early = own({ dueAt: after(1), workflowDefinitionId: undefined });
      for (const each of [late, paused, early]) await store.schedules.put(each);
      await store.schedules.pause(paused.id, { at: after(2), dueAt: after(3) });
      const trigger = aTrigger(definition, { name, dueAt: after(5) });
      const untimed = aTrigger(definition, { name });
      await store.definitions.apply({
        saved: [],
        deletedIds: [],
        addedTriggers: [trigger, untimed],
        removedTriggerIds: [],
      });
      const list = async (filter: object, page = { skip: 0, take: 10 }) => {
        const { items, totalCount } = await otherNode.schedules.findListed({ names: [name], ...filter }, page);
        return [totalCount, items.map(idOf)];
      };
      const all = await otherNode.schedules.findListed({ names: [name] }, { skip: 0, take: 10 });
      expect(all.items[0]).toEqual({ schedule: early });
      expect(all.items[1]).toEqual({ trigger });
      expect(await list({})).toEqual([4, [early.id, trigger.id, late.id, paused.id]]);
      expect(await list({}, { skip: 1, take: 2 })).toEqual([4, [trigger.id, late.id]]);
      const counted = await store.schedules.findListed({ names: [name] }, { skip: 0, take: 0, countUpTo: 3 });
      expect(counted).toEqual({ items: [], totalCount: 3, isTotalLowerBound: true });
      expect(await list({ origin: 'Trigger' })).toEqual([1, [trigger.id]]);
      expect(await list({ origin: 'Application' })).toEqual([3, [early.id, late.id, paused.id]]);
      expect(await list({ paused: true })).toEqual([1, [paused.id]]);
      expect(await list({ paused: false, workflowDefinitionIds: [definition.definitionId] })).toEqual([
        2,
        [trigger.id, late.id],
      ]);
      expect(await list({ ids: [late.id, untimed.id] })).toEqual([1, [late.id]]);
      expect(await list({ ids: [] })).toEqual([0, []]);
    });

    it('are refused with ids that databases cannot store', async () => {
      const { schedules } = context.store;
      await expect(schedules.put(aSchedule({ id: 'x'.repeat(256) }))).rejects.toMatchObject({ code: 'WM1103' });
      await expect(schedules.put(aSchedule({ id: 'a\0b' }))).rejects.toMatchObject({ code: 'WM1103' });
    });
  });
}

const idOf = (listed: ListedSchedule): string => ('trigger' in listed ? listed.trigger : listed.schedule).id;
