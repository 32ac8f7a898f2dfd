import type { SqlValue } from '../database/statement.js';
import type { Column } from './column-map.js';
import * as values from './column-values.js';

// Columns that hold one member of the record, as it stands there.

type Holding<M extends string, T> = Required<Column<{ [P in M]: T }, { [P in M]: T }, M>>;
type MayHold<M extends string, T> = Required<Column<{ [P in M]?: T }, { [P in M]?: T }, M>>;

export const text = <M extends string>(member: M): Holding<M, string> => holding(member, asItIs, values.toText);

export const optionalText = <M extends string>(member: M): MayHold<M, string> =>
  holding(member, values.orNull, values.toOptionalText) as MayHold<M, string>;

export const number = <M extends string>(member: M): Holding<M, number> => holding(member, asItIs, values.toNumber);

export const flag = <M extends string>(member: M): Holding<M, boolean> => holding(member, values.flag, values.toFlag);

export const date = <M extends string>(member: M): Holding<M, Date> => holding(member, values.time, values.toDate);

export const optionalDate = <M extends string>(member: M): MayHold<M, Date> =>
  holding(member, values.timeOrNull, values.toOptionalDate) as MayHold<M, Date>;

function holding<M extends string, T>(
  member: M,
  write: (value: T) => SqlValue,
  read: (value: unknown) => T,
): Holding<M, T> {
  return {
    members: [member],
    write: (record) => write(record[member]),
    read: (value, record) => {
      record[member] = read(value);
    },
  };
}

function asItIs<T>(value: T): T {
  return value;
}
