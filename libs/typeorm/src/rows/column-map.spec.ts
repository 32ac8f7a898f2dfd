import { describe, expect, it } from '@jest/globals';
import { columnMap, writtenColumns } from './column-map.js';
import { date, flag, number, optionalDate, optionalText, text } from './member-columns.js';

interface Parcel {
  readonly id: string;
  readonly weight: number;
  readonly sentAt: Date;
  readonly isFragile: boolean;
  readonly note?: string;
  readonly arrivedAt?: Date;
  readonly size: { readonly width: number; readonly height: number };
  readonly isLate: boolean;
}

const PARCEL = columnMap<Parcel>()({
  id: text('id'),
  weight: number('weight'),
  // Repeats for a search what `weight` says.
  is_heavy: { write: ({ weight }) => (weight > 20 ? 1 : 0) },
  sent_at: date('sentAt'),
  arrived_at: optionalDate('arrivedAt'),
  is_fragile: flag('isFragile'),
  note: optionalText('note'),
  data: {
    members: ['size', 'isLate'],
    write: ({ size }) => JSON.stringify(size),
    read: (value, parcel, row) => {
      parcel.size = JSON.parse(value as string) as Parcel['size'];
      parcel.isLate = row.arrived_at === null;
    },
  },
});

const LIGHT: Parcel = {
  id: 'p1',
  weight: 3,
  sentAt: new Date(1000),
  isFragile: true,
  size: { width: 1, height: 2 },
  isLate: true,
};
const HEAVY: Parcel = {
  ...LIGHT,
  weight: 30,
  note: 'Above',
  arrivedAt: new Date(2000),
  isFragile: false,
  isLate: false,
};

describe('A map of columns', () => {
  it('lists the columns in the order in which it writes them', () => {
    expect(PARCEL.list).toBe('id, weight, is_heavy, sent_at, arrived_at, is_fragile, note, data');
    expect(PARCEL.values(LIGHT)).toEqual(['p1', 3, 0, 1000, null, 1, null, '{"width":1,"height":2}']);
    expect(PARCEL.values(HEAVY)).toEqual(['p1', 30, 1, 1000, 2000, 0, 'Above', '{"width":1,"height":2}']);
  });

  it.each([LIGHT, HEAVY])('reads what it wrote', (parcel) => {
    expect(PARCEL.record(rowOf(parcel))).toEqual(parcel);
  });

  it('reads numbers that the driver gives as text', () => {
    const row = { ...rowOf(LIGHT), weight: '3', sent_at: '1000', is_fragile: '0' };

    expect(PARCEL.record(row)).toEqual({ ...LIGHT, isFragile: false });
  });

  it('makes records with the same members in the same order, whatever the rows have', () => {
    const members = ['id', 'weight', 'sentAt', 'arrivedAt', 'isFragile', 'note', 'size', 'isLate'];

    expect(Object.keys(PARCEL.record(rowOf(LIGHT)))).toEqual(members);
    expect(Object.keys(PARCEL.record(rowOf(HEAVY)))).toEqual(members);
  });

  it('creates a new object for each record', () => {
    PARCEL.record(rowOf(HEAVY));

    expect(PARCEL.record({ ...rowOf(LIGHT), note: null }).note).toBeUndefined();
  });

  it('refuses, when compiled, a member that the record does not have, and a record that is not read in full', () => {
    // @ts-expect-error `colour` is none of a parcel's.
    columnMap<Parcel>()({ colour: text('colour') });
    // @ts-expect-error Nothing but the id is read.
    const { record } = columnMap<Parcel>()({ id: text('id') });

    expect(record).toBeDefined();
  });
});

it('Columns that are only written may omit members of the record', () => {
  const { names, values } = writtenColumns<Parcel>({ id: text('id'), width: { write: ({ size }) => size.width } });

  expect(names).toEqual(['id', 'width']);
  expect(values(LIGHT)).toEqual(['p1', 1]);
});

function rowOf(parcel: Parcel): Record<string, unknown> {
  const values = PARCEL.values(parcel);
  return Object.fromEntries(PARCEL.names.map((name, at) => [name, values[at]]));
}
