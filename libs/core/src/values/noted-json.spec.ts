import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { SuperJSON } from 'superjson';
import { inAnyCasing } from './any-casing.js';
import { decodeInParts, decodeValue, deserialize, encodeInParts, encodeValue } from './storage-codec.js';

type Stored = Parameters<SuperJSON['deserialize']>[0];

/** The same for each run. */
function* numbers(seed: number): Generator<number, never> {
  for (let x = seed; ;) yield (x = (x * 48_271) % 2_147_483_647);
}

function outcomeOf(read: () => unknown): { value: unknown } | { error: string } {
  try {
    return { value: read() };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

const NAMES = ['a', 'b.c', 'd\\', '', '0', 'x\\.y', '.', '\\', '\\.', 'é', 'length', 'toString'];
const LEAVES: readonly unknown[] = [
  1,
  'text',
  null,
  undefined,
  -0,
  Number.NaN,
  -Infinity,
  10n ** 20n,
  new Date(5000),
  /a\.b/gi,
  new URL('http://host/path?query'),
];

/** Of kinds that the codec itself knows. */
function someValue(random: Generator<number, never>, levels: number): unknown {
  const next = (limit: number) => random.next().value % limit;
  const several = <T>(one: () => T): T[] => Array.from({ length: next(5) }, one);
  const inner = () => someValue(random, levels - 1);
  switch (levels === 0 ? 0 : next(6)) {
    case 1:
      return several(inner);
    case 2:
    case 3:
      return Object.fromEntries(several(() => [NAMES[next(NAMES.length)]!, inner()] as const));
    case 4:
      return new Map(several(() => [someValue(random, 0), inner()] as const));
    case 5:
      return new Set(several(inner));
    default:
      return LEAVES[next(LEAVES.length)];
  }
}

describe('notes on values', () => {
  it('notes on values are read by the codec as those that it writes, in each way of reading', async () => {
    const random = numbers(11);
    for (let i = 0; i < 500; i++) {
      const value = someValue(random, 4);
      const stored = encodeValue(value);
      const text = JSON.stringify(stored);
      expect(new SuperJSON().deserialize(JSON.parse(text) as Stored)).toEqual(value);
      expect([decodeValue(stored), deserialize(text)]).toEqual([value, value]);
      expect(await decodeInParts(JSON.parse(text), () => undefined)).toEqual(value);
      const own = new SuperJSON().serialize(value);
      delete own.meta?.referentialEqualities;
      expect([(stored as Stored).json, deserialize(JSON.stringify(own))]).toEqual([own.json, value]);
    }
  });

  it('notes on values have each name once, however many there are below it', async () => {
    const name = 'n'.repeat(100_000);
    const value = { [name]: { [name]: Array.from({ length: 1000 }, () => [new Date(0), undefined]) } };
    const inParts = await encodeInParts(value, 'value', async () => {});
    for (const stored of [encodeValue(value), inParts]) {
      const text = JSON.stringify(stored);
      expect(text.split(name)).toHaveLength(1 + 2 + 2);
      expect(deserialize(text)).toEqual(value);
    }
  });

  it.each(Object.getOwnPropertyNames(Object.prototype))(
    'notes on values of a list in a member named %s stay with the value',
    async (name) => {
      const functions = Object.values(Object.getOwnPropertyDescriptors(Object.prototype)).map(
        ({ value }) => value as unknown,
      );
      const known = functions.map((one) => Reflect.ownKeys(Object(one) as object));
      const items = Array.from({ length: 600 }, () => new Date(0));
      const value = Object.fromEntries([[name, { items }]]);
      const text = JSON.stringify(await encodeInParts(value, 'value', async () => {}));
      expect(isDeepStrictEqual(deserialize(text), value)).toBe(true);
      expect(functions.map((one) => Reflect.ownKeys(Object(one) as object))).toEqual(known);
    },
  );

  it('notes on values of objects with a member __proto__ change no prototype', () => {
    const value = inAnyCasing(JSON.parse('{"__proto__":{"a":1},"b":{"__proto__":[]}}') as object);
    const stored = encodeValue(value);
    for (const read of [decodeValue(stored), deserialize(JSON.stringify(stored))])
      expect(JSON.stringify(read)).toBe('{"__proto__":{"a":1},"b":{"__proto__":[]}}');
  });

  it('notes on values are no deeper than their values', () => {
    const deep = `${'{"__proto__":'.repeat(600)}-0${'}'.repeat(600)}`;
    const text = JSON.stringify(encodeValue(JSON.parse(deep)));
    let [inner, levels] = [deserialize(text), 0];
    for (; typeof inner === 'object'; levels++) inner = Object.values(inner as object)[0];
    expect([levels, inner]).toEqual([600, -0]);
  });

  it('notes on values are followed once from the root, whatever kinds they are of', async () => {
    const chain = `${'{"__proto__":'.repeat(50)}-0${'}'.repeat(50)}`;
    const value = [
      JSON.parse(chain),
      new Map([[new Set([new Date(0), /a/, 1n]), new Error('e')]]),
      new Uint8Array([7]),
    ];
    const stored = JSON.parse(JSON.stringify(encodeValue(value))) as Stored & { json: unknown[] };
    let reads = 0;
    const get = (items: unknown[], name: string | symbol): unknown => {
      if (/^\d+$/.test(String(name))) reads++;
      return Reflect.get(items, name);
    };
    const counted = { ...stored, json: new Proxy(stored.json, { get }) };
    const read = await decodeInParts<unknown[]>(counted, () => undefined);
    expect(reads).toBeLessThanOrEqual(6);
    expect(isDeepStrictEqual([...read], value)).toBe(true);
  });

  it('notes on values are followed once from the root where the text has left out a member without a value', async () => {
    const json = [{ a: 1 }, { at: '1970-01-01T00:00:00.000Z' }, { a: { b: 2 } }];
    const values = { '0': { tag: ['undefined'] }, '1': { at: ['Date'] }, '2': { a: { toString: ['undefined'] } } };
    let reads = 0;
    const get = (items: object, name: string | symbol): unknown => {
      if (/^\d+$/.test(String(name))) reads++;
      return Reflect.get(items, name);
    };
    const counted = { json: new Proxy(json, { get }), meta: { values, v: 1 } };
    const read = await decodeInParts<unknown[]>(counted, () => undefined);
    expect(reads).toBeLessThanOrEqual(3);
    const whole = [{ a: 1, tag: undefined }, { at: new Date(0) }, { a: { b: 2, toString: undefined } }];
    expect(isDeepStrictEqual([...read], whole)).toBe(true);
  });

  it.each([
    ['a list', [1], { '5': ['undefined'] }],
    ['an object, by a risky name', {}, { constructor: ['undefined'] }],
    ['a text', 'text', { length: ['undefined'] }],
  ])(
    'notes on values of members that %s does not have are for the codec, which changes nothing or refuses them',
    (_, json, values) => {
      const text = JSON.stringify({ json, meta: { values, v: 1 } });
      const byCodec = outcomeOf(() => new SuperJSON().deserialize(JSON.parse(text) as Stored));
      const refused = { error: expect.stringContaining('what it notes of its types does not fit') };
      expect(outcomeOf(() => deserialize(text))).toEqual('error' in byCodec ? refused : byCodec);
    },
  );

  it.each([
    ['a map without entries', ['map'], 5],
    ['entries that are no list', [['custom', 'entries']], {}],
    ['entries without names', [['custom', 'entries']], [1]],
    ['a list as an error', [['custom', 'error']], null],
    ['an instance without a type', [['custom', 'instance']], {}],
    ['a kind that is not known', ['unknown'], 1],
    ['a kind of a later version', [['custom', 'later']], 1],
  ])('notes on values of %s are refused', (_, note, json) => {
    const text = JSON.stringify({ json: { a: json }, meta: { values: { a: note }, v: 1 } });
    expect(() => deserialize(text)).toThrow();
  });

  it('notes on values are followed with pauses, however deep they are', async () => {
    let value: unknown = { items: Array.from({ length: 5000 }, () => ({ at: new Date(0) })) };
    for (let i = 0; i < 20; i++) value = { inner: value };
    let pauses = 0;
    const pause = () => void pauses++ as undefined;
    expect(await decodeInParts(JSON.parse(JSON.stringify(encodeValue(value))), pause)).toEqual(value);
    expect(pauses).toBeGreaterThanOrEqual(10);
  });

  it.each([
    ['an item that a list does not have', { values: { 'a.length': ['undefined'] } }],
    ['a member of the prototype', { values: { 'a.__proto__': ['undefined'] } }],
    ['a member that is not there', { values: { 'a.b.c': ['Date'] } }],
  ])('about %s are refused, or change nothing', (_, meta) => {
    const text = JSON.stringify({ json: { a: [1] }, meta: { ...meta, v: 1 } });
    let read: unknown;
    try {
      read = deserialize(text);
    } catch (error) {
      read = error;
    }
    expect(read instanceof Error || JSON.stringify(read) === '{"a":[1]}').toBe(true);
    expect(Object.getPrototypeOf([])).toBe(Array.prototype);
  });
});
