import { describe, expect, it } from '@jest/globals';
import { canonicalJson } from '@waymark/core/adapter';
import { sameJson } from './same-json.js';

const never = () => Promise.reject(new Error('It is short.'));

/** As texts, which this replaces. */
const byTexts = (left: unknown, right: unknown): boolean =>
  canonicalJson(JSON.parse(JSON.stringify(left))) === canonicalJson(JSON.parse(JSON.stringify(right)));

describe('whether two values are the same as JSON', () => {
  const values: unknown[] = [
    null,
    0,
    -0,
    1,
    NaN,
    '',
    '1',
    true,
    false,
    [],
    {},
    [null],
    [undefined],
    [[]],
    [1, 2],
    [2, 1],
    { a: 1 },
    { a: undefined },
    { a: null },
    { a: 1, b: 2 },
    { b: 2, a: 1 },
    { a: 1, b: undefined },
    { b: 1, a: undefined },
    { a: () => 1 },
    { a: { b: [1, { c: 2 }] } },
    { a: { b: [1, { c: 3 }] } },
    { at: new Date(0) },
    { at: new Date(1) },
    { at: new Date(0).toISOString() },
    { 0: 'a' },
    ['a'],
    JSON.parse('{"__proto__":1}'),
    { toString: 1 },
  ];

  it('is as their texts say', async () => {
    for (const left of values)
      for (const right of values)
        expect([left, right, await sameJson(left, right, never)]).toEqual([left, right, byTexts(left, right)]);
  });

  it('is found in turns with other work, which the first difference ends', async () => {
    let pauses = 0;
    const pause = async () => void pauses++;
    const list = Array.from({ length: 20_000 }, (_, n) => ({ n }));
    expect(await sameJson({ list }, { list: structuredClone(list) }, pause)).toBe(true);
    expect(pauses).toBe(8);
    expect(await sameJson({ list }, { list: [...list.slice(0, -1), { n: 'x' }] }, never)).toBe(false);
  });
});
