import { queryOptions } from '@tanstack/react-query';
import type { PageOf } from './definitions.js';
import { get, part, post } from './request.js';
import type { UnreadableRow } from './schedules.js';

/** Bulk work that continues after its request was answered. */
export interface BulkPlan {
  readonly id: string;
  /** `CancelInstances`, `ReplayMessages` … */
  readonly action: string;
  readonly status: 'Pending' | 'Running' | 'Completed' | 'Cancelled';
  /** Found so far; all of them once `isSelected`. */
  readonly selected: number;
  readonly isSelected: boolean;
  readonly visited: number;
  readonly changed: number;
  readonly failed: number;
  readonly failures: readonly { readonly id: string; readonly message?: string }[];
  readonly createdAt: string;
  readonly requestedBy?: { readonly actor?: string };
  readonly unreadable?: UnreadableRow;
}

const ROUTE = 'bulk-actions/plans';
const POLL_MS = 1_000;
/** Of a list, in which some have not ended. */
const LIST_POLL_MS = 3_000;
/** The newest ones. */
const PAGE_SIZE = 25;

/** All that is known of them. */
export const plansKey = [ROUTE] as const;

export const isOver = ({ status }: BulkPlan): boolean => status === 'Completed' || status === 'Cancelled';

/** The progress of a plan, asked for again until it has ended. */
export const planQuery = (id: string) =>
  queryOptions({
    queryKey: [ROUTE, id],
    queryFn: ({ signal }) => get<BulkPlan>(`${ROUTE}/${part(id)}`, { signal }),
    refetchInterval: ({ state }) => (state.error || (state.data && isOver(state.data)) ? false : POLL_MS),
  });

/** The newest plans, asked for again until all of them have ended. */
export const planListQuery = () =>
  queryOptions({
    queryKey: [ROUTE, 'list'],
    queryFn: ({ signal }) => get<PageOf<BulkPlan>>(ROUTE, { query: { page: 0, pageSize: PAGE_SIZE }, signal }),
    refetchInterval: ({ state }) => (state.data?.items.some((plan) => !isOver(plan)) ? LIST_POLL_MS : false),
  });

/** What has been done stays done. */
export const stopPlan = (id: string): Promise<BulkPlan> => post(`${ROUTE}/${part(id)}/cancel`);
