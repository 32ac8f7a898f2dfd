import { queryOptions } from '@tanstack/react-query';
import { get, part, post } from './request.js';

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
}

const ROUTE = 'bulk-actions/plans';
const POLL_MS = 1_000;

export const isOver = ({ status }: BulkPlan): boolean => status === 'Completed' || status === 'Cancelled';

/** The progress of a plan, asked for again until it has ended. */
export const planQuery = (id: string) =>
  queryOptions({
    queryKey: [ROUTE, id],
    queryFn: ({ signal }) => get<BulkPlan>(`${ROUTE}/${part(id)}`, { signal }),
    refetchInterval: ({ state }) => (state.error || (state.data && isOver(state.data)) ? false : POLL_MS),
  });

/** What has been done stays done. */
export const stopPlan = (id: string): Promise<BulkPlan> => post(`${ROUTE}/${part(id)}/cancel`);
