import type { SqlValue } from '../database/statement.js';

type Rows = readonly (readonly SqlValue[])[];

/** Rows as one list for each column (`unnest` of PostgreSQL). */
export interface RowLists {
  /** What stands for each column, in their order: of the source `given`, or NULL. */
  readonly values: readonly string[];
  /** To be put after FROM. */
  readonly source: string;
  readonly params: readonly string[];
}

/**
 * Whatever the number of rows, the text is one, and there are as many parameters as columns: a statement with a parameter for each
 * value is planned each time anew, which takes a quarter of what it does. The text differs by which columns have no value at all,
 * since a list is of numbers or of texts.
 */
export function rowLists(columns: readonly string[], rows: Rows): RowLists {
  const params: string[] = [];
  const [listed, casts]: [string[], string[]] = [[], []];
  const values = columns.map((column, index) => {
    const list = listOf(rows, index);
    if (!list) return 'NULL';
    params.push(list.text);
    listed.push(column);
    casts.push(`CAST(? AS ${list.isOfNumbers ? 'bigint' : 'text'}[])`);
    return `given.${column}`;
  });
  return { values, source: `unnest(${casts.join(', ')}) AS given (${listed.join(', ')})`, params };
}

interface List {
  /** As PostgreSQL reads it. */
  readonly text: string;
  readonly isOfNumbers: boolean;
}

/** What stands in one column; undefined: nothing. */
function listOf(rows: Rows, index: number): List | undefined {
  let [text, isOfNumbers, isEmpty] = ['', false, true];
  for (const row of rows) {
    const value = row[index] as string | number | null;
    if (text !== '') text += ',';
    text += typeof value === 'string' ? quoted(value) : (value ?? 'NULL');
    if (value === null) continue;
    isEmpty = false;
    isOfNumbers = typeof value === 'number';
  }
  return isEmpty ? undefined : { text: `{${text}}`, isOfNumbers };
}

/** What JSON would write in another way than lists do: control characters, and halves of pairs. */
// oxlint-disable-next-line no-control-regex -- these are meant
const UNLIKE_JSON = /[\0-\x1f\ud800-\udfff]/;

/** Quotes and backslashes get a backslash, as in JSON, which engines write several times faster. */
function quoted(text: string): string {
  if (!UNLIKE_JSON.test(text)) return JSON.stringify(text);
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
