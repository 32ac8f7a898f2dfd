import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type BulkPlan, isOver, planListQuery, plansKey, stopPlan } from '../api/bulk-plans.js';
import { failureOf } from '../api/failure-of.js';
import { type Column, DataTable } from '../parts/data-table.js';
import { May } from '../parts/may.js';
import { ErrorPanel, Loading } from '../parts/states.js';
import { Time } from '../parts/time.js';
import { notifyError } from '../parts/toasts.js';
import { Unreadable } from '../parts/unreadable.js';
import { listTexts } from '../texts/lists.js';
import { planTexts } from '../texts/plans.js';
import css from './settings.module.css';

const texts = planTexts.list;

const COLUMNS: readonly Column<BulkPlan>[] = [
  {
    id: 'what',
    title: texts.what,
    cell: ({ action, requestedBy, unreadable }) => (
      <>
        <div className={css.name}>{texts.action(action)}</div>
        {requestedBy?.actor && <div className={css.soft}>{texts.by(requestedBy.actor)}</div>}
        <Unreadable row={unreadable} />
      </>
    ),
  },
  { id: 'state', title: texts.state, isNarrow: true, cell: ({ status }) => texts.states[status] },
  {
    id: 'done',
    title: texts.done,
    cell: ({ visited, selected, isSelected, failed, failures }) => (
      <>
        <div>{texts.progress(visited, selected, isSelected)}</div>
        {failed > 0 && <div className={css.soft}>{planTexts.failed(failed, failures[0]?.message)}</div>}
      </>
    ),
  },
  {
    id: 'begun',
    title: texts.begun,
    isNarrow: true,
    isMinor: true,
    cell: ({ createdAt }) => <Time value={createdAt} />,
  },
  { id: 'actions', title: texts.actions, isTitleHidden: true, isNarrow: true, cell: (plan) => <Stop plan={plan} /> },
];

/** Work on many instances, messages or definitions that the server does in the background, also what was asked for in another tab. */
export function PlansSection() {
  const plans = useQuery(planListQuery());
  const { items = [] } = plans.data ?? {};
  return (
    <section>
      <h2 className={css.heading}>{texts.title}</h2>
      {failureOf(plans) ? (
        <ErrorPanel error={plans.error} onRetry={() => void plans.refetch()} />
      ) : plans.data === undefined ? (
        <Loading />
      ) : items.length === 0 ? (
        <p className={css.soft}>{texts.none}</p>
      ) : (
        <>
          <DataTable label={texts.title} columns={COLUMNS} rows={items} idOf={({ id }) => id} />
          {items.length < plans.data.totalCount && (
            <p className={css.soft}>{texts.newest(items.length, listTexts.count(plans.data))}</p>
          )}
        </>
      )}
    </section>
  );
}

function Stop({ plan }: { readonly plan: BulkPlan }) {
  const client = useQueryClient();
  const stop = useMutation({
    mutationFn: () => stopPlan(plan.id),
    onError: notifyError,
    onSettled: () => client.invalidateQueries({ queryKey: plansKey }),
  });
  if (isOver(plan)) return null;
  return (
    <May permission="cancel:bulk-plans">
      <Button
        size="compact-sm"
        variant="default"
        aria-label={texts.stop(plan.action)}
        loading={stop.isPending}
        onClick={() => stop.mutate()}
      >
        {planTexts.stop}
      </Button>
    </May>
  );
}
