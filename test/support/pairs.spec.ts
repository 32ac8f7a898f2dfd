import { beforeEach, describe, expect, it } from '@jest/globals';
import type { BackendName, TestBackend } from './backends.js';
import { drawnPartsOf } from './draw.js';
import { hasTurn, isDrawn, isInTurn, pairsOf, storesLeftOut, takesStore } from './pairs.js';

const STORES = ['memory', 'sqlite', 'mysql', 'postgres'] as const;
const ADAPTERS = ['express', 'fastify'];

// As the first cases have it; variables of a file are put back when it ends.
delete process.env.WAYMARK_TEST_DRAW;

const store = (name: BackendName) => ({ name }) as TestBackend;
const storesOf = (...names: BackendName[]): string[] => {
  const all = names.map(store);
  return all.filter((one) => takesStore(one, all)).map(({ name }) => name);
};

/** What each part takes of something. */
function inEachPart<T>(take: () => T): Record<string, T> {
  return Object.fromEntries(
    ['some', 'others', 'all'].map((part) => {
      process.env.WAYMARK_TEST_PAIRS = part;
      return [part, take()];
    }),
  );
}

it('takes one adapter in a quick run, and the other one after it', () => {
  expect(inEachPart(() => pairsOf(ADAPTERS, 'fastify'))).toEqual({
    some: ['fastify'],
    others: ['express'],
    all: ADAPTERS,
  });
});

it('takes SQLite and all servers in a quick run, and memory and all servers after it', () => {
  expect(inEachPart(() => storesOf('memory', 'sqlite', 'mysql', 'postgres'))).toEqual({
    some: ['sqlite', 'mysql', 'postgres'],
    others: ['memory', 'mysql', 'postgres'],
    all: ['memory', 'sqlite', 'mysql', 'postgres'],
  });
});

it('takes a suite for one built-in store in a quick run, and leaves it out after it', () => {
  expect(inEachPart(() => [...storesOf('memory'), ...storesOf('sqlite')])).toEqual({
    some: ['memory', 'sqlite'],
    others: [],
    all: ['memory', 'sqlite'],
  });
});

it('takes one server for a suite that any store will do for, by its title, and each where it takes all', () => {
  const all = ['memory', 'sqlite', 'mysql', 'postgres'].map((name) => ({ name }));
  const left = (title: string, among = all) => inEachPart(() => storesLeftOut(among, title));
  expect(left('timers on $name')).toEqual({ some: ['postgres'], others: ['postgres'], all: [] });
  expect(left('deletion on $name')).toEqual({ some: ['mysql'], others: ['mysql'], all: [] });
  expect(left('timers on $name', all.slice(0, 3))).toEqual({ some: [], others: [], all: [] });
});

/** What is taken with each of these draws. */
const drawnBy = <T>(draws: readonly string[], take: () => T): T[] =>
  draws.map((draw) => {
    process.env.WAYMARK_TEST_DRAW = draw;
    return take();
  });
const DRAWS = Array.from({ length: 40 }, (_, index) => `commit ${index}`);

describe('a run that is drawn', () => {
  beforeEach(() => {
    process.env.WAYMARK_TEST_PAIRS = 'others';
  });

  it('takes one server or none for a suite that any store will do for, the same with the same draw, and each with some draw', () => {
    const all = STORES.map((name) => ({ name }));
    const taken = () => {
      const left = storesLeftOut(all, 'timers on $name');
      return STORES.filter((name) => !left.includes(name)).join();
    };
    expect(new Set(drawnBy(DRAWS, taken))).toEqual(new Set(['mysql', 'postgres', '']));
    expect(new Set(drawnBy(['same', 'same'], taken)).size).toBe(1);
  });

  it('takes one store of a suite that has them in turn, and each with some draw', () => {
    const taken = () => STORES.filter((name) => hasTurn(name, STORES, 'plans on $name')).join();
    expect(new Set(drawnBy(DRAWS, taken))).toEqual(new Set(STORES));
  });

  it('takes the other adapter in some runs, and in others the one that has passed', () => {
    expect(new Set(drawnBy(DRAWS, () => pairsOf(ADAPTERS, 'fastify').join()))).toEqual(new Set(['fastify', 'express']));
  });

  it('takes a third of what is drawn as a whole, and each with some draw', () => {
    const names = Array.from({ length: 300 }, (_, index) => `story ${index}`);
    const [one, other] = drawnBy(['one', 'other'], () => names.filter(isDrawn));
    for (const taken of [one!, other!]) expect(Math.abs(taken.length - 100)).toBeLessThan(40);
    expect(one).not.toEqual(other);
    for (const name of names.slice(0, 5))
      expect(new Set(drawnBy(DRAWS, () => isDrawn(name)))).toEqual(new Set([true, false]));
  });

  describe('by the number of commits', () => {
    const numbers = (from: number, count: number) => Array.from({ length: count }, (_, index) => String(from + index));
    const names = Array.from({ length: 40 }, (_, index) => `story ${index}`);

    it('leaves nothing out in five commits that follow one another', () => {
      for (const from of [0, 1, 2, 1_000, 40_001])
        for (const name of names) expect(drawnBy(numbers(from, 5), () => isDrawn(name))).toContain(true);
    });

    it('takes each in one of three commits', () => {
      for (const name of names)
        expect(drawnBy(numbers(999, 300), () => isDrawn(name)).filter(Boolean)).toHaveLength(100);
    });

    it('takes the same files in its quick run as after it, each in one of three commits, and none of them later than after five', () => {
      for (const name of names.slice(0, 5)) {
        const [some, others] = ['some', 'others'].map((part) => {
          process.env.WAYMARK_TEST_PAIRS = part;
          return drawnBy(numbers(999, 300), () => isInTurn(name));
        });
        expect(others).toEqual(some);
        expect(some!.filter(Boolean)).toHaveLength(100);
        const isLeftOut = (from: number) => !some!.slice(from, from + 5).includes(true);
        expect(numbers(0, 296).map(Number).filter(isLeftOut)).toEqual([]);
      }
    });

    it('takes each store and adapter within twice as many commits as there are, and each server with each turn', () => {
      const all = STORES.map((store) => ({ name: store }));
      const turn = () => STORES.find((name) => hasTurn(name, STORES, 'plans on $name'));
      for (const from of [0, 3, 102]) expect(new Set(drawnBy(numbers(from, 7), turn))).toEqual(new Set(STORES));
      const server = () => STORES.filter((name) => !storesLeftOut(all, 'timers on $name').includes(name)).join();
      expect(new Set(drawnBy(numbers(0, 60), server))).toEqual(new Set(['mysql', 'postgres', '']));
    });
  });

  it('begins a sample at another part with each draw, so that within so many draws none is left out', () => {
    const parts = Array.from({ length: 50 }, (_, index) => index);
    const sampled = (draws: number, of: readonly number[]) => {
      const taken = Array.from({ length: draws }, (_, index) => drawnPartsOf(String(index), of, 48, 'faults'));
      for (const one of taken) expect(one.length).toBeGreaterThan(0);
      return new Set(taken.flat());
    };
    expect(sampled(48, parts).size).toBe(50);
    expect(sampled(5, parts.slice(0, 5)).size).toBe(5);
    expect(drawnPartsOf('7', [], 48, 'faults')).toEqual([]);
  });

  it('takes as much of a sample as a run that is not drawn, but for one, which begins with the first of all', () => {
    const calls = Array.from({ length: 100 }, (_, index) => index);
    const alone = drawnPartsOf(undefined, calls, 48, 'faults');
    expect(alone).toEqual([0, 48, 96]);
    for (const draw of DRAWS) expect([2, 3]).toContain(drawnPartsOf(draw, calls, 48, 'faults').length);
    expect(drawnPartsOf(undefined, [], 48, 'faults')).toEqual([]);
  });

  it('takes all stores and adapters in a run that takes all, and all that it had before in a quick one', () => {
    const taken = () => [
      pairsOf(ADAPTERS, 'fastify'),
      STORES.filter((name) => hasTurn(name, STORES, 'plans on $name')),
      storesLeftOut(
        STORES.map((name) => ({ name })),
        'timers on $name',
      ),
      isDrawn('a story'),
    ];
    process.env.WAYMARK_TEST_PAIRS = 'all';
    for (const one of drawnBy(DRAWS, taken)) expect(one).toEqual([ADAPTERS, STORES, [], true]);
    process.env.WAYMARK_TEST_PAIRS = 'some';
    for (const one of drawnBy(DRAWS, taken)) expect(one).toEqual([['fastify'], STORES, ['postgres'], true]);
  });
});

it('takes the same third of the files in turn in each quick run without a draw, and in others all of them', () => {
  delete process.env.WAYMARK_TEST_DRAW;
  const names = Array.from({ length: 300 }, (_, index) => `file ${index}`);
  const { some, others, all } = inEachPart(() => names.filter(isInTurn));
  expect(Math.abs(some!.length - 100)).toBeLessThan(40);
  expect([others, all]).toEqual([names, names]);
  process.env.WAYMARK_TEST_PAIRS = 'some';
  expect(names.filter(isInTurn)).toEqual(some);
});

it('refuses a part that it does not know', () => {
  process.env.WAYMARK_TEST_PAIRS = 'most';
  expect(() => pairsOf(ADAPTERS, 'fastify')).toThrow("WAYMARK_TEST_PAIRS is one of some, others, all, not 'most'.");
});
