import { deserialize } from '@waymark/core';
import { type StoredTrigger, type TriggerFiring } from '@waymark/runtime';
import type { Statement } from '../database/statement.js';
import { columnMap } from '../rows/column-map.js';
import { flag, time, timeOrNull, toDate, toFlag, toText } from '../rows/column-values.js';
import { optionalText, text } from '../rows/member-columns.js';
import { serialize } from '../rows/stored-text.js';

export const TRIGGER = columnMap<StoredTrigger>()({
  id: text('id'),
  workflow_definition_id: text('workflowDefinitionId'),
  workflow_definition_version_id: text('workflowDefinitionVersionId'),
  name: text('name'),
  activity_id: text('activityId'),
  due_at: {
    members: ['dueAt'],
    write: ({ dueAt }) => timeOrNull(dueAt),
    read: (value, trigger, row) => {
      if (value !== null) trigger.dueAt = toDate(value);
      else if (toFlag(row.ended)) trigger.dueAt = null;
    },
  },
  // Tells a trigger that fires no more (`dueAt` null) from one that has no time (undefined).
  ended: { write: ({ dueAt }) => flag(dueAt === null) },
  hash: text('hash'),
  data: {
    members: ['payload'],
    write: ({ name, payload }) => (payload === undefined ? null : serialize(payload, `payload of trigger "${name}"`)),
    read: (value, trigger) => {
      if (value !== null) trigger.payload = deserialize(toText(value));
    },
  },
  exclusive_key: optionalText('exclusiveKey'),
});

/** Claims an occurrence (W4): of all who try, the one whose update finds the due time unchanged. */
export function claimOccurrence(triggers: string, { triggerId, dueAt, nextDueAt }: TriggerFiring): Statement {
  return {
    sql: `UPDATE ${triggers} SET due_at = ?, ended = ? WHERE id = ? AND due_at = ?`,
    params: [timeOrNull(nextDueAt), flag(nextDueAt === null), triggerId, time(dueAt)],
    expect: { affected: 1 },
  };
}
