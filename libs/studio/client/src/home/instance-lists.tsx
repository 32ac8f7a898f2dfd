import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type InstanceListRequest, instanceListQuery } from '../api/instances.js';
import { usePolling } from '../api/live/live.js';
import { useDefinitionNames } from '../api/use-definition-names.js';
import { failureOf } from '../api/failure-of.js';
import { EmptyState, ErrorPanel, Loading } from '../parts/states.js';
import { StatusBadge } from '../parts/status-badge.js';
import { Time, TimeSince } from '../parts/time.js';
import { homeTexts as texts } from '../texts/operations.js';
import { POLL_MS } from './poll.js';
import css from './home.module.css';

const SHOWN = 7;

const FAILURES: InstanceListRequest = {
  subStatuses: ['Faulted'],
  orderBy: 'UpdatedAt',
  orderDirection: 'Descending',
  pageSize: SHOWN,
};
const WAITING: InstanceListRequest = {
  subStatuses: ['Suspended'],
  orderBy: 'UpdatedAt',
  orderDirection: 'Ascending',
  pageSize: SHOWN,
};

const failedAt = (at: string) => (
  <>
    {texts.failedAt} <Time value={at} />
  </>
);
const waitsFor = (at: string) => (
  <>
    {texts.waitsFor} <TimeSince value={at} />
  </>
);

export function NewestFailures() {
  return (
    <List title={texts.failures} empty={texts.noFailures} request={FAILURES} when={failedAt}>
      <Link to="/instances" search={{ status: ['Faulted'], sort: 'updated' }}>
        {texts.allFailures}
      </Link>
    </List>
  );
}

export function WaitingLongest() {
  return (
    <List title={texts.waiting} empty={texts.nothingWaits} request={WAITING} when={waitsFor}>
      <Link to="/instances" search={{ status: ['Suspended'], sort: 'updated', ascending: 'yes' }}>
        {texts.allWaiting}
      </Link>
    </List>
  );
}

interface ListProps {
  readonly title: string;
  readonly empty: string;
  readonly request: InstanceListRequest;
  readonly when: (updatedAt: string) => ReactNode;
  /** The way to all of them. */
  readonly children: ReactNode;
}

function List({ title, empty, request, when, children }: ListProps) {
  const list = useQuery({ ...instanceListQuery(request), refetchInterval: usePolling(POLL_MS) });
  const rows = list.data?.items ?? [];
  const names = useDefinitionNames(rows);
  return (
    <section className={css.list} aria-label={title}>
      <header className={css.listHead}>
        <h2 className={css.listTitle}>{title}</h2>
        {rows.length > 0 && children}
      </header>
      {failureOf(list) ? (
        <ErrorPanel error={list.error} onRetry={() => void list.refetch()} />
      ) : list.data === undefined ? (
        <Loading />
      ) : rows.length === 0 ? (
        <EmptyState title={empty} />
      ) : (
        <ul className={css.rows}>
          {rows.map((row) => (
            <li key={row.id} className={css.row}>
              <div className={css.what}>
                <Link
                  to="/instances/$instanceId"
                  params={{ instanceId: row.id }}
                  title={row.name || row.correlationId || row.id}
                >
                  {row.name || row.correlationId || row.id}
                </Link>
                <span className={css.soft}>{names.get(row.definitionId) ?? row.definitionId}</span>
              </div>
              <div className={css.when}>
                <StatusBadge status={row.subStatus} />
                <span className={css.soft}>{when(row.updatedAt)}</span>
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
