import { describe, expect, it } from '@jest/globals';
import { toPlainJson } from './to-plain-json.js';

describe('toPlainJson', () => {
  it('returns plain data as it is', () => {
    const value = { a: [1, 'x', null, { b: true }] };
    expect(toPlainJson(value)).toBe(value);
  });

  it.each<[string, unknown, unknown]>([
    ['dates with an offset', new Date('2026-08-01T10:11:12.350Z'), '2026-08-01T10:11:12.35+00:00'],
    ['an invalid date', new Date(NaN), null],
    ['a small bigint', 5n, 5],
    ['a large bigint', 2n ** 60n, '1152921504606846976'],
    ['bytes', Uint8Array.of(1, 2, 3), 'AQID'],
    ['a Buffer', { file: Buffer.from([1, 2, 3]) }, { file: 'AQID' }],
    [
      'a map',
      new Map<unknown, unknown>([
        ['a', new Date(0)],
        [1, 2n],
      ]),
      { a: '1970-01-01T00:00:00+00:00', '1': 2 },
    ],
    ['a map with object keys', new Map([[{ k: 1 }, 'v']]), { '{"k":1}': 'v' }],
    ['a set', new Set([1, new Set([2n])]), [1, [2]]],
    ['undefined', undefined, null],
    ['undefined members', { a: undefined, b: 1 }, { b: 1 }],
    ['undefined elements', [undefined], [null]],
    ['NaN', [NaN, -Infinity], ['NaN', '-Infinity']],
    ['a URL', new URL('https://example.org/'), 'https://example.org/'],
    ['a regular expression', /a/g, '/a/g'],
    ['a function', () => 1, '(not serializable)'],
    ['a symbol', { s: Symbol('x') }, { s: '(not serializable)' }],
    ['a promise', [Promise.resolve(1)], ['(not serializable)']],
    ['a class instance', { order: new (class Order {})() }, { order: '(not serializable)' }],
  ])('%s', (_, value, expected) => {
    expect(toPlainJson(value)).toStrictEqual(expected);
  });

  it('shows errors without their stack', () => {
    const error = Object.assign(new TypeError('no', { cause: new Error('inner') }), { code: 'WM1' });
    expect(toPlainJson({ error })).toStrictEqual({
      error: { name: 'TypeError', message: 'no', code: 'WM1', cause: { name: 'Error', message: 'inner' } },
    });
  });

  it('asks instances that know their JSON form', () => {
    class Money {
      toJSON(): unknown {
        return { amount: 5n };
      }
    }
    expect(toPlainJson(new Money())).toEqual({ amount: 5 });
  });

  it('marks back references and shows shared objects twice', () => {
    const cycle: Record<string, unknown> = { a: 1 };
    cycle.self = cycle;
    expect(toPlainJson(cycle)).toEqual({ a: 1, self: '(not serializable)' });
    const shared = { n: 1n };
    expect(toPlainJson([shared, shared])).toEqual([{ n: 1 }, { n: 1 }]);
  });

  it('never throws', () => {
    const value = {
      ok: 1n,
      get bad(): unknown {
        throw new Error('getter');
      },
    };
    expect(toPlainJson({ value, other: 2n })).toEqual({ value: '(not serializable)', other: 2 });
    let deep: unknown = 1n;
    for (let i = 0; i < 50_000; i++) deep = [deep];
    expect(() => toPlainJson(deep)).not.toThrow();
  });

  it('keeps members named like prototype members', () => {
    const value = JSON.parse('{"__proto__":{"polluted":1}}') as Record<string, unknown>;
    value.n = 1n;
    expect(JSON.stringify(toPlainJson(value))).toBe('{"__proto__":{"polluted":1},"n":1}');
  });
});
