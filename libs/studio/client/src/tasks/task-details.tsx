import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowLeft, Hand, Undo2, UserRoundPlus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { claimTask, releaseTask, taskQuery, tasksKey, type UserTask } from '../api/tasks.js';
import { useDefinitionNames } from '../api/use-definition-names.js';
import { JsonView } from '../parts/json-view.js';
import { failureOf } from '../api/failure-of.js';
import { ErrorPanel, Loading } from '../parts/states.js';
import { Time } from '../parts/time.js';
import { notify, notifyError } from '../parts/toasts.js';
import { taskTexts as texts } from '../texts/tasks.js';
import { CompleteForm } from '../parts/complete-form.js';
import { DelegateDialog } from './delegate-dialog.js';
import { WORK_ON_TASKS } from '../api/permissions.js';
import { May } from '../parts/may.js';
import { DueBadge } from './due-badge.js';
import { TaskHistory } from './task-history.js';
import css from './tasks.module.css';

/** One task: what is asked, the form and its outcomes, who had it and what was said. */
export function TaskDetails({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const task = useQuery(taskQuery(id));
  return (
    <>
      <Button
        className={css.back}
        variant="subtle"
        size="compact-sm"
        leftSection={<ArrowLeft size={14} aria-hidden />}
        onClick={onClose}
      >
        {texts.back}
      </Button>
      {failureOf(task) ? (
        <ErrorPanel error={task.error} onRetry={() => void task.refetch()} />
      ) : task.data ? (
        <Whole task={task.data} />
      ) : (
        <Loading />
      )}
    </>
  );
}

function Whole({ task }: { readonly task: UserTask }) {
  const { title, name, instructions, data, status, values } = task;
  return (
    <>
      <header className={css.head}>
        <div>
          <h2 className={css.title}>{title || name}</h2>
          <span className={css.badges}>
            <DueBadge task={task} />
            <span className={css.soft}>{texts.priority(task.priority)}</span>
          </span>
        </div>
        {status === 'Open' && (
          <May permission={WORK_ON_TASKS}>
            <HolderActions task={task} />
          </May>
        )}
      </header>
      {instructions && <p className={css.instructions}>{instructions}</p>}
      {data !== undefined && <Block title={texts.data}>{<Data value={data} />}</Block>}
      {status === 'Open' ? (
        <div className={css.block}>
          <May permission={WORK_ON_TASKS}>
            <CompleteForm task={task} />
          </May>
        </div>
      ) : (
        <Block
          title={
            status === 'Completed' ? texts.completedBy(task.completedBy ?? '', task.outcome ?? '') : texts.cancelled
          }
        >
          {values !== undefined && <Data value={values} />}
        </Block>
      )}
      <Block title={texts.about}>
        <About task={task} />
      </Block>
      <TaskHistory task={task} />
    </>
  );
}

/** Who has it: take it, give it back, give it away. */
function HolderActions({ task }: { readonly task: UserTask }) {
  const { id, assignee } = task;
  const client = useQueryClient();
  const [isDelegating, setDelegating] = useState(false);
  const act = useMutation({
    mutationFn: () => (assignee === undefined ? claimTask(id) : releaseTask(id)),
    onSuccess: () => notify(assignee === undefined ? texts.claimed : texts.released),
    onError: notifyError,
    // Also when it failed: another person may have been first.
    onSettled: () => client.invalidateQueries({ queryKey: tasksKey }),
  });
  return (
    <div className={css.holder}>
      {assignee !== undefined && <span className={css.soft}>{texts.claimedBy(assignee)}</span>}
      <Button
        size="xs"
        variant="default"
        leftSection={assignee === undefined ? <Hand size={14} aria-hidden /> : <Undo2 size={14} aria-hidden />}
        loading={act.isPending}
        onClick={() => act.mutate()}
      >
        {assignee === undefined ? texts.claim : texts.release}
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={<UserRoundPlus size={14} aria-hidden />}
        onClick={() => setDelegating(true)}
      >
        {texts.delegate}
      </Button>
      {isDelegating && <DelegateDialog id={id} onClose={() => setDelegating(false)} />}
    </div>
  );
}

function About({ task }: { readonly task: UserTask }) {
  const { workflowDefinitionId, workflowInstanceId, correlationId, candidateGroups, candidateUsers } = task;
  const names = useDefinitionNames([{ definitionId: workflowDefinitionId }]);
  const facts: readonly (readonly [string, ReactNode])[] = [
    [
      texts.workflow,
      <Link key="workflow" to="/workflows/$definitionId" params={{ definitionId: workflowDefinitionId }}>
        {names.get(workflowDefinitionId) ?? workflowDefinitionId}
      </Link>,
    ],
    [
      texts.instance,
      <Link key="instance" to="/instances/$instanceId" params={{ instanceId: workflowInstanceId }}>
        {workflowInstanceId}
      </Link>,
    ],
    [texts.correlation, correlationId],
    [texts.groups, candidateGroups.join(', ')],
    [texts.users, candidateUsers.join(', ')],
    [texts.created, <Time key="created" value={task.createdAt} />],
    [texts.ended, task.endedAt && <Time key="ended" value={task.endedAt} />],
  ];
  return <Facts facts={facts} />;
}

/** Members of an object as a list of names and values, whatever else as JSON. */
function Data({ value }: { readonly value: unknown }) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return <JsonView value={value} />;
  return (
    <Facts
      facts={Object.entries(value).map(([name, each]) => [name, <JsonView key={name} value={each} label={name} />])}
    />
  );
}

function Facts({ facts }: { readonly facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={css.facts}>
      {facts
        .filter(([, value]) => value !== undefined && value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

function Block({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={css.block}>
      <h3 className={css.heading}>{title}</h3>
      {children}
    </section>
  );
}
