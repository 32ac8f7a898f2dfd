import { Anchor, Tabs } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { CircleAlert } from 'lucide-react';
import { useMemo } from 'react';
import type { ActivityJson } from '../../api/definitions.js';
import { JsonView } from '../../parts/json-view.js';
import { draftRunTexts } from '../../texts/draft-run.js';
import { inspectorTexts as texts } from '../../texts/inspector.js';
import { iconOf } from '../canvas/category-look.js';
import { nameOf, typeName } from '../canvas/names.js';
import { useDesign, useDesigner } from '../designer-context.js';
import { definitionOf, shownInputs } from '../model/descriptors.js';
import { CommonFields } from './common-fields.js';
import { ConnectionsTab } from './connections-tab.js';
import { InputFields } from './input-fields.js';
import { OutputField } from './output-field.js';
import { TestTab } from './test-tab.js';
import css from './inspector.module.css';
import { May } from '../../parts/may.js';

export function ActivityPanel({ activity }: { readonly activity: ActivityJson }) {
  const { catalogue } = useDesigner();
  const descriptor = catalogue.of(activity);
  const problems = useDesign((state) => state.problems);
  const own = problems.filter(({ activityId }) => activityId === activity.id);
  const Icon = iconOf(descriptor?.category);
  const inputs = useMemo(() => (descriptor ? shownInputs(descriptor) : []), [descriptor]);
  const outputs = (descriptor?.outputs ?? []).filter(({ isBrowsable }) => isBrowsable !== false);
  const runs = definitionOf(descriptor);
  return (
    <>
      <header className={css.header}>
        <Icon size={18} aria-hidden className={css.icon} />
        <div className={css.heading}>
          <h2 className={css.title}>{nameOf(activity)}</h2>
          <p className={css.type}>{typeName(activity.type, descriptor)}</p>
        </div>
      </header>
      {descriptor?.description && <p className={css.about}>{descriptor.description}</p>}
      {!descriptor && <p className={css.warning}>{texts.unknown(activity.type)}</p>}
      {runs !== undefined && (
        <Anchor
          size="sm"
          className={css.about}
          renderRoot={(props) => <Link {...props} to="/workflows/$definitionId" params={{ definitionId: runs }} />}
        >
          {texts.openRuns}
        </Anchor>
      )}
      {own.map(({ message }) => (
        <p key={message} className={css.problem} role="alert">
          <CircleAlert size={14} aria-hidden />
          <span>{message}</span>
        </p>
      ))}
      <Tabs defaultValue="inputs" className={css.tabs} keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="inputs">{texts.tabs.inputs}</Tabs.Tab>
          {outputs.length > 0 && <Tabs.Tab value="outputs">{texts.tabs.outputs}</Tabs.Tab>}
          <Tabs.Tab value="connections">{texts.tabs.connections}</Tabs.Tab>
          <Tabs.Tab value="common">{texts.tabs.common}</Tabs.Tab>
          <May permission="exec:tests">
            <Tabs.Tab value="test">{draftRunTexts.test.tab}</Tabs.Tab>
          </May>
        </Tabs.List>
        <Tabs.Panel value="inputs" className={css.panel}>
          {descriptor ? <InputFields activity={activity} inputs={inputs} /> : <UnknownContent activity={activity} />}
        </Tabs.Panel>
        <Tabs.Panel value="outputs" className={css.panel}>
          {outputs.map((output) => (
            <OutputField key={output.name} activity={activity} output={output} />
          ))}
        </Tabs.Panel>
        <Tabs.Panel value="connections" className={css.panel}>
          <ConnectionsTab activity={activity} />
        </Tabs.Panel>
        <Tabs.Panel value="common" className={css.panel}>
          <CommonFields activity={activity} descriptor={descriptor} />
        </Tabs.Panel>
        <Tabs.Panel value="test" className={css.panel}>
          <TestTab activity={activity} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

/** What nothing is known of is shown as it is written. The tab of common properties has the rest. */
function UnknownContent({ activity }: { readonly activity: ActivityJson }) {
  const shownElsewhere: ReadonlySet<string> = new Set([
    'id',
    'name',
    'type',
    'version',
    'metadata',
    'customProperties',
  ]);
  const content = Object.fromEntries(Object.entries(activity).filter(([member]) => !shownElsewhere.has(member)));
  return <JsonView value={content} label={texts.unknownContent} />;
}
