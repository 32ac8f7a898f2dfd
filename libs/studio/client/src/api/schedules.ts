import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { PageOf } from './definitions.js';
import { get, part, post } from './request.js';

export type ScheduleKind = 'Timer' | 'Cron' | 'StartAt';
/** A trigger of a published workflow, or the code of the application (`IWorkflowScheduler`). */
export type ScheduleOrigin = 'Trigger' | 'Application';

/** The node that answers fails to fire it. */
export interface ScheduleFailure {
  readonly attempts: number;
  readonly lastError: string;
  readonly retryAt: string;
}

/** A row that was damaged: a part of what it says is missing. */
export interface UnreadableRow {
  readonly code: string;
  readonly message: string;
}

/** A trigger that starts a published workflow at times, or what the application has scheduled. */
export interface Schedule {
  readonly id: string;
  readonly kind: ScheduleKind | 'Other';
  readonly stimulus: string;
  readonly origin: ScheduleOrigin;
  /** Absent where the application resumes instances. */
  readonly definitionId?: string;
  /** The one that the application resumes, where it named one. */
  readonly workflowInstanceId?: string;
  /** Of a trigger. */
  readonly definitionVersionId?: string;
  readonly version?: number;
  /** Of a trigger. */
  readonly activityId?: string;
  /** Interval of a timer, cron expression, or time of a StartAt. */
  readonly expression?: string;
  readonly timeZone?: string;
  /** What happens to missed occurrences. */
  readonly misfire?: 'skip' | 'once' | 'all';
  /** What happens while an instance that it has started still runs. */
  readonly overlap?: 'allow' | 'skip' | 'queue' | 'cancelPrevious';
  /** It fires later than its expression says by a part of that time span. */
  readonly jitter?: string;
  /** That part. */
  readonly jitterMs?: number;
  readonly validFrom?: string;
  readonly validUntil?: string;
  readonly isPaused: boolean;
  readonly pausedAt?: string;
  /** Earliest first; none while it is paused, or once it will not fire any more. */
  readonly nextTimes: readonly string[];
  readonly overdueMs?: number;
  readonly lastFiring?: {
    readonly scheduledAt: string;
    readonly firedAt: string;
    readonly latenessMs: number;
    readonly result: 'Started' | 'Sent' | 'Refused' | 'Missed';
  };
  readonly failure?: ScheduleFailure;
  readonly unreadable?: UnreadableRow;
}

/** An instance that waits for a due time. */
export interface WaitingTimer {
  /** Of the bookmark. */
  readonly id: string;
  readonly stimulus: string;
  readonly workflowInstanceId: string;
  readonly correlationId?: string;
  /** Absent where its instance has gone meanwhile. */
  readonly definitionId?: string;
  readonly definitionName?: string;
  readonly version?: number;
  readonly dueAt: string;
  readonly failure?: ScheduleFailure;
  readonly unreadable?: UnreadableRow;
}

export interface ScheduleListRequest {
  readonly definitionId?: string | undefined;
  readonly kind?: ScheduleKind | undefined;
  readonly origin?: ScheduleOrigin | undefined;
  readonly isPaused?: boolean | undefined;
  /** From 0. */
  readonly page: number;
  readonly pageSize: number;
  /** How many next times of each. */
  readonly times: number;
}

export interface WaitingRequest {
  readonly workflowInstanceId?: string | undefined;
  readonly stimulus?: string | undefined;
}

interface WaitingPage {
  readonly items: readonly WaitingTimer[];
  /** Where the next page begins; none: this was the last one. */
  readonly next?: string;
}

export interface FiredSchedule {
  readonly workflowInstanceId: string;
}

const ROUTE = 'schedules';
const WAITING_PAGE_SIZE = 50;

/** All that is known of schedules; invalidate it after a change. */
export const schedulesKey = [ROUTE] as const;

export const scheduleListQuery = ({
  definitionId,
  kind,
  origin,
  isPaused,
  page,
  pageSize,
  times,
}: ScheduleListRequest) => {
  const query = { definitionId, kind, origin, isPaused, page, pageSize, times };
  return queryOptions({
    queryKey: [ROUTE, 'list', query],
    queryFn: ({ signal }) => get<PageOf<Schedule>>(ROUTE, { query, signal }),
    placeholderData: keepPreviousData,
  });
};

export const waitingTimersQuery = ({ workflowInstanceId, stimulus }: WaitingRequest) =>
  infiniteQueryOptions({
    queryKey: [ROUTE, 'waiting', { workflowInstanceId, stimulus }],
    queryFn: ({ signal, pageParam }) =>
      get<WaitingPage>(`${ROUTE}/waiting`, {
        query: { workflowInstanceId, stimulus, limit: WAITING_PAGE_SIZE, after: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });

/** @param requestKey the same one again starts no second instance */
export const fireSchedule = (id: string, requestKey: string): Promise<FiredSchedule> =>
  post(`${ROUTE}/${part(id)}/fire`, { requestKey });
export const pauseSchedule = (id: string): Promise<Schedule> => post(`${ROUTE}/${part(id)}/pause`);
export const resumeSchedule = (id: string): Promise<Schedule> => post(`${ROUTE}/${part(id)}/resume`);
