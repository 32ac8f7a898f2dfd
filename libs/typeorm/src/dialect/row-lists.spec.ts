import { rowLists } from './row-lists.js';
import { ValueList } from './value-list.js';

describe('rows as lists', () => {
  it('rows as lists have a parameter for each column that has a value', () => {
    const { params, ...text } = rowLists(
      ['id', 'name', 'count', 'none'],
      [
        ['a', null, 1, null],
        ['b', 'B', null, null],
      ],
    );
    expect(text).toEqual({
      values: ['given.id', 'given.name', 'given.count', 'NULL'],
      source: 'unnest(CAST(? AS text[]), CAST(? AS text[]), CAST(? AS bigint[])) AS given (id, name, count)',
    });
    expect(params.map((list) => list.toPostgres())).toEqual(['{"a","b"}', '{NULL,"B"}', '{1,NULL}']);
  });
});

describe('a list of values', () => {
  it.each([
    ['', '{""}'],
    ['NULL', '{"NULL"}'],
    ['a "b" \\ {c,d}', String.raw`{"a \"b\" \\ {c,d}"}`],
    ['line\n"two"\\', '{"line\n\\"two\\"\\\\"}'],
    ['\u{1f600} "x"', '{"\u{1f600} \\"x\\""}'],
  ])('writes %j as PostgreSQL reads it', (text, written) => {
    expect(new ValueList([text], false).toPostgres()).toBe(written);
  });

  const header = (type: number, count: number) => [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, type, 0, 0, 0, count, 0, 0, 0, 1];

  it.each(['', 'ascii', 'a "b" \\ {c,d}', 'é\u{1f600}', 'x'.repeat(100), 'é'.repeat(100), 'ends with é'])(
    'sends %j as it is',
    (text) => {
      const bytes = Buffer.from(text);
      const sent = new ValueList([text, null], false).toBinary();
      expect([...sent]).toEqual([...header(25, 2), 0, 0, 0, bytes.length, ...bytes, 255, 255, 255, 255]);
    },
  );

  it.each([0, 1, -1, 2 ** 31, 1_798_000_000_123, -5_000_000_000, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])(
    'sends the number %d with 64 bits',
    (number) => {
      const sent = new ValueList([number], true).toBinary();
      expect([...sent.subarray(0, 24)]).toEqual([...header(20, 1), 0, 0, 0, 8]);
      expect(sent.readBigInt64BE(24)).toBe(BigInt(number));
      expect(sent).toHaveLength(32);
    },
  );

  it.each([NaN, 1.5, Infinity, 2 ** 53])('refuses %d, as the server does its text', (number) => {
    expect(() => new ValueList([number], true).toBinary()).toThrow(RangeError);
  });

  it('writes half a character as encoders do', () => {
    expect(new ValueList(['\ud800'], false).toBinary().subarray(24)).toEqual(Buffer.from('\ufffd'));
  });
});
