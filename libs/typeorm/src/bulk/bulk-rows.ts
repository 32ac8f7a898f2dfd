import { deserialize } from '@waymark/core';
import type { BulkBatch, BulkFailure, BulkPlan } from '@waymark/runtime';
import type { Row, SqlValue } from '../database/statement.js';
import { flag, time, timeOrNull, toDate, toFlag, toNumber, toOptionalDate, toText } from '../rows/column-values.js';
import { serialize } from '../rows/stored-text.js';

export const PLAN_COLUMNS = [
  'id',
  'action',
  'status',
  'data',
  'is_selected',
  'selected',
  'visited',
  'changed',
  'failed',
  'failures',
  'created_at',
  'started_at',
  'completed_at',
  'deletes',
  'has_deleted',
] as const;

export const BATCH_COLUMNS = ['id', 'plan_id', 'action', 'data', 'attempts'] as const;

export function planValues(plan: BulkPlan): SqlValue[] {
  const { id, action, status, selection, isSelected, selected, visited, changed, failed, failures, deletes } = plan;
  return [
    id,
    action,
    status,
    serialize(selection, `selection of bulk plan "${id}"`),
    flag(isSelected),
    selected,
    visited,
    changed,
    failed,
    failuresText(failures),
    time(plan.createdAt),
    timeOrNull(plan.startedAt),
    timeOrNull(plan.completedAt),
    deletes ? serialize(deletes, `deletion of bulk plan "${id}"`) : null,
    flag(!deletes),
  ];
}

export function toPlan(row: Row): BulkPlan {
  // Nodes of the version before end a plan with its last batch.
  const isDeleting = row.status === 'Completed' && !toFlag(row.has_deleted);
  return {
    id: toText(row.id),
    action: toText(row.action) as BulkPlan['action'],
    status: isDeleting ? 'Running' : (toText(row.status) as BulkPlan['status']),
    selection: deserialize<BulkPlan['selection']>(toText(row.data)),
    isSelected: toFlag(row.is_selected),
    selected: toNumber(row.selected),
    visited: toNumber(row.visited),
    changed: toNumber(row.changed),
    failed: toNumber(row.failed),
    failures: toFailures(row),
    createdAt: toDate(row.created_at),
    startedAt: toOptionalDate(row.started_at),
    completedAt: isDeleting ? undefined : toOptionalDate(row.completed_at),
    deletes: row.deletes === null ? undefined : deserialize<BulkPlan['deletes']>(toText(row.deletes)),
  };
}

export function toBatch(row: Row): BulkBatch {
  return {
    id: toText(row.id),
    planId: toText(row.plan_id),
    action: toText(row.action) as BulkBatch['action'],
    ids: JSON.parse(toText(row.data)) as string[],
    attempts: toNumber(row.attempts),
  };
}

export function failuresText(failures: readonly BulkFailure[]): string {
  return serialize(failures, 'failures of a bulk plan');
}

export function toFailures(row: Row): BulkFailure[] {
  return deserialize<BulkFailure[]>(toText(row.failures));
}
