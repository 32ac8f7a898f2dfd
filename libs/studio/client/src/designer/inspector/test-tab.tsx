import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { FlaskConical } from 'lucide-react';
import { NotDone } from '../../api/api-error.js';
import type { ActivityJson } from '../../api/definitions.js';
import { type ActivityTest, testActivity } from '../../api/designs.js';
import { JsonView } from '../../parts/json-view.js';
import { ErrorPanel } from '../../parts/states.js';
import { draftRunTexts } from '../../texts/draft-run.js';
import { useDesign, useDesigner } from '../designer-context.js';
import { useDraftRun } from '../run/draft-run.js';
import { textOf } from './input-value.js';
import { useEditWorkflow } from './use-edit.js';
import css from './inspector.module.css';

const texts = draftRunTexts.test;
const NONE: readonly never[] = [];

/** One activity by itself, and what it did in the run that is shown. */
export function TestTab({ activity }: { readonly activity: ActivityJson }) {
  const { store, saver } = useDesigner();
  const isReadonly = useDesign((state) => state.standing.isReadonly);
  const test = useMutation({
    mutationFn: async () => {
      if (!isReadonly && !(await saver.flush())) throw new NotDone(draftRunTexts.notSaved);
      return testActivity(store.design.definitionId, activity.id);
    },
  });
  return (
    <>
      <p className={css.hint}>{texts.lead}</p>
      <TestValues />
      <Button
        size="xs"
        variant="default"
        leftSection={<FlaskConical size={14} aria-hidden />}
        loading={test.isPending}
        onClick={() => test.mutate()}
      >
        {texts.run}
      </Button>
      {test.isError && <ErrorPanel error={test.error} />}
      {test.data && <Result {...test.data} />}
      <LastRun activity={activity} />
    </>
  );
}

/** What variables hold while an activity is tried out: it stands in the definition, where Elsa keeps it. */
function TestValues() {
  const { setIn } = useEditWorkflow();
  const isReadonly = useDesign((state) => state.standing.isReadonly);
  const variables = useDesign(({ history }) => history.design.variables ?? NONE);
  const properties = useDesign(({ history }) => history.design.customProperties);
  const values = (properties?.VariableTestValues ?? {}) as Readonly<Record<string, unknown>>;
  const set = (id: string, text: string) => {
    const { [id]: _old, ...rest } = values;
    setIn('customProperties', 'VariableTestValues', text === '' ? rest : { ...values, [id]: text });
  };
  return (
    <section className={css.section}>
      <h3 className={css.label}>{texts.values}</h3>
      {variables.length === 0 && <p className={css.hint}>{texts.noVariables}</p>}
      {variables.map(({ id, name }) => (
        <TextInput
          key={textOf(id)}
          size="xs"
          mb={6}
          label={textOf(name)}
          value={textOf(values[textOf(id)])}
          readOnly={isReadonly}
          onChange={(event) => set(textOf(id), event.currentTarget.value)}
        />
      ))}
    </section>
  );
}

function Result({ status, outputs, activityState, payload, exception }: ActivityTest) {
  return (
    <section className={css.result} aria-live="polite">
      <strong data-bad={status === 'Faulted' || undefined}>{texts.status(status)}</strong>
      {exception && <p className={css.problem}>{exception.message}</p>}
      {Array.isArray(payload?.Outcomes) && <Value label={texts.outcomes} value={payload.Outcomes} />}
      <Value label={texts.outputs} value={outputs} />
      <Value label={texts.inputs} value={activityState} />
    </section>
  );
}

function Value({ label, value }: { readonly label: string; readonly value: unknown }) {
  const isEmpty = value === undefined || value === null || Object.keys(value).length === 0;
  return (
    <>
      <h4 className={css.small}>{label}</h4>
      {isEmpty ? <p className={css.hint}>{texts.none}</p> : <JsonView value={value} label={label} />}
    </>
  );
}

function LastRun({ activity }: { readonly activity: ActivityJson }) {
  const { isOpen, executions } = useDraftRun();
  const own = isOpen ? executions.filter(({ activityId }) => activityId === activity.id) : [];
  const last = own.at(-1);
  if (!last) return null;
  return (
    <section className={css.lastRun}>
      <h3 className={css.label}>{texts.last}</h3>
      <Result {...last} />
    </section>
  );
}
