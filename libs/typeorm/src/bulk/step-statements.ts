import type { PlanStep } from '@waymark/runtime/adapter';
import type { Statement } from '../database/statement.js';
import type { Dialect } from '../dialect/dialect.js';
import { insertMessages } from '../outbox/outbox-rows.js';
import { time } from '../rows/column-values.js';

/** What notes a step of a plan, consumes its message and leads to the next one. Refused when another node was faster. */
export function stepStatements(
  dialect: Dialect,
  { plans, batches, outbox }: { readonly plans: string; readonly batches: string; readonly outbox: string },
  { planId, from, to, visited, changed, failures, consumedMessageId, messages }: PlanStep,
  now: Date,
): Statement[] {
  const isLast = to === undefined;
  return [
    {
      sql:
        `UPDATE ${plans} SET status = ?, started_at = COALESCE(started_at, ${dialect.bigintParam}), ` +
        `completed_at = ${dialect.bigintParam}, ` +
        'visited = visited + ?, changed = changed + ?, failed = failed + ?, cut_after = ? ' +
        `WHERE id = ? AND completed_at IS NULL AND ${from === undefined ? 'cut_after IS NULL' : 'cut_after = ?'}`,
      params: [
        isLast ? 'Completed' : 'Running',
        time(now),
        isLast ? time(now) : null,
        visited,
        changed,
        failures.length,
        to ?? null,
        planId,
        ...(from === undefined ? [] : [from]),
      ],
      expect: { affected: 1 },
    },
    // With the last step, the pages of the plan are done with.
    ...(isLast ? [{ sql: `DELETE FROM ${batches} WHERE plan_id = ?`, params: [planId] }] : []),
    { sql: `DELETE FROM ${outbox} WHERE id = ?`, params: [consumedMessageId], expect: { affected: 1 } },
    ...insertMessages(dialect, outbox, messages),
  ];
}
