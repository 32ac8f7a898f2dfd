import type { ActivityJson } from '../../api/definitions.js';
import { type Change, type Design, edit, together } from './change.js';
import type { Level, Positions } from './level.js';
import { changeNote, withoutNotes } from './notes.js';
import {
  listOfStates,
  listOfTransitions,
  nameOfState,
  type Place,
  placesOf,
  type TransitionJson,
} from './state-machine.js';

// What changes a state machine. As the other commands: pure functions from a document to what they change in it.

type Next = (machine: ActivityJson) => ActivityJson;

const editMachine = (design: Design, { path }: Level, next: Next, key?: string): Change =>
  edit(design, path, next, key);

/** Names that are free among the states, or the transitions. */
function freeName(stem: string, taken: readonly (string | null | undefined)[]): string {
  let number = 1;
  while (taken.includes(`${stem}${number}`)) number += 1;
  return `${stem}${number}`;
}

export const freeStateName = (machine: ActivityJson): string =>
  freeName(
    'State',
    listOfStates(machine).map(({ name }) => name),
  );

const newTransition = (machine: ActivityJson, from: string, to: string): TransitionJson => ({
  name: freeName(
    'Transition',
    listOfTransitions(machine).map(({ name }) => name),
  ),
  displayName: null,
  from,
  to,
  trigger: null,
  condition: null,
  action: null,
});

function withPlaces(machine: ActivityJson, places: Readonly<Record<string, Place>>): ActivityJson {
  const { designer } = (machine.metadata ?? {}) as { designer?: object };
  return { ...machine, metadata: { ...machine.metadata, designer: { ...designer, states: places } } };
}

export interface NewState {
  readonly name: string;
  readonly position: Place;
  /** Id of the state that leads to it. */
  readonly after?: string | undefined;
  /** Place of the transition that it is put into. */
  readonly on?: number | undefined;
}

/** One more state; the first is the one that the machine begins in. */
export function addState(design: Design, level: Level, { name, position, after, on }: NewState): Change {
  return editMachine(design, level, (machine) => {
    const transitions = [...listOfTransitions(machine)];
    const crossed = on === undefined ? undefined : transitions[on];
    if (crossed) {
      transitions[on!] = { ...crossed, to: name };
      transitions.push(newTransition(machine, name, crossed.to ?? ''));
    }
    const from = after === undefined ? undefined : nameOfState(after);
    if (from !== undefined) transitions.push(newTransition(machine, from, name));
    const states = [...listOfStates(machine), { name, entry: null, exit: null }];
    return withPlaces({ ...machine, states, transitions }, { ...placesOf(machine), [name]: rounded(position) });
  });
}

/** With everything that names it: transitions, and where the machine begins. */
export function renameState(design: Design, level: Level, from: string, to: string): Change {
  return editMachine(design, level, (machine) => {
    const { [from]: place, ...places } = placesOf(machine);
    const named = {
      ...machine,
      states: listOfStates(machine).map((state) => (state.name === from ? { ...state, name: to } : state)),
      transitions: listOfTransitions(machine).map((one) => ({
        ...one,
        ...(one.from === from ? { from: to } : {}),
        ...(one.to === from ? { to } : {}),
      })),
      ...(machine.initialState === from ? { initialState: to } : {}),
    };
    return place === undefined ? named : withPlaces(named, { ...places, [to]: place });
  });
}

export const setInitialState = (design: Design, level: Level, name: string): Change =>
  editMachine(design, level, (machine) => ({ ...machine, initialState: name }));

export const addTransition = (design: Design, level: Level, source: string, target: string): Change =>
  editMachine(design, level, (machine) => ({
    ...machine,
    transitions: [
      ...listOfTransitions(machine),
      newTransition(machine, nameOfState(source) ?? '', nameOfState(target) ?? ''),
    ],
  }));

/** Other ends, trigger, condition or action; the rest of it stays. */
export const changeTransition = (
  design: Design,
  level: Level,
  index: number,
  next: Partial<TransitionJson>,
  key?: string,
): Change => edit(design, [...level.path, 'transitions', index], (one: object) => ({ ...one, ...next }), key);

/** States with the transitions at them, single transitions, and notes. */
export function removeFromMachine(
  design: Design,
  level: Level,
  ids: ReadonlySet<string>,
  transitions: ReadonlySet<number>,
): Change {
  const gone = new Set([...ids].map(nameOfState));
  return editMachine(design, level, (machine) => {
    const bare = withoutNotes(machine, ids);
    const kept = Object.fromEntries(Object.entries(placesOf(machine)).filter(([name]) => !gone.has(name)));
    const next = {
      ...bare,
      states: listOfStates(machine).filter(({ name }) => !gone.has(name)),
      transitions: listOfTransitions(machine).filter(
        ({ from, to }, index) => !transitions.has(index) && !gone.has(from ?? undefined) && !gone.has(to ?? undefined),
      ),
      ...(typeof machine.initialState === 'string' && gone.has(machine.initialState) ? { initialState: null } : {}),
    };
    return Object.keys(kept).length === Object.keys(placesOf(machine)).length ? next : withPlaces(next, kept);
  });
}

export function moveInMachine(design: Design, level: Level, places: Positions, key?: string): Change {
  const states = [...places].flatMap(([id, place]) => {
    const name = nameOfState(id);
    return name === undefined ? [] : [[name, rounded(place)] as const];
  });
  const moveStates = (now: Design) =>
    editMachine(
      now,
      level,
      (machine) => withPlaces(machine, { ...placesOf(machine), ...Object.fromEntries(states) }),
      key,
    );
  const notes = [...places].filter(([id]) => nameOfState(id) === undefined);
  if (notes.length === 0) return moveStates(design);
  return together(
    design,
    ...(states.length > 0 ? [moveStates] : []),
    ...notes.map(
      ([id, place]) =>
        (now: Design) =>
          changeNote(now, level, id, { position: rounded(place) }),
    ),
  );
}

const rounded = ({ x, y }: Place): Place => ({ x: Math.round(x), y: Math.round(y) });
