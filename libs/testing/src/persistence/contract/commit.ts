import {
  aBookmark,
  aBurst,
  aDefinition,
  after,
  aLogEntry,
  aMessage,
  anInstance,
  anItem,
  aRecord,
  aResume,
  aTrigger,
  finished,
  T0,
  uid,
} from '../builders.js';
import type { WorkflowPersistence, StoredTrigger } from '@waymark/runtime';
import type { BurstCommit } from '@waymark/runtime/adapter';
import type { ContractContext } from './contract-context.js';

/** `WorkflowPersistence.commit`: everything at once (W1), each check, in the promised order. */
export function commitContract(context: ContractContext): void {
  const { describe, it, expect } = context.framework;

  describe('commit', () => {
    it('writes all parts of a burst', async () => {
      const { store } = context;
      const { burst, instance, bookmark, message, item } = await aFullBurst(store);
      await store.commit(burst);

      const loaded = await store.instances.load(instance.id);
      expect(loaded).toEqual({ ...instance, revision: 1 });
      expect(await store.bookmarks.findMany({ workflowInstanceId: instance.id })).toEqual([bookmark]);
      expect(await store.journal.readLog(instance.id)).toEqual(burst.journal.log);
      expect(await store.journal.readRecords(instance.id)).toEqual(burst.journal.records);
      expect(await store.queue.find(item.id)).toEqual(item);
      expect(await store.outbox.delete(message.id)).toBe(true);
      expect(await store.outbox.delete(burst.consumedMessageIds[0]!)).toBe(false);
      expect(await store.queue.find(burst.consumedQueueItemIds[0]!)).toBeUndefined();
    });

    it('deletes the messages for a cancelled instance, and no others', async () => {
      const { store } = context;
      const instance = anInstance();
      const mine = aMessage({ workflowInstanceId: instance.id });
      const others = aMessage({ workflowInstanceId: uid('other') });
      const last = aMessage();
      await store.commit(aBurst(instance, { outbox: [mine, others] }));
      const cancelled = { ...finished(instance), subStatus: 'Cancelled' as const };
      await store.commit(aBurst(cancelled, { expectedRevision: 1, outbox: [last] }));
      expect(await store.outbox.delete(mine.id)).toBe(false);
      expect(await store.outbox.delete(others.id)).toBe(true);
      expect(await store.outbox.delete(last.id)).toBe(true);
    });

    it('deletes the messages for an instance that is set back, and not those that come with it', async () => {
      const { store } = context;
      const instance = anInstance();
      const [before, again] = [
        aMessage({ workflowInstanceId: instance.id }),
        aMessage({ workflowInstanceId: instance.id }),
      ];
      await store.commit(aBurst(instance, { outbox: [before, again] }));
      await store.commit(aBurst(instance, { expectedRevision: 1, outbox: [again], takesBackMessages: true }));
      expect(await store.outbox.delete(before.id)).toBe(false);
      expect(await store.outbox.delete(again.id)).toBe(true);
    });

    it('counts the commits of an instance in its revision', async () => {
      const { store } = context;
      const instance = anInstance();
      await store.commit(aBurst(instance));
      await store.commit(aBurst({ ...instance, subStatus: 'Executing' }, { expectedRevision: 1 }));
      expect(await store.instances.load(instance.id)).toMatchObject({ revision: 2, subStatus: 'Executing' });
    });

    it('replaces every column of the instance', async () => {
      const { store } = context;
      const full = anInstance({
        parentWorkflowInstanceId: uid('parent'),
        correlationId: uid('correlation'),
        name: 'Order 1',
        incidentCount: 2,
        isExecuting: true,
        isSystem: true,
        subStatus: 'Executing',
      });
      await store.commit(aBurst(full));
      expect(await store.instances.load(full.id)).toEqual({ ...full, revision: 1 });
      const bare = anInstance({ id: full.id, version: 2, definitionVersionId: 'definition-v2', updatedAt: after(5) });
      await store.commit(aBurst(bare, { expectedRevision: 1 }));
      expect(await store.instances.load(full.id)).toEqual({ ...bare, revision: 2 });
    });

    it('is not affected when the caller changes the objects afterwards', async () => {
      const { store } = context;
      const instance = anInstance();
      instance.state.properties = { list: [1] };
      const bookmark = aBookmark(instance.id, { payload: { at: new Date(T0) } });
      const record = aRecord({ payload: { a: 1 } });
      await store.commit(
        aBurst(instance, { addedBookmarks: [bookmark], journal: { log: [aLogEntry(1)], records: [record] } }),
      );
      (instance.state.properties.list as number[]).push(2);
      (bookmark.payload as { at: Date }).at.setTime(0);
      record.payload!.a = 2;

      const loaded = await store.instances.load(instance.id);
      expect(loaded?.state.properties).toEqual({ list: [1] });
      (loaded!.state.properties.list as number[]).push(3);
      expect((await store.instances.load(instance.id))?.state.properties).toEqual({ list: [1] });
      const [found] = await store.bookmarks.findMany({ ids: [bookmark.id] });
      expect(found?.payload).toEqual({ at: T0 });
      expect((await store.journal.readRecords(instance.id))[0]?.payload).toEqual({ a: 1 });
    });

    it('keeps the journal unchanged, even if the caller or a reader changes its objects', async () => {
      const { store } = context;
      const instance = anInstance();
      const make = () => ({
        log: [aLogEntry(1, { timestamp: new Date(T0), payload: { list: [1] } })],
        records: [
          aRecord({
            startedAt: new Date(T0),
            completedAt: new Date(T0),
            activityState: { Items: [1] },
            outputs: { Result: { a: 1 } },
            properties: { p: { a: 1 } },
            metadata: { m: { a: 1 } },
            exception: { type: 'Error', message: 'first', stackTrace: '' },
          }),
        ],
      });
      const change = ({ log: [entry], records: [record] }: ReturnType<typeof make>) => {
        entry!.message = 'changed';
        entry!.timestamp.setTime(0);
        (entry!.payload!.list as number[]).push(2);
        record!.status = 'Faulted';
        record!.startedAt.setTime(0);
        record!.completedAt!.setTime(0);
        (record!.activityState!.Items as number[]).push(2);
        (record!.outputs!.Result as { a: number }).a = 2;
        (record!.properties.p as { a: number }).a = 2;
        (record!.metadata.m as { a: number }).a = 2;
        record!.exception!.message = 'changed';
      };
      const journal = make();
      const kept = structuredClone(journal);
      await store.commit(aBurst(instance, { journal }));
      change(journal);
      const read = async () => ({
        log: await store.journal.readLog(instance.id),
        records: await store.journal.readRecords(instance.id),
      });
      const found = await read();
      expect(found).toEqual(kept);
      change(found);
      expect(await read()).toEqual(kept);
    });

    it('adds, removes and keeps bookmarks; removing an absent one is not an error', async () => {
      const { store } = context;
      const instance = anInstance();
      const [kept, removed, consumed] = [1, 2, 3].map((n) => aBookmark(instance.id, { createdAt: after(n) }));
      await store.commit(aBurst(instance, { addedBookmarks: [kept!, removed!, consumed!] }));
      const added = aBookmark(instance.id, { createdAt: after(4) });
      await store.commit(
        aBurst(instance, {
          expectedRevision: 1,
          addedBookmarks: [added],
          removedBookmarkIds: [removed!.id, consumed!.id, uid('absent')],
          consumedBookmarkIds: [consumed!.id],
        }),
      );
      expect(await store.bookmarks.findMany({ workflowInstanceId: instance.id })).toEqual([kept, added]);
    });

    it('lets a burst replace a bookmark by one with the same id', async () => {
      const { store } = context;
      const instance = anInstance();
      const bookmark = aBookmark(instance.id);
      await store.commit(aBurst(instance, { addedBookmarks: [bookmark] }));
      const renewed = { ...bookmark, dueAt: after(77) };
      await store.commit({ ...aResume(instance, 1, bookmark.id), addedBookmarks: [renewed] });
      expect(await store.bookmarks.findMany({ ids: [bookmark.id] })).toEqual([renewed]);
    });

    it('takes many bookmarks, journal entries and messages at once', async () => {
      const { store } = context;
      const instance = anInstance();
      const many = Array.from({ length: 700 }, (_, n) => n);
      const bookmarks = many.map((n) => aBookmark(instance.id, { createdAt: after(n) }));
      const messages = many.map(() => aMessage({ workflowInstanceId: instance.id }));
      await store.commit(
        aBurst(instance, {
          addedBookmarks: bookmarks,
          journal: { log: many.map((n) => aLogEntry(n)), records: many.map(() => aRecord()) },
          outbox: messages,
        }),
      );
      expect(await store.bookmarks.findMany({ workflowInstanceId: instance.id })).toEqual(bookmarks);
      expect(await store.journal.readLog(instance.id)).toHaveLength(700);
      const ids = bookmarks.map((bookmark) => bookmark.id);
      await store.commit(
        aBurst(instance, {
          expectedRevision: 1,
          removedBookmarkIds: ids,
          consumedBookmarkIds: ids,
          consumedMessageIds: messages.map((message) => message.id),
        }),
      );
      expect(await store.bookmarks.findMany({ workflowInstanceId: instance.id })).toEqual([]);
    });

    it('leaves a finished instance without bookmarks, even if the burst lists some', async () => {
      const { store } = context;
      const instance = anInstance();
      await store.commit(aBurst(instance, { addedBookmarks: [aBookmark(instance.id), aBookmark(instance.id)] }));
      await store.commit(aBurst(finished(instance), { expectedRevision: 1, addedBookmarks: [aBookmark(instance.id)] }));
      expect(await store.bookmarks.findMany({ workflowInstanceId: instance.id })).toEqual([]);
    });

    it('ignores an outbox message and a queue item that already exist', async () => {
      const { store } = context;
      const message = aMessage();
      const item = anItem({ idempotencyKey: uid('key') });
      await store.outbox.add([message]);
      await store.queue.enqueue(item);
      const again = anItem({ idempotencyKey: item.idempotencyKey });
      await store.commit(aBurst(anInstance(), { outbox: [{ ...message, kind: 'other' }], queue: [again] }));
      expect(await store.queue.find(again.id)).toBeUndefined();
      expect(await store.outbox.delete(message.id)).toBe(true);
    });
  });

  describe('a failed check', () => {
    /** Commits a burst that would change everything and must change nothing. */
    async function expectNothingWritten(
      spoil: (burst: BurstCommit) => Promise<BurstCommit>,
      error: Record<string, unknown>,
    ): Promise<void> {
      const { store } = context;
      const { burst, trigger } = await aFullBurst(store, { existing: true });
      const spoiled = await spoil(burst);
      const before = await everything(store, spoiled, trigger);
      await expect(store.commit(spoiled)).rejects.toMatchObject(error);
      expect(await everything(store, spoiled, trigger)).toEqual(before);
      // The keys are free as well: the same burst without the spoiled part goes through.
      if (spoiled.expectedRevision !== undefined) await store.commit(burst);
    }

    it('on a message that is gone', async () => {
      const gone = uid('gone');
      await expectNothingWritten(
        async (burst) => ({ ...burst, consumedMessageIds: [...burst.consumedMessageIds, gone] }),
        { code: 'WM7004', messageId: gone },
      );
    });

    it('on a queue item that is gone', async () => {
      const gone = uid('gone');
      await expectNothingWritten(
        async (burst) => ({ ...burst, consumedQueueItemIds: [...burst.consumedQueueItemIds, gone] }),
        { code: 'WM7004', messageId: gone },
      );
    });

    it('on a request key that was used', async () => {
      const requestKey = uid('request');
      const first = anInstance();
      await context.store.commit(aBurst(first, { requestKey }));
      await expectNothingWritten(async (burst) => ({ ...burst, requestKey }), {
        code: 'WM7007',
        requestKey,
        workflowInstanceId: first.id,
      });
    });

    it('on an occurrence that was claimed', async () => {
      await expectNothingWritten(async (burst) => ({ ...burst, firing: { ...burst.firing!, dueAt: after(1) } }), {
        code: 'WM7003',
        dueAt: after(1),
      });
    });

    it('on the occurrence of a trigger that is gone', async () => {
      const triggerId = uid('gone');
      await expectNothingWritten(async (burst) => ({ ...burst, firing: { ...burst.firing!, triggerId } }), {
        code: 'WM7003',
        triggerId,
      });
    });

    it('on a consumed bookmark', async () => {
      const gone = uid('gone');
      await expectNothingWritten(
        async (burst) => ({ ...burst, consumedBookmarkIds: [...burst.consumedBookmarkIds, gone] }),
        { code: 'WM7002', bookmarkId: gone },
      );
    });

    it('on a stale revision', async () => {
      await expectNothingWritten(async (burst) => ({ ...burst, expectedRevision: 2 }), {
        code: 'WM7001',
        subject: 'instance',
      });
    });

    it('on a new instance whose id is taken', async () => {
      await expectNothingWritten(async (burst) => ({ ...burst, expectedRevision: undefined }), { code: 'WM7001' });
    });

    it('on an instance that never existed', async () => {
      const instance = anInstance();
      await expectNothingWritten(async (burst) => ({ ...burst, instance }), { code: 'WM7001', id: instance.id });
    });

    it('on an activation key that another running instance holds', async () => {
      const activationKey = uid('singleton');
      await context.store.commit(aBurst(anInstance(), { activationKey }));
      await expectNothingWritten(async (burst) => ({ ...burst, activationKey }), { code: 'WM7005', activationKey });
    });

    it('not on an activation key that its instance has released, at its start or later', async () => {
      const { store } = context;
      const activationKey = uid('correlation');
      await store.commit(aBurst(anInstance(), { activationKey, releasesActivationKey: true }));
      const holder = anInstance();
      await store.commit(aBurst(holder, { activationKey }));
      context.framework.expect(await store.instances.findKeyHolder(activationKey)).toBe(holder.id);
      await store.commit(aBurst(holder, { expectedRevision: 1, releasesActivationKey: true }));
      const next = anInstance();
      await store.commit(aBurst(next, { activationKey }));
      context.framework.expect(await store.instances.findKeyHolder(activationKey)).toBe(next.id);
    });

    it('on a new bookmark whose id is taken, in the store or in the burst itself', async () => {
      const other = anInstance();
      const taken = aBookmark(other.id);
      await context.store.commit(aBurst(other, { addedBookmarks: [taken] }));
      const code = 'WM7009';
      await expectNothingWritten(
        async (burst) => ({
          ...burst,
          addedBookmarks: [...burst.addedBookmarks, { ...taken, workflowInstanceId: burst.instance.id }],
        }),
        { code, message: context.framework.expect.stringContaining(taken.id) },
      );
      await expectNothingWritten(
        async (burst) => ({ ...burst, addedBookmarks: [...burst.addedBookmarks, ...burst.addedBookmarks] }),
        { code },
      );
    });

    it('on a value that cannot be stored, and names it', async () => {
      await expectNothingWritten(
        async (burst) => {
          const state = { ...burst.instance.state, properties: { callback: () => 1 } };
          return { ...burst, instance: { ...burst.instance, state } };
        },
        { code: 'WM1102', message: expect.stringContaining('properties.callback') },
      );
    });

    it('on a queue item that would match everything', async () => {
      await expectNothingWritten(
        async (burst) => ({ ...burst, queue: [...burst.queue, anItem({ stimulusHash: undefined })] }),
        { code: 'WM7008' },
      );
    });

    it('reports consumed items before conflicts', async () => {
      const { store } = context;
      const instance = anInstance();
      const bookmark = aBookmark(instance.id);
      const [activationKey, requestKey, gone] = [uid('singleton'), uid('request'), uid('gone')];
      await store.commit(aBurst(anInstance(), { activationKey, requestKey }));
      await store.commit(aBurst(instance, { addedBookmarks: [bookmark] }));
      await store.commit(aResume(instance, 1, bookmark.id));

      const firing = { triggerId: gone, dueAt: T0, nextDueAt: null };
      const late = { ...aResume(instance, 1, bookmark.id), activationKey };
      await expect(store.commit({ ...late, consumedBookmarkIds: [] })).rejects.toMatchObject({ code: 'WM7001' });
      await expect(store.commit(late)).rejects.toMatchObject({ code: 'WM7002', bookmarkId: bookmark.id });
      await expect(store.commit({ ...late, firing })).rejects.toMatchObject({ code: 'WM7003' });
      await expect(store.commit({ ...late, firing, requestKey })).rejects.toMatchObject({ code: 'WM7007' });
      await expect(store.commit({ ...late, firing, requestKey, consumedMessageIds: [gone] })).rejects.toMatchObject({
        code: 'WM7004',
      });
    });
  });
}

/** A burst that touches every table. With `existing`, it continues with an instance that was committed before. */
async function aFullBurst(store: WorkflowPersistence, { existing = false } = {}) {
  const instance = anInstance({ correlationId: uid('correlation'), name: 'Order', incidentCount: 1 });
  const consumed = aBookmark(instance.id, { createdAt: after(1) });
  if (existing) await store.commit(aBurst(instance, { addedBookmarks: [consumed] }));

  const definition = aDefinition();
  const trigger = aTrigger(definition, { dueAt: T0 });
  await store.definitions.apply({
    saved: [{ definition, expectedRevision: undefined }],
    deletedIds: [],
    addedTriggers: [trigger],
    removedTriggerIds: [],
  });
  const [servedMessage, servedItem] = [aMessage(), anItem()];
  await store.outbox.add([servedMessage]);
  await store.queue.enqueue(servedItem);

  const bookmark = aBookmark(instance.id, {
    payload: { a: 1 },
    metadata: { b: '2' },
    dueAt: after(99),
    correlationId: 'c',
  });
  const message = aMessage({ workflowInstanceId: instance.id });
  const item = anItem({ idempotencyKey: uid('key'), input: { answer: 42 } });
  const burst = aBurst(instance, {
    expectedRevision: existing ? 1 : undefined,
    addedBookmarks: [bookmark],
    removedBookmarkIds: existing ? [consumed.id] : [],
    consumedBookmarkIds: existing ? [consumed.id] : [],
    journal: { log: [aLogEntry(1), aLogEntry(2)], records: [aRecord()] },
    outbox: [message],
    consumedMessageIds: [servedMessage.id],
    queue: [item],
    consumedQueueItemIds: [servedItem.id],
    firing: { triggerId: trigger.id, dueAt: T0, nextDueAt: after(60_000) },
    activationKey: uid('singleton'),
    requestKey: uid('request'),
  });
  return { burst, instance, bookmark, message, item, trigger };
}

/** All that the burst could have touched, as it is in the store. */
async function everything(store: WorkflowPersistence, burst: BurstCommit, trigger: StoredTrigger) {
  const { id } = burst.instance;
  const queueIds = [...burst.queue.map((item) => item.id), ...burst.consumedQueueItemIds];
  return {
    instance: await store.instances.load(id),
    bookmarks: await store.bookmarks.findMany({ workflowInstanceId: id }),
    log: await store.journal.readLog(id),
    records: await store.journal.readRecords(id),
    triggers: await store.triggers.findMany({ ids: [trigger.id] }),
    queue: await Promise.all(queueIds.map((queueId) => store.queue.find(queueId))),
    outbox: await store.outbox.count(),
  };
}
