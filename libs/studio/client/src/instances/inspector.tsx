import { Tabs } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { ActivityJson } from '../api/definitions.js';
import type { Instance } from '../api/instances.js';
import { instanceTexts } from '../texts/instances.js';
import { Family } from './family.js';
import { type InspectorTab, inspectorTabs, type InstanceSearch } from './instance-search.js';
import { NodeDetails } from './node-details.js';
import { Overview } from './overview.js';
import { Variables } from './variables.js';
import { Waiting } from './waiting.js';
import css from './inspector.module.css';

const texts = instanceTexts.page;
const route = getRouteApi('/instances/$instanceId');

interface InspectorProps {
  readonly instance: Instance;
  /** Of its definition, where that is known. */
  readonly root: ActivityJson | undefined;
  readonly onChange: (next: InstanceSearch) => void;
}

/** What is selected: a node of the picture, else the instance itself. */
export function Inspector({ instance, root, onChange }: InspectorProps) {
  const { tab = 'overview', node } = route.useSearch();
  const { bookmarks } = instance.workflowState;
  if (node !== undefined)
    return (
      <aside className={css.inspector} aria-label={texts.inspector}>
        <NodeDetails instance={instance} root={root} nodeId={node} onClose={() => onChange({ node: undefined })} />
      </aside>
    );
  return (
    <aside className={css.inspector} aria-label={texts.inspector}>
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(value) => onChange({ tab: value === 'overview' ? undefined : (value as InspectorTab) })}
      >
        <Tabs.List className={css.tabs}>
          {inspectorTabs.map((value) => (
            <Tabs.Tab key={value} value={value} px={10}>
              {texts.tabs[value]}
              {value === 'waiting' && bookmarks.length > 0 && <span className={css.count}>{bookmarks.length}</span>}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="overview">
          <Overview instance={instance} />
        </Tabs.Panel>
        <Tabs.Panel value="variables">
          <Variables instance={instance} />
        </Tabs.Panel>
        <Tabs.Panel value="waiting">
          <Waiting instance={instance} root={root} />
        </Tabs.Panel>
        <Tabs.Panel value="family">
          <Family instance={instance} />
        </Tabs.Panel>
      </Tabs>
    </aside>
  );
}
