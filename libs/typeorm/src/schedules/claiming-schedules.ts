import type { ScheduleClaim, ScheduleOccurrenceClaim } from '@waymark/runtime/adapter';
import type { Work } from '../database/sql-database.js';
import type { Statement } from '../database/statement.js';
import { Conditions } from '../dialect/conditions.js';
import type { Dialect } from '../dialect/dialect.js';
import type { Tables } from '../dialect/tables.js';
import { insertMessages } from '../outbox/outbox-rows.js';
import { time, toNumber, toText } from '../rows/column-values.js';

/** Claims occurrences and stores their messages (W4), past rows that another transaction works on: as `claimingOccurrences`. */
export function* claimingSchedules(
  dialect: Dialect,
  { schedules, outbox }: Pick<Tables, 'schedules' | 'outbox'>,
  claims: readonly ScheduleOccurrenceClaim[],
): Work<ReadonlySet<string>> {
  const wanted = new Map(claims.map((claim) => [claim.firing.id, claim]));
  const { where, params } = new Conditions(dialect).oneOf('id', [...wanted.keys()]);
  const columns = 'id, token, due_at';
  const [found] = yield [
    {
      sql: `SELECT ${columns} FROM ${schedules}${dialect.byPrimaryKey}${where} ORDER BY id${dialect.skipLocked}`,
      params,
    },
  ];
  const claimed = (found?.rows ?? []).flatMap((row) => {
    const claim = wanted.get(toText(row.id))!;
    const { dueAt, token } = claim.firing;
    const isDue = row.due_at !== null && toNumber(row.due_at) === time(dueAt);
    return isDue && toText(row.token) === token ? [claim] : [];
  });
  const firings = claimed.map(({ firing }) => firing);
  const messages = claimed.flatMap(({ message }) => message ?? []);
  if (firings.length > 0) yield [...moveOn(dialect, schedules, firings), ...insertMessages(dialect, outbox, messages)];
  return new Set(firings.map(({ id }) => id));
}

/** Of rows that are locked. Those with the same times, as of one cron expression, share a statement. */
function moveOn(dialect: Dialect, schedules: string, firings: readonly ScheduleClaim[]): Statement[] {
  const groups = new Map<string, [ScheduleClaim, ...ScheduleClaim[]]>();
  for (const firing of firings) {
    const { dueAt, nextDueAt, fired } = firing;
    const key = nextDueAt ? [dueAt, nextDueAt, fired.at].map(time).join() + fired.result : 'over';
    const group = groups.get(key);
    if (group) group.push(firing);
    else groups.set(key, [firing]);
  }
  return [...groups.values()].map((group) => {
    const [{ dueAt, nextDueAt, fired }] = group;
    const ids = group.map(({ id }) => id);
    const { where, params } = new Conditions(dialect).oneOf('id', ids);
    const expect = { affected: ids.length };
    if (!nextDueAt) return { sql: `DELETE FROM ${schedules}${where}`, params, expect };
    return {
      sql: `UPDATE ${schedules} SET due_at = ?, fired_due_at = ?, fired_at = ?, fired_result = ?${where}`,
      params: [time(nextDueAt), time(dueAt), time(fired.at), fired.result, ...params],
      expect,
    };
  });
}
