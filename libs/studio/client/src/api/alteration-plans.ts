import { queryOptions } from '@tanstack/react-query';
import { get, part, post } from './request.js';

type Status = 'Pending' | 'Running' | 'Completed' | 'Failed';

interface Answer {
  readonly plan: { readonly status: Status; readonly isCancelled?: boolean };
  readonly jobs: readonly {
    readonly status: Status;
    readonly log?: readonly { readonly message: string; readonly logLevel: string }[];
  }[];
}

/** How far alterations of many instances are, which continue after their request was answered. */
export interface AlterationProgress {
  readonly hasEnded: boolean;
  readonly isStopped: boolean;
  /** Instances; all of them once the plan runs. */
  readonly selected: number;
  readonly visited: number;
  readonly failed: number;
  /** Why the first one failed. */
  readonly reason: string | undefined;
}

const ROUTE = 'alterations';
/** The answer has an entry for each instance. */
const POLL_MS = 3_000;

const isOver = (status: Status): boolean => status === 'Completed' || status === 'Failed';

function progressOf({ plan, jobs }: Answer): AlterationProgress {
  const failed = jobs.filter(({ status }) => status === 'Failed');
  const reasons = failed.flatMap(({ log = [] }) => log.filter(({ logLevel }) => logLevel === 'Error'));
  return {
    hasEnded: isOver(plan.status),
    isStopped: plan.isCancelled === true,
    selected: jobs.length,
    visited: jobs.filter(({ status }) => isOver(status)).length,
    failed: failed.length,
    reason: reasons[0]?.message,
  };
}

/** Asked for again until the plan has ended. */
export const alterationPlanQuery = (id: string) =>
  queryOptions({
    queryKey: [ROUTE, id],
    queryFn: async ({ signal }) => progressOf(await get<Answer>(`${ROUTE}/${part(id)}`, { signal })),
    refetchInterval: ({ state }) => (state.error || state.data?.hasEnded ? false : POLL_MS),
  });

/** What was altered stays altered. */
export const stopAlterations = (id: string): Promise<unknown> => post(`${ROUTE}/${part(id)}/cancel`);
