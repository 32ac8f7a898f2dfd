import { describe, expect, it } from '@jest/globals';
import { inAnyCasing, isInAnyCasing } from './any-casing.js';
import { keepUnchanged } from './keep-unchanged.js';
import { toPlainJson } from './to-plain-json.js';

/** What an editor sends that was shown the value and has changed something of it. */
const sentOf = (value: unknown, change: (json: any) => void = () => {}) => {
  const json = JSON.parse(JSON.stringify(toPlainJson(value))) as unknown;
  change(json);
  return json;
};

describe('a value that was edited as JSON', () => {
  const order = () => ({
    state: 'open',
    dueAt: new Date(Date.UTC(2026, 0, 2)),
    tags: new Set(['a', 'b']),
    prices: new Map([['book', 12n]]),
    ratio: Number.NaN,
    large: 9_007_199_254_740_993n,
    lines: [{ at: new Date(Date.UTC(2026, 0, 3)), count: 1 }],
    none: undefined,
  });

  it('has everything that was not touched as it was', () => {
    const before = order();
    const after = keepUnchanged(
      before,
      sentOf(before, (json) => {
        json.state = 'closed';
        json.lines[0].count = 2;
        json.lines.push({ at: 'now' });
      }),
    ) as ReturnType<typeof order>;
    const { none: _, ...rest } = order();
    expect(after).toEqual({
      ...rest,
      state: 'closed',
      lines: [{ at: new Date(Date.UTC(2026, 0, 3)), count: 2 }, { at: 'now' }],
    });
    expect(after.dueAt).toBe(before.dueAt);
    expect(after.prices).toBe(before.prices);
  });

  it('has what was changed as it was sent, and lacks what was left out', () => {
    const before = order();
    const sent = sentOf(before, (json) => {
      json.dueAt = '2027-01-01T00:00:00Z';
      json.prices.book = 13;
      delete json.tags;
    });
    expect(keepUnchanged(before, sent)).toMatchObject({ dueAt: '2027-01-01T00:00:00Z', prices: { book: 13 } });
    expect(keepUnchanged(before, sent)).not.toHaveProperty('tags');
    expect(keepUnchanged(before, 'text')).toBe('text');
    expect(keepUnchanged([1, 2], { 0: 1 })).toEqual({ 0: 1 });
  });

  it('is what code has given, whatever that is', () => {
    const date = new Date(0);
    expect(keepUnchanged(new Date(0), date)).toBe(date);
    const map = new Map([['a', 1]]);
    expect(keepUnchanged({ a: 1 }, map)).toBe(map);
    expect(keepUnchanged(undefined, null)).toBeUndefined();
  });

  it('is still read in any casing, and keeps references to itself', () => {
    const before: Record<string, unknown> = inAnyCasing({ Accept: 'text' });
    before.self = before;
    const after = keepUnchanged(
      before,
      sentOf(before, (json) => (json.Accept = 'json')),
    ) as typeof before;
    expect(isInAnyCasing(after)).toBe(true);
    expect([after.Accept, after.self]).toEqual(['json', before]);
  });
});
