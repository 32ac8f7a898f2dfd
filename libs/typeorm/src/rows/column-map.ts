import { isWaymarkError, StoredValueError } from '@waymark/core';
import type { Row, SqlValue } from '../database/statement.js';

/**
 * How one column is written from a record, and what is read from it. Most hold one member: `member-columns` has them.
 * One that only repeats for a search what another says is not read.
 */
export interface Column<W, R, M extends keyof R = keyof R> {
  readonly write: (record: W) => SqlValue;
  /** What `read` sets: several for a text of JSON. */
  readonly members?: readonly M[];
  /** @param row for a member that is made of several columns */
  readonly read?: (value: unknown, record: R, row: Row) => void;
}

type Writable<R> = { -readonly [M in keyof R]: R[M] };
type Columns<W, R> = Readonly<Record<string, Column<W, Writable<R>>>>;

/** What is written into a row, column by column. */
export interface WrittenColumns<W, N extends string = string> {
  /** In the order of `values`. */
  readonly names: readonly N[];
  /** The names as a SELECT or an INSERT lists them. */
  readonly list: string;
  readonly values: (record: W) => SqlValue[];
}

/** The same, and what is read from the row. */
export interface ColumnMap<W, R, N extends string> extends WrittenColumns<W, N> {
  /** @param row with all columns that are read */
  readonly record: (row: Row) => R;
  /** The same of several rows, where a damaged one must not keep the others away: what cannot be read is left out, and is noted. */
  readonly listed: (row: Row) => R & { unreadable?: Error };
}

type MembersOf<C> = { [N in keyof C]: C[N] extends { readonly members: readonly (infer M)[] } ? M : never }[keyof C];

/** A member that no column reads is an error of the compiler, which names it where the map is used. */
type Complete<T, C> = [Exclude<keyof T, MembersOf<C>>] extends [never]
  ? ColumnMap<T, T, keyof C & string>
  : { readonly notRead: Exclude<keyof T, MembersOf<C>> };

/** In two calls, as the columns are inferred: `columnMap<StoredBookmark>()({ id: text('id') })`. */
export function columnMap<T extends object>() {
  return <const C extends Columns<T, T>>(columns: C): Complete<T, C> => {
    const written = writtenColumns<T>(columns);
    const sources = written.names.filter((name) => columns[name]!.read);
    const readers = sources.map((name) => columns[name]!.read!);
    // Records start as copies of one, so all have the same shape.
    const members = written.names.flatMap((name) => columns[name]!.members ?? []);
    const blank = Object.fromEntries(members.map((member) => [member, undefined])) as T;
    const read = (row: Row, note?: (error: Error) => void): T => {
      const record = { ...blank };
      let at = 0;
      for (;;) {
        try {
          for (; at < readers.length; at++) readers[at]!(row[sources[at]!], record, row);
          return record;
        } catch (error) {
          const placed = placedAt(`column "${sources[at]}"`, row, error);
          if (!note || !isUnreadable(placed)) throw placed;
          note(placed);
          at++;
        }
      }
    };
    const record = (row: Row): T => read(row);
    const listed = (row: Row): T & { unreadable?: Error } => {
      let unreadable: Error | undefined;
      const found = read(row, (error) => (unreadable ??= error));
      return unreadable ? { ...found, unreadable } : found;
    };
    return { ...written, record, listed } as Complete<T, C>;
  };
}

/** Damaged, or written by a newer version of Waymark. */
export const isUnreadable = (error: unknown): error is Error =>
  isWaymarkError(error, 'WM1054') || isWaymarkError(error, 'WM2053');

/** Names the row of a damaged value: it is repaired by hand. The error of a parser, which shows a part of the text, is not passed on. */
export function placedAt(what: string, { id }: Row, error: unknown): unknown {
  const reason = error instanceof SyntaxError ? 'it is not JSON' : reasonOf(error);
  if (reason === undefined) return error;
  return typeof id === 'string'
    ? new StoredValueError(reason, `${what} of the row with the id "${id}"`, id)
    : new StoredValueError(reason, what);
}

/** Of an error that does not name its place yet. */
function reasonOf(error: unknown): string | undefined {
  if (!isWaymarkError(error, 'WM1054')) return undefined;
  const { place, reason } = error as StoredValueError;
  return place === undefined ? reason : undefined;
}

/** For rows that are read in another way. */
export function writtenColumns<W>(
  columns: Readonly<Record<string, Pick<Column<W, never>, 'write'>>>,
): WrittenColumns<W> {
  const names = Object.keys(columns);
  const writers = Object.values(columns).map(({ write }) => write);
  const values = (record: W): SqlValue[] => {
    const written: SqlValue[] = [];
    for (const write of writers) written.push(write(record));
    return written;
  };
  return { names, list: names.join(', '), values };
}
