import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { ApiError } from '../api/api-error.js';
import { instancesKey } from '../api/instances.js';
import { completeTask, tasksKey, type UserTask } from '../api/tasks.js';
import { initialValue, isReadable } from './form-values.js';
import { type FieldErrors, SchemaForm } from './schema-form.js';
import { ErrorPanel } from './states.js';
import { notify } from './toasts.js';
import { useKept } from './use-kept.js';
import { taskTexts as texts } from '../texts/tasks.js';
import css from './complete-form.module.css';

/** What is to be filled in, and a button for each outcome. */
export function CompleteForm({ task }: { readonly task: UserTask }) {
  const { id, form, outcomes } = task;
  const [values, setValues, forget] = useKept<unknown>(
    `form ${id}`,
    () => (form ? initialValue(form) : undefined),
    form,
  );
  const client = useQueryClient();
  const complete = useMutation({
    mutationFn: (outcome: string) => completeTask(id, outcome, values ?? (form ? {} : undefined)),
    onSuccess: async (_, outcome) => {
      forget();
      notify(texts.completed(outcome));
      await Promise.all([
        client.invalidateQueries({ queryKey: tasksKey }),
        client.invalidateQueries({ queryKey: instancesKey }),
      ]);
    },
  });
  const errors = fieldErrors(complete.error);
  const isShownInFields = Object.keys(errors).length > 0;
  return (
    <section className={css.complete}>
      {form && (
        <>
          <h3 className={css.heading}>{texts.form}</h3>
          <SchemaForm
            schema={form}
            value={values}
            onChange={setValues}
            errors={errors}
            isDisabled={complete.isPending}
          />
        </>
      )}
      {complete.isError && !isShownInFields && <ErrorPanel error={complete.error} />}
      <div className={css.outcomes} role="group" aria-label={texts.completeWith}>
        {outcomes.map((outcome, index) => (
          <Button
            key={outcome}
            variant={index === 0 ? 'filled' : 'default'}
            leftSection={index === 0 ? <Check size={14} aria-hidden /> : undefined}
            loading={complete.isPending && complete.variables === outcome}
            disabled={complete.isPending || !isReadable(values)}
            onClick={() => complete.mutate(outcome)}
          >
            {outcome}
          </Button>
        ))}
      </div>
    </section>
  );
}

/** Of `values.address.city`; those about the whole are shown below the fields. */
function fieldErrors(error: unknown): FieldErrors {
  if (!(error instanceof ApiError)) return {};
  const found = Object.entries(error.members).filter(([member]) => member.startsWith('values.'));
  return Object.fromEntries(found.map(([member, sentences]) => [member.slice('values.'.length), sentences]));
}
