import type { TimestampFilter } from '@waymark/runtime';
import * as read from '../requests/readers.js';
import { shaped, shapeOf } from '../requests/reader-schemas.js';

const DAY_MS = 86_400_000;
/** A day, with a time zone or not: clients of Elsa send midnight where a user has named a day and no time. */
const DAY = /^\d{4}-\d{2}-\d{2}(?:[T ]0?0:00(?::00(?:[.,]0+)?)?)?\s*(?:Z|[+-]\d{2}(?::?\d{2})?)?$/i;

/** A moment, or the beginning of a day. */
interface Named {
  readonly at: Date;
  readonly isDay: boolean;
}

const requiredDate = read.required(read.date);
const named: read.Reader<Named> = shaped(shapeOf(requiredDate), (value: unknown, path: string) => ({
  at: requiredDate(value, path),
  isDay: DAY.test((value as string).trim()),
}));

const given = read.list(
  read.members({
    column: read.ofRequest(read.required(read.oneOf(['CreatedAt', 'UpdatedAt', 'FinishedAt']))),
    operator: read.required(
      read.oneOf(['Is', 'IsNot', 'LessThan', 'GreaterThan', 'LessThanOrEqual', 'GreaterThanOrEqual']),
    ),
    timestamp: named,
  }),
);

/** Times of instances, as in the reference: midnight stands for that day, from its beginning to its end. */
export const timestampFilters: read.Reader<TimestampFilter[] | undefined> = shaped(
  shapeOf(given),
  (value: unknown, path: string) =>
    given(value, path)?.flatMap(({ column, operator, timestamp: { at, isDay } }) =>
      isDay ? ofDay(column, operator, at) : [{ column, operator, timestamp: at }],
    ),
);

function ofDay(
  column: TimestampFilter['column'],
  operator: TimestampFilter['operator'],
  begin: Date,
): TimestampFilter[] {
  const end = new Date(begin.getTime() + DAY_MS);
  switch (operator) {
    case 'Is':
      return [
        { column, operator: 'GreaterThanOrEqual', timestamp: begin },
        { column, operator: 'LessThan', timestamp: end },
      ];
    case 'IsNot':
      return [{ column, operator, timestamp: begin, until: end }];
    case 'GreaterThan':
      return [{ column, operator: 'GreaterThanOrEqual', timestamp: end }];
    case 'LessThanOrEqual':
      return [{ column, operator: 'LessThan', timestamp: end }];
    case 'LessThan':
    case 'GreaterThanOrEqual':
      return [{ column, operator, timestamp: begin }];
  }
}
