import { queryOptions } from '@tanstack/react-query';
import type { PageOf } from './definitions.js';
import { type ExceptionJson, instanceKey, INSTANCES_ROUTE } from './instances.js';
import { isFinal, journalPart } from './journal-parts.js';
import { get, part, post } from './request.js';

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

export const journalPageQuery = (id: string, page: number, pageSize: number) =>
  queryOptions<PageOf<JournalEntry>>({
    queryKey: [...instanceKey(id), ...journalPart(page, pageSize)],
    staleTime: (query) => (isFinal(query) ? Number.POSITIVE_INFINITY : 0),
    queryFn: ({ signal }) =>
      get<PageOf<JournalEntry>>(`${INSTANCES_ROUTE}/${part(id)}/journal`, { query: { page, pageSize }, signal }),
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

/** A value for which an answer only said where it is. @param href as the answer has it */
export const journalValueQuery = (href: string) =>
  queryOptions({
    queryKey: ['journal-values', href],
    queryFn: ({ signal }) => get<{ value: unknown }>(href, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
