import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { FormSchema } from '../parts/form-values.js';
import { get, part, post } from './request.js';

/** A task for people. */
export interface UserTask {
  readonly id: string;
  readonly workflowInstanceId: string;
  readonly workflowDefinitionId: string;
  readonly correlationId?: string;
  readonly name: string;
  readonly title: string;
  readonly instructions?: string;
  readonly priority: number;
  readonly candidateUsers: readonly string[];
  readonly candidateGroups: readonly string[];
  readonly assignee?: string;
  readonly outcomes: readonly string[];
  readonly form?: FormSchema;
  readonly data?: unknown;
  readonly status: 'Open' | 'Completed' | 'Cancelled';
  readonly dueAt?: string;
  readonly escalatedAt?: string;
  readonly createdAt: string;
  readonly endedAt?: string;
  readonly completedBy?: string;
  readonly outcome?: string;
  readonly values?: unknown;
}

export type TaskScope = 'Mine' | 'Assigned' | 'Available' | 'Completed' | 'All';
export type TaskOrder = 'Oldest' | 'Newest' | 'Due' | 'Priority';

export interface TaskListRequest {
  readonly scope: TaskScope;
  readonly order: TaskOrder;
  readonly group?: string | undefined;
  readonly status?: UserTask['status'] | undefined;
}

interface TaskPage {
  readonly items: readonly UserTask[];
  /** Where the next page begins; none: this was the last one. */
  readonly next?: string;
}

export interface TaskEvent {
  readonly id: string;
  readonly kind: string;
  readonly at: string;
  readonly by?: string;
  readonly to?: string;
  readonly text?: string;
  readonly outcome?: string;
}

const ROUTE = 'user-tasks';
const PAGE_SIZE = 25;

/** All that is known of tasks; invalidate it after a change. */
export const tasksKey = [ROUTE] as const;

export const taskListQuery = ({ scope, order, group, status }: TaskListRequest) =>
  infiniteQueryOptions({
    queryKey: [ROUTE, 'list', { scope, order, group, status }],
    queryFn: ({ signal, pageParam }) =>
      get<TaskPage>(ROUTE, { query: { scope, order, group, status, limit: PAGE_SIZE, after: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });

export const taskQuery = (id: string) =>
  queryOptions({
    queryKey: [ROUTE, 'one', id],
    queryFn: ({ signal }) => get<UserTask>(`${ROUTE}/${part(id)}`, { signal }),
  });

export const taskHistoryQuery = (id: string) =>
  queryOptions({
    queryKey: [ROUTE, 'history', id],
    queryFn: async ({ signal }) => {
      const events: TaskEvent[] = [];
      let after: string | undefined;
      do {
        const query = { limit: PAGE_OF_HISTORY, after };
        const page = await get<HistoryPage>(`${ROUTE}/${part(id)}/history`, { query, signal });
        events.push(...page.events);
        after = page.next;
      } while (after !== undefined && events.length < MOST_EVENTS);
      return { events };
    },
  });

interface HistoryPage {
  readonly events: readonly TaskEvent[];
  readonly next?: string;
}

/** The newest come last: what was just said is seen only with all pages. */
const PAGE_OF_HISTORY = 100;
const MOST_EVENTS = 5_000;

const act = (id: string, verb: string, body: object = {}): Promise<UserTask> =>
  post(`${ROUTE}/${part(id)}/${verb}`, body);

export const claimTask = (id: string): Promise<UserTask> => act(id, 'claim');
export const releaseTask = (id: string): Promise<UserTask> => act(id, 'release');
export const delegateTask = (id: string, to: string, reason?: string): Promise<UserTask> =>
  act(id, 'delegate', { to, reason });
export const commentOnTask = (id: string, text: string): Promise<UserTask> => act(id, 'comments', { text });

/** @throws ApiError, whose `members` are `values.` and the path of a field that is not filled in correctly */
export const completeTask = (id: string, outcome: string, values: unknown): Promise<UserTask> =>
  act(id, 'complete', { outcome, values });
