import { rowLists } from './row-lists.js';

describe('rows as lists', () => {
  it('have a parameter for each column that has a value', () => {
    expect(
      rowLists(
        ['id', 'name', 'count', 'none'],
        [
          ['a', null, 1, null],
          ['b', 'B', null, null],
        ],
      ),
    ).toEqual({
      values: ['given.id', 'given.name', 'given.count', 'NULL'],
      source: 'unnest(CAST(? AS text[]), CAST(? AS text[]), CAST(? AS bigint[])) AS given (id, name, count)',
      params: ['{"a","b"}', '{NULL,"B"}', '{1,NULL}'],
    });
  });

  it.each([
    ['', '{""}'],
    ['NULL', '{"NULL"}'],
    ['a "b" \\ {c,d}', String.raw`{"a \"b\" \\ {c,d}"}`],
    ['line\n"two"\\', '{"line\n\\"two\\"\\\\"}'],
    ['\u{1f600} "x"', '{"\u{1f600} \\"x\\""}'],
  ])('write %j as PostgreSQL reads it', (text, written) => {
    expect(rowLists(['a'], [[text]]).params).toEqual([written]);
  });
});
