import { Checkbox, Select, Tabs, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Workflow } from 'lucide-react';
import {
  activationStrategiesQuery,
  incidentStrategiesQuery,
  workflowCommitStrategiesQuery,
} from '../../api/descriptors.js';
import { inspectorTexts } from '../../texts/inspector.js';
import { useDesign } from '../designer-context.js';
import { DataTab } from './data-tab.js';
import { isTrue, textOf } from './input-value.js';
import { ModeSelect } from './log-fields.js';
import { defaultMode, withDefaultMode } from './log-persistence.js';
import { useEditWorkflow } from './use-edit.js';
import css from './inspector.module.css';

const texts = inspectorTexts.settings;

/** The workflow itself, while nothing in it is selected. */
export function WorkflowPanel() {
  const name = useDesign(({ history }) => history.design.name);
  const id = useDesign(({ history }) => history.design.definitionId);
  return (
    <>
      <header className={css.header}>
        <Workflow size={18} aria-hidden className={css.icon} />
        <div className={css.heading}>
          <h2 className={css.title}>{inspectorTexts.workflow}</h2>
          <p className={css.type}>{name || id}</p>
        </div>
      </header>
      <Tabs defaultValue="settings" className={css.tabs} keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="settings">{inspectorTexts.tabs.settings}</Tabs.Tab>
          <Tabs.Tab value="data">{inspectorTexts.tabs.data}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="settings" className={css.panel}>
          <Settings />
        </Tabs.Panel>
        <Tabs.Panel value="data" className={css.panel}>
          <DataTab />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function Settings() {
  const { set, setIn } = useEditWorkflow();
  const design = useDesign(({ history }) => history.design);
  const isReadonly = useDesign((state) => state.standing.isReadonly);
  const options = design.options ?? {};
  const activation = useQuery(activationStrategiesQuery).data ?? [];
  const incident = useQuery(incidentStrategiesQuery).data ?? [];
  const commit = useQuery(workflowCommitStrategiesQuery).data ?? [];
  const select = (name: string, label: string, data: readonly { value: string; label: string }[]) => {
    const value = textOf(options[name]);
    const known = [{ value: '', label: texts.byDefault }, ...data];
    return (
      <Select
        size="xs"
        label={label}
        data={known.some((item) => item.value === value) ? known : [...known, { value, label: value }]}
        value={value}
        allowDeselect={false}
        readOnly={isReadonly}
        onChange={(next) => setIn('options', name, next || undefined)}
      />
    );
  };
  const ofTypes = (list: readonly { typeName: string; displayName: string }[]) =>
    list.map(({ typeName, displayName }) => ({ value: typeName, label: displayName }));
  return (
    <div className={css.fields}>
      <TextInput
        size="xs"
        label={texts.name}
        value={design.name ?? ''}
        readOnly={isReadonly}
        onChange={(event) => set('name', event.currentTarget.value)}
      />
      <Textarea
        size="xs"
        label={texts.description}
        autosize
        minRows={2}
        value={design.description ?? ''}
        readOnly={isReadonly}
        onChange={(event) => set('description', event.currentTarget.value)}
      />
      {select('activationStrategyType', texts.activation, ofTypes(activation))}
      {select('incidentStrategyType', texts.incident, ofTypes(incident))}
      {select(
        'commitStrategyName',
        texts.commit,
        commit.map(({ name, displayName }) => ({ value: name, label: displayName })),
      )}
      <ModeSelect
        label={inspectorTexts.common.logPersistence}
        above={texts.logAsApplication}
        mode={defaultMode(design.customProperties ?? {})}
        isReadonly={isReadonly}
        onChange={(mode) => set('customProperties', withDefaultMode(design.customProperties ?? {}, mode))}
      />
      <Checkbox
        size="xs"
        label={texts.usable}
        checked={isTrue(options.usableAsActivity)}
        disabled={isReadonly}
        onChange={(event) => setIn('options', 'usableAsActivity', event.currentTarget.checked)}
      />
      {isTrue(options.usableAsActivity) && (
        <>
          <TextInput
            size="xs"
            label={texts.category}
            value={textOf(options.activityCategory)}
            readOnly={isReadonly}
            onChange={(event) => setIn('options', 'activityCategory', event.currentTarget.value || undefined)}
          />
          <Checkbox
            size="xs"
            label={texts.update}
            checked={isTrue(options.autoUpdateConsumingWorkflows)}
            disabled={isReadonly}
            onChange={(event) => setIn('options', 'autoUpdateConsumingWorkflows', event.currentTarget.checked)}
          />
        </>
      )}
      <dl className={css.facts}>
        <dt>{texts.id}</dt>
        <dd>
          <code>{design.definitionId}</code>
        </dd>
      </dl>
    </div>
  );
}
