import {
  T0,
  aBookmark,
  aBurst,
  aDefinition,
  aLogEntry,
  aMessage,
  anInstance,
  anItem,
  aTrigger,
  after,
  uid,
} from '../builders.js';
import type { ContractContext } from './contract-context.js';

const TOO_LONG = 'x'.repeat(701);
/** Characters of four bytes, which no database makes shorter by compressing what repeats. */
const fourBytes = (count: number): string =>
  String.fromCodePoint(...Array.from({ length: count }, (_, n) => 0x10000 + ((n * 7919) % 0x10000)));
const UNSTORABLE: readonly (readonly [string, string])[] = [
  ['with U+0000', 'a\0b'],
  ['with half of a surrogate pair', 'a\ud800'],
  ['that is too long', TOO_LONG],
  ['that has more bytes than an index of PostgreSQL holds', fourBytes(526)],
];

/** Texts in columns of their own: what not every database can hold is refused by all of them, in the same way. */
export function textsContract(context: ContractContext): void {
  const { describe, it, expect } = context.framework;
  const refused = { code: 'WM1103' };

  describe('texts by which something is found', () => {
    for (const [kind, text] of UNSTORABLE) {
      it(`${kind}: a burst is refused as a whole`, async () => {
        const { store } = context;
        for (const given of [{ id: text }, { correlationId: text }, { name: text }, { definitionId: text }]) {
          const message = aMessage();
          const burst = aBurst(anInstance(given), { outbox: [message] });
          await expect(store.commit(burst)).rejects.toMatchObject(refused);
          expect(await store.outbox.delete(message.id)).toBe(false);
        }
        const instance = anInstance();
        for (const parts of [
          { requestKey: text },
          { activationKey: text },
          { addedBookmarks: [aBookmark(instance.id, { name: text })] },
          { addedBookmarks: [aBookmark(instance.id, { correlationId: text })] },
          { outbox: [aMessage({ id: text })] },
          { queue: [anItem({ correlationId: text })] },
        ])
          await expect(store.commit(aBurst(instance, parts))).rejects.toMatchObject(refused);
        expect(await store.instances.load(instance.id)).toBeUndefined();
      });

      it(`${kind}: a definition, a trigger, a message and a stimulus are refused`, async () => {
        const { store } = context;
        const nothing = { saved: [], deletedIds: [], addedTriggers: [], removedTriggerIds: [] };
        const definition = aDefinition();
        for (const given of [{ id: text }, { definitionId: text }, { name: text }]) {
          const saved = [{ definition: aDefinition(given), expectedRevision: undefined }];
          await expect(store.definitions.apply({ ...nothing, saved })).rejects.toMatchObject(refused);
        }
        for (const given of [{ activityId: text }, { exclusiveKey: text }, { name: text }]) {
          const addedTriggers = [aTrigger(definition, given)];
          await expect(store.definitions.apply({ ...nothing, addedTriggers })).rejects.toMatchObject(refused);
        }
        await expect(store.outbox.add([aMessage({ id: text })])).rejects.toMatchObject(refused);
        for (const given of [{ correlationId: text }, { idempotencyKey: text }, { workflowInstanceId: text }])
          await expect(store.queue.enqueue(anItem(given))).rejects.toMatchObject(refused);
      });

      it(`${kind}: nothing is found by it, and others find what they look for`, async () => {
        const { store } = context;
        const instance = anInstance({ correlationId: uid('correlation') });
        const bookmark = aBookmark(instance.id, { correlationId: instance.correlationId });
        await store.commit(aBurst(instance, { addedBookmarks: [bookmark] }));
        const [none, found, waiting, waitingFound] = await Promise.all([
          store.instances.load(text),
          store.instances.load(instance.id),
          store.bookmarks.findMany({ hash: bookmark.hash, correlationId: text }),
          store.bookmarks.findMany({ hash: bookmark.hash, correlationId: bookmark.correlationId }),
        ]);
        expect([none, found?.id, waiting, waitingFound]).toEqual([undefined, instance.id, [], [bookmark]]);
        expect(await store.instances.findIds({ correlationIds: [text, instance.correlationId!] })).toEqual([
          instance.id,
        ]);
        expect(await store.instances.count({ searchTerm: text })).toBe(0);
        expect(await store.instances.count({ names: [text] })).toBe(0);
        expect(await store.definitions.find({ definitionId: text })).toBeUndefined();
        expect(await store.triggers.findMany({ hash: text })).toEqual([]);
        expect(await store.queue.find(text)).toBeUndefined();
      });
    }

    for (const [what, end] of [
      ['letters', 'ä'.repeat(690)],
      ['bytes', fourBytes(515)],
    ] as const)
      it(`of the maximum number of ${what} are stored`, async () => {
        const { store } = context;
        const [id, text] = [
          uid('id').padEnd(255, 'x'),
          (uid('text') + end).slice(0, what === 'letters' ? 700 : undefined),
        ];
        const instance = anInstance({ id, correlationId: text, name: text });
        const bookmark = aBookmark(id, { name: text, correlationId: text });
        await store.commit(aBurst(instance, { addedBookmarks: [bookmark], requestKey: text, activationKey: text }));
        expect(await context.otherNode.instances.load(id)).toEqual({ ...instance, revision: 1 });
        expect(await store.bookmarks.findMany({ correlationId: text })).toEqual([bookmark]);
      });
  });

  describe('texts that are only read back', () => {
    const text = 'a\0b\ud800c';

    it('keep every character in payloads, inputs and the journal', async () => {
      const { store } = context;
      const instance = anInstance();
      instance.state.input = { [text]: text };
      instance.state.output = { deep: [{ text }] };
      const bookmark = aBookmark(instance.id, { payload: { text } });
      const message = aMessage({ payload: { text } });
      const item = anItem({ input: { text }, properties: { text } });
      const log = [aLogEntry(1, { message: text, payload: { text } })];
      await store.commit(
        aBurst(instance, {
          addedBookmarks: [bookmark],
          outbox: [message],
          queue: [item],
          journal: { log, records: [] },
        }),
      );
      expect(await context.otherNode.instances.load(instance.id)).toEqual({ ...instance, revision: 1 });
      expect(await store.bookmarks.findMany({ ids: [bookmark.id] })).toEqual([bookmark]);
      expect(await store.queue.find(item.id)).toEqual(item);
      expect(await store.journal.readLog(instance.id)).toEqual(log);
      await store.outbox.delete(message.id);
    });

    it('of failures are stored as far as the database can', async () => {
      const { store } = context;
      const item = anItem();
      await store.queue.enqueue(item);
      await store.queue.fail(item.id, `failed: ${text}`, 5, after(1));
      expect((await store.queue.find(item.id))?.lastError).toMatch(/^failed: a.b/s);
      const message = aMessage({ availableAt: T0 });
      await store.outbox.add([message]);
      await store.outbox.release(message.id, `failed: ${text}`, after(1));
      await store.outbox.moveToDeadLetters(message.id, `failed: ${text}`);
      await store.outbox.delete(message.id);
    });
  });
}
