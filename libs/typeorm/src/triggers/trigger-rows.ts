import type { Row, SqlValue, Statement } from '../database/statement.js';
import { deserialize } from '@waymark/core';
import { type StoredTrigger, type TriggerFiring } from '@waymark/runtime';
import { flag, orNull, time, timeOrNull, toDate, toFlag, toOptionalText, toText } from '../rows/column-values.js';
import { serialize } from '../rows/stored-text.js';

export const TRIGGER_COLUMNS = [
  'id',
  'workflow_definition_id',
  'workflow_definition_version_id',
  'name',
  'activity_id',
  'due_at',
  'ended',
  'hash',
  'data',
  'exclusive_key',
] as const;

/** `ended` tells a trigger that fires no more (`dueAt` null) from one that has no time (undefined). */
export function triggerValues(trigger: StoredTrigger): SqlValue[] {
  return [
    trigger.id,
    trigger.workflowDefinitionId,
    trigger.workflowDefinitionVersionId,
    trigger.name,
    trigger.activityId,
    timeOrNull(trigger.dueAt),
    flag(trigger.dueAt === null),
    trigger.hash,
    trigger.payload === undefined ? null : serialize(trigger.payload, `payload of trigger "${trigger.name}"`),
    orNull(trigger.exclusiveKey),
  ];
}

export function toTrigger(row: Row): StoredTrigger {
  return {
    id: toText(row.id),
    workflowDefinitionId: toText(row.workflow_definition_id),
    workflowDefinitionVersionId: toText(row.workflow_definition_version_id),
    name: toText(row.name),
    activityId: toText(row.activity_id),
    hash: toText(row.hash),
    payload: row.data === null ? undefined : deserialize(toText(row.data)),
    dueAt: row.due_at === null ? (toFlag(row.ended) ? null : undefined) : toDate(row.due_at),
    exclusiveKey: toOptionalText(row.exclusive_key),
  };
}

/** Claims an occurrence (W4): of all who try, the one whose update finds the due time unchanged. */
export function claimOccurrence(triggers: string, { triggerId, dueAt, nextDueAt }: TriggerFiring): Statement {
  return {
    sql: `UPDATE ${triggers} SET due_at = ?, ended = ? WHERE id = ? AND due_at = ?`,
    params: [timeOrNull(nextDueAt), flag(nextDueAt === null), triggerId, time(dueAt)],
    expect: { affected: 1 },
  };
}
