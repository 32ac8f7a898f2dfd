import { aBookmark, aBurst, after, aMessage, anInstance, aState, uid } from '../builders.js';
import type { ContractContext } from './contract-context.js';

/** Values keep their types and their content through storage. */
export function valuesContract(context: ContractContext): void {
  const { describe, it, expect } = context.framework;

  async function roundTrip(properties: Record<string, unknown>): Promise<Record<string, unknown> | undefined> {
    const { state: _state, ...scalars } = anInstance();
    const instance = { ...scalars, state: aState(scalars, { properties }) };
    await context.store.commit(aBurst(instance));
    return (await context.otherNode.instances.load(instance.id))?.state.properties;
  }

  describe('values', () => {
    it('keep their types', async () => {
      const bytes = Uint8Array.from({ length: 256 }, (_, n) => n);
      const values = {
        date: new Date('2026-11-21T12:34:56.789Z'),
        early: new Date(-1),
        map: new Map<unknown, unknown>([
          ['a', new Date(5)],
          [2, new Set([1n, 'x'])],
        ]),
        big: 123456789012345678901234567890n,
        nothing: undefined,
        inList: [undefined, null, 0],
        bytes,
        notANumber: NaN,
        infinite: -Infinity,
        small: 5e-324,
        no: null,
        url: new URL('https://example.com/a?b=c'),
        pattern: /a+b/gi,
        deep: { a: { b: [{ c: new Date(7) }] } },
      };
      const loaded = await roundTrip(values);
      expect(loaded).toStrictEqual(values);
      expect(Object.hasOwn(loaded!, 'nothing')).toBe(true);
      expect(loaded!.bytes).toBeInstanceOf(Uint8Array);
    });

    it('keep any text', async () => {
      const text = 'naïve – 漢字 🚀 \u0000 \u2028 " \\ \' % _ \n\r\t $1 ? :x `y`';
      const values = { text, [text]: 1, lone: 'a\ud800b', long: 'ž🚀'.repeat(350_000) };
      expect(await roundTrip(values)).toEqual(values);
    });

    it('keep any text in names and keys', async () => {
      const { store } = context;
      const text = `naïve 漢字 🚀 ' " \\ % _ ? :x $1 \n ${uid('x')}`;
      const instance = anInstance({ id: `${text}-id`, name: text, correlationId: text, definitionId: text });
      const bookmark = aBookmark(instance.id, { name: text, hash: text });
      await store.commit(aBurst(instance, { addedBookmarks: [bookmark], activationKey: text, requestKey: text }));
      expect(await store.instances.load(instance.id)).toEqual({ ...instance, revision: 1 });
      expect(await store.bookmarks.findMany({ hash: text })).toEqual([bookmark]);
      expect(await store.instances.findIds({ names: [text] })).toEqual([instance.id]);
      expect(await store.instances.findIds({ searchTerm: text })).toEqual([instance.id]);
    });

    it('keep a state of ten megabytes', async () => {
      const values = { lines: Array.from({ length: 10_000 }, (_, n) => `${n}`.padEnd(1000, 'x')) };
      expect(await roundTrip(values)).toEqual(values);
    }, 30_000);

    it('keep times to the millisecond, early and late ones as well', async () => {
      const { store } = context;
      for (const time of [after(1), new Date('1969-12-31T23:59:59.999Z'), new Date('9999-12-31T23:59:59.999Z')]) {
        const instance = anInstance({ createdAt: time, updatedAt: time, finishedAt: time });
        const bookmark = aBookmark(instance.id, { createdAt: time, dueAt: time });
        const message = aMessage({ createdAt: time, availableAt: time });
        await store.commit(aBurst(instance, { addedBookmarks: [bookmark], outbox: [message] }));
        expect(await store.instances.load(instance.id)).toMatchObject({
          createdAt: time,
          updatedAt: time,
          finishedAt: time,
        });
        expect(await store.bookmarks.findMany({ ids: [bookmark.id] })).toEqual([bookmark]);
        await store.outbox.delete(message.id);
        await store.instances.delete([instance.id]);
      }
    });

    it('has either a clock that all nodes share, or none', async () => {
      const here = await context.store.now();
      const there = await context.otherNode.now();
      const hereAgain = await context.store.now();
      if (here === undefined) {
        expect(there).toBeUndefined();
      } else {
        expect(Number.isInteger(here)).toBe(true);
        // By milliseconds, which a server may round.
        expect([there! >= here - 1, there! <= hereAgain! + 1]).toEqual([true, true]);
        // Any plausible clock, whatever time zone the server is set to; its host may be another one.
        expect(Math.abs(here - Date.now())).toBeLessThan(15 * 60_000);
      }
    });
  });
}
