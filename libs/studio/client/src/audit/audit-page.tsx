import { Button, Menu } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { toApiError } from '../api/api-error.js';
import { auditEntryQuery, type AuditFilter, auditQuery, exportAudit } from '../api/audit.js';
import { DataTable } from '../parts/data-table.js';
import { download } from '../parts/download.js';
import { Page } from '../parts/page.js';
import { failureOf } from '../api/failure-of.js';
import { EmptyState, ErrorPanel, Loading } from '../parts/states.js';
import { notifyError } from '../parts/toasts.js';
import { auditTexts as texts } from '../texts/audit.js';
import { listTexts } from '../texts/lists.js';
import { auditColumns } from './audit-columns.js';
import { AuditFilters } from './audit-filters.js';
import { AuditLook } from './audit-look.js';
import { auditFilter, type AuditSearch } from './audit-search.js';
import css from './audit.module.css';

const route = getRouteApi('/audit');
const CLEARED = {
  actor: undefined,
  kind: undefined,
  action: undefined,
  target: undefined,
  outcome: undefined,
  from: undefined,
  to: undefined,
} satisfies AuditSearch;

/** Who changed what, when and from where; the newest first. */
export function AuditPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (next: AuditSearch) => void navigate({ search: (old) => ({ ...old, ...next }), replace: true });
  const filter = auditFilter(search);
  const list = useInfiniteQuery(auditQuery(filter));
  const rows = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const isFiltered = Object.keys(CLEARED).some((name) => search[name as keyof typeof CLEARED] !== undefined);
  const clear = isFiltered ? () => change(CLEARED) : undefined;
  const listed = rows.find(({ id }) => id === search.entry);
  const moment = Number.isNaN(Date.parse(search.at ?? '')) ? undefined : search.at;
  const older = useQuery({
    ...auditEntryQuery(search.entry ?? '', moment ?? ''),
    enabled: search.entry !== undefined && moment !== undefined && list.data !== undefined && !listed,
  });
  const shown = listed ?? older.data ?? undefined;
  const isGone = search.entry !== undefined && list.data !== undefined && !shown && (!moment || older.data === null);
  const close = () => change({ entry: undefined, at: undefined });
  return (
    <Page title={texts.title} help="audit" actions={<Export filter={filter} />}>
      <AuditFilters search={search} onChange={change} onClear={clear} />
      {isGone && (
        <p className={css.soft} role="status">
          {texts.entryGone}
        </p>
      )}
      {older.isError && <ErrorPanel error={older.error} onRetry={() => void older.refetch()} />}
      {failureOf(list) ? (
        <>
          <ErrorPanel error={list.error} onRetry={() => void list.refetch()} />
          {toApiError(list.error).status === 403 && <p className={css.soft}>{texts.mayNotLook}</p>}
        </>
      ) : list.data === undefined ? (
        <Loading />
      ) : rows.length === 0 ? (
        <Empty onClear={clear} />
      ) : (
        <>
          <DataTable
            label={texts.title}
            columns={auditColumns(({ id, at }) => change({ entry: id, at }))}
            rows={rows}
            idOf={({ id }) => id}
          />
          {list.hasNextPage && (
            <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
              {texts.more}
            </Button>
          )}
        </>
      )}
      {shown && <AuditLook entry={shown} onClose={close} />}
    </Page>
  );
}

/** All that match, not only what is shown. */
function Export({ filter }: { readonly filter: AuditFilter }) {
  const save = useMutation({
    mutationFn: async (format: 'csv' | 'ndjson') => download(await exportAudit(filter, format), `audit.${format}`),
    onError: notifyError,
  });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<Download size={15} aria-hidden />} loading={save.isPending}>
          {texts.export.action}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => save.mutate('csv')}>{texts.export.csv}</Menu.Item>
        <Menu.Item onClick={() => save.mutate('ndjson')}>{texts.export.ndjson}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function Empty({ onClear }: { readonly onClear: (() => void) | undefined }) {
  if (!onClear)
    return (
      <EmptyState title={texts.empty.title}>
        <p>{texts.empty.lead}</p>
      </EmptyState>
    );
  return (
    <EmptyState title={texts.empty.nothingFound}>
      <p>{texts.empty.nothingFoundLead}</p>
      <Button variant="default" onClick={onClear}>
        {listTexts.clearFilters}
      </Button>
    </EmptyState>
  );
}
