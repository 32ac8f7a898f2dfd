import { useOperationsPolling } from '../api/live/live.js';
import { Button, CloseButton, SegmentedControl } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { RotateCcw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { allLetters, MOST_AT_ONCE } from '../api/all-matching.js';
import { letterCountQuery, type LetterSource, letterListQuery } from '../api/dead-letters.js';
import bulk from '../parts/bulk-bar.module.css';
import { DataTable } from '../parts/data-table.js';
import { Page } from '../parts/page.js';
import { Pager } from '../parts/pager.js';
import { failureOf } from '../api/failure-of.js';
import { EmptyState, ErrorPanel, Loading } from '../parts/states.js';
import { deadLetterTexts as texts } from '../texts/dead-letters.js';
import { listTexts } from '../texts/lists.js';
import type { DeadLetterSearch } from './dead-letter-search.js';
import { columnsOf } from './letter-columns.js';
import { type LetterAction, LetterDialog, type LetterTask } from './letter-dialogs.js';
import { letterFilter } from './letter-filter.js';
import { LetterFilters } from './letter-filters.js';
import { LetterLook } from './letter-look.js';
import { useSources } from './letter-sources.js';
import css from './dead-letters.module.css';
import { May } from '../parts/may.js';
import { notifyError } from '../parts/toasts.js';

const route = getRouteApi('/dead-letters');
const PAGE_SIZE = 25;
/** Until the server can tell: how often what may change is asked for while the page is looked at. */
const POLL_MS = 10_000;
const NONE: ReadonlySet<string> = new Set();
const CLEARED = { kind: undefined, error: undefined, from: undefined, to: undefined, instance: undefined };

/** What could not be delivered or done: look at it, try it again, or give it up. */
export function DeadLettersPage() {
  const search = route.useSearch();
  const sources = useSources();
  const source: LetterSource = search.source ?? sources[0] ?? 'outbox';
  const navigate = route.useNavigate();
  // From a page, Back leads to the one before it.
  const change = (next: DeadLetterSearch, replace = !('page' in next)) =>
    void navigate({ search: (old) => ({ ...old, page: undefined, ...next }), replace });
  const [selected, setSelected] = useState(NONE);
  const [task, setTask] = useState<LetterTask>();
  const filter = letterFilter(source, search);
  const isFiltered = Object.keys(filter).length > 0;
  const list = useQuery({
    ...letterListQuery(source, filter, (search.page ?? 1) - 1, PAGE_SIZE),
    refetchInterval: useOperationsPolling(POLL_MS),
  });
  const totalCount = list.data?.totalCount ?? 0;
  // Until the answer is here, the list and its count are of the question before: "all" would be others than those that are seen.
  const isAnswered = !list.isPlaceholderData && failureOf(list) === undefined;
  const rows = list.data?.items ?? [];
  const ids = rows.map(({ id }) => id).filter((id) => selected.has(id));
  const look = (letter: string | undefined) => change({ letter, page: search.page });
  const ofSome = (action: LetterAction, some: readonly string[]) => setTask({ action, source, ids: some });
  // Those that are there now: what is given up while the question is read has not been seen.
  const all = useMutation({
    mutationFn: async (action: LetterAction) => ({ action, source, ids: await allLetters(source, filter) }),
    onSuccess: (found) => {
      if (found.ids.length > 0) setTask(found);
      else void list.refetch();
    },
    onError: notifyError,
  });
  const isMore = totalCount > MOST_AT_ONCE || list.data?.isTotalLowerBound === true;
  const labelOf = (action: LetterAction) =>
    isMore ? texts.first[action](MOST_AT_ONCE) : texts.all[action](totalCount.toLocaleString('en'));
  const clear = isFiltered ? () => change(CLEARED) : undefined;
  return (
    <Page
      help="deadLetters"
      title={texts.title}
      actions={
        totalCount > 0 && (
          <>
            <May permission={`replay:${source}:dead-letters`}>
              <Button
                variant="default"
                leftSection={<RotateCcw size={14} />}
                disabled={!isAnswered || all.isPending}
                loading={all.isPending && all.variables === 'replay'}
                onClick={() => all.mutate('replay')}
              >
                {labelOf('replay')}
              </Button>
            </May>
            <May permission={`delete:${source}:dead-letters`}>
              <Button
                variant="default"
                leftSection={<Trash2 size={14} />}
                disabled={!isAnswered || all.isPending}
                loading={all.isPending && all.variables === 'delete'}
                onClick={() => all.mutate('delete')}
              >
                {labelOf('delete')}
              </Button>
            </May>
          </>
        )
      }
    >
      <Sources
        sources={sources}
        source={source}
        onChange={(next) => {
          setSelected(NONE);
          change({ ...CLEARED, letter: undefined, source: next === 'outbox' ? undefined : next });
        }}
      />
      <LetterFilters source={source} search={search} onChange={change} onClear={clear} />
      {ids.length > 0 && <BulkBar source={source} ids={ids} onAct={ofSome} onClear={() => setSelected(NONE)} />}
      {failureOf(list) ? (
        <ErrorPanel error={list.error} onRetry={() => void list.refetch()} />
      ) : list.data === undefined ? (
        <Loading />
      ) : totalCount === 0 ? (
        <Empty source={source} onClear={clear} />
      ) : (
        <>
          <DataTable
            label={texts.sources[source]}
            columns={columnsOf(source, {
              onLook: ({ id }) => look(id),
              onAct: (action, { id }) => ofSome(action, [id]),
            })}
            rows={rows}
            idOf={({ id }) => id}
            isStale={list.isPlaceholderData}
            selection={{ ids: selected, onChange: setSelected, allLabel: texts.selectAll, labelOf: texts.select }}
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
      {search.letter !== undefined && !task && (
        <LetterLook
          source={source}
          id={search.letter}
          onAct={(action) => ofSome(action, [search.letter!])}
          onClose={() => look(undefined)}
        />
      )}
      {task && (
        <LetterDialog
          {...task}
          onClose={() => setTask(undefined)}
          onDone={() => {
            setSelected(NONE);
            look(undefined);
          }}
        />
      )}
    </Page>
  );
}

interface SourcesProps {
  readonly sources: readonly LetterSource[];
  readonly source: LetterSource;
  readonly onChange: (source: LetterSource) => void;
}

/** The lists that may be read, each with its count. */
function Sources({ sources, source, onChange }: SourcesProps) {
  const refetchInterval = useOperationsPolling(POLL_MS);
  const asked = (one: LetterSource) => ({ refetchInterval, enabled: sources.length > 1 && sources.includes(one) });
  const outbox = useQuery({ ...letterCountQuery('outbox'), ...asked('outbox') });
  const queue = useQuery({ ...letterCountQuery('bookmark-queue'), ...asked('bookmark-queue') });
  const counts = { outbox: outbox.data, 'bookmark-queue': queue.data };
  return (
    <div className={css.sources}>
      {sources.length > 1 && (
        <SegmentedControl
          aria-label={texts.sourcesLabel}
          value={source}
          onChange={(value) => onChange(value as LetterSource)}
          data={sources.map((value) => ({
            value,
            label: [texts.sources[value], counts[value] && listTexts.count(counts[value])].filter(Boolean).join(' · '),
          }))}
        />
      )}
      <p className={css.soft}>{texts.leads[source]}</p>
    </div>
  );
}

interface BulkBarProps {
  readonly source: LetterSource;
  readonly ids: readonly string[];
  readonly onAct: (action: LetterAction, ids: readonly string[]) => void;
  readonly onClear: () => void;
}

function BulkBar({ source, ids, onAct, onClear }: BulkBarProps) {
  return (
    <div className={bulk.bar} role="toolbar" aria-label={listTexts.selected(ids.length)}>
      <CloseButton size="sm" aria-label={listTexts.clearSelection} onClick={onClear} />
      <span className={bulk.count}>{listTexts.selected(ids.length)}</span>
      <May permission={`replay:${source}:dead-letters`}>
        <Button size="xs" variant="default" leftSection={<RotateCcw size={14} />} onClick={() => onAct('replay', ids)}>
          {texts.actions.replay}
        </Button>
      </May>
      <May permission={`delete:${source}:dead-letters`}>
        <Button size="xs" color="red.8" leftSection={<Trash2 size={14} />} onClick={() => onAct('delete', ids)}>
          {texts.actions.delete}
        </Button>
      </May>
    </div>
  );
}

interface EmptyProps {
  readonly source: LetterSource;
  readonly onClear: (() => void) | undefined;
}

function Empty({ source, onClear }: EmptyProps) {
  if (!onClear)
    return (
      <EmptyState title={texts.empty.title}>
        <p>{texts.empty[source]}</p>
      </EmptyState>
    );
  return (
    <EmptyState title={texts.empty.nothingFound}>
      <Button variant="default" onClick={onClear}>
        {listTexts.clearFilters}
      </Button>
    </EmptyState>
  );
}
