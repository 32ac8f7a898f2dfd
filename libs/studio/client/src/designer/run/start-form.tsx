import { Button, Select, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Globe, Play } from 'lucide-react';
import { useState } from 'react';
import { NotDone } from '../../api/api-error.js';
import { instancesKey } from '../../api/instances.js';
import { useMay } from '../../api/permissions.js';
import type { StartRequest } from '../../api/runtime.js';
import { distinct } from '../../parts/distinct.js';
import { isReadable } from '../../parts/form-values.js';
import { SchemaForm } from '../../parts/schema-form.js';
import { ErrorPanel } from '../../parts/states.js';
import { type Filled, filledIn, withFilled } from '../../run/filled-in.js';
import { endpointsOf } from '../../run/http-request.js';
import { inputSchema } from '../../run/input-schema.js';
import { useStart } from '../../run/use-start.js';
import { draftRunTexts as texts } from '../../texts/draft-run.js';
import { nameOf } from '../canvas/names.js';
import { useDesign, useDesigner } from '../designer-context.js';
import { activitiesIn } from '../model/new-activity.js';
import { startsWorkflow } from '../store/actions.js';
import { useDraftRun } from './draft-run.js';
import css from './run.module.css';

const BEGINNING = '';

/** What goes into the draft, and where it begins. It is saved first: what runs is what is seen. */
export function StartForm() {
  const { store, saver, open } = useDesigner();
  const { instanceId, setInstanceId, setOpen } = useDraftRun();
  const inputs = useDesign(({ history }) => history.design.inputs);
  const root = useDesign(({ history }) => history.design.root);
  const isReadonly = useDesign((state) => state.standing.isReadonly);
  const mayPublish = useMay('publish:workflow-definitions');
  const isPublished = useDesign((state) => state.standing.isPublished && state.save.kind === 'saved');
  const schema = inputSchema(inputs);
  const [filled, setFilled] = useState<Filled>({});
  const input = schema && filledIn(schema, filled);
  const [correlationId, setCorrelationId] = useState('');
  const [beginning, setBeginning] = useState(BEGINNING);
  const triggers = [...activitiesIn(root)].filter(startsWorkflow);
  const client = useQueryClient();
  const begin = useStart();
  const start = useMutation({
    mutationFn: async () => {
      if (!isReadonly && !(await saver.flush())) throw new NotDone(texts.notSaved);
      const request: StartRequest = {
        input,
        correlationId: correlationId.trim() || undefined,
        versionOptions: 'Latest',
        triggerActivityId: triggers.some(({ id }) => id === beginning) ? beginning : undefined,
      };
      // What is drawn between two presses is not what the first one has started.
      return begin(store.design.definitionId, request, store.design);
    },
    onSuccess: async (id) => {
      setInstanceId(id);
      await client.invalidateQueries({ queryKey: instancesKey });
    },
  });
  return (
    <form
      className={css.start}
      onSubmit={(event) => {
        event.preventDefault();
        start.mutate();
      }}
    >
      {schema && (
        <SchemaForm
          schema={schema}
          value={input}
          onChange={(next) => setFilled(withFilled(schema, filled, next))}
          isDisabled={start.isPending}
        />
      )}
      {triggers.length > 0 && (
        <Select
          size="xs"
          label={texts.beginning}
          allowDeselect={false}
          data={[
            { value: BEGINNING, label: texts.theBeginning },
            // Ids are unique in their container only.
            ...distinct(triggers.map((activity) => ({ value: activity.id, label: texts.at(nameOf(activity)) }))),
          ]}
          value={beginning}
          onChange={(next) => setBeginning(next ?? BEGINNING)}
        />
      )}
      <TextInput
        size="xs"
        label={texts.correlation}
        value={correlationId}
        onChange={(event) => setCorrelationId(event.currentTarget.value)}
      />
      {start.isError && <ErrorPanel error={start.error} />}
      <div className={css.actions}>
        <Button
          type="submit"
          size="xs"
          leftSection={<Play size={14} aria-hidden />}
          loading={start.isPending}
          disabled={!isReadable(input)}
        >
          {instanceId === undefined ? texts.start : texts.startAgain}
        </Button>
        {endpointsOf(root).length > 0 && (mayPublish || isPublished) && (
          <Button
            size="xs"
            variant="default"
            leftSection={<Globe size={14} aria-hidden />}
            onClick={() => {
              // That is another one than the draft's run.
              setOpen(false);
              open({ kind: 'call' });
            }}
          >
            {texts.call}
          </Button>
        )}
      </div>
    </form>
  );
}
