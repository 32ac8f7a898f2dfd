import type { ActivityJson } from '../api/definitions.js';
import { isActivity } from './is-activity.js';
import { isMachine, type PartOfState, partsIn, placesOf, STATE, statesOf, transitionsIn } from './states-of-machine.js';

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
  /** Of a state, which instances do not know: the activities in which it shows. */
  readonly parts?: readonly PartOfState[];
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
  const isState = container.type === STATE;
  // A definition may be a single step.
  const shown =
    children.length > 0 || isFlowchart(container) || isState ? children : [{ port: '', activity: container }];
  const known = new Set(shown.map(({ activity }) => activity.id));
  const edges = isFlowchart(container)
    ? // The engine keeps a connection that leads nowhere, and does not follow it.
      connectionsOf(container).filter(({ source, target }) => known.has(source) && known.has(target))
    : container.type === 'Elsa.Sequence'
      ? chainOf(shown.map(({ activity }) => activity))
      : [];
  const outcomes = new Map<string, Set<string>>();
  for (const { source, outcome } of edges) outcomes.set(source, (outcomes.get(source) ?? new Set()).add(outcome));
  const nodes = shown.map(({ activity }) => ({
    id: activity.id,
    nodeId: nodeIdOf(activity, container),
    activity,
    // Parts of a state stand in no picture of their own in the designer.
    position: isState ? undefined : positionOf(activity),
    outcomes: [...(outcomes.get(activity.id) ?? [])],
    isContainer: activity !== container && childrenOf(activity).length > 0,
  }));
  return { nodes, edges, hasPositions: nodes.every(({ position }) => position !== undefined) && !isPile(nodes) };
}

/** Whether an activity is shown by this node. */
export const isAt = ({ nodeId, parts }: PictureNode, wanted: string | undefined): boolean =>
  wanted !== undefined && (nodeId === wanted || parts?.some((part) => part.nodeId === wanted) === true);

/** Several nodes at (0, 0) have no places: that is how Elsa's designer stores a flowchart that it drew as a pile. */
const isPile = (nodes: readonly PictureNode[]): boolean =>
  nodes.filter(({ position }) => position?.x === 0 && position.y === 0).length > 1;

/** The activity, or state of a machine, at a node id below a root; `undefined` when there is none. */
export function findByNodeId(root: ActivityJson, nodeId: string): ActivityJson | undefined {
  if (root.nodeId === nodeId) return root;
  if (isMachine(root) && nodeId.startsWith(`${root.nodeId ?? root.id}#`))
    return statesOf(root, nodeIdOf).find((state) => state.nodeId === nodeId);
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
  if (isMachine(activity)) return partsIn(activity);
  return Object.entries(activity).flatMap(([port, value]) =>
    (Array.isArray(value) ? (value as unknown[]) : [value]).flatMap((item) =>
      isActivity(item) ? [{ port, activity: item }] : [],
    ),
  );
}

const isFlowchart = ({ type }: ActivityJson): boolean => type === 'Elsa.Flowchart';

/** States and transitions of a machine. A state says what the activities in it do, and those of its ways out. */
function machineOf(machine: ActivityJson): Picture {
  const places = placesOf(machine);
  const nodes = statesOf(machine, nodeIdOf).map((activity): PictureNode => {
    const parts = childrenOf(activity).map(({ port, activity: { nodeId } }) => ({ nodeId: nodeId!, port }));
    return {
      id: activity.id,
      nodeId: parts[0]?.nodeId ?? activity.nodeId!,
      activity,
      position: places[activity.id],
      outcomes: ['Done'],
      isContainer: parts.length > 1 || childrenOf(activity).some((part) => childrenOf(part.activity).length > 0),
      parts,
    };
  });
  const known = new Set(nodes.map(({ id }) => id));
  const edges = transitionsIn(machine).flatMap(({ from, to }, index) =>
    known.has(String(from)) && known.has(String(to))
      ? [{ id: `${index}`, source: String(from), target: String(to), outcome: 'Done' }]
      : [],
  );
  return { nodes, edges, hasPositions: nodes.every(({ position }) => position !== undefined) };
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
