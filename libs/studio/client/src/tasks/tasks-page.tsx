import { Button, SegmentedControl, Select } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useOperationsPolling } from '../api/live/live.js';
import { useDefinitionNames } from '../api/use-definition-names.js';
import { taskListQuery, type UserTask } from '../api/tasks.js';
import { Page } from '../parts/page.js';
import { SearchField } from '../parts/search-field.js';
import { failureOf } from '../api/failure-of.js';
import { EmptyState, ErrorPanel, Loading } from '../parts/states.js';
import { listTexts } from '../texts/lists.js';
import { taskTexts as texts } from '../texts/tasks.js';
import { TaskDetails } from './task-details.js';
import { DueBadge } from './due-badge.js';
import { orders, scopes, type TaskSearch } from './task-search.js';
import css from './tasks.module.css';

const route = getRouteApi('/tasks');
/** Until the server can tell: how often what may change is asked for while the page is looked at. */
const POLL_MS = 5_000;

/** What waits for people: a list at the left, the task beside it. */
export function TasksPage() {
  const search = route.useSearch();
  const { scope = 'Mine', order = 'Priority', group, task } = search;
  const navigate = route.useNavigate();
  const change = (next: TaskSearch) => void navigate({ search: (old) => ({ ...old, ...next }), replace: true });
  // Everything that ever was is no list of what is to be done.
  const status = scope === 'All' ? 'Open' : undefined;
  const list = useInfiniteQuery({
    ...taskListQuery({ scope, order, group, status }),
    refetchInterval: useOperationsPolling(POLL_MS),
  });
  const tasks = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const names = useDefinitionNames(tasks.map(({ workflowDefinitionId }) => ({ definitionId: workflowDefinitionId })));
  return (
    <Page help="tasks" fills title={texts.title}>
      <div className={css.filters} role="search" aria-label={listTexts.filters}>
        <SegmentedControl
          className={css.scopes}
          aria-label={texts.scopeLabel}
          value={scope}
          onChange={(value) =>
            change({ scope: value === 'Mine' ? undefined : (value as TaskSearch['scope']), task: undefined })
          }
          data={scopes.map((value) => ({ value, label: texts.scopes[value] }))}
        />
        <Select
          aria-label={texts.order}
          allowDeselect={false}
          w={170}
          data={orders.map((value) => ({ value, label: texts.orders[value] }))}
          value={order}
          onChange={(value) => change({ order: value === 'Priority' ? undefined : (value as TaskSearch['order']) })}
        />
        <SearchField
          label={texts.group}
          value={group ?? ''}
          onChange={(text) => change({ group: text || undefined })}
        />
      </div>
      <div className={css.columns} data-open={task !== undefined || undefined}>
        <section className={css.list} aria-label={texts.list}>
          {failureOf(list) ? (
            <ErrorPanel error={list.error} onRetry={() => void list.refetch()} />
          ) : list.data === undefined ? (
            <Loading />
          ) : tasks.length === 0 ? (
            <EmptyState title={texts.empty[scope].title}>
              <p>{texts.empty[scope].lead}</p>
            </EmptyState>
          ) : (
            <>
              <ul className={css.rows}>
                {tasks.map((each) => (
                  <li key={each.id}>
                    <Row task={each} workflow={names.get(each.workflowDefinitionId)} isCurrent={each.id === task} />
                  </li>
                ))}
              </ul>
              {list.hasNextPage && (
                <Button
                  variant="default"
                  fullWidth
                  loading={list.isFetchingNextPage}
                  onClick={() => void list.fetchNextPage()}
                >
                  {texts.more}
                </Button>
              )}
            </>
          )}
        </section>
        <section className={css.details} aria-label={texts.about}>
          {task === undefined ? (
            <EmptyState title={texts.choose} />
          ) : (
            <TaskDetails key={task} id={task} onClose={() => change({ task: undefined })} />
          )}
        </section>
      </div>
    </Page>
  );
}

interface RowProps {
  readonly task: UserTask;
  /** Its name, where it is known. */
  readonly workflow: string | undefined;
  readonly isCurrent: boolean;
}

function Row({ task, workflow, isCurrent }: RowProps) {
  const { id, title, name, workflowDefinitionId, assignee, completedBy, outcome, status, correlationId } = task;
  const state =
    status === 'Completed'
      ? texts.completedBy(completedBy ?? '', outcome ?? '')
      : status === 'Cancelled'
        ? texts.cancelled
        : assignee && texts.claimedBy(assignee);
  return (
    <Link
      className={css.row}
      to="/tasks"
      search={(old) => ({ ...old, task: id })}
      replace
      aria-current={isCurrent ? 'true' : undefined}
    >
      <span className={css.rowTitle}>{title || name}</span>
      <DueBadge task={task} />
      <span className={css.rowDetail}>
        {[workflow ?? workflowDefinitionId, correlationId, state].filter(Boolean).join(' · ')}
      </span>
    </Link>
  );
}
