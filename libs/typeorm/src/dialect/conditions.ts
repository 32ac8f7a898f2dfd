import { startOfCodedText } from '@waymark/runtime/adapter';
import type { SqlValue, Statement } from '../database/statement.js';
import { time } from '../rows/column-values.js';
import type { Dialect } from './dialect.js';
import { ValueList } from './value-list.js';

// oxlint-disable-next-line no-control-regex -- U+0000 to U+007F is what ASCII is
const ASCII = /^[\x01-\x7f]*$/;

/** Up to here LIKE looks at each character of a text a few times only, and is many times as fast as a function. */
const SHORT_TERM = 16;
/**
 * LIKE looks at a character as often as the term may begin before it, which is as often as the term has its first letter. `aaaaaaab` in a
 * hundred thousand long ids would keep the process busy for seconds.
 */
const MOST_BEGINNINGS = 4;

function isLongForLike(term: string): boolean {
  return term.length > SHORT_TERM || term.split(term.charAt(0)).length - 1 > MOST_BEGINNINGS;
}

/** With its table and the primary key of that. */
export interface IndexedColumn {
  readonly table: string;
  readonly key: string;
  readonly column: string;
}

/** The WHERE of a query, put together from the members of a filter that are given. */
export class Conditions {
  private readonly parts: string[] = [];
  readonly params: SqlValue[] = [];

  constructor(private readonly dialect: Dialect) {}

  /** ` WHERE …`, or nothing. */
  get where(): string {
    return this.parts.length === 0 ? '' : ` WHERE ${this.parts.join(' AND ')}`;
  }

  add(sql: string, ...params: readonly SqlValue[]): this {
    return this.addList(sql, params);
  }

  /** One after the other: as arguments of a call, a hundred thousand of them do not fit on its stack. */
  private addList(sql: string, params: readonly SqlValue[]): this {
    this.parts.push(sql);
    for (const param of params) this.params.push(param);
    return this;
  }

  equals(column: string, value: string | number | undefined): this {
    return value === undefined ? this : this.add(`${column} = ?`, value);
  }

  /** Of a column of 32 bits, in which no other number is: PostgreSQL would refuse to look for it. */
  integer(column: string, value: number | undefined): this {
    return value === undefined || (value | 0) === value ? this.equals(column, value) : this.add('1 = 0');
  }

  /** Written out: SQLite does not use an index of the flagged rows for a value that it learns later. */
  flag(column: string, value: boolean | undefined): this {
    return value === undefined ? this : this.add(`${column} = ${value ? 1 : 0}`);
  }

  oneOf(column: string, values: readonly (string | number)[] | undefined): this {
    if (values === undefined) return this;
    const [first] = values;
    if (first === undefined) return this.add('1 = 0');
    if (values.length === 1) return this.add(`${column} = ?`, first);
    const params = this.dialect.listIsOneParam ? [values] : values;
    return this.addList(this.dialect.memberOf(column, values.length), params);
  }

  /** The same of a column of texts, such as an id: where rows can be written from lists, the list is sent as they are. */
  oneOfTexts(column: string, values: readonly string[]): this {
    if (values.length < 2) return this.oneOf(column, values);
    return this.addList(this.dialect.memberOf(column, values.length), this.textParams(values));
  }

  /** The same of an indexed column that is not unique: see `memberByIndex`. */
  oneOfIndexed({ table, key, column }: IndexedColumn, values: readonly string[]): this {
    if (values.length < 2) return this.oneOf(column, values);
    return this.addList(this.dialect.memberByIndex(table, key, column, values.length), this.textParams(values));
  }

  noneOf(column: string, values: readonly string[] | undefined): this {
    if (!values?.length) return this;
    const params = this.dialect.listIsOneParam ? [values] : values;
    return this.addList(`NOT (${this.dialect.memberOf(column, values.length)})`, params);
  }

  /**
   * As bytes where there are lists: the driver of PostgreSQL quotes each text of an array, and a group of commits names its instances and
   * bookmarks in half a dozen of them. Not with U+0000, for which something else is sent.
   */
  private textParams(values: readonly string[]): readonly SqlValue[] {
    if (!this.dialect.listIsOneParam) return values;
    return [this.dialect.hasLists && !values.some(hasZero) ? new ValueList(values, false) : values];
  }

  /** Later than the one and earlier than the other, as far as they are given. */
  between(column: string, after: Date | undefined, before: Date | undefined): this {
    if (after) this.add(`${column} > ?`, time(after));
    return before ? this.add(`${column} < ?`, time(before)) : this;
  }

  /** The term is part of one of the columns, whatever the case. */
  contains(columns: readonly string[], term: string | undefined): this {
    if (term === undefined) return this;
    // In SQLite a pattern ends at U+0000; no stored text has one.
    const lower = term.toLowerCase().replaceAll('\0', '\ufffd');
    const { containsLong } = this.dialect;
    if (containsLong && isLongForLike(lower))
      return this.add(`(${columns.map(containsLong).join(' OR ')})`, ...columns.map(() => lower));
    const escaped = lower.replaceAll(/[!%_]/g, '!$&');
    const pattern = `%${escaped}%`;
    // Our function for letters beyond ASCII takes ten times as long as LIKE of SQLite, and would be called for each row.
    const isPlain = this.dialect.likeIgnoresAsciiCase && ASCII.test(term);
    const tests = columns.map((column) => `${isPlain ? column : this.dialect.lower(column)} LIKE ? ESCAPE '!'`);
    return this.add(`(${tests.join(' OR ')})`, ...columns.map(() => pattern));
  }

  /** At least one of these must hold. None of them may be empty. */
  anyOf(...others: readonly Conditions[]): this {
    const tests = others.map(({ parts }) => `(${parts.join(' AND ')})`);
    return this.addList(
      `(${tests.join(' OR ')})`,
      others.flatMap(({ params }) => params),
    );
  }

  /** The column is NULL, or equal. */
  agrees(column: string, value: string | undefined): this {
    return value === undefined
      ? this.add(`${column} IS NULL`)
      : this.add(`(${column} IS NULL OR ${column} = ?)`, value);
  }
}

const hasZero = (text: string): boolean => text.includes('\0');

/** Of deliveries that failed: at an error of that code, which stands before its message. */
export function hasErrorCode(conditions: Conditions, code: string | undefined): Conditions {
  if (code === undefined) return conditions;
  const start = startOfCodedText(code).replaceAll(/[!%_]/g, '!$&');
  return conditions.add("last_error LIKE ? ESCAPE '!'", `${start}%`);
}

/** By a column of texts. None for no ids. */
export function deleteRows(dialect: Dialect, table: string, column: string, ids: readonly string[]): Statement[] {
  if (ids.length < 2) return ids.map((id) => deletionOfOne(table, column, id));
  const { where, params } = new Conditions(dialect).oneOfTexts(column, ids);
  return [{ sql: `DELETE FROM ${table}${where}`, params }];
}

/** The same by an indexed column that is not unique. */
export function deleteRowsOf(dialect: Dialect, indexed: IndexedColumn, values: readonly string[]): Statement[] {
  if (values.length < 2) return values.map((value) => deletionOfOne(indexed.table, indexed.column, value));
  const { where, params } = new Conditions(dialect).oneOfIndexed(indexed, values);
  return [{ sql: `DELETE FROM ${indexed.table}${where}`, params }];
}

/** By table and column. See `textOfOneRow` for what it saves. */
const DELETIONS = new Map<string, Map<string, string>>();

/** A commit alone has several of them. */
function deletionOfOne(table: string, column: string, value: string): Statement {
  let ofTable = DELETIONS.get(table);
  if (!ofTable) DELETIONS.set(table, (ofTable = new Map<string, string>()));
  let sql = ofTable.get(column);
  if (sql === undefined) ofTable.set(column, (sql = `DELETE FROM ${table} WHERE ${column} = ?`));
  return { sql, params: [value] };
}

/** Reads rows by id, locking them in that order; fails when another transaction has one of them. */
export function lockRows(dialect: Dialect, table: string, columns: string, ids: readonly string[]): Statement {
  const { where, params } = new Conditions(dialect).oneOfTexts('id', ids);
  return {
    sql: `SELECT ${columns} FROM ${table}${dialect.byPrimaryKey}${where} ORDER BY id${dialect.lockNow}`,
    params,
  };
}
