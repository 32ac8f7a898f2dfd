import { Button, SegmentedControl } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Page } from '../parts/page.js';
import { EmptyState } from '../parts/states.js';
import { listTexts } from '../texts/lists.js';
import { scheduleTexts as texts } from '../texts/schedules.js';
import { ScheduleFilters } from './schedule-filters.js';
import { ScheduleList } from './schedule-list.js';
import type { ScheduleSearch } from './schedule-search.js';
import { WaitingList } from './waiting-list.js';
import css from './schedules.module.css';

const route = getRouteApi('/schedules');
const VIEWS = ['schedules', 'waiting'] as const;
type View = (typeof VIEWS)[number];
const CLEARED = {
  workflow: undefined,
  kind: undefined,
  origin: undefined,
  state: undefined,
  instance: undefined,
  activity: undefined,
} satisfies ScheduleSearch;

/** Schedules of workflows, and what waits for one: see when, pause it, fire it now. */
export function SchedulesPage() {
  const search = route.useSearch();
  const view: View = search.view ?? 'schedules';
  const navigate = route.useNavigate();
  // From a page, Back leads to the one before it.
  const change = (next: ScheduleSearch, replace = !('page' in next)) =>
    void navigate({ search: (old) => ({ ...old, page: undefined, ...next }), replace });
  const isFiltered = Object.keys(CLEARED).some((name) => search[name as keyof typeof CLEARED] !== undefined);
  const clear = isFiltered ? () => change(CLEARED) : undefined;
  const empty = <Empty view={view} onClear={clear} />;
  return (
    <Page help="schedules" title={texts.title}>
      <div className={css.views}>
        <SegmentedControl
          aria-label={texts.viewsLabel}
          value={view}
          onChange={(value) => change({ ...CLEARED, view: value === 'waiting' ? 'waiting' : undefined })}
          data={VIEWS.map((value) => ({ value, label: texts.views[value] }))}
        />
        <p className={css.soft}>{texts.leads[view]}</p>
      </div>
      <ScheduleFilters search={search} onChange={change} onClear={clear} />
      {view === 'waiting' ? (
        <WaitingList search={search} empty={empty} />
      ) : (
        <ScheduleList
          search={search}
          empty={empty}
          onPage={(page, isReplaced) => change({ page: page > 1 ? page : undefined }, isReplaced)}
        />
      )}
    </Page>
  );
}

interface EmptyProps {
  readonly view: View;
  readonly onClear: (() => void) | undefined;
}

function Empty({ view, onClear }: EmptyProps) {
  if (!onClear)
    return (
      <EmptyState title={texts.empty[view].title}>
        <p>{texts.empty[view].lead}</p>
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
