import type { ActivityJson } from '../../api/definitions.js';
import type { Design } from '../model/change.js';
import { isActivity } from '../model/ports.js';
import { labelOfTransition, stateId } from '../model/state-machine.js';
import { type DifferenceKind, type Differences, keyFor } from './diff.js';
import { asTransition, withMachineParts } from './machine-parts.js';

export interface BothNode {
  readonly key: string;
  readonly activity: ActivityJson;
  readonly kind: DifferenceKind | undefined;
}

export interface BothEdge {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  readonly port: string;
  readonly kind: DifferenceKind | undefined;
  /** Of a state machine: drawn from border to border. */
  readonly isTransition?: true;
}

/** The inside of a container in two versions at once. @param parent key of the container; default: the root */
export function bothLevels(
  from: Design,
  to: Design,
  differences: Differences,
  parent: string = `/${to.root.id}`,
): { readonly nodes: readonly BothNode[]; readonly edges: readonly BothEdge[] } {
  // The root itself was exchanged, or is a single activity.
  const shownParent = parent === '' ? `/${to.root.id}` : parent;
  const kindOf = kindsOf(differences);
  const roots = [to, from].map(({ root }) => withMachineParts(root));
  const containers = roots.map((root) => find(root, '', '', shownParent));
  const nodes = new Map<string, BothNode>();
  for (const container of containers)
    for (const { activity, port } of container ? childrenOf(container) : []) {
      const key = keyFor(shownParent, port, activity.id);
      if (!nodes.has(key) && !asTransition(activity)) nodes.set(key, { key, activity, kind: kindOf(key) });
    }
  if (nodes.size === 0)
    for (const root of roots) {
      const key = `/${root.id}`;
      if (!nodes.has(key)) nodes.set(key, { key, activity: root, kind: kindOf(key) });
    }
  const edges = new Map<string, BothEdge>();
  const changed = differences.connections.filter((one) => one.parent === shownParent);
  // What leads from one to the other follows from the order: it is not compared by itself.
  const chains = containers.map((container) => (isChain(container) ? connectionsOf(container).map(idOf) : undefined));
  const kindOfEdge = (id: string): DifferenceKind | undefined => {
    const [after, before] = chains;
    if (after && before) return after.includes(id) ? (before.includes(id) ? undefined : 'added') : 'removed';
    return changed.find((one) => idOf(one) === id)?.kind;
  };
  for (const container of containers) {
    for (const { activity } of container ? childrenOf(container) : []) {
      const transition = asTransition(activity);
      if (!transition) continue;
      const id = keyFor(shownParent, 'transitions', activity.id);
      const [a, b] = [transition.from, transition.to].map((name) =>
        keyFor(shownParent, 'activities', stateId(name ?? '')),
      ) as [string, string];
      if (edges.has(id) || !nodes.has(a) || !nodes.has(b)) continue;
      const port = labelOfTransition(transition);
      edges.set(id, { id, source: a, target: b, port, kind: kindOf(id), isTransition: true });
    }
    for (const connection of connectionsOf(container)) {
      const { source, port, target } = connection;
      const id = idOf(connection);
      const [a, b] = [keyFor(shownParent, 'activities', source), keyFor(shownParent, 'activities', target)];
      if (edges.has(id) || !nodes.has(a) || !nodes.has(b)) continue;
      edges.set(id, { id, source: a, target: b, port, kind: kindOfEdge(id) });
    }
  }
  return { nodes: [...nodes.values()], edges: [...edges.values()] };
}

/** Of an activity by its key; one in which something is different has changed as well. */
function kindsOf({ activities, connections }: Differences): (key: string) => DifferenceKind | undefined {
  const kinds = new Map(activities.map(({ key, kind }) => [key, kind]));
  const parents = new Set([...activities, ...connections].map(({ parent }) => parent));
  return (key) => {
    const own = kinds.get(key);
    const isSame = own === undefined || own === 'moved';
    return isSame && [...parents].some((parent) => parent === key || parent.startsWith(`${key}/`)) ? 'changed' : own;
  };
}

/** As the comparison names activities: by the ids and ports from the root down. */
function find(value: unknown, parent: string, port: string, key: string): ActivityJson | undefined {
  if (Array.isArray(value))
    return first(
      value.map((item) => [item, port] as const),
      parent,
      key,
    );
  if (isActivity(value)) {
    const own = keyFor(parent, port, value.id);
    if (own === key) return value;
    if (!key.startsWith(`${own}/`)) return undefined;
    return first(
      Object.entries(value)
        .filter(([member]) => member !== 'metadata')
        .map(([member, inner]) => [inner, member] as const),
      own,
      key,
    );
  }
  if (typeof value === 'object' && value !== null)
    return first(
      Object.values(value).map((inner: unknown) => [inner, port] as const),
      parent,
      key,
    );
  return undefined;
}

function first(values: readonly (readonly [unknown, string])[], parent: string, key: string): ActivityJson | undefined {
  for (const [value, port] of values) {
    const found = find(value, parent, port, key);
    if (found) return found;
  }
  return undefined;
}

function childrenOf(container: ActivityJson): { activity: ActivityJson; port: string }[] {
  const found: { activity: ActivityJson; port: string }[] = [];
  const visit = (value: unknown, port: string) => {
    if (Array.isArray(value)) for (const item of value) visit(item, port);
    else if (isActivity(value)) found.push({ activity: value, port });
    else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) visit(inner, port);
  };
  for (const [member, value] of Object.entries(container)) if (member !== 'metadata') visit(value, member);
  return found;
}

interface Ends {
  readonly source: string;
  readonly port: string;
  readonly target: string;
}

const idOf = ({ source, port, target }: Ends): string => `${source} ${port} ${target}`;

/** Drawn one after the other. */
const isChain = (container: ActivityJson | undefined): container is ActivityJson => container?.type === 'Elsa.Sequence';

function connectionsOf(container: ActivityJson | undefined): Ends[] {
  const list = (Array.isArray(container?.connections) ? container.connections : []) as {
    source?: { activity?: string; port?: string };
    target?: { activity?: string };
  }[];
  if (isChain(container)) {
    const ids = childrenOf(container).map(({ activity }) => activity.id);
    return ids.slice(1).map((id, index) => ({ source: ids[index]!, port: 'Done', target: id }));
  }
  return list.map(({ source, target }) => ({
    source: source?.activity ?? '',
    port: source?.port || 'Done',
    target: target?.activity ?? '',
  }));
}
