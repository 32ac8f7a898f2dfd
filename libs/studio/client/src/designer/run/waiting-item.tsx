import { Button, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Clock } from 'lucide-react';
import { useState } from 'react';
import { type BookmarkJson, type Instance, instanceKey } from '../../api/instances.js';
import { resumeBookmark } from '../../api/instance-changes.js';
import { reportTask, sendEvent } from '../../api/runtime.js';
import { taskQuery } from '../../api/tasks.js';
import { CompleteForm } from '../../parts/complete-form.js';
import { errorOfJson, errorOfObject } from '../../parts/error-of-json.js';
import { readJson } from '../../parts/form-values.js';
import { failureOf } from '../../api/failure-of.js';
import { ErrorPanel } from '../../parts/states.js';
import type { Endpoint } from '../../run/http-request.js';
import { draftRunTexts as texts } from '../../texts/draft-run.js';
import css from './run.module.css';

interface WaitingItemProps {
  readonly instance: Instance;
  readonly bookmark: BookmarkJson;
  /** Of the activity. */
  readonly at: string;
  readonly onShow: () => void;
}

interface Stimulus {
  readonly eventName?: string;
  readonly taskId?: string;
  readonly taskName?: string;
  readonly path?: string;
  readonly method?: string;
}

/** One thing that the run waits for, and the way to let it happen here. */
export function WaitingItem({ instance, bookmark, at, onShow }: WaitingItemProps) {
  const { id, name } = bookmark;
  const stimulus = (bookmark.payload ?? {}) as Stimulus;
  const client = useQueryClient();
  const act = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onSuccess: () => client.invalidateQueries({ queryKey: instanceKey(instance.id) }),
  });
  const ask = { isBusy: act.isPending, onSend: act.mutate };
  return (
    <div className={css.waiting} role="group" aria-label={texts.waitsAt(at)}>
      <div className={css.line}>
        <Clock size={14} aria-hidden className={css.clock} />
        <button type="button" className={css.link} onClick={onShow}>
          {texts.waitsAt(at)}
        </button>
        <span className={css.soft}>{stimulus.eventName ?? stimulus.taskName ?? stimulus.path ?? name}</span>
      </div>
      {name === 'Elsa.Event' && stimulus.eventName !== undefined ? (
        <JsonAction
          {...ask}
          isObject
          label={texts.payload}
          action={texts.sendEvent(stimulus.eventName)}
          work={(input) => sendEvent(stimulus.eventName!, instance.id, input as object | undefined)}
        />
      ) : name === 'Elsa.RunTask' && stimulus.taskId !== undefined ? (
        <JsonAction
          {...ask}
          label={texts.result}
          action={texts.completeTask}
          work={(result) => reportTask(stimulus.taskId!, result)}
        />
      ) : name === 'Waymark.UserTask' ? (
        <UserTaskAction taskId={id} />
      ) : endpointOf(bookmark) ? null : (
        <JsonAction
          {...ask}
          isObject
          label={texts.resumeInput}
          action={texts.resume}
          work={(input) => resumeBookmark(instance.id, id, input as object | undefined)}
        />
      )}
      {act.isError && <ErrorPanel error={act.error} />}
    </div>
  );
}

/** The endpoint that a bookmark waits at. */
export function endpointOf({ name, activityId, activityNodeId, payload }: BookmarkJson): Endpoint | undefined {
  const { path, method = 'get' } = (payload ?? {}) as Stimulus;
  if (name !== 'Elsa.HttpEndpoint' || path === undefined) return undefined;
  return { id: activityId, nodeId: activityNodeId, path, methods: [method.toUpperCase()] };
}

interface Ask {
  readonly isBusy: boolean;
  readonly onSend: (work: () => Promise<unknown>) => void;
}

interface JsonActionProps extends Ask {
  /** If true, the server takes nothing else. */
  readonly isObject?: boolean;
  readonly label: string;
  readonly action: string;
  readonly work: (value: unknown) => Promise<unknown>;
}

/** With a value as JSON, or none. */
function JsonAction({ isObject = false, label, action, work, isBusy, onSend }: JsonActionProps) {
  const [text, setText] = useState('');
  const value = readJson(text);
  const error = isObject ? errorOfObject(value) : errorOfJson(value);
  return (
    <div className={css.ask}>
      <Textarea
        size="xs"
        className={css.grows}
        label={label}
        autosize
        minRows={1}
        maxRows={6}
        spellCheck={false}
        value={text}
        error={error}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button
        size="xs"
        variant="default"
        disabled={error !== undefined}
        loading={isBusy}
        onClick={() => onSend(() => work(value))}
      >
        {action}
      </Button>
    </div>
  );
}

/** A task for people: what it asks, its form, and a button for each outcome. */
function UserTaskAction({ taskId }: { readonly taskId: string }) {
  const task = useQuery(taskQuery(taskId));
  if (failureOf(task)) return <ErrorPanel error={task.error} onRetry={() => void task.refetch()} />;
  if (!task.data) return null;
  const { title, instructions } = task.data;
  return (
    <div className={css.task}>
      <h3 className={css.heading}>{title}</h3>
      {instructions && <p className={css.soft}>{instructions}</p>}
      <CompleteForm task={task.data} />
    </div>
  );
}
