import type { ActivityJson } from '../../api/definitions.js';
import { nameOf } from '../canvas/names.js';
import {
  initialOf,
  isMachine,
  labelOfTransition,
  listOfStates,
  listOfTransitions,
  placesOf,
  STATE_TYPE,
  stateId,
  type TransitionJson,
} from '../model/state-machine.js';

/** The type of transitions among the parts of a machine. */
export const TRANSITION_TYPE = 'Transition';

/**
 * The same tree, in which states and transitions of machines are activities as well: they are compared one by one, and what runs
 * in them is found below them. As two lists, one new state would be a difference of the whole machine.
 */
export function withMachineParts<T>(value: T): T {
  if (Array.isArray(value)) return value.map((item: unknown) => withMachineParts(item)) as T;
  if (typeof value !== 'object' || value === null || 'rawJSON' in value) return value;
  const members = Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, unknown]) => [name, withMachineParts(member)]),
  );
  return (isMachine(value as unknown as ActivityJson) ? partsOf(members as unknown as ActivityJson) : members) as T;
}

function partsOf(machine: ActivityJson): ActivityJson {
  const { states: _states, ...own } = machine;
  return {
    ...own,
    // A machine that names no state begins in the first.
    initialState: initialOf(machine),
    metadata: withoutPlaces(machine.metadata),
    activities: statesIn(machine),
    transitions: transitionsIn(machine),
  };
}

/** With the places that the machine keeps for them. */
function statesIn(machine: ActivityJson): ActivityJson[] {
  const places = placesOf(machine);
  return listOfStates(machine).map((state) => {
    const { name = '' } = state;
    const metadata = name in places ? { designer: { position: places[name] } } : {};
    return { ...state, id: stateId(name), name, type: STATE_TYPE, metadata };
  });
}

/** A transition is found again by its name; by its ends where it has none, or shares it. */
function transitionsIn(machine: ActivityJson): ActivityJson[] {
  const all = listOfTransitions(machine);
  const known = new Map<string, number>();
  return all.map((json) => {
    const { name, from, to } = json;
    const isOwn = Boolean(name) && all.filter((one) => one.name === name).length === 1;
    const stem = isOwn ? name! : `${from ?? ''} → ${to ?? ''}`;
    const count = (known.get(stem) ?? 0) + 1;
    known.set(stem, count);
    return { ...json, id: count === 1 ? stem : `${stem} ${count}`, name: name ?? '', type: TRANSITION_TYPE };
  });
}

function withoutPlaces(metadata: ActivityJson['metadata']): ActivityJson['metadata'] {
  const { designer, ...more } = (metadata ?? {}) as { readonly designer?: Readonly<Record<string, unknown>> };
  const { states: _places, ...own } = designer ?? {};
  return { ...more, ...(Object.keys(own).length > 0 ? { designer: own } : {}) };
}

/** `undefined` for an activity that is not a transition. */
export const asTransition = (activity: ActivityJson): TransitionJson | undefined =>
  activity.type === TRANSITION_TYPE ? (activity as TransitionJson) : undefined;

/** What a part, or another activity, is called. */
export function titleOf(activity: ActivityJson): string {
  const transition = asTransition(activity);
  return (transition && labelOfTransition(transition)) || nameOf(activity);
}
