import type { SqlValue, Statement } from './statement.js';

/**
 * The statement with its values in it. mysql2 could do this as well, but it looks at every character, and puts a backslash
 * before each double quote, of which the JSON in our rows is full.
 */
export function withValues({ sql, params }: Statement, quote: Quote = quoted): string {
  let text = '';
  let from = 0;
  for (const param of params) {
    const at = sql.indexOf('?', from);
    if (at < 0) throw new TypeError(`There are more values than places for them in: ${sql}`);
    text += sql.slice(from, at) + literal(param, quote);
    from = at + 1;
  }
  if (sql.includes('?', from)) throw new TypeError(`There are fewer values than places for them in: ${sql}`);
  return text + sql.slice(from);
}

/** Writes a text into a statement. */
export type Quote = (text: string) => string;

function literal(value: SqlValue, quote: Quote): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number') return String(value);
  // Absent values are null, but a type is no proof.
  if (value === null || value === undefined) return 'NULL';
  // Columns of rows are written from lists on PostgreSQL only.
  return (value as readonly SqlValue[]).map((item) => literal(item, quote)).join(', ');
}

/**
 * Of all characters, only these two mean something between apostrophes, as long as the session reads UTF-8 and takes
 * backslashes for escapes (which `MysqlDatabase` sets and checks). An apostrophe is doubled: a backslash before it would end the text where the session does not.
 */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

/** Printable, and neither an apostrophe nor a backslash: the same bytes and no end of a text, whatever the session is set to. */
const PLAIN = /^[\x20-\x26\x28-\x5b\x5d-\x7e]*$/;
const HEX_START = "_utf8mb4 X'";

/**
 * For sessions that are the application's, of which neither the character set nor `NO_BACKSLASH_ESCAPES` is known. In a
 * multi-byte character set such as GBK, the second byte of a character can be a backslash or swallow one.
 */
export function quotedAnywhere(text: string): string {
  return PLAIN.test(text) ? `'${text}'` : `${HEX_START}${Buffer.from(text).toString('hex')}'`;
}

/** Bytes of what `quotedAnywhere` makes of a text, without the apostrophes around it. */
export function bytesAnywhere(text: string): number {
  const bytes = Buffer.byteLength(text);
  return PLAIN.test(text) ? bytes : HEX_START.length - 1 + 2 * bytes;
}

/** The same of a text that is written with a second character for each apostrophe and backslash. */
export function bytesQuoted(text: string): number {
  return Buffer.byteLength(text) + count(text, "'") + count(text, '\\');
}

function count(text: string, character: string): number {
  let found = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) found++;
  return found;
}
