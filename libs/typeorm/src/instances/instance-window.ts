import type { InstanceOrder, InstancePlace } from '@waymark/runtime/adapter';
import type { SqlValue } from '../database/statement.js';
import type { Conditions } from '../dialect/conditions.js';
import { type Dialect, sorted } from '../dialect/dialect.js';

const ORDER_COLUMNS: Record<InstanceOrder['by'], { readonly name: string; readonly isNullable?: true }> = {
  Created: { name: 'created_at' },
  UpdatedAt: { name: 'updated_at' },
  Finished: { name: 'finished_at', isNullable: true },
  Name: { name: 'name', isNullable: true },
};

/** ` ORDER BY …`: NULL is the smallest value on every database; rows with the same value are sorted by id. */
export function sorting(dialect: Dialect, { by, direction }: InstanceOrder): string {
  const { name, isNullable } = ORDER_COLUMNS[by];
  const first = isNullable ? dialect.orderBy(name, direction) : sorted(name, direction);
  return ` ORDER BY ${first}, ${sorted('id', direction)}`;
}

/** Adds the condition that selects only rows after that place. */
export function addPlace(conditions: Conditions, { by, direction }: InstanceOrder, { value, id }: InstancePlace): void {
  const { name, isNullable } = ORDER_COLUMNS[by];
  const isAscending = direction === 'Ascending';
  const behind = isAscending ? '>' : '<';
  if (value === null) {
    if (isAscending) conditions.add(`(${name} IS NOT NULL OR id > ?)`, id);
    else conditions.add(`${name} IS NULL`).add('id < ?', id);
    return;
  }
  const params: SqlValue[] = [value, value, id];
  const later = `${name} ${behind} ? OR (${name} = ? AND id ${behind} ?)`;
  if (isNullable && !isAscending) conditions.add(`(${name} IS NULL OR ${later})`, ...params);
  // Redundant, but a range that every database finds in the index.
  else conditions.add(`${name} ${behind}= ?`, value).add(`(${later})`, ...params);
}
