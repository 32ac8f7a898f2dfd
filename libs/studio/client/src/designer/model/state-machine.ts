import type { ActivityJson } from '../../api/definitions.js';
import type { Connection } from './level.js';
import type { Path } from './json-path.js';

/** The type of states among the activities of a level. A state has no id of its own but its name. */
export const STATE_TYPE = 'State';

interface StateJson {
  readonly name?: string;
  readonly entry?: ActivityJson | null;
  readonly exit?: ActivityJson | null;
}

export interface TransitionJson {
  readonly name?: string | null;
  readonly displayName?: string | null;
  readonly from?: string | null;
  readonly to?: string | null;
  readonly trigger?: ActivityJson | null;
  readonly condition?: unknown;
  readonly action?: ActivityJson | null;
}

/** A transition as the canvas connects states by it. */
export interface Transition extends Connection {
  readonly json: TransitionJson;
}

export const isTransition = (connection: Connection): connection is Transition => 'json' in connection;

export interface Place {
  readonly x: number;
  readonly y: number;
}

export const isMachine = ({ type }: ActivityJson): boolean => type === 'Elsa.StateMachine';

/** Ids on the canvas: of a state by its name, which is how transitions name it; of a transition by its place in the list. */
export const stateId = (name: string): string => `state:${name}`;
export const transitionId = (index: number): string => `transition:${index}`;
export const nameOfState = (id: string): string | undefined => (id.startsWith('state:') ? id.slice(6) : undefined);
export const indexOfTransition = (id: string): number | undefined =>
  id.startsWith('transition:') ? Number(id.slice(11)) : undefined;

export const listOfStates = ({ states }: ActivityJson): readonly StateJson[] =>
  (Array.isArray(states) ? (states as unknown[]) : []).filter(
    (state): state is StateJson => typeof state === 'object' && state !== null,
  );

export const listOfTransitions = ({ transitions }: ActivityJson): readonly TransitionJson[] =>
  (Array.isArray(transitions) ? (transitions as unknown[]) : []).map((one) => (one ?? {}) as TransitionJson);

/** The name of the state that the machine begins in: the first, where none is named. */
export function initialOf(machine: ActivityJson): string | undefined {
  const { initialState } = machine;
  return typeof initialState === 'string' && initialState !== '' ? initialState : listOfStates(machine)[0]?.name;
}

/** Where states stand is kept beside the machine, for a state itself has no room for it in Elsa's JSON. */
export function placesOf({ metadata }: ActivityJson): Readonly<Record<string, Place>> {
  const { states } = (metadata?.designer ?? {}) as { states?: unknown };
  return (typeof states === 'object' && states !== null ? states : {}) as Readonly<Record<string, Place>>;
}

/** States as nodes of the canvas. Of two with one name the engine knows the first. */
export function stateNodes(machine: ActivityJson): ActivityJson[] {
  const places = placesOf(machine);
  const initial = initialOf(machine);
  const left = new Set(listOfTransitions(machine).map(({ from }) => from));
  return listOfStates(machine).map(({ name = '', entry, exit }) => ({
    id: stateId(name),
    name,
    type: STATE_TYPE,
    entry,
    exit,
    isInitial: name === initial,
    isFinal: !left.has(name),
    metadata: name in places ? { designer: { position: places[name] } } : {},
  }));
}

export const transitionsOf = (machine: ActivityJson): Transition[] =>
  listOfTransitions(machine).map((json, index) => ({
    index,
    source: stateId(json.from ?? ''),
    port: 'Done',
    target: stateId(json.to ?? ''),
    targetPort: 'In',
    json,
  }));

/** What a transition is called where there is room for a few letters. */
export const labelOfTransition = ({ displayName, name, trigger }: TransitionJson): string =>
  displayName || name || trigger?.name || '';

/** Where a state or transition stands in the machine. */
export function pathInMachine(machine: ActivityJson, path: Path, id: string): Path | undefined {
  const index = indexOfTransition(id);
  if (index !== undefined)
    return index < listOfTransitions(machine).length ? [...path, 'transitions', index] : undefined;
  const at = listOfStates(machine).findIndex(({ name = '' }) => stateId(name) === id);
  return at === -1 ? undefined : [...path, 'states', at];
}
