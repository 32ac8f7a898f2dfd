import type { SqlValue } from '../database/statement.js';
import { ValueList } from './value-list.js';

type Rows = readonly (readonly SqlValue[])[];

/** Rows as one list for each column (`unnest` of PostgreSQL). */
export interface RowLists {
  /** What stands for each column, in their order: of the source `given`, or NULL. */
  readonly values: readonly string[];
  /** To be put after FROM. */
  readonly source: string;
  readonly params: readonly ValueList[];
}

/**
 * Whatever the number of rows, the text is one, and there are as many parameters as columns: a statement with a parameter for each
 * value is planned each time anew, which takes a quarter of what it does. The text differs by which columns have no value at all,
 * since a list is of numbers or of texts.
 */
export function rowLists(columns: readonly string[], rows: Rows): RowLists {
  const params: ValueList[] = [];
  const [listed, casts]: [string[], string[]] = [[], []];
  const values = columns.map((column, index) => {
    const found = listOf(rows, index);
    if (!found) return 'NULL';
    params.push(found.list);
    listed.push(column);
    casts.push(`CAST(? AS ${found.isOfNumbers ? 'bigint' : 'text'}[])`);
    return `given.${column}`;
  });
  return { values, source: `unnest(${casts.join(', ')}) AS given (${listed.join(', ')})`, params };
}

/** What stands in one column; undefined: nothing. */
function listOf(rows: Rows, index: number): { readonly list: ValueList; readonly isOfNumbers: boolean } | undefined {
  const values: (string | number | null)[] = [];
  let [isOfNumbers, isEmpty] = [false, true];
  for (const row of rows) {
    const value = row[index] as string | number | null;
    values.push(value);
    if (value === null) continue;
    isEmpty = false;
    isOfNumbers = typeof value === 'number';
  }
  return isEmpty ? undefined : { list: new ValueList(values, isOfNumbers), isOfNumbers };
}
