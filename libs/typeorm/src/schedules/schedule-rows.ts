import { deserialize } from '@waymark/core/adapter';
import type { PausedTrigger, ScheduleClaim, StoredSchedule } from '@waymark/runtime/adapter';
import type { FiringResult } from '@waymark/runtime';
import type { Statement } from '../database/statement.js';
import type { Dialect } from '../dialect/dialect.js';
import { insertRows } from '../dialect/insert-rows.js';
import { columnMap } from '../rows/column-map.js';
import { orNull, time, timeOrNull, toDate, toText } from '../rows/column-values.js';
import { date, optionalDate, optionalText, text } from '../rows/member-columns.js';
import { serialize } from '../rows/stored-text.js';

export const SCHEDULE = columnMap<Omit<StoredSchedule, 'unreadable'>>()({
  id: text('id'),
  token: text('token'),
  name: text('name'),
  workflow_definition_id: optionalText('workflowDefinitionId'),
  workflow_instance_id: optionalText('workflowInstanceId'),
  // Before the pause and the hash, by which it is decided: MySQL assigns from left to right.
  due_at: optionalDate('dueAt'),
  paused_due_at: {
    members: ['paused'],
    write: ({ paused }) => timeOrNull(paused?.dueAt),
    read: (value, schedule, row) => {
      if (value !== null) schedule.paused = { at: toDate(row.paused_at), dueAt: toDate(value) };
    },
  },
  paused_at: { write: ({ paused }) => timeOrNull(paused?.at) },
  fired_due_at: { write: ({ lastFiring }) => timeOrNull(lastFiring?.dueAt) },
  fired_at: { write: ({ lastFiring }) => timeOrNull(lastFiring?.firedAt) },
  fired_result: {
    members: ['lastFiring'],
    write: ({ lastFiring }) => orNull(lastFiring?.result),
    read: (value, schedule, { fired_due_at: dueAt, fired_at: firedAt }) => {
      if (value === null) return;
      schedule.lastFiring = { dueAt: toDate(dueAt), firedAt: toDate(firedAt), result: toText(value) as FiringResult };
    },
  },
  hash: text('hash'),
  created_at: date('createdAt'),
  times: {
    members: ['payload'],
    write: ({ id, payload }) => serialize(payload, `times of schedule "${id}"`),
    read: (value, schedule) => {
      schedule.payload = deserialize(toText(value));
    },
  },
  request: {
    members: ['request'],
    write: ({ id, request }) => serialize(request, `request of schedule "${id}"`),
    read: (value, schedule) => {
      schedule.request = deserialize(toText(value));
    },
  },
});

type Column = (typeof SCHEDULE.names)[number];

/** Inserts it, or replaces the one of that id: see `ScheduleStore.put`. */
export function putStatements(dialect: Dialect, schedules: string, schedule: StoredSchedule): Statement[] {
  const { newValue, onKnown } = dialect;
  const same = `${schedules}.hash = ${newValue('hash')}`;
  const kept = (column: Column, otherwise: string) =>
    `CASE WHEN ${same} THEN ${schedules}.${column} ELSE ${otherwise} END`;
  const isPaused = `${schedules}.paused_at IS NOT NULL`;
  const replaced: Partial<Record<Column, string>> = {
    due_at: kept('due_at', `CASE WHEN ${isPaused} THEN NULL ELSE ${newValue('due_at')} END`),
    paused_due_at: kept('paused_due_at', `CASE WHEN ${isPaused} THEN ${newValue('due_at')} ELSE NULL END`),
    paused_at: `${schedules}.paused_at`,
    fired_due_at: kept('fired_due_at', 'NULL'),
    fired_at: kept('fired_at', 'NULL'),
    fired_result: kept('fired_result', 'NULL'),
  };
  const assignments = SCHEDULE.names
    .filter((column) => column !== 'id')
    .map((column) => `${column} = ${replaced[column] ?? newValue(column)}`);
  const suffix = `${onKnown('id')} ${assignments.join(', ')}`;
  return insertRows(dialect, schedules, SCHEDULE.names, [SCHEDULE.values(schedule)], suffix);
}

/** Claims an occurrence (W4): of all who try, the one whose statement finds the row as it has seen it. */
export function claimStatement(schedules: string, { id, token, dueAt, nextDueAt, fired }: ScheduleClaim): Statement {
  const where = 'WHERE id = ? AND token = ? AND due_at = ?';
  const seen = [id, token, time(dueAt)];
  const expect = { affected: 1 };
  if (!nextDueAt) return { sql: `DELETE FROM ${schedules} ${where}`, params: seen, expect };
  return {
    sql: `UPDATE ${schedules} SET due_at = ?, fired_due_at = ?, fired_at = ?, fired_result = ? ${where}`,
    params: [time(nextDueAt), time(dueAt), time(fired.at), fired.result, ...seen],
    expect,
  };
}

/** Without a due time, no node finds it. */
export function pauseStatement(schedules: string, id: string, { at, dueAt }: PausedTrigger): Statement {
  return {
    sql: `UPDATE ${schedules} SET due_at = NULL, paused_at = ?, paused_due_at = ? WHERE id = ? AND due_at = ?`,
    params: [time(at), time(dueAt), id, time(dueAt)],
  };
}

export function unpauseStatement(schedules: string, id: string, pausedAt: Date, dueAt: Date): Statement {
  return {
    sql:
      `UPDATE ${schedules} SET due_at = ?, paused_at = NULL, paused_due_at = NULL ` +
      'WHERE id = ? AND paused_at = ? AND due_at IS NULL',
    params: [time(dueAt), id, time(pausedAt)],
  };
}
