import { CloseButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useOperationsPolling } from '../api/live/live.js';
import { useMay } from '../api/permissions.js';
import { scheduleListQuery } from '../api/schedules.js';
import { useDefinitionNames } from '../api/use-definition-names.js';
import { DataTable } from '../parts/data-table.js';
import { Pager } from '../parts/pager.js';
import { failureOf } from '../api/failure-of.js';
import { Loading } from '../parts/states.js';
import { scheduleTexts as texts } from '../texts/schedules.js';
import { shellTexts } from '../texts/shell.js';
import { ListFailed } from './list-failed.js';
import { POLL_MS } from './poll.js';
import { columnsOf } from './schedule-columns.js';
import { ScheduleDialog, type ScheduleTask } from './schedule-dialog.js';
import type { ScheduleSearch } from './schedule-search.js';
import css from './schedules.module.css';

const PAGE_SIZE = 25;
/** The first, and some to see the rhythm by. */
const TIMES = 5;

interface ListProps {
  readonly search: ScheduleSearch;
  /** In the place of a table without rows. */
  readonly empty: ReactNode;
  readonly onPage: (page: number, isReplaced?: boolean) => void;
}

interface Fired {
  readonly workflow: string;
  readonly instanceId: string;
}

/** What starts or resumes workflows at times, the next one first. */
export function ScheduleList({ search, empty, onPage }: ListProps) {
  const { workflow, kind, origin, state, page = 1 } = search;
  const [task, setTask] = useState<ScheduleTask>();
  const [fired, setFired] = useState<Fired>();
  const [isRefused, setRefused] = useState(false);
  const mayManage = useMay('manage:schedules') && !isRefused;
  const isPaused = state === undefined ? undefined : state === 'paused';
  const request = { definitionId: workflow, kind, origin, isPaused, page: page - 1, pageSize: PAGE_SIZE, times: TIMES };
  const list = useQuery({ ...scheduleListQuery(request), refetchInterval: useOperationsPolling(POLL_MS) });
  const rows = list.data?.items ?? [];
  const names = useDefinitionNames(rows);
  return (
    <>
      {fired && <FiredNotice {...fired} onClose={() => setFired(undefined)} />}
      {failureOf(list) ? (
        <ListFailed error={list.error} onRetry={() => void list.refetch()} />
      ) : list.data === undefined ? (
        <Loading />
      ) : list.data.totalCount === 0 ? (
        empty
      ) : (
        <>
          {!mayManage && <p className={css.soft}>{texts.mayOnlyLook}</p>}
          <DataTable
            label={texts.views.schedules}
            columns={columnsOf(rows, names, mayManage ? setTask : undefined)}
            rows={rows}
            idOf={({ id }) => id}
            isStale={list.isPlaceholderData}
          />
          <Pager
            page={page}
            pageSize={PAGE_SIZE}
            total={list.data}
            isStale={list.isPlaceholderData}
            onChange={onPage}
          />
        </>
      )}
      {task && (
        <ScheduleDialog
          {...task}
          onFired={(instanceId) => setFired({ workflow: task.workflow, instanceId })}
          onRefused={() => setRefused(true)}
          onClose={() => setTask(undefined)}
        />
      )}
    </>
  );
}

/** Stays until it is closed: there is a way to continue. */
function FiredNotice({ workflow, instanceId, onClose }: Fired & { readonly onClose: () => void }) {
  return (
    <div className={css.notice} role="status">
      <span>{texts.fired(workflow)}</span>
      <Link to="/instances/$instanceId" params={{ instanceId }}>
        {texts.openInstance}
      </Link>
      <CloseButton size="sm" aria-label={shellTexts.close} onClick={onClose} />
    </div>
  );
}
