import type { TaskOrder, TaskScope } from '../api/tasks.js';
import { oneOf, textOf } from '../app/search-params.js';

export const scopes = ['Mine', 'Assigned', 'Available', 'Completed', 'All'] as const satisfies readonly TaskScope[];
export const orders = ['Priority', 'Due', 'Oldest', 'Newest'] as const satisfies readonly TaskOrder[];

/** What the address of the tasks says. */
export interface TaskSearch {
  readonly scope?: TaskScope | undefined;
  readonly order?: TaskOrder | undefined;
  readonly group?: string | undefined;
  /** The one that is looked at. */
  readonly task?: string | undefined;
}

export const taskSearch = (search: Record<string, unknown>): TaskSearch => ({
  scope: oneOf(search.scope, scopes),
  order: oneOf(search.order, orders),
  group: textOf(search.group),
  task: textOf(search.task),
});
