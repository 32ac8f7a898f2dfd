import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson } from './canonical-json.js';

describe('canonicalJson', () => {
  it.each<[unknown, string]>([
    [{ b: 1, a: 2 }, '{"a":2,"b":1}'],
    [{ b: { d: 1, c: 2 }, a: [{ z: 1, y: 2 }] }, '{"a":[{"y":2,"z":1}],"b":{"c":2,"d":1}}'],
    [{ a: undefined, b: null }, '{"b":null}'],
    [[undefined, () => 1, 1], '[null,null,1]'],
    [{ f: () => 1, s: Symbol('x') }, '{}'],
    [undefined, 'null'],
    [null, 'null'],
    [new Date('2026-08-01T10:11:12Z'), '"2026-08-01T10:11:12.000Z"'],
    [new Date(NaN), 'null'],
    ['a"\u0000ü', '"a\\"\\u0000ü"'],
    [[1, 1.5, -0, 1e21, NaN], '[1,1.5,0,1e+21,null]'],
    [9007199254740993n, '9007199254740993'],
    [
      new Map<unknown, unknown>([
        ['b', 1],
        ['a', 2],
      ]),
      '{"a":2,"b":1}',
    ],
    [new Set(['b', 'a']), '["a","b"]'],
    [Uint8Array.of(1, 2, 3), '"AQID"'],
    [new URL('https://example.org/'), '"https://example.org/"'],
    [{ 10: 1, 9: 2, a: 3, B: 4 }, '{"10":1,"9":2,"B":4,"a":3}'],
  ])('writes %p', (value, expected) => {
    expect(canonicalJson(value)).toBe(expected);
  });

  it('writes instances by their members, or as they say', () => {
    class Stimulus {
      path = '/a';
      method = 'get';
    }
    expect(canonicalJson(new Stimulus())).toBe('{"method":"get","path":"/a"}');
    expect(canonicalJson({ x: { toJSON: () => [1] } })).toBe('{"x":[1]}');
  });

  it('refuses cycles, not shared references', () => {
    const shared = { a: 1 };
    expect(canonicalJson([shared, shared])).toBe('[{"a":1},{"a":1}]');
    const cycle: { list: unknown[] } = { list: [] };
    cycle.list.push(cycle);
    expect(() => canonicalJson({ cycle })).toThrow(expect.objectContaining({ code: 'WM1102', path: 'cycle.list[0]' }));
  });

  it('does not depend on the order of members, and is JSON of the same data', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const reversed = Object.fromEntries(Object.entries(value).toReversed());
        expect(canonicalJson(reversed)).toBe(canonicalJson(value));
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
