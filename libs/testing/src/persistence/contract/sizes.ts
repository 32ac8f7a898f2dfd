import { aBookmark, aBurst, aDefinition, aLogEntry, aMessage, anInstance, anItem, T0 } from '../builders.js';
import type { ContractContext } from './contract-context.js';

const MB = 1_000_000;

/** Text of which every character costs something on its way: quotes, backslashes, letters of two bytes. */
const awkward = (length: number) => `"\\'ä\n`.repeat(Math.ceil(length / 5)).slice(0, length);

/** Large values, and the limit of states where a store has one. */
export function sizesContract(context: ContractContext, maxStateBytes: number | undefined): void {
  const { describe, it, expect } = context.framework;

  describe('large values', () => {
    it('of every kind are kept, in one commit', async () => {
      const { store } = context;
      const instance = anInstance();
      instance.state.input = { text: awkward(MB), bytes: new Uint8Array(MB / 2).fill(200) };
      instance.state.properties = Object.fromEntries(
        Array.from({ length: 20 }, (_, n) => [`p${n}`, 'x'.repeat(MB / 20)]),
      );
      const bookmark = aBookmark(instance.id, { payload: { text: awkward(MB) } });
      const [message, item] = [aMessage({ payload: awkward(MB) }), anItem({ input: { text: awkward(MB) } })];
      const log = Array.from({ length: 40 }, (_, n) => aLogEntry(n + 1, { payload: { text: awkward(MB / 10) } }));
      const journal = { log, records: [] };
      await store.commit(aBurst(instance, { addedBookmarks: [bookmark], outbox: [message], queue: [item], journal }));
      const { otherNode } = context;
      expect(await otherNode.instances.load(instance.id)).toEqual({ ...instance, revision: 1 });
      expect(await otherNode.bookmarks.findMany({ ids: [bookmark.id] })).toEqual([bookmark]);
      expect(await otherNode.queue.find(item.id)).toEqual(item);
      expect(await otherNode.journal.readLog(instance.id)).toEqual(log);
      const claimed = await otherNode.outbox.claim({ owner: 'n', limit: 100, leaseMs: 1, now: T0 });
      expect(claimed.filter(({ id }) => id === message.id)).toEqual([message]);
      await otherNode.outbox.delete(message.id);
    });

    it('are kept in definitions', async () => {
      const definition = aDefinition({ description: 'd', customProperties: { text: awkward(3 * MB) } });
      const saved = [{ definition, expectedRevision: undefined }];
      await context.store.definitions.apply({ saved, deletedIds: [], addedTriggers: [], removedTriggerIds: [] });
      const found = await context.otherNode.definitions.find({ definitionId: definition.definitionId });
      expect(found?.customProperties).toEqual(definition.customProperties);
    });
  });

  if (maxStateBytes === undefined) return;

  describe('states beyond the limit', () => {
    const tooLarge = () => {
      const instance = anInstance();
      instance.state.input = { small: 1, large: 'x'.repeat(maxStateBytes) };
      return instance;
    };

    it('are refused, and the error names their largest parts; nothing is written', async () => {
      const { store } = context;
      const [instance, message] = [tooLarge(), aMessage()];
      const error = (await store
        .commit(aBurst(instance, { outbox: [message] }))
        .catch((caught: unknown) => caught)) as {
        readonly largest: readonly { readonly name: string; readonly bytes: number }[];
        readonly message: string;
      };
      expect(error).toMatchObject({ code: 'WM7017', workflowInstanceId: instance.id, maxBytes: maxStateBytes });
      expect(error.largest[0]).toEqual({ name: 'input "large"', bytes: error.largest[0]!.bytes });
      expect(error.largest[0]!.bytes >= maxStateBytes).toBe(true);
      expect(error.message.length < 1000).toBe(true);
      expect(await store.instances.load(instance.id)).toBeUndefined();
      expect(await store.outbox.delete(message.id)).toBe(false);
    });

    it('do not affect the stored instance, or others that are committed at the same time', async () => {
      const { store } = context;
      const before = anInstance();
      await store.commit(aBurst(before));
      const after = { ...tooLarge(), id: before.id };
      const others = Array.from({ length: 5 }, () => anInstance());
      const [refused, ...written] = await Promise.allSettled([
        store.commit(aBurst(after, { expectedRevision: 1 })),
        ...others.map((other) => store.commit(aBurst(other))),
      ]);
      expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'WM7017' } });
      expect(written.map(({ status }) => status)).toEqual(others.map(() => 'fulfilled'));
      expect(await store.instances.load(before.id)).toEqual({ ...before, revision: 1 });
    });

    it('are stored if the instance only ends', async () => {
      const instance = tooLarge();
      await context.store.commit(aBurst(instance, { atAnySize: true }));
      expect(await context.otherNode.instances.load(instance.id)).toEqual({ ...instance, revision: 1 });
    });
  });
}
