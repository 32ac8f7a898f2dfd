import { nearestName } from '../options/nearest-name.js';
import { isPlainObject, prop } from '../values/plain-object.js';
import { textOf } from './activity-types.js';
import type { DefinitionProblem } from './validate-definition.js';
import type { ActivityVisit } from './walk-activities.js';
import { conditionOrNull } from './wrapped-condition.js';

/** A state machine names a state that it does not have, or has one that cannot be entered. */
const MACHINE_FAULT = 'WM1096';

/** Names that are compared with known ones, and letters of such a name; a definition may have tens of thousands of either. */
const MOST_COMPARED = 200;

/**
 * Finds what keeps a state machine from working as it is drawn: a state to begin in that does not exist, transitions from or to such a
 * state, which are never taken, states of one name, states that nothing leads to, and conditions that are neither true nor false.
 */
export function stateMachineWarnings({ node, path }: ActivityVisit): DefinitionProblem[] {
  return new Machine(node, path).warnings();
}

interface Transition {
  readonly from: string;
  readonly to: string;
  readonly condition: unknown;
  readonly label: string;
}

class Machine {
  private readonly found: DefinitionProblem[] = [];
  private readonly states: readonly string[];
  private readonly names: ReadonlySet<string>;
  private readonly transitions: readonly Transition[];
  private readonly what: string;
  private compared = 0;

  constructor(
    private readonly node: ActivityVisit['node'],
    private readonly path: string,
  ) {
    this.states = objects(node.states).map(({ name }) => textOf(name) ?? '');
    this.names = new Set(this.states);
    this.transitions = objects(node.transitions).map(({ name, from, to, condition }) => {
      const ends = { from: textOf(from) ?? '', to: textOf(to) ?? '' };
      return { ...ends, condition, label: textOf(name) ?? `${ends.from} → ${ends.to}` };
    });
    this.what = `State machine '${node.id}'`;
  }

  warnings(): DefinitionProblem[] {
    if (this.states.length === 0) return [];
    const initial = textOf(this.node.initialState) ?? this.states[0]!;
    if (!this.names.has(initial))
      this.add(
        `begins in the state '${initial}', which it does not have, so it faults. ${this.advice(initial)}`,
        'initialState',
      );
    this.repeated();
    for (const [i, transition] of this.transitions.entries()) this.check(transition, `transitions[${i}]`);
    if (this.names.has(initial)) this.unreachable(initial);
    return this.found;
  }

  private check({ from, to, condition, label }: Transition, at: string): void {
    for (const [end, name, way] of [
      ['from', from, 'leaves'],
      ['to', to, 'leads to'],
    ] as const)
      if (!this.names.has(name))
        this.add(
          `has a transition '${label}' that ${way} the state '${name}', which it does not have, so it is never taken. ${this.advice(name)}`,
          `${at}.${end}`,
        );
    const constant = constantOf(condition);
    if (constant !== undefined && !isBoolean(constant))
      this.add(
        `has a transition '${label}' whose condition is the text '${String(constant)}', which is not true. Write true or false, or choose the language of the expression.`,
        `${at}.condition`,
      );
  }

  private repeated(): void {
    const seen = new Set<string>();
    for (const [i, name] of this.states.entries())
      if (seen.has(name))
        this.add(`has two states '${name}', of which the first counts. Rename one.`, `states[${i}].name`);
      else seen.add(name);
  }

  private unreachable(initial: string): void {
    const reached = new Set([initial]);
    const ways = new Map<string, string[]>();
    for (const { from, to } of this.transitions) {
      const known = ways.get(from);
      if (known) known.push(to);
      else ways.set(from, [to]);
    }
    for (const state of reached) for (const next of ways.get(state) ?? []) reached.add(next);
    for (const [i, name] of this.states.entries())
      if (!reached.has(name)) {
        reached.add(name);
        this.add(
          `has a state '${name}' that no transition leads to from '${initial}'. Add one, or remove the state.`,
          `states[${i}]`,
        );
      }
  }

  private advice(name: string): string {
    const isCompared = ++this.compared <= MOST_COMPARED && name.length <= MOST_COMPARED;
    const nearest = isCompared ? nearestName(name, this.states.slice(0, MOST_COMPARED)) : undefined;
    return nearest === undefined ? 'Choose one of its states.' : `Did you mean '${nearest}'?`;
  }

  private add(message: string, member: string): void {
    const { id } = this.node;
    this.found.push({
      message: `${this.what} ${message}`,
      code: MACHINE_FAULT,
      activityId: id,
      path: `${this.path}.${member}`,
    });
  }
}

/** Undefined for none, and for what is computed. */
function constantOf(condition: unknown): unknown {
  const json = conditionOrNull(condition);
  if (!isPlainObject(json)) return json ?? undefined;
  const expression = prop(json, 'expression');
  return prop(expression, 'type') === 'Literal' ? prop(expression, 'value') : undefined;
}

const isBoolean = (value: unknown): boolean =>
  typeof value !== 'string' || ['true', 'false'].includes(value.trim().toLowerCase());

const objects = (json: unknown): Readonly<Record<string, unknown>>[] =>
  Array.isArray(json) ? json.filter((item) => isPlainObject(item)) : [];
