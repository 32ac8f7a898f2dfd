import type { Statement } from '../database/statement.js';
import type { SqlTime } from '../dialect/store-time.js';
import type { Tables } from '../dialect/tables.js';
import type { BookmarkQueueDeadLetter, DeadLetterFilter } from '@waymark/runtime/adapter';
import { Conditions, hasErrorCode } from '../dialect/conditions.js';
import type { Dialect } from '../dialect/dialect.js';
import { ITEM } from './queue-rows.js';

/**
 * Moves items from the queue to the dead letters, inside the database. A dead letter has the id of its item, so that it
 * cannot be there twice.
 * @param conditions `selected`: on the rows of the queue. `earlier`: on dead letters of the same ids, by these ids, as an item may
 * have failed before and been replayed under the same id. By a subquery of the queue, MariaDB before 11.1 would read and lock
 * all dead letters
 */
export function toDeadLetters(
  { queue, dead_letters }: Tables,
  { selected, earlier }: { readonly selected: Statement; readonly earlier: Statement },
  reason: BookmarkQueueDeadLetter['reason'],
  now: SqlTime,
): Statement[] {
  const columns = ITEM.list;
  return [
    { sql: `DELETE FROM ${dead_letters} WHERE ${earlier.sql}`, params: earlier.params },
    {
      sql:
        `INSERT INTO ${dead_letters} (${columns}, original_queue_item_id, reason, can_replay, dead_lettered_at) ` +
        `SELECT ${columns}, id, '${reason}', 1, ${now.sql} FROM ${queue} WHERE ${selected.sql}`,
      params: [...now.params, ...selected.params],
    },
    { sql: `DELETE FROM ${queue} WHERE ${selected.sql}`, params: selected.params },
  ];
}

/** Which dead letters a filter selects. */
export function deadLetterConditions(dialect: Dialect, filter: DeadLetterFilter): Conditions {
  const conditions = new Conditions(dialect)
    .oneOf('id', filter.ids)
    .equals('workflow_instance_id', filter.workflowInstanceId)
    .equals('activity_type_name', filter.name)
    .equals('reason', filter.reason)
    .between('dead_lettered_at', filter.deadLetteredAfter, filter.deadLetteredBefore)
    .flag('can_replay', filter.canReplay);
  return hasErrorCode(conditions, filter.errorCode);
}
