import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { allInstances, theseInstances } from '../api/all-matching.js';
import { type InstanceSummary, instanceListQuery } from '../api/instances.js';
import { usePolling } from '../api/live/live.js';
import { useDefinitionNames } from '../api/use-definition-names.js';
import { type Column, DataTable } from '../parts/data-table.js';
import { Page } from '../parts/page.js';
import { Pager } from '../parts/pager.js';
import { failureOf } from '../api/failure-of.js';
import { EmptyState, ErrorPanel, Loading } from '../parts/states.js';
import { StatusBadge } from '../parts/status-badge.js';
import { Time } from '../parts/time.js';
import { deletedInstance, useSelection } from '../parts/use-selection.js';
import { instanceTexts as texts } from '../texts/instances.js';
import { listTexts } from '../texts/lists.js';
import { InstanceBulkBar } from './instance-bulk-bar.js';
import { InstanceFilters } from './instance-filters.js';
import { instanceRequest, PAGE_SIZE } from './instance-request.js';
import type { InstanceListSearch } from './instance-search.js';
import css from './instances-page.module.css';

const route = getRouteApi('/instances');
/** Until the server can tell: how often what may change is asked for while the page is looked at. */
export const POLL_MS = 5_000;
const CLEARED = {
  q: undefined,
  workflow: undefined,
  version: undefined,
  status: undefined,
  correlation: undefined,
  parent: undefined,
  incidents: undefined,
  time: undefined,
  from: undefined,
  to: undefined,
} satisfies InstanceListSearch;

/** All instances: find one by anything that is known of it, repair many at once. */
export function InstancesPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  // From a page, Back leads to the one before it.
  const change = (next: InstanceListSearch, replace = !('page' in next)) =>
    void navigate({ search: (old) => ({ ...old, page: undefined, ...next }), replace });
  const request = instanceRequest(search);
  const list = useQuery({
    ...instanceListQuery(request),
    placeholderData: keepPreviousData,
    refetchInterval: usePolling(POLL_MS),
  });
  const rows = list.data?.items ?? [];
  const selection = useSelection({
    rows,
    idOf: ({ id }) => id,
    filter: { ...request, page: 0 },
    findAll: () => allInstances(request),
    findThese: theseInstances,
    deletedBy: deletedInstance,
  });
  const names = useDefinitionNames(rows);
  const isFiltered = Object.keys(CLEARED).some((name) => search[name as keyof typeof CLEARED] !== undefined);
  return (
    <Page help="instances" title={texts.title}>
      <InstanceFilters search={search} onChange={change} {...(isFiltered ? { onClear: () => change(CLEARED) } : {})} />
      <InstanceBulkBar selection={selection} total={list.data} />
      {failureOf(list) ? (
        <ErrorPanel error={list.error} onRetry={() => void list.refetch()} />
      ) : list.data === undefined ? (
        <Loading />
      ) : list.data.totalCount === 0 ? (
        <Empty onClear={isFiltered ? () => change(CLEARED) : undefined} />
      ) : (
        <>
          <DataTable
            label={texts.title}
            columns={columnsWith(names)}
            rows={rows}
            idOf={({ id }) => id}
            isStale={list.isPlaceholderData}
            sorting={{
              by: search.sort ?? 'created',
              isDescending: search.ascending !== 'yes',
              onChange: (by, isDescending) =>
                change({
                  sort: by === 'created' ? undefined : (by as InstanceListSearch['sort']),
                  ascending: isDescending ? undefined : 'yes',
                }),
            }}
            selection={{
              ids: selection.ids,
              onChange: selection.onChange,
              allLabel: texts.selectAll,
              labelOf: texts.select,
            }}
          />
          <Pager
            page={search.page ?? 1}
            pageSize={PAGE_SIZE}
            total={list.data}
            isStale={list.isPlaceholderData}
            onChange={(page, isReplaced) => change({ page: page > 1 ? page : undefined }, isReplaced)}
          />
        </>
      )}
    </Page>
  );
}

function Empty({ onClear }: { readonly onClear: (() => void) | undefined }) {
  if (onClear)
    return (
      <EmptyState title={texts.empty.nothingFound}>
        <Button variant="default" onClick={onClear}>
          {listTexts.clearFilters}
        </Button>
      </EmptyState>
    );
  return (
    <EmptyState title={texts.empty.title}>
      <p>{texts.empty.lead}</p>
      <Button variant="default" renderRoot={(props) => <Link {...props} to="/workflows" />}>
        {texts.empty.toWorkflows}
      </Button>
    </EmptyState>
  );
}

const columnsWith = (names: ReadonlyMap<string, string>): readonly Column<InstanceSummary>[] => [
  {
    id: 'name',
    title: texts.columns.name,
    sort: 'name',
    cell: ({ id, name, correlationId }) => (
      <div className={css.name}>
        <Link to="/instances/$instanceId" params={{ instanceId: id }} title={name || correlationId || id}>
          {name || correlationId || id}
        </Link>
        <span className={css.detail}>
          {[id, correlationId].filter((each) => each && each !== (name || correlationId || id)).join(' · ')}
        </span>
      </div>
    ),
  },
  {
    id: 'workflow',
    title: texts.columns.workflow,
    cell: ({ definitionId, version }) => (
      <Link
        className={css.quiet}
        to="/workflows/$definitionId"
        params={{ definitionId }}
        title={names.get(definitionId)}
      >
        <span className={css.workflow}>{names.get(definitionId) ?? definitionId}</span>{' '}
        <span className={css.version}>v{version}</span>
      </Link>
    ),
  },
  {
    id: 'status',
    title: texts.columns.status,
    isNarrow: true,
    cell: ({ subStatus, incidentCount }) => (
      <span className={css.status}>
        <StatusBadge status={subStatus} />
        {incidentCount > 0 && (
          <span className={css.incidents} title={texts.columns.incidents}>
            <TriangleAlert size={13} aria-label={texts.columns.incidents} />
            {incidentCount}
          </span>
        )}
      </span>
    ),
  },
  {
    id: 'created',
    title: texts.columns.created,
    sort: 'created',
    isNarrow: true,
    isMinor: 'late',
    cell: ({ createdAt }) => <Time value={createdAt} />,
  },
  {
    id: 'updated',
    title: texts.columns.updated,
    sort: 'updated',
    isNarrow: true,
    isMinor: 'soon',
    cell: ({ updatedAt }) => <Time value={updatedAt} />,
  },
  {
    id: 'finished',
    title: texts.columns.finished,
    sort: 'finished',
    isNarrow: true,
    isMinor: 'soon',
    cell: ({ finishedAt }) => <Time value={finishedAt} />,
  },
];
