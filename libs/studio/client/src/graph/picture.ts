import type { ActivityJson } from '../api/definitions.js';

export interface PictureNode {
  /** Id of the activity, unique among its siblings. */
  readonly id: string;
  /** Where instances name it: `Workflow1:Flow:Step`. */
  readonly nodeId: string;
  readonly activity: ActivityJson;
  readonly position: Position | undefined;
  /** Names of the ways out that connections use. */
  readonly outcomes: readonly string[];
  /** If true, it holds activities of its own. */
  readonly isContainer: boolean;
}

interface Position {
  readonly x: number;
  readonly y: number;
}

export interface PictureEdge {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  readonly outcome: string;
}

/** One level of a definition: the children of a container, and how they are connected. */
export interface Picture {
  readonly nodes: readonly PictureNode[];
  readonly edges: readonly PictureEdge[];
  /** If false, at least one node has no place of its own. */
  readonly hasPositions: boolean;
}

/**
 * What is shown of a container: those of a flowchart by its connections, of a sequence in their order, of others by their
 * ports.
 */
export function pictureOf(container: ActivityJson): Picture {
  if (isMachine(container)) return machineOf(container);
  const children = childrenOf(container);
  // A definition may be a single step.
  const shown = children.length > 0 || isFlowchart(container) ? children : [{ port: '', activity: container }];
  const edges = isFlowchart(container)
    ? connectionsOf(container)
    : container.type === 'Elsa.Sequence'
      ? chainOf(shown.map(({ activity }) => activity))
      : [];
  const outcomes = new Map<string, Set<string>>();
  for (const { source, outcome } of edges) outcomes.set(source, (outcomes.get(source) ?? new Set()).add(outcome));
  const nodes = shown.map(({ activity }) => ({
    id: activity.id,
    nodeId: nodeIdOf(activity, container),
    activity,
    position: positionOf(activity),
    outcomes: [...(outcomes.get(activity.id) ?? [])],
    isContainer: activity !== container && childrenOf(activity).length > 0,
  }));
  return { nodes, edges, hasPositions: nodes.every(({ position }) => position !== undefined) && !isPile(nodes) };
}

/** Several nodes at (0, 0) have no places: that is how Elsa's designer stores a flowchart that it drew as a pile. */
const isPile = (nodes: readonly PictureNode[]): boolean =>
  nodes.filter(({ position }) => position?.x === 0 && position.y === 0).length > 1;

/** The activity at a node id below a root; `undefined` when there is none. */
export function findByNodeId(root: ActivityJson, nodeId: string): ActivityJson | undefined {
  if (root.nodeId === nodeId) return root;
  for (const { activity } of childrenOf(root)) {
    const found = findByNodeId(activity, nodeId);
    if (found) return found;
  }
  return undefined;
}

/** Node ids of the containers between a root and a node, the outermost first; `undefined` when there is no such node. */
export function containersAround(root: ActivityJson, nodeId: string): string[] | undefined {
  for (const { activity } of childrenOf(root)) {
    const own = nodeIdOf(activity, root);
    if (own === nodeId) return [];
    const below = containersAround(activity, nodeId);
    if (below) return [own, ...below];
  }
  return undefined;
}

export interface Child {
  /** The member that holds it. */
  readonly port: string;
  readonly activity: ActivityJson;
}

/** Activities that an activity holds, by the member that holds them. */
export function childrenOf(activity: ActivityJson): Child[] {
  if (isMachine(activity))
    return [...listOf(activity.states), ...listOf(activity.transitions)].flatMap(({ entry, exit, trigger, action }) =>
      Object.entries({ entry, exit, trigger, action }).flatMap(([port, item]) =>
        isActivity(item) ? [{ port, activity: item }] : [],
      ),
    );
  return Object.entries(activity).flatMap(([port, value]) =>
    (Array.isArray(value) ? (value as unknown[]) : [value]).flatMap((item) =>
      isActivity(item) ? [{ port, activity: item }] : [],
    ),
  );
}

const isMachine = ({ type }: ActivityJson): boolean => type === 'Elsa.StateMachine';

const listOf = (value: unknown) =>
  (Array.isArray(value) ? (value as unknown[]) : []).filter(
    (item): item is Readonly<Record<string, unknown>> => typeof item === 'object' && item !== null,
  );

/**
 * States and transitions of a machine. Instances know activities only: a state shows what the first trigger that it waits for does,
 * or what runs when it is entered.
 */
function machineOf(machine: ActivityJson): Picture {
  const transitions = listOf(machine.transitions);
  const { states: places } = (machine.metadata?.designer ?? {}) as { states?: Readonly<Record<string, Position>> };
  const nodes = listOf(machine.states).map((state): PictureNode => {
    const name = String(state.name ?? '');
    const waits = transitions.filter(({ from }) => from === name).map(({ trigger }) => trigger);
    const told = [...waits, state.entry, state.exit].find(isActivity);
    return {
      id: name,
      nodeId: told ? nodeIdOf(told, machine) : `${machine.nodeId ?? machine.id}:${name}`,
      activity: { id: name, name, type: 'State' },
      position: places?.[name],
      outcomes: ['Done'],
      isContainer: false,
    };
  });
  const known = new Set(nodes.map(({ id }) => id));
  const edges = transitions.flatMap(({ from, to }, index) =>
    known.has(String(from)) && known.has(String(to))
      ? [{ id: `${index}`, source: String(from), target: String(to), outcome: 'Done' }]
      : [],
  );
  return { nodes, edges, hasPositions: nodes.every(({ position }) => position !== undefined) };
}

const isFlowchart = ({ type }: ActivityJson): boolean => type === 'Elsa.Flowchart';

function isActivity(value: unknown): value is ActivityJson {
  const { id, type } = (value ?? {}) as Partial<ActivityJson>;
  // Expressions have a type as well, and no id.
  return typeof id === 'string' && typeof type === 'string' && type !== '';
}

function nodeIdOf(activity: ActivityJson, container: ActivityJson): string {
  return (
    activity.nodeId ?? (activity === container ? activity.id : `${container.nodeId ?? container.id}:${activity.id}`)
  );
}

function positionOf({ metadata }: ActivityJson): { x: number; y: number } | undefined {
  const { position } = (metadata?.designer ?? {}) as { position?: { x?: unknown; y?: unknown } };
  const { x, y } = position ?? {};
  return typeof x === 'number' && typeof y === 'number' ? { x, y } : undefined;
}

interface ConnectionJson {
  readonly source: { readonly activity: string; readonly port?: string | null };
  readonly target: { readonly activity: string };
}

/** Of a flowchart, as they are written in it. */
export function connectionsOf(flowchart: ActivityJson): PictureEdge[] {
  const connections = (flowchart.connections ?? []) as readonly ConnectionJson[];
  return connections.map(({ source, target }, index) => ({
    id: `${index}:${source.activity}-${target.activity}`,
    source: source.activity,
    target: target.activity,
    outcome: source.port || 'Done',
  }));
}

const chainOf = (activities: readonly ActivityJson[]): PictureEdge[] =>
  activities.slice(1).map((activity, index) => ({
    id: `${index}`,
    source: activities[index]!.id,
    target: activity.id,
    outcome: 'Done',
  }));
