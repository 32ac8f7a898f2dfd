import { deserialize } from '@waymark/core/adapter';
import type { BulkFailure, BulkPlan } from '@waymark/runtime';
import type { BulkBatch } from '@waymark/runtime/adapter';
import type { Row } from '../database/statement.js';
import { columnMap, isUnreadable } from '../rows/column-map.js';
import { flag as flagged, timeOrNull, toFlag, toOptionalDate, toText } from '../rows/column-values.js';
import { date, flag, number, optionalDate, text } from '../rows/member-columns.js';
import { parseStored } from '../rows/parse-stored.js';
import { serialize } from '../rows/stored-text.js';

export const PLAN = columnMap<Omit<BulkPlan, 'unreadable'>>()({
  id: text('id'),
  action: text('action'),
  status: {
    members: ['status'],
    write: ({ status }) => status,
    read: (_, plan, row) => {
      plan.status = statusOf(row);
    },
  },
  data: {
    members: ['selection'],
    write: ({ id, selection }) => serialize(selection, `selection of bulk plan "${id}"`),
    read: (value, plan) => {
      plan.selection = deserialize<BulkPlan['selection']>(toText(value));
    },
  },
  is_selected: flag('isSelected'),
  selected: number('selected'),
  visited: number('visited'),
  changed: number('changed'),
  failed: number('failed'),
  failures: {
    members: ['failures'],
    write: ({ failures }) => failuresText(failures),
    read: (_, plan, row) => {
      plan.failures = toFailures(row);
    },
  },
  created_at: date('createdAt'),
  started_at: optionalDate('startedAt'),
  completed_at: {
    members: ['completedAt'],
    write: ({ completedAt }) => timeOrNull(completedAt),
    read: (value, plan, row) => {
      if (!isDeleting(row)) plan.completedAt = toOptionalDate(value);
    },
  },
  deletes: {
    members: ['deletes'],
    write: ({ id, deletes }) => (deletes ? serialize(deletes, `deletion of bulk plan "${id}"`) : null),
    read: (value, plan) => {
      const deletion = toDeletion(value);
      if (deletion) plan.deletes = deletion;
    },
  },
  requested_by: {
    members: ['requestedBy'],
    write: ({ requestedBy }) => (requestedBy ? JSON.stringify(requestedBy) : null),
    read: (value, plan) => {
      if (value !== null) plan.requestedBy = parseStored(toText(value)) as NonNullable<BulkPlan['requestedBy']>;
    },
  },
  has_deleted: { write: ({ deletes }) => flagged(!deletes) },
});

export const BATCH = columnMap<Omit<BulkBatch, 'unreadable'>>()({
  id: text('id'),
  plan_id: text('planId'),
  action: text('action'),
  data: {
    members: ['ids'],
    write: ({ ids }) => JSON.stringify(ids),
    read: (value, batch) => {
      batch.ids = parseStored(toText(value)) as string[];
    },
  },
  attempts: number('attempts'),
});

/** A damaged plan must not keep the others away. What cannot be read of it selects nothing. */
export function toPlan(row: Row): BulkPlan {
  const plan = PLAN.listed(row);
  return plan.unreadable ? { ...plan, selection: plan.selection ?? [], failures: plan.failures ?? [] } : plan;
}

/** The same for a batch: without ids, nothing is done. */
export function toBatch(row: Row): BulkBatch {
  const batch = BATCH.listed(row);
  return batch.unreadable ? { ...batch, ids: [] } : batch;
}

/** Nodes of the version before end a plan with its last batch. */
function isDeleting(row: Row): boolean {
  return row.status === 'Completed' && !toFlag(row.has_deleted);
}

/** A plan runs until it has deleted what it deletes at the end. */
export function statusOf(row: Row): BulkPlan['status'] {
  return isDeleting(row) ? 'Running' : (toText(row.status) as BulkPlan['status']);
}

export function failuresText(failures: readonly BulkFailure[]): string {
  return serialize(failures, 'failures of a bulk plan');
}

export function toFailures(row: Row): BulkFailure[] {
  return deserialize<BulkFailure[]>(toText(row.failures));
}

export function toDeletion(value: unknown): BulkPlan['deletes'] {
  return value === null ? undefined : deserialize<BulkPlan['deletes']>(toText(value));
}

/** Undefined: it cannot be read. */
export function readUnlessDamaged<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return undefined;
  }
}
