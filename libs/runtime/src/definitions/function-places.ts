import { type VariableDefinition, type WorkflowDefinition } from '@waymark/core';
import { canonicalJson, isFunctionReference } from '@waymark/core/adapter';
import { placeOf } from './code-version-facts.js';

export type FunctionContent = Pick<WorkflowDefinition, 'root' | 'variables' | 'inputs' | 'outputs'>;

/** The places of a version at which functions stand, as far as a function of another version has to know them. */
export interface FunctionPlaces {
  /** By place: what must be equal for a function of the same place to stand there. */
  readonly steps: ReadonlyMap<string, string>;
  /** What functions may read and set by name anywhere in the version. */
  readonly declared: ReadonlySet<string>;
}

/** These give functions nothing to read: a step may move in and out of them. */
const PLAIN_CONTAINERS = ['Elsa.Sequence', 'Elsa.Flowchart'];

interface Found {
  readonly place: string;
  readonly type: string;
  readonly version: unknown;
  readonly id: string;
  readonly around: readonly unknown[];
}

/** Finds them in a definition, built or stored. */
export function functionPlaces({ root, variables, inputs, outputs }: FunctionContent): FunctionPlaces {
  const found: Found[] = [];
  collect(root, { type: '', id: '', version: undefined }, [], found);
  // Generated ids count activities of a type. One more, or one less, would move a function to another activity's place.
  const counted = new Map<string, string[]>();
  for (const { place, type, id } of found)
    if (isGenerated(id, type)) counted.set(type, [...(counted.get(type) ?? []), place]);
  const steps = found.map(({ place, type, version, id, around }): [string, string] => {
    const key = isGenerated(id, type) ? counted.get(type)!.toSorted() : [];
    return [place, canonicalJson({ type, version: version ?? null, place, key, around })];
  });
  const declared = [
    ...variables.map((v) => variableFacts(v)),
    ...inputs.map(({ name, type, isArray }) => ['input', name, type, isArray]),
    ...outputs.map(({ name, type, isArray }) => ['output', name, type, isArray]),
  ];
  return { steps: new Map(steps), declared: new Set(declared.map((facts) => canonicalJson(facts))) };
}

/** Whether the function of that place in `code` can stand at the same place in `stored`. */
export function fits(place: string, code: FunctionPlaces, stored: FunctionPlaces): boolean {
  const step = code.steps.get(place);
  if (step === undefined || step !== stored.steps.get(place)) return false;
  // It may use anything that is declared where it was written.
  for (const facts of code.declared) if (!stored.declared.has(facts)) return false;
  return true;
}

interface Around {
  readonly type: string;
  readonly id: string;
  readonly version: unknown;
}

function collect(value: unknown, activity: Around, around: readonly unknown[], found: Found[]): void {
  if (Array.isArray(value)) {
    for (const item of value) collect(item, activity, around, found);
    return;
  }
  if (isFunctionReference(value)) {
    found.push({ place: placeOf(value.$function), ...activity, around });
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const { type, id, version, variables } = value as Record<string, unknown>;
  const isActivity = typeof type === 'string' && typeof id === 'string';
  const inner = isActivity ? { type, id, version } : activity;
  const outside = isActivity ? withContainer(around, activity.type) : around;
  const here =
    isActivity && Array.isArray(variables) && variables.length > 0 ? [...outside, locals(variables)] : outside;
  for (const member of Object.values(value)) collect(member, inner, here, found);
}

function withContainer(around: readonly unknown[], type: string): readonly unknown[] {
  return type === '' || PLAIN_CONTAINERS.includes(type) ? around : [...around, type];
}

const locals = (variables: readonly unknown[]): unknown => variables.map((v) => variableFacts(v as VariableDefinition));

const variableFacts = ({ id, name, typeName, isArray }: VariableDefinition): unknown[] => [
  'variable',
  id,
  name,
  isArray ? `${typeName}[]` : typeName,
];

/** `WriteLine2` of a WriteLine. One that was stated in that form is taken for a counted one, which is only stricter. */
function isGenerated(id: string, type: string): boolean {
  const short = type.slice(type.lastIndexOf('.') + 1).replace(/[^\p{L}\p{N}_-]/gu, '') || 'Activity';
  return id.startsWith(short) && /^\d+$/.test(id.slice(short.length));
}
