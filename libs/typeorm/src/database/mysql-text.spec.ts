import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { SqlValue } from './statement.js';
import { withValues } from './mysql-text.js';

const written = (sql: string, ...params: SqlValue[]) => withValues({ sql, params });

/** What a server reads from a text in apostrophes, and what is left behind it. */
function read(sql: string, backslashEscapes: boolean): { text: string; rest: string } {
  let text = '';
  for (let at = 1; ; at++) {
    const character = sql[at];
    if (character === undefined) throw new Error(`It does not end: ${sql}`);
    if (character === '\\' && backslashEscapes) text += sql[++at];
    else if (character !== "'") text += character;
    else if (sql[at + 1] === "'") text += sql[++at];
    else return { text, rest: sql.slice(at + 1) };
  }
}

describe('a statement with its values', () => {
  it('contains each value unchanged in its place', () => {
    expect(written('SELECT ?, ?, ? WHERE a IN (?)', 'it\'s "a\\b?"', -1.5, null, ['x', 2])).toBe(
      `SELECT 'it''s "a\\\\b?"', -1.5, NULL WHERE a IN ('x', 2)`,
    );
    expect(written('SELECT 1')).toBe('SELECT 1');
    expect(written('SELECT ?', undefined as never)).toBe('SELECT NULL');
  });

  it.each([
    ['SELECT ?', []],
    ['SELECT ?', ['a', 'b']],
    ['SELECT 1', ['?']],
  ])('has as many values as places: %s %j', (sql, params) => {
    expect(() => written(sql, ...params)).toThrow(TypeError);
  });

  it('is read as it was meant, and no text ends before its end even where backslashes are no escapes', () => {
    const character = fc.oneof(fc.constantFrom('\\', "'", '"', '?', '\0', '\n', ';', '-', '%', '_'), fc.string());
    const text = fc.array(character).map((characters) => characters.join(''));
    fc.assert(
      fc.property(text, text, (one, other) => {
        const sql = written('?#?', one, other);
        const first = read(sql, true);
        expect(first).toEqual({ text: one, rest: `#${written('?', other)}` });
        expect(read(first.rest.slice(1), true)).toEqual({ text: other, rest: '' });
        expect(read(sql, false).rest).toBe(first.rest);
      }),
    );
  });
});
