import { describe, expect, it } from '@jest/globals';
import { LookedFor } from './looked-for.js';

describe('items by a key', () => {
  const items = Array.from({ length: 100 }, (_, n) => ({ n, key: n % 10 === 0 ? undefined : `k${n % 40}` }));
  const expected = (key: string) => items.filter((item) => item.key === key);

  it.each([1, 8, 9, 100])('items by a key are the same for the first of %i keys and for the last', (count) => {
    const found = new LookedFor(items, ({ key }) => key);
    for (let n = 0; n < count; n++) {
      const key = `k${n}`;
      expect([found.all(key), found.first(key), found.has(key)]).toEqual([
        expected(key),
        expected(key)[0],
        expected(key).length > 0,
      ]);
    }
  });

  it('items by a key are each looked at a limited number of times, however many keys are asked for', () => {
    let looks = 0;
    const found = new LookedFor(items, ({ key }) => (looks++, key));
    for (let n = 0; n < 1000; n++) found.first(`k${n}`);
    expect(looks).toBeLessThanOrEqual(items.length * 10);
  });
});
