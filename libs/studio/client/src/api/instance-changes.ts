import { queryOptions } from '@tanstack/react-query';
import type { PlanAnswer } from './definitions.js';
import { instanceKey, INSTANCES_ROUTE } from './instances.js';
import { get, part, post, remove } from './request.js';

export interface VariableValue {
  readonly id: string;
  readonly name: string;
  readonly value?: unknown;
}

export const variablesQuery = (id: string) =>
  queryOptions({
    queryKey: [...instanceKey(id), 'variables'],
    queryFn: ({ signal }) => get<{ items: VariableValue[] }>(`${INSTANCES_ROUTE}/${part(id)}/variables`, { signal }),
  });

/** How far bulk work got: what was too much for one request became a plan. */
export interface BulkAnswer extends PlanAnswer {
  readonly cancelled?: number;
  readonly deleted?: number;
  readonly failures?: readonly { readonly id: string; readonly code?: string; readonly message?: string }[];
}

export const cancelInstances = (ids: readonly string[]): Promise<BulkAnswer> =>
  post('bulk-actions/cancel/workflow-instances', { ids });

export const deleteInstances = (ids: readonly string[]): Promise<BulkAnswer> =>
  post('bulk-actions/delete/workflow-instances', { ids });

export const deleteInstance = (id: string): Promise<void> => remove(`${INSTANCES_ROUTE}/${part(id)}`);

/** As if what the bookmark waits for had happened. */
export const resumeBookmark = (id: string, bookmarkId: string, input?: object): Promise<void> =>
  post(`${INSTANCES_ROUTE}/${part(id)}/bookmarks/${part(bookmarkId)}/resume`, { input });

export const changeVariable = (id: string, variableId: string, value: unknown): Promise<unknown> =>
  post(`${INSTANCES_ROUTE}/${part(id)}/variables`, { variables: [{ id: variableId, value }] });
