import type { OccurrenceClaim } from '@waymark/runtime/adapter';
import type { Work } from '../database/sql-database.js';
import { Conditions } from '../dialect/conditions.js';
import type { Dialect } from '../dialect/dialect.js';
import type { Tables } from '../dialect/tables.js';
import { insertMessages } from '../outbox/outbox-rows.js';
import { time, toNumber, toText } from '../rows/column-values.js';
import { claimOccurrences } from './trigger-rows.js';

/**
 * Claims occurrences and stores their messages (W4). Rows that another transaction works on are skipped: nodes that look at the
 * same time find the same occurrences, and would wait for each other. What is locked here is claimed, as nothing else can move it on.
 */
export function* claimingOccurrences(
  dialect: Dialect,
  { triggers, outbox }: Pick<Tables, 'triggers' | 'outbox'>,
  claims: readonly OccurrenceClaim[],
): Work<ReadonlySet<string>> {
  const wanted = new Map(claims.map((claim) => [claim.firing.triggerId, claim]));
  const { where, params } = new Conditions(dialect).oneOf('id', [...wanted.keys()]);
  const [found] = yield [
    {
      sql: `SELECT id, due_at FROM ${triggers}${dialect.byPrimaryKey}${where} ORDER BY id${dialect.skipLocked}`,
      params,
    },
  ];
  const claimed = (found?.rows ?? []).flatMap((row) => {
    const claim = wanted.get(toText(row.id))!;
    return row.due_at !== null && toNumber(row.due_at) === time(claim.firing.dueAt) ? [claim] : [];
  });
  const firings = claimed.map(({ firing }) => firing);
  const messages = claimed.flatMap(({ message }) => message ?? []);
  if (firings.length > 0)
    yield [...claimOccurrences(dialect, triggers, firings), ...insertMessages(dialect, outbox, messages)];
  return new Set(firings.map(({ triggerId }) => triggerId));
}
