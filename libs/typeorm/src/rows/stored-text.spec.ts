import { describe, expect, it, jest } from '@jest/globals';
import { deserialize, inAnyCasing, isInAnyCasing, serialize as serializeByCodec } from '@waymark/core/adapter';
import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import { amountOf } from '../../../../test/support/depth.js';
import { serialize, serializeShort } from './stored-text.js';

const same = (value: unknown) => {
  const [text, reference] = [serialize(value, 'value'), serializeByCodec(value, 'value')];
  // Not toStrictEqual: it looks at `constructor`, which may be a member here.
  if (!isDeepStrictEqual(deserialize(text), deserialize(reference))) throw new Error(`${text}\n${reference}`);
};

describe('stored text', () => {
  it.each([
    { at: new Date(5), list: [new Date(6), undefined, null, { deep: undefined }] },
    { 'a.b': { 'c\\d': new Date(7) }, '': { '': undefined, x: new Date(8) } },
    { __proto__: 1 },
    JSON.parse('{"__proto__": {"a": 1}, "constructor": 2, "prototype": 3}'),
    { map: new Map([['a', new Date(1)]]), set: new Set([1n]), bytes: new Uint8Array([1, 2]), big: 5n },
    {
      files: [
        { name: 'a', bytes: new Uint8Array([1, 2]) },
        { bytes: new Uint8Array(0), at: new Date(1) },
      ],
      x: 1,
    },
    {
      file: { bytes: new Uint8Array(100_000).fill(200) },
      again: [new Uint8Array(40_000), undefined],
      'a.b': new Uint8Array(3),
    },
    [new Uint8Array([1])],
    new Uint8Array([7]),
    { numbers: [NaN, -0, Infinity, 1e300], text: '\u0000\ud800"\\' },
    [[[undefined]]],
    new Date(9),
    undefined,
    null,
    'text',
    7,
    Object.create(null),
    // oxlint-disable-next-line no-sparse-arrays
    [1, , 3],
  ])('reads as the codec would write it: %#', (value) => same(value));

  it.each([[{}], [{ at: new Date(5) }]])('keeps which objects are read in any casing, beside %j', (others) => {
    const value = { ...others, list: [{ 'a.b': inAnyCasing({ 'X-Test': '1' }) }, {}] };
    const { list } = deserialize<typeof value>(serialize(value, 'value'));
    expect(list).toEqual(value.list);
    expect([list[0]!['a.b']!, list[0]!, list[1]!].map(isInAnyCasing)).toEqual([true, false, false]);
  });

  it('reads as the codec would write it, for any value', () => {
    const leaf = fc.oneof(
      fc.date({ noInvalidDate: true }),
      fc.constant(undefined),
      fc.string({ unit: 'binary' }),
      fc.double(),
      fc.bigInt(),
      fc.uint8Array(),
      fc.boolean(),
      fc.constant(null),
    );
    const name = fc.oneof(fc.string(), fc.constantFrom('a.b', '\\', '.', '', '__proto__', 'constructor', '0'));
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small', maxDepth: 4 },
        leaf,
        fc.dictionary(name, tie('tree')),
        fc.array(tie('tree')),
      ),
    }));
    fc.assert(fc.property(tree, same), { numRuns: amountOf(300) });
  });

  it('leaves values with bytes as they are', () => {
    const bytes = new Uint8Array([1, 2]);
    const file = { name: 'a', bytes };
    const value = { files: [file, file], file };
    serialize(value, 'value');
    expect(value).toEqual({
      files: [
        { name: 'a', bytes },
        { name: 'a', bytes },
      ],
      file: { name: 'a', bytes },
    });
    expect(value.file.bytes).toBe(bytes);
  });

  it('says what cannot be stored, with the path', () => {
    expect(() => serialize({ a: [{ b: () => 1 }] }, 'state')).toThrow(/state\.a\[0\]\.b/);
    expect(() => serialize({ at: new Date(NaN) }, 'state')).toThrow(/state\.at/);
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    expect(() => serialize(cycle, 'state')).toThrow(/state\.self/);
  });
});

describe('the text of a value without long parts', () => {
  it('is that of any other value', () => {
    const value = { a: ['x'.repeat(10), new Uint8Array(10), new Date(5), undefined], 'a.b': { c: [[1, null, true]] } };
    expect(serializeShort(value, 10)).toEqual({ text: serialize(value, 'value') });
  });

  it.each([
    ['a text', 'x'.repeat(11)],
    ['a text in a list', [1, 'x'.repeat(11)]],
    ['a text far inside', { b: [{ c: { d: [[{ e: 'x'.repeat(11) }]] } }] }],
    ['bytes', [{ content: new Uint8Array(11) }]],
  ])('is not made where %s is longer', (_what, a) => {
    const written = jest.spyOn(JSON, 'stringify');
    try {
      expect(serializeShort({ a }, 10)).toBe('long');
      expect(written).not.toHaveBeenCalled();
    } finally {
      written.mockRestore();
    }
  });

  it('is left to the codec for other kinds of values, and for what cannot be read', () => {
    const unreadable = Object.defineProperty({}, 'a', {
      enumerable: true,
      get: () => {
        throw new Error('getter');
      },
    });
    const cycle: unknown[] = [];
    cycle.push(cycle);
    expect([{ a: new Map() }, unreadable, cycle, { constructor: 1 }].map((value) => serializeShort(value, 10))).toEqual(
      Array(4).fill('codec'),
    );
  });
});
