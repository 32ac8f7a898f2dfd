import { Button, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { commentOnTask, taskHistoryQuery, tasksKey, type UserTask } from '../api/tasks.js';
import { failureOf } from '../api/failure-of.js';
import { ErrorPanel, Loading } from '../parts/states.js';
import { Time } from '../parts/time.js';
import { notifyError } from '../parts/toasts.js';
import { useKept } from '../parts/use-kept.js';
import { taskTexts as texts } from '../texts/tasks.js';
import { WORK_ON_TASKS } from '../api/permissions.js';
import { May } from '../parts/may.js';
import css from './tasks.module.css';

/** Who did what with it, and what was said; the oldest first. */
export function TaskHistory({ task }: { readonly task: UserTask }) {
  const history = useQuery(taskHistoryQuery(task.id));
  return (
    <section className={css.block}>
      <h3 className={css.heading}>{texts.history}</h3>
      {failureOf(history) ? (
        <ErrorPanel error={history.error} onRetry={() => void history.refetch()} />
      ) : history.data ? (
        <ol className={css.events}>
          {history.data.events.map(({ id, kind, at, by, to, text, outcome }) => (
            <li key={id}>
              <span>
                {texts.event(kind, by ?? texts.byWorkflow, to, outcome)} · <Time value={at} />
              </span>
              {text && <q className={css.comment}>{text}</q>}
            </li>
          ))}
        </ol>
      ) : (
        <Loading />
      )}
      {task.status === 'Open' && <Comment id={task.id} />}
    </section>
  );
}

function Comment({ id }: { readonly id: string }) {
  const [text, setText] = useKept(`comment ${id}`, () => '');
  const client = useQueryClient();
  const comment = useMutation({
    mutationFn: () => commentOnTask(id, text.trim()),
    onSuccess: async () => {
      setText('');
      await client.invalidateQueries({ queryKey: tasksKey });
    },
    onError: notifyError,
  });
  return (
    <May permission={WORK_ON_TASKS}>
      <form
        className={css.commentForm}
        onSubmit={(event) => {
          event.preventDefault();
          comment.mutate();
        }}
      >
        <Textarea
          label={texts.commentLabel}
          autosize
          minRows={2}
          maxRows={8}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" size="xs" variant="default" disabled={text.trim() === ''} loading={comment.isPending}>
          {texts.comment}
        </Button>
      </form>
    </May>
  );
}
