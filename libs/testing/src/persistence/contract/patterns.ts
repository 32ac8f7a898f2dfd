import type { BookmarkPattern } from '@waymark/runtime';
import { aBookmark, aBurst, after, anInstance, T0, uid } from '../builders.js';
import type { ContractContext } from './contract-context.js';

const aPattern = (given: Partial<BookmarkPattern> = {}): BookmarkPattern => ({
  hash: uid('hash'),
  name: 'Path',
  payload: { path: '/orders/{id}', limit: 1n },
  announcedAt: T0,
  ...given,
});

/** `BookmarkPatternStore`, and the patterns of a commit (W6). */
export function patternsContract(context: ContractContext): void {
  const { describe, it, expect } = context.framework;
  const stored = async (hash: string) => (await context.otherNode.patterns.findAll()).filter((p) => p.hash === hash);

  describe('patterns', () => {
    it('are visible with the commit that announces them, also to other nodes', async () => {
      const { store, otherNode } = context;
      const pattern = aPattern();
      const before = await otherNode.patterns.state();
      await store.commit(aBurst(anInstance(), { patterns: [pattern] }));
      expect(await stored(pattern.hash)).toEqual([pattern]);
      expect(await otherNode.patterns.state()).toEqual({ ...before, count: before.count + 1 });
    });

    it('are found by the time at which they were announced last', async () => {
      const { store, otherNode } = context;
      const later = (ms: number) => new Date(Date.UTC(2080, 0, 1) + ms);
      const [early, late, again] = [0, 10, 0].map((ms) => aPattern({ announcedAt: later(ms) }));
      await store.commit(aBurst(anInstance(), { patterns: [early!, late!, again!] }));
      const renewed = { ...again!, announcedAt: later(20) };
      await otherNode.commit(aBurst(anInstance(), { patterns: [renewed] }));
      const byHash = (found: readonly BookmarkPattern[]) => new Map(found.map((pattern) => [pattern.hash, pattern]));
      expect(byHash(await store.patterns.findAnnounced(later(10)))).toEqual(byHash([late!, renewed]));
      expect(await store.patterns.findAnnounced(later(21))).toEqual([]);
    });

    it('are not stored when their commit is refused', async () => {
      const pattern = aPattern();
      const refused = aBurst(anInstance(), { patterns: [pattern], consumedMessageIds: [uid('absent')] });
      await expect(context.store.commit(refused)).rejects.toMatchObject({ code: 'WM7004' });
      expect(await stored(pattern.hash)).toEqual([]);
    });

    it('can be announced again without counting as a change', async () => {
      const { store } = context;
      const pattern = aPattern();
      await store.commit(aBurst(anInstance(), { patterns: [pattern] }));
      const before = await store.patterns.state();
      await store.commit(aBurst(anInstance(), { patterns: [{ ...pattern, announcedAt: after(5) }] }));
      expect(await stored(pattern.hash)).toEqual([{ ...pattern, announcedAt: after(5) }]);
      expect(await store.patterns.state()).toEqual(before);
    });

    it('may be announced by many commits at once, in any order', async () => {
      const [a, b] = [aPattern(), aPattern()];
      const bursts = Array.from({ length: 20 }, (_, i) =>
        aBurst(anInstance(), { patterns: i % 2 === 0 ? [a, b] : [b, a] }),
      );
      await Promise.all(bursts.map((burst, i) => (i % 3 === 0 ? context.otherNode : context.store).commit(burst)));
      expect([...(await stored(a.hash)), ...(await stored(b.hash))]).toEqual([a, b]);
    });

    it('are removed when no instance waits there and no commit has announced them for long', async () => {
      const { store } = context;
      // Long before those of other tests.
      const longAgo = (ms: number) => new Date(86_400_000 + ms);
      const [unused, waited, fresh] = [
        aPattern({ announcedAt: longAgo(0) }),
        aPattern({ announcedAt: longAgo(0) }),
        aPattern({ announcedAt: longAgo(10) }),
      ];
      const instance = anInstance();
      const addedBookmarks = [aBookmark(instance.id, { hash: waited.hash })];
      await store.commit(aBurst(instance, { addedBookmarks, patterns: [unused, waited, fresh] }));
      const before = await store.patterns.state();
      expect(await store.patterns.purge(longAgo(10), 9)).toBe(1);
      expect([await stored(unused.hash), await stored(waited.hash), await stored(fresh.hash)]).toEqual([
        [],
        [waited],
        [fresh],
      ]);
      const after = await store.patterns.state();
      expect(after).toEqual({ count: before.count - 1, purges: before.purges + 1 });
      expect(await store.patterns.purge(longAgo(10), 9)).toBe(0);
      expect(await store.patterns.state()).toEqual(after);
    });

    it('are removed in batches', async () => {
      const { store } = context;
      const longAgo = (ms: number) => new Date(43_200_000 + ms);
      const patterns = Array.from({ length: 5 }, () => aPattern({ announcedAt: longAgo(0) }));
      await store.commit(aBurst(anInstance(), { patterns }));
      const counts = [];
      for (let batch = 0; batch < 3; batch++) counts.push(await store.patterns.purge(longAgo(10), 2));
      expect(counts).toEqual([2, 2, 1]);
    });
  });
}
