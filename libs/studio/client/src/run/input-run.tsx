import { Button, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Play } from 'lucide-react';
import { useState } from 'react';
import { ApiError } from '../api/api-error.js';
import type { ActivityJson, DefinitionModel } from '../api/definitions.js';
import { type Instance, instanceQuery, instancesKey } from '../api/instances.js';
import { nameOfActivity } from '../graph/name-of-activity.js';
import { OneInstance } from '../parts/one-instance.js';
import { isReadable } from '../parts/form-values.js';
import { JsonView } from '../parts/json-view.js';
import { SchemaForm } from '../parts/schema-form.js';
import { ErrorPanel } from '../parts/states.js';
import { StatusBadge } from '../parts/status-badge.js';
import { runTexts as texts } from '../texts/operations.js';
import { inputOf } from './again.js';
import { type Filled, filledIn, withFilled } from './filled-in.js';
import { inputSchema } from './input-schema.js';
import css from './run.module.css';
import { useStart } from './use-start.js';

/** How often an instance that has not ended is asked for. */
const POLL_MS = 1_000;
/** The instance of a start that waits in a line is not there at once. */
const ATTEMPTS = 30;

interface InputRunProps {
  readonly definition: DefinitionModel;
  /** Whose input and correlation id are filled in. */
  readonly again?: Instance | undefined;
}

/** Starts it with what is filled in for its inputs, and follows what becomes of it. */
export function InputRun({ definition, again }: InputRunProps) {
  const { definitionId, inputs } = definition;
  const schema = inputSchema(inputs);
  const [known] = useState(() => again && inputOf(again, inputs ?? []));
  // What was given before goes over what would be there.
  const [filled, setFilled] = useState<Filled>(known?.input ?? {});
  const input = schema && filledIn(schema, filled);
  const [correlationId, setCorrelationId] = useState(again?.correlationId ?? '');
  const client = useQueryClient();
  const begin = useStart();
  const start = useMutation({
    mutationFn: () => begin(definitionId, { input, correlationId: correlationId.trim() || undefined }),
    onSuccess: () => client.invalidateQueries({ queryKey: instancesKey }),
  });
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        start.mutate();
      }}
    >
      {again && (
        <>
          <OneInstance instance={again} />
          <p>{texts.again.lead}</p>
          {known && known.missing.length > 0 && <p role="note">{texts.again.missing(known.missing)}</p>}
        </>
      )}
      {schema ? (
        <SchemaForm
          schema={schema}
          value={input}
          onChange={(next) => setFilled(withFilled(schema, filled, next))}
          isDisabled={start.isPending}
        />
      ) : (
        <p className={css.soft}>{texts.noInputs}</p>
      )}
      <TextInput
        label={texts.correlation}
        value={correlationId}
        onChange={(event) => setCorrelationId(event.currentTarget.value)}
      />
      {start.isError && <ErrorPanel error={start.error} />}
      <div className={css.actions}>
        <Button
          type="submit"
          leftSection={<Play size={14} aria-hidden />}
          loading={start.isPending}
          disabled={!isReadable(input)}
        >
          {start.data === undefined ? texts.start : texts.startAgain}
        </Button>
      </div>
      {start.data !== undefined && <Started key={start.data} instanceId={start.data} root={definition.root} />}
    </form>
  );
}

/** What became of it, as far as it is known. */
function Started({ instanceId, root }: { readonly instanceId: string; readonly root: ActivityJson }) {
  const instance = useQuery({
    ...instanceQuery(instanceId),
    retry: (count, error) => count < ATTEMPTS && error instanceof ApiError && error.status === 404,
    retryDelay: POLL_MS / 2,
    refetchInterval: ({ state }) => (state.data?.status === 'Finished' || state.error ? false : POLL_MS),
  });
  const { data } = instance;
  return (
    <section className={css.result} aria-label={texts.started} aria-live="polite">
      <div className={css.resultLine}>
        {data ? <StatusBadge status={data.subStatus} /> : <span className={css.soft}>{texts.notThereYet}</span>}
        <Link to="/instances/$instanceId" params={{ instanceId }}>
          {texts.open}
        </Link>
      </div>
      {instance.isError && <ErrorPanel error={instance.error} onRetry={() => void instance.refetch()} />}
      {data?.workflowState.incidents.map(({ activityInstanceId, message, ...place }) => (
        <p key={activityInstanceId} className={css.failure}>
          <strong>{nameOfActivity(root, place)}</strong>: {message}
        </p>
      ))}
      {data && Object.keys(data.workflowState.output).length > 0 && (
        <>
          <h3 className={css.heading}>{texts.output}</h3>
          <JsonView value={data.workflowState.output} label={texts.output} />
        </>
      )}
    </section>
  );
}
