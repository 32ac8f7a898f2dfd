import type { ActivityDescriptor } from '../activities/activity-descriptor.js';
import { nearestName } from '../options/nearest-name.js';
import { isPlainObject } from '../values/plain-object.js';
import type { DefinitionContext } from './definition-context.js';
import type { DefinitionProblem } from './validate-definition.js';
import { descriptorsOf, walkActivities } from './walk-activities.js';
import type { ActivityJson, WorkflowDefinition } from './workflow-definition.js';

/** A custom property of an activity is not read: its name or its value is unknown, or it has no effect there. */
const UNREAD_PROPERTY = 'WM4096';

/** Names that are compared with known ones, and letters of such a name; a definition may have any number of either. */
const MOST_COMPARED = 500;
const MOST_LETTERS = 50;

/** The activity that has a custom property. */
export interface CustomPropertyOwner {
  /** As it is in the definition. */
  readonly node: ActivityJson;
  /** Describes its type. */
  readonly descriptor: ActivityDescriptor;
}

/** A custom property that the engine or a library reads. */
export interface CustomPropertyRule {
  /** Name of the property, in its casing. */
  readonly name: string;
  /** Of a value that is not read, what to write in its place, as the end of a sentence. @default any value is read, or refused elsewhere */
  readonly adviceOnValue?: (value: unknown, owner: CustomPropertyOwner) => string | undefined;
  /** Of an activity on which it has no effect, what it is for, as the end of a sentence. @default it is for all */
  readonly adviceOnPlace?: (owner: CustomPropertyOwner, value: unknown) => string | undefined;
}

/**
 * Finds custom properties that look as if they were read and are not. They may have any name, since applications keep data of their own
 * in them, so a mistyped one is published, as in Elsa: a limit is not there, missed occurrences are skipped.
 */
export function customPropertyWarnings(
  { root }: Pick<WorkflowDefinition, 'root'>,
  { registry }: Pick<DefinitionContext, 'registry'>,
  rules: readonly CustomPropertyRule[],
): DefinitionProblem[] {
  const known = new Map([...CORE_RULES, ...rules].map((rule) => [rule.name, rule]));
  const names = [...known.keys()];
  const warnings: DefinitionProblem[] = [];
  let compared = 0;
  const near = (name: string): string | undefined => {
    if (name.length > MOST_LETTERS || ++compared > MOST_COMPARED) return undefined;
    return nearestName(name, names, name.length < 8 ? 1 : 2);
  };
  walkActivities(root, descriptorsOf(registry), ({ node, path, descriptor }) => {
    if (!descriptor || !isPlainObject(node.customProperties)) return;
    for (const [name, value] of Object.entries(node.customProperties)) {
      if (value === undefined || value === null || value === '') continue;
      const message = unread(known.get(name), { node, descriptor }, value) ?? mistyped(name, known, near);
      if (message === undefined) continue;
      const what = `Custom property '${name}' of activity '${node.id}' (${node.type})`;
      const place = { activityId: node.id, path: `${path}.customProperties.${name}` };
      warnings.push({ message: `${what} ${message}`, code: UNREAD_PROPERTY, ...place });
    }
  });
  return warnings;
}

function unread(rule: CustomPropertyRule | undefined, owner: CustomPropertyOwner, value: unknown): string | undefined {
  // An activity class of the application may read a property of that name for itself.
  const isOurs = /^(Elsa|Waymark)\./.test(owner.descriptor.typeName);
  const place = isOurs ? rule?.adviceOnPlace?.(owner, value) : undefined;
  if (place !== undefined) return `has no effect: it is for ${place}.`;
  const advice = rule?.adviceOnValue?.(value, owner);
  return advice === undefined ? undefined : `has a value that is not read. Use ${advice}.`;
}

function mistyped(
  name: string,
  known: ReadonlyMap<string, CustomPropertyRule>,
  near: (name: string) => string | undefined,
): string | undefined {
  if (known.has(name) || ANY_CASING.has(name.toLowerCase())) return undefined;
  const meant = near(name);
  return meant === undefined ? undefined : `is not read. Did you mean '${meant}'?`;
}

/** Members of every activity, which are read in any casing. */
const ANY_CASING: ReadonlySet<string> = new Set(['canstartworkflow', 'runasynchronously']);

const MERGE_MODES = ['Stream', 'Merge', 'Converge', 'Cascade', 'Race'] as const;

/** Values of timeouts, retry policies and modes of log persistence are checked elsewhere. */
const CORE_RULES: readonly CustomPropertyRule[] = [
  { name: 'canStartWorkflow' },
  {
    name: 'runAsynchronously',
    adviceOnPlace: ({ descriptor: { kind } }, value) =>
      value === true && kind !== 'Task' && kind !== 'Job' ? 'activities of the kinds Task and Job' : undefined,
  },
  { name: 'timeout' },
  { name: 'retryPolicy' },
  { name: 'logPersistenceMode' },
  { name: 'logPersistenceConfig' },
  { name: 'internalState' },
  {
    name: 'mergeMode',
    adviceOnValue: (value) =>
      MERGE_MODES.some((mode) => mode.toLowerCase() === String(value).toLowerCase())
        ? undefined
        : 'Stream, Merge, Converge, Cascade or Race',
  },
  {
    name: 'Flowchart:ExecutionMode',
    adviceOnValue: (value) =>
      /^(0|1|2|default|token.*|counter.*)$/i.test(String(value)) ? undefined : 'TokenBased, CounterBased or Default',
    adviceOnPlace: ({ descriptor }) => (descriptor.typeName === 'Elsa.Flowchart' ? undefined : 'a Flowchart'),
  },
];
