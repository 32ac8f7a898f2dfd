import { Checkbox, Select, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ActivityJson } from '../../api/definitions.js';
import { type ActivityDescriptor, activityCommitStrategiesQuery } from '../../api/descriptors.js';
import { inspectorTexts } from '../../texts/inspector.js';
import { useDesign } from '../designer-context.js';
import { startsWorkflow } from '../store/actions.js';
import { isTrue, textOf } from './input-value.js';
import { LogFields } from './log-fields.js';
import { RetryFields } from './retry-fields.js';
import { useEditActivity } from './use-edit.js';
import css from './inspector.module.css';

const texts = inspectorTexts.common;
const options = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

interface CommonFieldsProps {
  readonly activity: ActivityJson;
  readonly descriptor: ActivityDescriptor | undefined;
}

/** What all activities have. */
export function CommonFields({ activity, descriptor }: CommonFieldsProps) {
  const { set, setIn } = useEditActivity(activity);
  const isReadonly = useDesign((state) => state.standing.isReadonly);
  const { data: strategies = [] } = useQuery(activityCommitStrategiesQuery);
  const properties = (activity.customProperties ?? {}) as Readonly<Record<string, unknown>>;
  const metadata = (activity.metadata ?? {}) as Readonly<Record<string, unknown>>;
  const own = (name: string, value: unknown) => setIn('customProperties', name, value === '' ? undefined : value);
  return (
    <div className={css.fields}>
      <TextInput
        size="xs"
        label={texts.name}
        value={activity.name ?? ''}
        readOnly={isReadonly}
        onChange={(event) => set('name', event.currentTarget.value)}
      />
      <TextInput
        size="xs"
        label={texts.displayText}
        value={textOf(metadata.displayText)}
        readOnly={isReadonly}
        onChange={(event) => setIn('metadata', 'displayText', event.currentTarget.value || undefined)}
      />
      <Textarea
        size="xs"
        label={texts.description}
        autosize
        minRows={2}
        value={textOf(metadata.description)}
        readOnly={isReadonly}
        onChange={(event) => setIn('metadata', 'description', event.currentTarget.value || undefined)}
      />
      {(descriptor?.kind === 'Trigger' || startsWorkflow(activity)) && (
        <Checkbox
          size="xs"
          label={texts.starts}
          description={texts.startsHint}
          checked={startsWorkflow(activity)}
          disabled={isReadonly}
          onChange={(event) => own('canStartWorkflow', event.currentTarget.checked)}
        />
      )}
      {descriptor?.kind === 'Task' && (
        <Checkbox
          size="xs"
          label={texts.asynchronous}
          checked={isTrue(properties.runAsynchronously)}
          disabled={isReadonly}
          onChange={(event) => own('runAsynchronously', event.currentTarget.checked)}
        />
      )}
      {activity.type !== 'Elsa.FlowJoin' && (
        <Select
          size="xs"
          label={texts.mergeMode}
          data={options(texts.mergeModes)}
          value={textOf(properties.mergeMode)}
          allowDeselect={false}
          readOnly={isReadonly}
          onChange={(value) => own('mergeMode', value)}
        />
      )}
      <Select
        size="xs"
        label={texts.commitStrategy}
        data={[
          { value: '', label: texts.byDefault },
          ...strategies.map(({ name, displayName }) => ({ value: name, label: displayName })),
        ]}
        value={textOf(properties.commitStrategyName)}
        allowDeselect={false}
        readOnly={isReadonly}
        onChange={(value) => own('commitStrategyName', value)}
      />
      <LogFields activity={activity} descriptor={descriptor} isReadonly={isReadonly} />
      <RetryFields
        key={activity.id}
        policy={properties.retryPolicy}
        isReadonly={isReadonly}
        onChange={(next) => own('retryPolicy', next)}
      />
      <dl className={css.facts}>
        <dt>{texts.id}</dt>
        <dd>
          <code>{activity.id}</code>
        </dd>
        <dt>{texts.type}</dt>
        <dd>
          <code>{activity.type}</code>
        </dd>
        <dt>{texts.version}</dt>
        <dd>{textOf(activity.version)}</dd>
      </dl>
    </div>
  );
}
