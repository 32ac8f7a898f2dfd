import { describe, expect, it } from '@jest/globals';
import { renewed, type Ticked, without } from './ticked.js';

const ticked = (rows: Readonly<Record<string, string>>): Ticked<string> => ({
  key: 'failed',
  rows: new Map(Object.entries(rows)),
  isOfAll: true,
});
const rowsOf = ({ rows }: Ticked<string>) => Object.fromEntries(rows);

describe('rows that are ticked', () => {
  it('lose those that are deleted', () => {
    const before = ticked({ a: 'Running', b: 'Running' });
    expect(rowsOf(without(before, 'a'))).toEqual({ b: 'Running' });
    expect(without(before, 'unknown')).toBe(before);
  });

  it('ticked rows are as they are found, and those that are not found are gone', () => {
    const before = ticked({ a: 'Running', b: 'Running', c: 'Running' });
    const after = renewed(before, ['a', 'b'], new Map([['a', 'Faulted']]));
    expect(rowsOf(after)).toEqual({ a: 'Faulted', c: 'Running' });
    expect([after.key, after.isOfAll]).toEqual(['failed', true]);
  });

  it('stay unticked where that was done while they were asked for', () => {
    const asked = ['a', 'b'];
    const found = new Map([
      ['a', 'Faulted'],
      ['b', 'Faulted'],
    ]);
    expect(rowsOf(renewed(ticked({ a: 'Running' }), asked, found))).toEqual({ a: 'Faulted' });
  });
});
