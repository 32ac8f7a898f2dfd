import { WaymarkError } from '@waymark/core';
import type { InstanceOrder } from './instance-store.js';
import type { WorkflowInstanceSummary } from './records.js';

/** A position in a sorted list: the value that it is sorted by, and the id, which decides between equal values. */
export interface InstancePlace {
  /** Of the column by which the list is sorted. Times are in milliseconds; null when it is not set. */
  readonly value: number | string | null;
  /** Id of the instance there. */
  readonly id: string;
}

type Sorted = Pick<WorkflowInstanceSummary, 'createdAt' | 'finishedAt' | 'id' | 'name' | 'updatedAt'>;

const VALUES: Record<InstanceOrder['by'], (row: Sorted) => InstancePlace['value']> = {
  Created: ({ createdAt }) => createdAt.getTime(),
  UpdatedAt: ({ updatedAt }) => updatedAt.getTime(),
  Finished: ({ finishedAt }) => finishedAt?.getTime() ?? null,
  Name: ({ name }) => name ?? null,
};

export const placeOf = (row: Sorted, { by }: InstanceOrder): InstancePlace => ({ value: VALUES[by](row), id: row.id });

/** Returns the place as an opaque text for clients. */
export function writePlace(row: Sorted, order: InstanceOrder): string {
  const { value, id } = placeOf(row, order);
  return Buffer.from(JSON.stringify([order.by, order.direction, value, id])).toString('base64url');
}

/** Reads a text that `writePlace` has returned. @throws InvalidListPlaceError for anything else, and for the place of another order */
export function readPlace(text: string, order: InstanceOrder): InstancePlace {
  const [by, direction, value, id, ...more] = partsOf(text);
  const isValue = by === 'Name' ? typeof value === 'string' : Number.isSafeInteger(value);
  const mayBeNull = by === 'Name' || by === 'Finished';
  const isOfOrder = by === order.by && direction === order.direction && more.length === 0;
  if (!isOfOrder || !(isValue || (mayBeNull && value === null)) || typeof id !== 'string')
    throw new InvalidListPlaceError();
  return { value: value as InstancePlace['value'], id };
}

function partsOf(text: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

/** Thrown when `after` is not a place of this list. */
export class InvalidListPlaceError extends WaymarkError {
  readonly code = 'WM1065';
  constructor() {
    super(
      `'after' is not a place in this list. Pass the 'next' of the previous page, with the same order, or leave it out for the first page.`,
    );
  }
}
