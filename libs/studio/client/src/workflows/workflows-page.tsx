import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Plus, Upload } from 'lucide-react';
import { useState } from 'react';
import { allDefinitions, theseDefinitions } from '../api/all-matching.js';
import {
  type DefinitionListRequest,
  definitionListQuery,
  type DefinitionSummary,
  type VersionOptions,
} from '../api/definitions.js';
import { type Column, DataTable } from '../parts/data-table.js';
import { Page } from '../parts/page.js';
import { Pager } from '../parts/pager.js';
import { failureOf } from '../api/failure-of.js';
import { EmptyState, ErrorPanel, Loading } from '../parts/states.js';
import { Time } from '../parts/time.js';
import { deletedDefinition, useSelection } from '../parts/use-selection.js';
import { listTexts } from '../texts/lists.js';
import { Unreadable } from '../parts/unreadable.js';
import { workflowTexts as texts } from '../texts/workflows.js';
import { BulkBar } from './bulk-bar.js';
import { CreateDialog } from './create-dialog.js';
import { ImportDialog } from './import-dialog.js';
import { StateBadge } from './state-badge.js';
import { Templates } from './templates-gallery.js';
import { type WorkflowRow, useWorkflowRows } from './use-workflow-rows.js';
import { WorkflowFilters } from './workflow-filters.js';
import { WorkflowMenu } from './workflow-menu.js';
import type { WorkflowListSearch } from './workflow-search.js';
import { useDialogAddress } from './use-dialog-address.js';
import { useFileDrop } from './use-file-drop.js';
import css from './workflows-page.module.css';
import { May } from '../parts/may.js';
import { useMay } from '../api/permissions.js';

const PAGE_SIZE = 25;
const ORDERS = { name: 'Name', created: 'Created', version: 'Version' } as const;
const route = getRouteApi('/workflows');

const columns: readonly Column<WorkflowRow>[] = [
  {
    id: 'name',
    title: texts.columns.name,
    sort: 'name',
    cell: ({ definitionId, name, description, unreadable }) => (
      <div className={css.name}>
        <Link to="/workflows/$definitionId" params={{ definitionId }} title={name} dir="auto">
          {name || definitionId}
        </Link>
        <span className={css.detail} dir="auto">
          {description || definitionId}
        </span>
        <Unreadable row={unreadable} />
      </div>
    ),
  },
  { id: 'state', title: texts.columns.state, isNarrow: true, cell: (row) => <StateBadge row={row} /> },
  {
    id: 'version',
    title: texts.columns.version,
    sort: 'version',
    isNarrow: true,
    isMinor: true,
    cell: ({ version }) => version,
  },
  {
    id: 'created',
    title: texts.columns.created,
    sort: 'created',
    isNarrow: true,
    isMinor: true,
    cell: ({ createdAt }) => createdAt && <Time value={createdAt} />,
  },
  {
    id: 'actions',
    title: texts.columns.actions,
    isTitleHidden: true,
    isNarrow: true,
    cell: (row) => <WorkflowMenu row={row} />,
  },
];

/** All definitions: find them, change many at once, make new ones. */
export function WorkflowsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  // From a page, Back leads to the one before it.
  const change = (next: WorkflowListSearch, replace = !('page' in next)) =>
    void navigate({ search: (old) => ({ ...old, page: undefined, ...next }), replace });
  const { openDialog, closeDialog } = useDialogAddress();
  const mayWrite = useMay('write:workflow-definitions');
  const [dropped, setDropped] = useState<readonly File[]>([]);
  const request = requestOf(search);
  const list = useQuery({ ...definitionListQuery(request), placeholderData: keepPreviousData });
  const rows = useWorkflowRows(list.data?.items);
  const selection = useSelection<WorkflowRow>({
    rows,
    idOf: ({ definitionId }) => definitionId,
    filter: { ...request, page: 0 },
    findAll: async () => (await allDefinitions(request)).map(asRow),
    findThese: async (ids) => (await theseDefinitions(request.versionOptions, ids)).map(asRow),
    deletedBy: deletedDefinition,
  });
  const drop = useFileDrop((files) => {
    setDropped(files);
    openDialog('import');
  });
  const isFiltered = Boolean(search.q || search.state || search.origin);
  const isEmpty = list.data?.totalCount === 0;
  const close = () => {
    setDropped([]);
    closeDialog();
  };
  return (
    <div className={css.room} {...(mayWrite ? drop.handlers : {})}>
      <Page
        title={texts.title}
        actions={
          <May permission="write:workflow-definitions">
            <Button variant="default" leftSection={<Upload size={15} />} onClick={() => openDialog('import')}>
              {texts.import.action}
            </Button>
            <Button leftSection={<Plus size={15} />} onClick={() => openDialog('create')}>
              {texts.create.action}
            </Button>
          </May>
        }
      >
        {(!isEmpty || isFiltered) && <WorkflowFilters search={search} onChange={change} />}
        <BulkBar selection={selection} total={list.data} />
        {failureOf(list) ? (
          <ErrorPanel error={list.error} onRetry={() => void list.refetch()} />
        ) : list.data === undefined ? (
          <Loading />
        ) : isEmpty && isFiltered ? (
          <EmptyState title={texts.empty.nothingFound}>
            <Button variant="default" onClick={() => change({ q: undefined, state: undefined, origin: undefined })}>
              {listTexts.clearFilters}
            </Button>
          </EmptyState>
        ) : isEmpty && !mayWrite ? (
          <EmptyState title={texts.empty.none} />
        ) : isEmpty ? (
          <Templates />
        ) : (
          <>
            <DataTable
              label={texts.title}
              columns={columns}
              rows={rows}
              idOf={({ definitionId }) => definitionId}
              isStale={list.isPlaceholderData}
              sorting={{
                by: search.sort ?? 'name',
                isDescending: search.descending === 'yes',
                onChange: (by, isDescending) =>
                  change({
                    sort: by === 'name' ? undefined : (by as WorkflowListSearch['sort']),
                    descending: isDescending ? 'yes' : undefined,
                  }),
              }}
              selection={{
                ids: selection.ids,
                onChange: selection.onChange,
                allLabel: texts.selectAll,
                labelOf: (id) => texts.select(rows.find(({ definitionId }) => definitionId === id)?.name ?? id),
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
      {drop.isOver && <div className={css.drop}>{texts.import.dropHere}</div>}
      {mayWrite && search.dialog === 'create' && <CreateDialog onClose={close} />}
      {mayWrite && search.dialog === 'import' && <ImportDialog files={dropped} onClose={close} />}
    </div>
  );
}

type ListRequest = DefinitionListRequest & { readonly versionOptions: VersionOptions };
/** What of them is published is shown in the list only. */
const asRow = (row: DefinitionSummary): WorkflowRow => ({ ...row, publishedVersion: undefined });
const STATES = { published: 'Published', draft: 'Draft' } as const;
/** How a definition came in: as JSON over the API, or from classes. */
const ORIGINS = { stored: 'Json', code: 'CLR' } as const;

function requestOf({ q, state, origin, sort = 'name', descending, page = 1 }: WorkflowListSearch): ListRequest {
  return {
    versionOptions: state === undefined ? 'Latest' : STATES[state],
    ...(q === undefined ? {} : { searchTerm: q }),
    ...(origin === undefined ? {} : { materializer: ORIGINS[origin] }),
    orderBy: ORDERS[sort],
    orderDirection: descending === 'yes' ? 'Descending' : 'Ascending',
    page: page - 1,
    pageSize: PAGE_SIZE,
  };
}
