import type { NodeReader } from '../graph/child-reader.js';
import type { ActivityNode } from '../graph/activity-node.js';
import { conditionOrNull } from '../definitions/wrapped-condition.js';
import type { CompiledInput } from '../graph/compiled-input.js';

export interface MachineState {
  readonly name: string;
  readonly entry?: ActivityNode;
  readonly exit?: ActivityNode;
}

export interface MachineTransition {
  readonly index: number;
  readonly from: string;
  readonly to: string;
  /** Absent: the transition fires at once. */
  readonly trigger?: ActivityNode;
  /** True where there is none. */
  readonly condition: CompiledInput;
  readonly action?: ActivityNode;
}

type Json = Readonly<Record<string, unknown>>;

export function readStates(json: unknown, reader: NodeReader): MachineState[] {
  return objects(json).map((state) => {
    const name = text(state.name);
    return { name, entry: reader.child(state.entry, `${name}:Entry`), exit: reader.child(state.exit, `${name}:Exit`) };
  });
}

export function readTransitions(json: unknown, reader: NodeReader): MachineTransition[] {
  return objects(json).map((transition, index) => {
    const [from, to] = [text(transition.from), text(transition.to)];
    const port = text(transition.name) || `${from}->${to}`;
    return {
      index,
      from,
      to,
      trigger: reader.child(transition.trigger, `${port}:Trigger`),
      condition: reader.input(conditionOrNull(transition.condition), 'Boolean', true),
      action: reader.child(transition.action, `${port}:Action`),
    };
  });
}

/** The first of each name. */
export function statesByName(states: readonly MachineState[]): ReadonlyMap<string, MachineState> {
  const found = new Map<string, MachineState>();
  for (const state of states) if (!found.has(state.name)) found.set(state.name, state);
  return found;
}

/** By the state that they leave, in their order; not those that lead nowhere. */
export function waysOutOf(
  transitions: readonly MachineTransition[],
  states: ReadonlyMap<string, MachineState>,
): ReadonlyMap<string, readonly MachineTransition[]> {
  const found = new Map<string, MachineTransition[]>();
  for (const transition of transitions) {
    if (!states.has(transition.to)) continue;
    const ways = found.get(transition.from);
    if (ways) ways.push(transition);
    else found.set(transition.from, [transition]);
  }
  return found;
}

function objects(json: unknown): Json[] {
  return Array.isArray(json) ? json.filter((item): item is Json => typeof item === 'object' && item !== null) : [];
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
