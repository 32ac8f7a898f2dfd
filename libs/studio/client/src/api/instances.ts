import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { SubStatus } from '../parts/status.js';
import type { PageOf, Total } from './definitions.js';
import { get, part, post, send } from './request.js';

/** A row of the list of instances. */
export interface InstanceSummary {
  readonly id: string;
  readonly definitionId: string;
  readonly definitionVersionId: string;
  readonly version: number;
  readonly status: 'Running' | 'Finished';
  readonly subStatus: SubStatus;
  readonly correlationId?: string;
  readonly name?: string;
  readonly incidentCount: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly finishedAt?: string;
}

export interface TimestampFilter {
  readonly column: 'CreatedAt' | 'UpdatedAt' | 'FinishedAt';
  readonly operator: 'LessThan' | 'GreaterThan' | 'LessThanOrEqual' | 'GreaterThanOrEqual';
  readonly timestamp: string;
}

export interface InstanceListRequest {
  /** From 0. */
  readonly page?: number;
  readonly pageSize?: number;
  readonly searchTerm?: string;
  readonly ids?: readonly string[];
  readonly definitionIds?: readonly string[];
  readonly correlationId?: string;
  readonly version?: number;
  readonly hasIncidents?: boolean;
  readonly parentWorkflowInstanceIds?: readonly string[];
  readonly isSystem?: boolean;
  readonly statuses?: readonly ('Running' | 'Finished')[];
  readonly subStatuses?: readonly SubStatus[];
  readonly orderBy?: 'Created' | 'UpdatedAt' | 'Finished' | 'Name';
  readonly orderDirection?: 'Ascending' | 'Descending';
  readonly timestampFilters?: readonly TimestampFilter[];
}

export const INSTANCES_ROUTE = 'workflow-instances';
const KEY = 'instances';

/** All that is known of instances; invalidate it after a change. */
export const instancesKey = [KEY] as const;
export const instanceKey = (id: string) => [KEY, 'one', id] as const;

export const instanceListQuery = (request: InstanceListRequest) =>
  queryOptions({
    queryKey: [KEY, 'list', request],
    queryFn: ({ signal }) => post<PageOf<InstanceSummary>>(INSTANCES_ROUTE, request, { signal }),
    placeholderData: keepPreviousData,
  });

/** How many match. */
export const instanceCountQuery = (request: Omit<InstanceListRequest, 'page' | 'pageSize'>) =>
  queryOptions({
    queryKey: [KEY, 'count', request],
    queryFn: ({ signal }): Promise<Total> =>
      post<PageOf<InstanceSummary>>(INSTANCES_ROUTE, { ...request, pageSize: 1 }, { signal }),
  });

/** How many have finished in such a time before now, whenever that is asked: a page may be open for days. */
export const finishedSinceQuery = (milliseconds: number) =>
  queryOptions({
    queryKey: [KEY, 'count', 'finished since', milliseconds],
    queryFn: ({ signal }): Promise<Total> => {
      const timestamp = new Date(Date.now() - milliseconds).toISOString();
      const timestampFilters = [{ column: 'FinishedAt', operator: 'GreaterThanOrEqual', timestamp }];
      const request = { subStatuses: ['Finished'], timestampFilters, pageSize: 1 };
      return post<PageOf<InstanceSummary>>(INSTANCES_ROUTE, request, { signal });
    },
  });

export interface BookmarkJson {
  readonly id: string;
  readonly name: string;
  readonly payload?: unknown;
  readonly activityId: string;
  readonly activityNodeId: string;
  readonly activityInstanceId: string;
  readonly createdAt: string;
}

export interface ExceptionJson {
  readonly type: string;
  readonly message: string;
  readonly stackTrace?: string;
  readonly innerException?: ExceptionJson;
}

export interface IncidentJson {
  readonly activityId: string;
  readonly activityNodeId: string;
  readonly activityType: string;
  readonly activityInstanceId: string;
  readonly message: string;
  readonly exception?: ExceptionJson;
  readonly timestamp: string;
}

export interface Instance extends InstanceSummary {
  readonly parentWorkflowInstanceId?: string;
  readonly isExecuting: boolean;
  readonly workflowState: {
    readonly bookmarks: readonly BookmarkJson[];
    readonly incidents: readonly IncidentJson[];
    readonly input: Readonly<Record<string, unknown>>;
    readonly output: Readonly<Record<string, unknown>>;
    readonly properties: Readonly<Record<string, unknown>>;
  };
}

export const instanceQuery = (id: string) =>
  queryOptions({
    queryKey: [...instanceKey(id), 'state'],
    queryFn: ({ signal }) => get<Instance>(`${INSTANCES_ROUTE}/${part(id)}`, { signal }),
  });

export const exportInstances = (ids: readonly string[]): Promise<Response> =>
  send('POST', 'bulk-actions/export/workflow-instances', {
    body: { ids, includeBookmarks: true, includeActivityExecutionLog: true, includeWorkflowExecutionLog: true },
  });
