import type { SqlValue, Statement } from './statement.js';

/**
 * The statement with its values in it. mysql2 could do this as well, but it looks at every character, and puts a backslash
 * before each double quote, of which the JSON in our rows is full.
 */
export function withValues({ sql, params }: Statement): string {
  let text = '';
  let from = 0;
  for (const param of params) {
    const at = sql.indexOf('?', from);
    if (at < 0) throw new TypeError(`There are more values than places for them in: ${sql}`);
    text += sql.slice(from, at) + literal(param);
    from = at + 1;
  }
  if (sql.includes('?', from)) throw new TypeError(`There are fewer values than places for them in: ${sql}`);
  return text + sql.slice(from);
}

function literal(value: SqlValue): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') return String(value);
  // Absent values are null, but a type is no proof.
  if (value === null || value === undefined) return 'NULL';
  return value.map(literal).join(', ');
}

/**
 * Of all characters, only these two mean something between apostrophes, as long as the session takes backslashes for escapes
 * (see `MysqlDatabase`). An apostrophe is doubled: a backslash before it would end the text where the session does not.
 */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
