import { expect, it } from '@jest/globals';
import type { BackendName, TestBackend } from './backends.js';
import { pairsOf, serversLeftOut, takesStore } from './pairs.js';

const ADAPTERS = ['express', 'fastify'];
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
  const left = (title: string, among = all) => inEachPart(() => serversLeftOut(among, title));
  expect(left('timers on $name')).toEqual({ some: ['postgres'], others: ['postgres'], all: [] });
  expect(left('deletion on $name')).toEqual({ some: ['mysql'], others: ['mysql'], all: [] });
  expect(left('timers on $name', all.slice(0, 3))).toEqual({ some: [], others: [], all: [] });
});

it('refuses a part that it does not know', () => {
  process.env.WAYMARK_TEST_PAIRS = 'most';
  expect(() => pairsOf(ADAPTERS, 'fastify')).toThrow("WAYMARK_TEST_PAIRS is one of some, others, all, not 'most'.");
});
