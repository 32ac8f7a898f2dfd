import type { InstalledFeature } from '../module/api-options.js';

/** What every server with this API can do, by the names that clients of the reference look for. */
const BUILT_IN: readonly InstalledFeature[] = [
  { name: 'Workflows', description: 'Runs workflows.' },
  { name: 'Flowchart', displayName: 'Flowchart', description: 'Activities joined by arrows.' },
  { name: 'WorkflowManagement', displayName: 'Workflow Management', description: 'Stores and publishes definitions.' },
  { name: 'WorkflowRuntime', displayName: 'Workflow Runtime', description: 'Starts, suspends and resumes instances.' },
  { name: 'WorkflowsApi', displayName: 'Workflows API', description: 'This API.' },
  { name: 'Resilience', description: 'Tries work again.' },
  { name: 'Alterations', description: 'Repairs running instances.' },
  {
    name: 'Alterations',
    namespace: 'Elsa.Alterations.ShellFeatures',
    description: 'The same feature, under the name that newer clients look for.',
  },
];

const IDENTITY: InstalledFeature = { name: 'Identity', description: 'Users and API keys.' };

const HUB: InstalledFeature = {
  name: 'RealTimeWorkflowUpdates',
  displayName: 'Real-Time Workflow Updates',
  description: 'Reports changes of instances to the clients of its hub.',
};

export interface FeatureAnswer {
  readonly name: string;
  readonly namespace: string;
  readonly fullName: string;
  readonly displayName: string;
  readonly description: string;
}

export function installedFeatures(
  more: readonly InstalledFeature[],
  has: { readonly identity: boolean; readonly hub: boolean },
): FeatureAnswer[] {
  const parts = [...(has.identity ? [IDENTITY] : []), ...(has.hub ? [HUB] : [])];
  const all = [...BUILT_IN, ...parts, ...more].map(toAnswer);
  return [...new Map(all.map((feature) => [feature.fullName, feature])).values()];
}

const toAnswer = ({
  name,
  namespace = 'Elsa',
  displayName = name,
  description = '',
}: InstalledFeature): FeatureAnswer => ({
  name,
  namespace,
  fullName: `${namespace}.${name}`,
  displayName,
  description,
});
