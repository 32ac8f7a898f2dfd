import type { InstanceOrder, InstancePlace } from '@waymark/runtime';
import type { SqlValue } from '../database/statement.js';
import type { Conditions } from '../dialect/conditions.js';
import { type Dialect, sorted } from '../dialect/dialect.js';

const ORDER_COLUMNS: Record<InstanceOrder['by'], { readonly name: string; readonly isNullable?: true }> = {
  Created: { name: 'created_at' },
  UpdatedAt: { name: 'updated_at' },
  Finished: { name: 'finished_at', isNullable: true },
  Name: { name: 'name', isNullable: true },
};

/** ` ORDER BY …`: what is not set comes before everything that is; the id decides among equals. */
export function sorting(dialect: Dialect, { by, direction }: InstanceOrder): string {
  const { name, isNullable } = ORDER_COLUMNS[by];
  const first = isNullable ? dialect.orderBy(name, direction) : sorted(name, direction);
  return ` ORDER BY ${first}, ${sorted('id', direction)}`;
}

/** Only rows behind that place. */
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
  // The first part alone is a range of the index on every database.
  else conditions.add(`${name} ${behind}= ?`, value).add(`(${later})`, ...params);
}
