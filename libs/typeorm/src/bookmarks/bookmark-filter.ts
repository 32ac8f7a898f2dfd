import type { BookmarkFilter } from '@waymark/runtime';
import { Conditions } from '../dialect/conditions.js';
import type { Dialect } from '../dialect/dialect.js';

export const OLDEST_FIRST = ' ORDER BY created_at, id';

/** Members of a filter that few bookmarks match, unlike the name of their stimulus, and that have an index. */
const FEW = [
  'ids',
  'hash',
  'hashes',
  'workflowInstanceId',
  'workflowInstanceIds',
  'correlationId',
] as const satisfies (keyof BookmarkFilter)[];

export function bookmarkConditions(dialect: Dialect, filter: BookmarkFilter): Conditions {
  const isOfFew = FEW.some((member) => filter[member] !== undefined);
  return new Conditions(dialect)
    .oneOf('id', filter.ids)
    .equals('hash', filter.hash)
    .oneOf('hash', filter.hashes)
    .oneOf(isOfFew ? dialect.unindexed('name') : 'name', filter.names)
    .equals('workflow_instance_id', filter.workflowInstanceId)
    .oneOf('workflow_instance_id', filter.workflowInstanceIds)
    .equals('correlation_id', filter.correlationId)
    .equals('activity_instance_id', filter.activityInstanceId);
}
