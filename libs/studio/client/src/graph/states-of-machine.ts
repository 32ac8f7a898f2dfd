import type { ActivityJson } from '../api/definitions.js';
import { isActivity } from './is-activity.js';
import type { NodeCounts, NodeState } from './workflow-graph.js';

/** The type of states, as activities that hold what runs in them. */
export const STATE = 'State';

/** An activity in which a state shows. */
export interface PartOfState {
  readonly nodeId: string;
  /** `trigger`, `action`, `entry` or `exit`. */
  readonly port: string;
}

export const isMachine = ({ type }: ActivityJson): boolean => type === 'Elsa.StateMachine';

type Item = Readonly<Record<string, unknown>>;

const listOf = (value: unknown): Item[] =>
  (Array.isArray(value) ? (value as unknown[]) : []).filter(
    (item): item is Item => typeof item === 'object' && item !== null,
  );

export const transitionsIn = (machine: ActivityJson): Item[] => listOf(machine.transitions);

/** Where its states stand, by their names. */
export const placesOf = (machine: ActivityJson): Readonly<Record<string, { x: number; y: number }>> =>
  (machine.metadata?.designer as { states?: Readonly<Record<string, { x: number; y: number }>> } | undefined)?.states ??
  {};

/** All activities of a machine, by the members that hold them. */
export const partsIn = (machine: ActivityJson): { port: string; activity: ActivityJson }[] =>
  [...listOf(machine.states), ...transitionsIn(machine)].flatMap(({ entry, exit, trigger, action }) =>
    Object.entries({ entry, exit, trigger, action }).flatMap(([port, item]) =>
      isActivity(item) ? [{ port, activity: item }] : [],
    ),
  );

/**
 * The states of a machine as activities, each with what it waits for, what its ways out do, and what runs when it is entered and left.
 * Instances know only those.
 * @param nodeIdOf where instances name an activity of the machine
 */
export function statesOf(
  machine: ActivityJson,
  nodeIdOf: (activity: ActivityJson, container: ActivityJson) => string,
): ActivityJson[] {
  const ways = new Map<unknown, Item[]>();
  for (const way of transitionsIn(machine)) {
    const known = ways.get(way.from);
    if (known) known.push(way);
    else ways.set(way.from, [way]);
  }
  const own = (item: unknown): ActivityJson[] =>
    isActivity(item) ? [{ ...item, nodeId: nodeIdOf(item, machine) }] : [];
  return listOf(machine.states).map(({ name: given, entry, exit }) => {
    const name = String(given ?? '');
    const out = ways.get(given) ?? [];
    return {
      id: name,
      // No activity has such a one: the name of a state may be the id of one.
      nodeId: `${machine.nodeId ?? machine.id}#${name}`,
      name,
      type: STATE,
      trigger: out.flatMap(({ trigger }) => own(trigger)),
      action: out.flatMap(({ action }) => own(action)),
      entry: own(entry),
      exit: own(exit),
    };
  });
}

/**
 * What a state says of an instance: what is most urgent in it. Of triggers that wait side by side, those that were not needed are
 * cancelled, which says nothing of the state.
 */
export function stateOfParts(
  parts: readonly PartOfState[],
  states: ReadonlyMap<string, NodeState>,
): NodeState | undefined {
  const known = parts.flatMap(({ nodeId }) => states.get(nodeId) ?? []);
  if (known.length === 0) return undefined;
  const most = (of: (state: NodeState) => number) => Math.max(...known.map(of));
  const started = most((state) => state.started);
  const isOpen = known.some((state) => state.completed < state.started);
  const isGivenUp = known.every(({ cancelled = 0, completed }) => cancelled === completed);
  const durations = known.flatMap(({ durationMs }) => durationMs ?? []);
  return {
    started,
    completed: isOpen ? started - 1 : started,
    cancelled: isGivenUp && !isOpen ? started : 0,
    isWaiting: known.some(({ isWaiting }) => isWaiting),
    isFaulted: known.some(({ isFaulted }) => isFaulted),
    // At several triggers it stands once.
    tokens: most(({ tokens = 0 }) => tokens),
    durationMs: durations.length === 0 ? undefined : Math.max(...durations),
  };
}

/** How many instances stand in a state. All of them wait at each of its triggers. */
export function countsOfParts(
  parts: readonly PartOfState[],
  counts: ReadonlyMap<string, NodeCounts>,
): NodeCounts | undefined {
  const known = parts.flatMap(({ nodeId, port }) => {
    const found = counts.get(nodeId);
    return found ? [{ ...found, isTrigger: port === 'trigger' }] : [];
  });
  if (known.length === 0) return undefined;
  const sumOf = (of: (one: NodeCounts) => number) => {
    const together = known.filter(({ isTrigger }) => isTrigger).map(of);
    return known.filter(({ isTrigger }) => !isTrigger).reduce((sum, one) => sum + of(one), Math.max(0, ...together));
  };
  return {
    waiting: sumOf(({ waiting }) => waiting),
    faulted: known.reduce((sum, { faulted }) => sum + faulted, 0),
    share: Math.min(
      1,
      sumOf(({ share }) => share),
    ),
  };
}

const URGENT: readonly ((state: NodeState) => boolean)[] = [
  ({ isFaulted }) => isFaulted,
  ({ isWaiting }) => isWaiting,
  ({ completed, started }) => completed < started,
  ({ completed, cancelled = 0 }) => completed > cancelled,
];

/** Of a state that is chosen, the activity to be shown beside it: the one that its colour is of. */
export function tellingPart(
  parts: readonly PartOfState[],
  states: ReadonlyMap<string, NodeState> | undefined,
): string | undefined {
  for (const isThat of URGENT)
    for (const { nodeId } of parts) {
      const state = states?.get(nodeId);
      if (state && isThat(state)) return nodeId;
    }
  return parts[0]?.nodeId;
}
