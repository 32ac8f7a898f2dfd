import { describe, expect, it, test } from '@jest/globals';
import { createContext, runInContext } from 'node:vm';
import { pack, packAsText } from './pack.js';
import { unpack } from './unpack.js';

const there = (value: unknown): unknown => unpack(packAsText(value));

describe('packing', () => {
  test.each<[unknown, unknown]>([
    [1.5, 1.5],
    [true, true],
    [null, null],
    [undefined, undefined],
    ['text', 'stext'],
    ['a\u0001', 'j"a\\u0001"'],
    ['a😀', 'sa😀'],
    ['\ud83d', 'j"\\ud83d"'],
    [5n, 'b5'],
    [{ a: [1, 'b', null, true] }, 'j{"a":[1,"b",null,true]}'],
    [{ a: NaN }, 'm{"a":{"\\u0001":["n","NaN"]}}'],
    [{ a: undefined }, 'm{"a":{"\\u0001":["u"]}}'],
  ])('%p', (value, packed) => expect(pack(value)).toEqual(packed));

  it('copies nothing that is plain', () => {
    const value = { list: [{ a: 1 }] };
    expect(pack(Object.freeze(value))).toBe('j{"list":[{"a":1}]}');
  });

  it('takes values of another realm for what they are', () => {
    const foreign = runInContext(
      '({ o: { a: 1 }, d: new Date(5), l: [1], m: new Map([["k", 1]]), b: new Uint8Array([1]) })',
      createContext(),
    ) as object;
    expect(there(foreign)).toEqual({ o: { a: 1 }, d: new Date(5), l: [1], m: { k: 1 }, b: new Uint8Array([1]) });
  });

  test.each<[string, unknown, string]>([
    ['functions', { f: () => 1 }, 'a function'],
    ['symbols', [Symbol('s')], 'a symbol'],
    ['instances', { s: new (class Service {})() }, 'an instance of Service'],
    ['promises', { p: Promise.resolve() }, 'an instance of Promise'],
  ])('refuses %s', (_, value, what) => expect(() => pack(value)).toThrow(what));

  it('refuses circular values', () => {
    const circular: { self?: unknown } = {};
    circular.self = circular;
    expect(() => pack(circular)).toThrow('circular');
  });

  it('shows one object in two places twice', () => {
    const shared = { n: 1 };
    expect(there({ a: shared, b: shared, list: [shared, shared] })).toEqual({
      a: shared,
      b: shared,
      list: [shared, shared],
    });
  });

  it('takes invalid dates and buffers', () => {
    expect((there({ d: new Date(NaN) }) as { d: Date }).d.getTime()).toBeNaN();
    expect(there(Buffer.from([200, 1]).buffer.slice(0, 0))).toEqual(new Uint8Array());
    expect(there(new Float32Array([0.5]))).toEqual([0.5]);
  });
});

describe('unpacking', () => {
  test.each([
    '',
    'z',
    'j',
    'j{',
    'bx',
    'm{"\\u0001":["?"]}',
    'm{"\\u0001":5}',
    'm{"\\u0001":["b","x"]}',
    'm{"\\u0001":["o",5]}',
    'p1',
    'x{}',
  ])('refuses %j', (text) => {
    expect(() => unpack(text)).toThrow(/A script returned a value/);
  });

  it('never makes a prototype', () => {
    for (const text of [
      'j{"__proto__":{"a":1}}',
      'j{"\\u005f_proto__":{"a":1}}',
      'm{"__proto__":{"a":1},"x":{"\\u0001":["u"]}}',
      'm{"\\u0001":["o",[["__proto__",{"a":1}]]]}',
    ]) {
      const value = unpack(text) as { a?: unknown };
      expect(value.a).toBeUndefined();
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect(Object.hasOwn(value, '__proto__')).toBe(false);
    }
  });
});
