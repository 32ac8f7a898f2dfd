import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type WaitingTimer, waitingTimersQuery } from '../api/schedules.js';
import { type Column, DataTable } from '../parts/data-table.js';
import { failureOf } from '../api/failure-of.js';
import { Loading } from '../parts/states.js';
import { Time } from '../parts/time.js';
import { useOperationsPolling } from '../api/live/live.js';
import { scheduleTexts as texts } from '../texts/schedules.js';
import { ListFailed } from './list-failed.js';
import { POLL_MS } from './poll.js';
import { Unreadable } from '../parts/unreadable.js';
import { Failure } from './schedule-cells.js';
import type { ScheduleSearch } from './schedule-search.js';
import css from './schedules.module.css';

interface ListProps {
  readonly search: ScheduleSearch;
  /** In the place of a table without rows. */
  readonly empty: ReactNode;
}

/** Lists instances that wait for a due time. The total is not counted: there may be millions. */
export function WaitingList({ search: { instance, activity }, empty }: ListProps) {
  const query = waitingTimersQuery({ workflowInstanceId: instance, stimulus: activity });
  const list = useInfiniteQuery({ ...query, refetchInterval: useOperationsPolling(POLL_MS) });
  const rows = list.data?.pages.flatMap(({ items }) => items) ?? [];
  if (failureOf(list)) return <ListFailed error={list.error} onRetry={() => void list.refetch()} />;
  if (list.data === undefined) return <Loading />;
  if (rows.length === 0) return empty;
  return (
    <>
      <DataTable label={texts.views.waiting} columns={columnsOf(rows)} rows={rows} idOf={({ id }) => id} />
      {list.hasNextPage && (
        <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {texts.more}
        </Button>
      )}
    </>
  );
}

const columnsOf = (rows: readonly WaitingTimer[]): readonly Column<WaitingTimer>[] => [
  {
    id: 'instance',
    title: texts.columns.instance,
    cell: ({ workflowInstanceId, correlationId, unreadable }) => (
      <div className={css.what}>
        <Link className={css.quiet} to="/instances/$instanceId" params={{ instanceId: workflowInstanceId }}>
          {correlationId || workflowInstanceId}
        </Link>
        {correlationId && correlationId !== workflowInstanceId && (
          <span className={css.detail}>{workflowInstanceId}</span>
        )}
        <Unreadable row={unreadable} />
      </div>
    ),
  },
  {
    id: 'workflow',
    title: texts.columns.workflow,
    cell: ({ definitionId, definitionName, version }) =>
      definitionId === undefined ? null : (
        <div className={css.what}>
          <Link to="/workflows/$definitionId" params={{ definitionId }}>
            {definitionName || definitionId}
          </Link>
          {version !== undefined && <span className={css.detail}>{texts.version(version)}</span>}
        </div>
      ),
  },
  { id: 'activity', title: texts.columns.activity, cell: ({ stimulus }) => texts.stimuli[stimulus] ?? stimulus },
  ...(rows.some(({ failure }) => failure !== undefined)
    ? [
        {
          id: 'failures',
          title: texts.columns.failures,
          isMinor: true,
          cell: ({ failure }: WaitingTimer) => <Failure failure={failure} />,
        },
      ]
    : []),
  { id: 'due', title: texts.columns.due, isNarrow: true, cell: ({ dueAt }) => <Time value={dueAt} /> },
];
