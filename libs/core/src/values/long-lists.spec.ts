import fc from 'fast-check';
import { amountOf } from '../../../../test/support/depth.js';
import { inAnyCasing } from './any-casing.js';
import { ITEMS_OF_PART, toPlainJsonInTurns } from './long-lists.js';
import { decodeValue, encodeInParts, encodeValue } from './storage-codec.js';
import { toPlainJson } from './to-plain-json.js';

function pauses() {
  const pause = async (): Promise<void> => void pause.count++;
  pause.count = 0;
  return pause;
}

const LONG = 2 * ITEMS_OF_PART + 7;
const items = (of: (i: number) => unknown): unknown[] => Array.from({ length: LONG }, (_, i) => of(i));
const at = new Date(1e12);

const values: readonly (readonly [name: string, value: unknown])[] = [
  ['plain data', { state: { list: items((i) => ({ i })), name: 'x' } }],
  ['dates', { state: { 'a.b': items((i) => ({ at: new Date(i), none: undefined })), at, none: undefined } }],
  ['a list by itself', items((i) => (i % 2 ? at : undefined))],
  ['maps, sets and lists in items', { list: items((i) => new Map([[i, new Set([{ at }, [1n]])]])) }],
  [
    'members read in any casing',
    { list: items((i) => inAnyCasing({ Name: i })), one: inAnyCasing({ A: items(() => 1) }) },
  ],
  [
    'names that change prototypes',
    { list: items(() => JSON.parse('{"__proto__":{"a":1}}')), constructor: items(() => at) },
  ],
  ['lists below what is looked at', { a: { b: { c: { d: items(() => at) } } } }],
  ['a short value', { at }],
  ['a text', 'x'],
];

describe.each(values)('a long list of %s', (_, value) => {
  it('is encoded in parts as it would be at once', async () => {
    const encoded = await encodeInParts(value, 'v', pauses());
    expect(decodeValue(JSON.parse(JSON.stringify(encoded)))).toEqual(value);
    expect((encoded as { json: unknown }).json).toEqual((encodeValue(value) as { json: unknown }).json);
  });

  it('is shown in parts as it would be at once', async () => {
    expect(JSON.stringify(await toPlainJsonInTurns(value, pauses()))).toBe(JSON.stringify(toPlainJson(value)));
  });
});

it('long lists have pauses, and short ones none', async () => {
  const [long, short] = [pauses(), pauses()];
  await encodeInParts({ state: { list: items(() => at) } }, 'v', long);
  await toPlainJsonInTurns({ state: { list: items(() => at) } }, long);
  expect(long.count).toBeGreaterThanOrEqual(4);
  await encodeInParts({ list: [at] }, 'v', short);
  await toPlainJsonInTurns({ list: [at] }, short);
  expect(short.count).toBe(0);
});

it('circular and unreadable values are shown in parts as at once', async () => {
  const cycle: Record<string, unknown> = {};
  cycle.list = items((i) => ({ i, cycle }));
  const broken = { list: items(() => at), get other(): never { throw new Error('no'); } }; // prettier-ignore
  for (const value of [cycle, broken])
    expect(JSON.stringify(await toPlainJsonInTurns(value, pauses()))).toBe(JSON.stringify(toPlainJson(value)));
});

it('a value that cannot be stored is named by its path', async () => {
  const list = items((i) => (i === 1000 ? { call: () => i } : { at }));
  await expect(encodeInParts({ state: { list } }, 'v', pauses())).rejects.toMatchObject({
    path: 'v.state.list[1000].call',
  });
});

it('any values are encoded in parts as at once', async () => {
  const value = fc.anything({ withDate: true, withMap: true, withSet: true, withBigInt: true, maxDepth: 3 });
  await fc.assert(
    fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 9 }), async (some) => {
      const all = { state: { list: items((i) => some[i % some.length]), at } };
      const [whole, parts] = await Promise.allSettled([
        (async () => encodeValue(all, 'v'))(),
        encodeInParts(all, 'v', pauses()),
      ]);
      if (whole.status === 'rejected') return expect(parts.status).toBe('rejected');
      expect(parts.status).toBe('fulfilled');
      const read = (encoded: unknown) => decodeValue(JSON.parse(JSON.stringify(encoded)));
      expect(read((parts as PromiseFulfilledResult<unknown>).value)).toEqual(read(whole.value));
    }),
    { numRuns: amountOf(40, 5) },
  );
});
