import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { SubStatus } from '../parts/status.js';
import type { PageOf, Total, PlanAnswer } from './definitions.js';
import { get, part, post, remove, send } from './request.js';

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

const ROUTE = 'workflow-instances';
const KEY = 'instances';

/** All that is known of instances; invalidate it after a change. */
export const instancesKey = [KEY] as const;
export const instanceKey = (id: string) => [KEY, 'one', id] as const;

export const instanceListQuery = (request: InstanceListRequest) =>
  queryOptions({
    queryKey: [KEY, 'list', request],
    queryFn: ({ signal }) => post<PageOf<InstanceSummary>>(ROUTE, request, { signal }),
    placeholderData: keepPreviousData,
  });

/** How many match. */
export const instanceCountQuery = (request: Omit<InstanceListRequest, 'page' | 'pageSize'>) =>
  queryOptions({
    queryKey: [KEY, 'count', request],
    queryFn: ({ signal }): Promise<Total> =>
      post<PageOf<InstanceSummary>>(ROUTE, { ...request, pageSize: 1 }, { signal }),
  });

/** How many have finished in such a time before now, whenever that is asked: a page may be open for days. */
export const finishedSinceQuery = (milliseconds: number) =>
  queryOptions({
    queryKey: [KEY, 'count', 'finished since', milliseconds],
    queryFn: ({ signal }): Promise<Total> => {
      const timestamp = new Date(Date.now() - milliseconds).toISOString();
      const timestampFilters = [{ column: 'FinishedAt', operator: 'GreaterThanOrEqual', timestamp }];
      const request = { subStatuses: ['Finished'], timestampFilters, pageSize: 1 };
      return post<PageOf<InstanceSummary>>(ROUTE, request, { signal });
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

export interface VariableValue {
  readonly id: string;
  readonly name: string;
  readonly value?: unknown;
}

/** An entry of the journal: something that happened at an activity. */
export interface JournalEntry {
  readonly id: string;
  readonly activityInstanceId: string;
  readonly parentActivityInstanceId?: string;
  readonly activityId: string;
  readonly activityType: string;
  readonly activityName?: string;
  readonly nodeId: string;
  readonly timestamp: string;
  readonly sequence: number;
  readonly eventName?: string;
  readonly message?: string;
  readonly payload?: unknown;
}

/** One execution of an activity. */
export interface ActivityExecution {
  readonly id: string;
  readonly activityId: string;
  readonly activityNodeId: string;
  readonly activityType: string;
  readonly activityName?: string;
  readonly activityState?: Readonly<Record<string, unknown>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly exception?: ExceptionJson;
  readonly startedAt: string;
  readonly completedAt?: string;
  readonly status: string;
  readonly aggregateFaultCount: number;
}

/** What came of a node of an instance, over all its executions. */
export interface NodeStatistics {
  readonly activityId: string;
  readonly activityNodeId: string;
  readonly startedCount: number;
  readonly completedCount: number;
  /** Of the completed executions those that were cancelled. */
  readonly canceledCount?: number;
  /** Executions that have not ended. */
  readonly uncompletedCount: number;
  /** Of all executions that have ended, together. */
  readonly durationMs: number;
  readonly isBlocked: boolean;
  readonly isFaulted: boolean;
  readonly aggregateFaultCount: number;
}

export const instanceQuery = (id: string) =>
  queryOptions({
    queryKey: [...instanceKey(id), 'state'],
    queryFn: ({ signal }) => get<Instance>(`${ROUTE}/${part(id)}`, { signal }),
  });

export const variablesQuery = (id: string) =>
  queryOptions({
    queryKey: [...instanceKey(id), 'variables'],
    queryFn: ({ signal }) => get<{ items: VariableValue[] }>(`${ROUTE}/${part(id)}/variables`, { signal }),
  });

export const journalPageQuery = (id: string, page: number, pageSize: number) =>
  queryOptions({
    queryKey: [...instanceKey(id), 'journal', pageSize, page],
    queryFn: ({ signal }) =>
      get<PageOf<JournalEntry>>(`${ROUTE}/${part(id)}/journal`, { query: { page, pageSize }, signal }),
  });

export const nodeStatisticsQuery = (id: string) =>
  queryOptions({
    queryKey: [...instanceKey(id), 'nodes'],
    queryFn: ({ signal }) =>
      post<{ stats: NodeStatistics[] }>('activity-executions/report', { workflowInstanceId: id }, { signal }),
  });

/** The last executions of an activity, the newest first. Of a loop there may be thousands, and what matters is what happened last. */
export const executionsQuery = (id: string, activityNodeId: string, take: number) =>
  queryOptions({
    queryKey: [...instanceKey(id), 'executions', activityNodeId, take],
    queryFn: async ({ signal }) => {
      const ask = (skip: number) =>
        get<{ items: ActivityExecution[]; totalCount?: number }>('activity-executions/list', {
          query: { workflowInstanceId: id, activityNodeId, skip, take },
          signal,
        });
      const first = await ask(0);
      const { totalCount = first.items.length } = first;
      const { items } = totalCount > take ? await ask(totalCount - take) : first;
      return { items: items.toReversed(), totalCount };
    },
    placeholderData: (previous, query) => (query?.queryKey[4] === activityNodeId ? previous : undefined),
  });

/** The first executions of an instance, of all of its activities. */
export const allExecutionsQuery = (id: string) =>
  queryOptions({
    queryKey: [...instanceKey(id), 'executions'],
    queryFn: ({ signal }) =>
      get<{ items: ActivityExecution[] }>('activity-executions/list', {
        query: { workflowInstanceId: id, pageSize: 500 },
        signal,
      }),
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

export const deleteInstance = (id: string): Promise<void> => remove(`${ROUTE}/${part(id)}`);

export interface AlterationResult {
  readonly workflowInstanceId: string;
  readonly isSuccessful: boolean;
  readonly log?: { readonly logEntries?: readonly { readonly message: string }[] };
}

/** Of each instance; none where they are so many that a plan does the work. */
export interface AlterationAnswer extends PlanAnswer {
  readonly results: readonly AlterationResult[];
}

/** Runs again the activities at which they failed. */
export const retryInstances = (workflowInstanceIds: readonly string[]): Promise<AlterationAnswer> =>
  post('alterations/workflows/retry', { workflowInstanceIds });

/** A repair of one instance: all of the alterations, or none. */
export type Alteration =
  | ({ readonly type: 'ScheduleActivity' | 'CancelActivity' } & AlteredActivity)
  | ({ readonly type: 'SkipActivity'; readonly outcomes: readonly string[] } & AlteredActivity)
  | { readonly type: 'ModifyVariable'; readonly variableId: string; readonly value: unknown }
  | { readonly type: 'Migrate'; readonly targetVersion: number };

/** One execution, or all of an activity that have not ended. */
type AlteredActivity = { readonly activityInstanceId: string } | { readonly activityId: string };

export const alterInstances = (
  workflowInstanceIds: readonly string[],
  alterations: readonly Alteration[],
): Promise<AlterationAnswer> => post('alterations/run', { workflowInstanceIds, alterations });

/** Which of these instances have an execution of the activity that has not ended. Nothing is altered. */
export const instancesWithActivityQuery = (workflowInstanceIds: readonly string[], activityId: string) =>
  queryOptions({
    queryKey: [KEY, 'with-activity', workflowInstanceIds, activityId],
    queryFn: async ({ signal }) => {
      const ask = (status: string) =>
        post<{ workflowInstanceIds: string[] }>(
          'alterations/dry-run',
          { workflowInstanceIds, activityFilters: [{ activityId, status }] },
          { signal },
        );
      const found = await Promise.all(['Running', 'Faulted', 'Pending'].map(ask));
      return [...new Set(found.flatMap((answer) => answer.workflowInstanceIds))];
    },
  });

/** What a migration would do to an instance. */
export interface MigrationReport {
  readonly workflowInstanceId: string;
  readonly isPossible: boolean;
  readonly problems: readonly { readonly message: string }[];
  readonly notes: readonly string[];
}

/** Nothing is migrated. */
export const migrationReportsQuery = (workflowInstanceIds: readonly string[], targetVersion: number) =>
  queryOptions({
    queryKey: [KEY, 'migration', workflowInstanceIds, targetVersion],
    queryFn: ({ signal }) =>
      post<{ reports: MigrationReport[] }>(
        'alterations/migrations/dry-run',
        { workflowInstanceIds, targetVersion },
        { signal },
      ),
  });

export const exportInstances = (ids: readonly string[]): Promise<Response> =>
  send('POST', 'bulk-actions/export/workflow-instances', {
    body: { ids, includeBookmarks: true, includeActivityExecutionLog: true, includeWorkflowExecutionLog: true },
  });

/** As if what the bookmark waits for had happened. */
export const resumeBookmark = (id: string, bookmarkId: string, input?: object): Promise<void> =>
  post(`${ROUTE}/${part(id)}/bookmarks/${part(bookmarkId)}/resume`, { input });

export const changeVariable = (id: string, variableId: string, value: unknown): Promise<unknown> =>
  post(`${ROUTE}/${part(id)}/variables`, { variables: [{ id: variableId, value }] });

/** A value for which an answer only said where it is. @param href as the answer has it */
export const journalValueQuery = (href: string) =>
  queryOptions({
    queryKey: ['journal-values', href],
    queryFn: ({ signal }) => get<{ value: unknown }>(href, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
