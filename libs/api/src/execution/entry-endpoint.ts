import type { ActivityJson, WorkflowDefinition } from '@waymark/core';

interface Connection {
  readonly target?: { readonly activity?: string };
}

const HTTP_ENDPOINT = 'Elsa.HttpEndpoint';

/**
 * The HTTP endpoint with which a workflow begins, if it may start it and few instances may run at a time. Run on demand it has a
 * request at hand, the one that asks for the run; left to wait for another, the instance would keep that very request from
 * starting one. Where any number may run, it waits, as in the reference.
 */
export function entryEndpoint({ root, options }: Pick<WorkflowDefinition, 'root' | 'options'>): string | undefined {
  const { activationStrategyType } = options;
  if (!activationStrategyType || activationStrategyType.includes('AllowAlways')) return undefined;
  const entry = entryOf(root);
  return entry?.type === HTTP_ENDPOINT && canStart(entry) ? entry.id : undefined;
}

/** By the rules of sequences and flowcharts; what other containers begin with is not known before they run. */
function entryOf(root: ActivityJson): ActivityJson | undefined {
  let node: ActivityJson | undefined = root;
  while (node && Array.isArray(node.activities)) {
    const activities = node.activities as readonly ActivityJson[];
    if (node.type === 'Elsa.Sequence') node = activities[0];
    else if (node.type === 'Elsa.Flowchart') node = startOf(node, activities);
    else return undefined;
  }
  return node;
}

function startOf(flowchart: ActivityJson, activities: readonly ActivityJson[]): ActivityJson | undefined {
  const connections = Array.isArray(flowchart.connections) ? (flowchart.connections as readonly Connection[]) : [];
  const targets = new Set(connections.map(({ target }) => target?.activity));
  return (
    activities.find(({ id }) => id !== undefined && id === flowchart.start) ??
    activities.find(({ type }) => type === 'Elsa.Start') ??
    activities.find(canStart) ??
    activities.find(({ id }) => !targets.has(id)) ??
    activities[0]
  );
}

const canStart = ({ customProperties }: ActivityJson): boolean =>
  (customProperties as { canStartWorkflow?: unknown } | undefined)?.canStartWorkflow === true;
