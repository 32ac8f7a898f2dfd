import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import vm from 'node:vm';
import { inAnyCasing, isInAnyCasing } from './any-casing.js';
import { decodeInParts, decodeValue, deserialize, encodeValue, serialize } from './storage-codec.js';
import { StoredValueError } from '../errors/stored-value-error.js';
import { findUnstorable } from './unstorable.js';

const roundTrip = (value: unknown): unknown => deserialize(serialize(value));

describe('storage codec: plain data', () => {
  it.each([
    null,
    true,
    0,
    'text',
    [],
    {},
    [1, 'a', null],
    { a: { b: [{}] } },
    { json: 1, meta: { values: { a: ['Date'] } } },
  ])('writes %j without notes', (value) => {
    expect(JSON.parse(serialize(value))).toEqual({ json: value });
    expect(roundTrip(value)).toStrictEqual(value);
  });

  it('does not copy plain data', () => {
    const value = { a: 1 };
    expect(encodeValue(value)).toEqual({ json: value });
    expect((encodeValue(value) as { json: unknown }).json).toBe(value);
  });

  it('keeps members of all names apart from its own', () => {
    const text =
      '{"json":1,"meta":{"values":["Date"]},"$id":"7","_type":"user","__proto__":{"polluted":true},"constructor":{"prototype":{"x":1}}}';
    const value = JSON.parse(text) as unknown;
    expect(JSON.stringify(roundTrip(value))).toBe(text);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('storage codec: more than JSON', () => {
  it.each<[string, unknown]>([
    ['Date', new Date('2026-08-01T10:11:12.345Z')],
    ['bigint', 9007199254740993n],
    ['undefined', undefined],
    ['undefined member', { a: undefined }],
    ['undefined element', [undefined, 1]],
    ['NaN', NaN],
    ['infinities', [Infinity, -Infinity]],
    ['-0', -0],
    ['Set', new Set([1, 'a', new Date(5)])],
    [
      'Map',
      new Map<unknown, unknown>([
        ['a', 1],
        [2, new Date(3)],
        [{ k: new Date(4) }, new Set([1n])],
      ]),
    ],
    ['bytes', Uint8Array.of(0, 127, 255)],
    ['no bytes', new Uint8Array()],
    ['URL', new URL('https://example.org/a?b=c')],
    ['RegExp', /a\/b/giu],
    [
      'nested',
      {
        list: [
          { at: new Date(1), tags: new Set(['x']) },
          { at: new Date(2), tags: new Set() },
        ],
      },
    ],
    ['odd names', { 'a.b': new Date(1), 'c\\d': { '': new Date(2) }, '0': 1n, '': undefined }],
    [
      'names of the codec',
      { json: new Date(1), meta: { values: new Date(2), v: 0n }, referentialEqualities: undefined },
    ],
  ])('keeps %s', (_, value) => {
    expect(roundTrip(value)).toStrictEqual(value);
  });

  it('keeps the data readable, with the notes beside it', () => {
    expect(JSON.parse(serialize({ name: 'x', at: new Date(0), bytes: Uint8Array.of(1, 2, 3) }))).toEqual({
      json: { name: 'x', at: '1970-01-01T00:00:00.000Z', bytes: 'AQID' },
      meta: { values: { at: ['Date'], bytes: [['custom', 'bytes']] }, v: 1 },
    });
  });

  it('gives a Buffer back as its bytes, without the pool it came from', () => {
    expect(roundTrip({ file: Buffer.from('abc') })).toStrictEqual({ file: Uint8Array.from([97, 98, 99]) });
  });

  it('keeps risky names beside richer values, without pollution', () => {
    const value = JSON.parse('{"__proto__":{"polluted":true},"constructor":1,"a":{"prototype":[1]},"at":0}') as Record<
      string,
      unknown
    >;
    value.at = new Date(7);
    const back = roundTrip({ list: [value] }) as { list: Record<string, unknown>[] };
    expect(back).toStrictEqual({ list: [value] });
    expect(Object.keys(back.list[0] ?? {})).toEqual(['__proto__', 'constructor', 'a', 'at']);
    expect(Object.getPrototypeOf(back.list[0])).toBe(Object.prototype);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('does not let stored notes reach a prototype', () => {
    const evil = '{"json":{"a":"1"},"meta":{"values":{"__proto__.polluted":["bigint"]},"v":1}}';
    expect(() => deserialize(evil)).toThrow();
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('duplicates shared references', () => {
    const shared = { at: new Date(1), bytes: Uint8Array.of(9) };
    const back = roundTrip({ a: shared, b: shared, list: [shared, shared] }) as Record<string, unknown>;
    expect(back).toStrictEqual({ a: shared, b: shared, list: [shared, shared] });
    expect(back.a).not.toBe(back.b);
    expect(JSON.parse(serialize([shared, shared]))).not.toHaveProperty('meta.referentialEqualities');
  });

  it('keeps values of another realm', () => {
    const value: unknown = vm.runInNewContext(
      '({ at: new Date(5), map: new Map([["a", new Set([1n])]]), list: [undefined], bytes: new Uint8Array([1]) })',
    );
    expect(roundTrip(value)).toStrictEqual({
      at: new Date(5),
      map: new Map([['a', new Set([1n])]]),
      list: [undefined],
      bytes: Uint8Array.of(1),
    });
  });

  it('leaves the value and the stored form untouched', () => {
    const value = { at: new Date(1), map: new Map([['a', { b: 1n }]]) };
    const stored = encodeValue(value);
    const before = JSON.stringify(stored);
    expect(decodeValue(stored)).toStrictEqual(value);
    expect(decodeValue(stored)).toStrictEqual(value);
    expect(JSON.stringify(stored)).toBe(before);
    expect(value.map.get('a')).toEqual({ b: 1n });
  });

  it('copes with deep nesting', () => {
    let value: unknown = new Date(1);
    for (let i = 0; i < 900; i++) value = i % 2 ? [value] : { inner: value };
    expect(serialize(roundTrip(value))).toBe(serialize(value));
  });

  it('restores any value that fast-check generates', () => {
    const anything = fc.anything({
      key: fc.oneof(
        fc.string(),
        fc.constantFrom('__proto__', 'constructor', 'prototype', 'json', 'meta', '$id', 'a.b'),
      ),
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      maxDepth: 4,
    });
    fc.assert(
      fc.property(anything, (value) => {
        fc.pre(findUnstorable(value, '') === undefined);
        // Not toStrictEqual: it takes an own member `constructor` for the class of the object.
        expect(isDeepStrictEqual(roundTrip(value), value)).toBe(true);
        expect(isDeepStrictEqual(decodeValue(encodeValue(value)), value)).toBe(true);
      }),
      { numRuns: 300 },
    );
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

describe('storage codec: errors', () => {
  it('keeps name, message, stack, simple extras and the chain of causes', () => {
    const error = new TypeError('outer', { cause: Object.assign(new Error('inner'), { code: 'WM1' }) });
    const back = roundTrip({ error }) as { error: Error };
    expect(back.error).toBeInstanceOf(Error);
    expect(back.error).toMatchObject({ name: 'TypeError', message: 'outer', stack: error.stack });
    expect(back.error.cause).toBeInstanceOf(Error);
    expect(back.error.cause).toMatchObject({ message: 'inner', code: 'WM1' });
    expect(Object.keys(back.error)).toEqual([]);
    expect(String(back.error)).toBe('TypeError: outer');
  });

  it('accepts any error, whatever members it has', () => {
    const error = Object.assign(new Error('http'), { request: { socket: () => 1 }, status: 502 });
    error.cause = error;
    const back = roundTrip(error) as Error;
    expect(back).toMatchObject({ message: 'http', status: 502 });
    expect(back.cause).toBeUndefined();
    expect(back).not.toHaveProperty('request');
    expect(roundTrip(new Error('x', { cause: { deep: [() => 1] } }))).toMatchObject({ message: 'x' });
  });

  it('keeps a cause that is data', () => {
    expect((roundTrip(new Error('x', { cause: { at: new Date(1) } })) as Error).cause).toStrictEqual({
      at: new Date(1),
    });
  });

  it('refuses text that it has not written', () => {
    expect(() => deserialize('5')).toThrow(/not a stored value/);
    expect(() => deserialize('{"meta":{}}')).toThrow(/not a stored value/);
    expect(() => decodeValue(undefined)).toThrow(StoredValueError);
    expect(() => deserialize('{"json":"secret')).toThrow(StoredValueError);
    expect(() => deserialize('{"json":"secret')).not.toThrow(/secret/);
  });

  it.each([
    ['bytes', '"AQ*D"', '[["custom","bytes"]]', 'bytes in it are not base64'],
    ['cut bytes', '"AQI"', '[["custom","bytes"]]', 'bytes in it are not base64'],
    ['a date', '"yesterday"', '["Date"]', 'a date in it is not a date'],
    ['a number', '"much"', '["number"]', 'a number in it is not a number'],
    ['a bigint', '"much"', '["bigint"]', 'a whole number in it is not a number'],
    ['an address', '"here"', '["URL"]', 'what it notes of its types does not fit'],
  ])('refuses %s that cannot be read, rather than to continue without', (_, json, note, reason) => {
    for (const text of [
      `{"json":${json},"meta":{"values":${note},"v":1}}`,
      `{"json":{"a":[${json}]},"meta":{"values":{"a.0":${note}},"v":1}}`,
    ])
      expect(() => deserialize(text)).toThrow(expect.objectContaining({ code: 'WM1054', reason }));
  });
});

describe('values that cannot be stored', () => {
  class Order {}
  const cycle: { items: unknown[] } = { items: [1, 2] };
  cycle.items.push(cycle);
  const deep = JSON.parse('['.repeat(1100) + ']'.repeat(1100)) as unknown;

  it.each<[string, unknown, string, RegExp]>([
    ['a function', { a: { run: () => 1 } }, 'v.a.run', /function/],
    ['a symbol', [Symbol('s')], 'v[0]', /symbol/],
    ['a class instance', { order: new Order() }, 'v.order', /instance of Order/],
    ['a promise', { result: Promise.resolve(1) }, 'v.result', /not awaited/],
    ['a WeakMap', new WeakMap(), 'v', /WeakMap/],
    ['an invalid date', [new Date(NaN)], 'v[0]', /invalid date/],
    ['another typed array', { x: new Float32Array(1) }, 'v.x', /Float32Array/],
    ['a cycle', { order: cycle }, 'v.order.items[2]', /refers back to v\.order/],
    ['a member with an odd name', { 'unit price': () => 1 }, 'v["unit price"]', /function/],
    ['a map value', new Map([['k', () => 1]]), 'v.k', /function/],
    ['a map key', new Map([[() => 1, 1]]), 'v[0]', /function/],
    ['a set item', new Set(['a', () => 1]), 'v[1]', /function/],
    ['an own toJSON', { toJSON: () => 1 }, 'v.toJSON', /function/],
  ])('%s', (_, value, path, reason) => {
    expect(findUnstorable(value, 'v')).toEqual({ path, reason: expect.stringMatching(reason) });
    expect(() => serialize(value, 'v')).toThrow(expect.objectContaining({ code: 'WM1102', path }));
  });

  it('nesting beyond what can be read back', () => {
    expect(findUnstorable(deep, 'v')?.reason).toMatch(/1000 levels/);
  });

  it('names the variable and says what to do', () => {
    expect(() => serialize({ items: [new Order()] }, 'variables.Order')).toThrow(
      'variables.Order.items[0] cannot be stored: it is an instance of Order. Store plain data',
    );
  });

  it('accepts plain data', () => {
    expect(findUnstorable({ a: [new Date(), new Map()] }, 'v')).toBeUndefined();
    const shared = {};
    expect(findUnstorable([shared, { shared, at: new Date() }], 'v')).toBeUndefined();
  });
});

describe('storage codec: in parts', () => {
  const many = Array.from({ length: 1200 }, (_, i) => i);
  const inParts = async (text: string) => {
    let pauses = 0;
    const value = await decodeInParts(JSON.parse(text), async () => void pauses++);
    return { value, pauses };
  };

  it('has pauses where there are many notes, and restores the same', async () => {
    const value = { at: many.map((i) => new Date(i)), first: new Map([['a', new Set([1n])]]), none: undefined };
    const { value: back, pauses } = await inParts(serialize(value));
    expect(back).toStrictEqual(value);
    expect(pauses).toBeGreaterThan(3);
  });

  it('follows notes that are a tree of names', async () => {
    const tree = Object.fromEntries(many.map((i) => [i, { at: ['Date'] }]));
    const json = { list: many.map((i) => ({ at: new Date(i).toISOString() })), at: new Date(7).toISOString() };
    const { value, pauses } = await inParts(
      JSON.stringify({ json, meta: { values: { list: tree, at: ['Date'] }, v: 1 } }),
    );
    expect(value).toStrictEqual({ list: many.map((i) => ({ at: new Date(i) })), at: new Date(7) });
    expect(pauses).toBeGreaterThan(3);
  });

  it('restores a shared value in all of its places', async () => {
    const json = { list: many.map((i) => (i === 0 ? { at: new Date(7).toISOString() } : null)) };
    const others = many.slice(1).map((i) => `list.${i}`);
    const meta = { values: { 'list.0.at': ['Date'] }, referentialEqualities: { 'list.0': others }, v: 1 };
    const { value } = await inParts(JSON.stringify({ json, meta }));
    expect(value).toStrictEqual({ list: many.map(() => ({ at: new Date(7) })) });
  });

  it.each([
    ['plain', { a: [1] }],
    ['a single note', new Date(7)],
    ['in any casing', { headers: inAnyCasing({ Accept: 'x' }), at: new Date(7) }],
  ])('restores what is %s', async (_what, value) => {
    const { value: back } = await inParts(serialize(value));
    expect(back).toStrictEqual(value);
    if (value && 'headers' in (value as object))
      expect(isInAnyCasing((back as { headers: object }).headers)).toBe(true);
  });

  it('refuses values of a later version, and values that were not stored', async () => {
    const meta = { values: { a: [['custom', 'of a later version']] }, v: 1 };
    await expect(inParts(JSON.stringify({ json: { a: 1 }, meta }))).rejects.toMatchObject({ code: 'WM2053' });
    await expect(inParts('{"a":1}')).rejects.toThrow('not a stored value');
    const evil = '{"json":{"a":"1"},"meta":{"values":{"__proto__.polluted":["bigint"]},"v":1}}';
    await expect(inParts(evil)).rejects.toThrow();
  });
});
