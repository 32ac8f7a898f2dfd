import { entriesOf, isTwice, jsonOf } from './key-values.js';

describe('names and texts as a table', () => {
  it.each([
    [undefined, []],
    ['', []],
    [
      '{"a":"1","b":""}',
      [
        ['a', '1'],
        ['b', ''],
      ],
    ],
    [{ a: 'x' }, [['a', 'x']]],
  ])('has the rows of %j', (value, rows) => {
    expect(entriesOf(value)).toEqual(rows);
  });

  it.each([['{'], ['[1]'], ['{"a":1}'], [{ a: { b: 'c' } }], [[]], ['null']])('has no room for %j', (value) => {
    expect(entriesOf(value)).toBeUndefined();
  });

  it('writes what is complete', () => {
    const rows = [
      ['a', '1'],
      ['', 'x'],
      ['a', '2'],
      ['b', '3'],
    ] as const;
    expect(jsonOf(rows)).toBe('{"a":"1","b":"3"}');
    expect(rows.map((_row, index) => isTwice(rows, index))).toEqual([false, false, true, false]);
  });
});
