import { deserialize } from '@waymark/core/adapter';
import { type PausedTrigger, type TriggerFiring } from '@waymark/runtime/adapter';
import { type FiringResult, type StoredTrigger } from '@waymark/runtime';
import type { SqlValue, Statement } from '../database/statement.js';
import { Conditions } from '../dialect/conditions.js';
import type { Dialect } from '../dialect/dialect.js';
import { columnMap } from '../rows/column-map.js';
import { flag, orNull, time, timeOrNull, toDate, toFlag, toText } from '../rows/column-values.js';
import { optionalText, text } from '../rows/member-columns.js';
import { serialize } from '../rows/stored-text.js';

export const TRIGGER = columnMap<Omit<StoredTrigger, 'unreadable'>>()({
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
  paused_at: { write: ({ paused }) => timeOrNull(paused?.at) },
  paused_due_at: {
    members: ['paused'],
    write: ({ paused }) => timeOrNull(paused?.dueAt),
    read: (value, trigger, row) => {
      if (value !== null) trigger.paused = { at: toDate(row.paused_at), dueAt: toDate(value) };
    },
  },
  fired_due_at: { write: ({ lastFiring }) => timeOrNull(lastFiring?.dueAt) },
  fired_at: { write: ({ lastFiring }) => timeOrNull(lastFiring?.firedAt) },
  fired_result: {
    members: ['lastFiring'],
    write: ({ lastFiring }) => orNull(lastFiring?.result),
    read: (value, trigger, { fired_due_at: dueAt, fired_at: firedAt }) => {
      if (value === null) return;
      trigger.lastFiring = { dueAt: toDate(dueAt), firedAt: toDate(firedAt), result: toText(value) as FiringResult };
    },
  },
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

/** What a trigger keeps while it is the same: see `DefinitionChange`. Before the hash in the list, as MySQL assigns from left to right. */
export const KEPT_WHILE_SAME: ReadonlySet<string> = new Set<(typeof TRIGGER.names)[number]>([
  'due_at',
  'ended',
  'paused_at',
  'paused_due_at',
  'fired_due_at',
  'fired_at',
  'fired_result',
]);

/** Claims an occurrence (W4): of all who try, the one whose update finds the due time unchanged. */
export function claimOccurrence(triggers: string, firing: TriggerFiring): Statement {
  const { set, params } = moveOn(firing);
  return {
    sql: `UPDATE ${triggers} SET ${set} WHERE id = ? AND due_at = ?`,
    params: [...params, firing.triggerId, time(firing.dueAt)],
    expect: { affected: 1 },
  };
}

/** The same of several triggers whose rows are locked. Those with the same times, as of one cron expression, share a statement. */
export function claimOccurrences(dialect: Dialect, triggers: string, firings: readonly TriggerFiring[]): Statement[] {
  return [...withSameTimes(firings).values()].map((group) => {
    const [{ dueAt }] = group;
    const { set, params } = moveOn(group[0]);
    const ids = group.map(({ triggerId }) => triggerId);
    const { where, params: found } = new Conditions(dialect).oneOf('id', ids).equals('due_at', time(dueAt));
    return {
      sql: `UPDATE ${triggers} SET ${set}${where}`,
      params: [...params, ...found],
      expect: { affected: ids.length },
    };
  });
}

type Group = [TriggerFiring, ...TriggerFiring[]];

function withSameTimes(firings: readonly TriggerFiring[]): ReadonlyMap<string, Group> {
  const groups = new Map<string, Group>();
  for (const firing of firings) {
    const { dueAt, nextDueAt, fired } = firing;
    const times = [dueAt, nextDueAt, fired?.at].map((each) => each?.getTime()).join();
    const key = `${times},${fired?.result}`;
    const group = groups.get(key);
    if (group) group.push(firing);
    else groups.set(key, [firing]);
  }
  return groups;
}

function moveOn({ dueAt, nextDueAt, fired }: TriggerFiring): { set: string; params: SqlValue[] } {
  const times = [timeOrNull(nextDueAt), flag(nextDueAt === null)];
  if (!fired) return { set: 'due_at = ?, ended = ?', params: times };
  return {
    set: 'due_at = ?, ended = ?, fired_due_at = ?, fired_at = ?, fired_result = ?',
    params: [...times, time(dueAt), time(fired.at), fired.result],
  };
}

/** Without a due time, no node fires it: neither one that claims the occurrence just now, nor one of an older version. */
export function pauseStatement(triggers: string, id: string, { at, dueAt }: PausedTrigger): Statement {
  return {
    sql: `UPDATE ${triggers} SET due_at = NULL, ended = 1, paused_at = ?, paused_due_at = ? WHERE id = ? AND due_at = ?`,
    params: [time(at), time(dueAt), id, time(dueAt)],
  };
}

export function unpauseStatement(triggers: string, id: string, pausedAt: Date, dueAt: Date | null): Statement {
  return {
    sql:
      `UPDATE ${triggers} SET due_at = ?, ended = ?, paused_at = NULL, paused_due_at = NULL ` +
      'WHERE id = ? AND paused_at = ? AND due_at IS NULL',
    params: [timeOrNull(dueAt), flag(dueAt === null), id, time(pausedAt)],
  };
}
