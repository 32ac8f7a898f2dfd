import type { ActivityDescriptor } from '../activities/activity-descriptor.js';
import { isActivityClass } from '../activities/activity-metadata.js';
import type { Constructor } from '../activities/decorators.js';
import { describeActivity } from '../activities/describe-activity.js';
import { isTakenName } from '../activities/taken-names.js';
import { Sequence } from '../control-flow/sequence.js';
import { DONE } from '../state/outcomes.js';
import { pascalCase } from '../values/names.js';
import {
  ActivityBuilder,
  type ActivityFacts,
  type ActivitySettings,
  isActivityBuilder,
  type Steps,
} from './activity-builder.js';
import { WorkflowBuildError } from './build-error.js';
import { inputPart, jsonPart, outputPart } from './parts.js';
import type { OutputTarget } from './references.js';

type Members = Readonly<Record<string, unknown>>;

/** Settings of an activity whose outputs the compiler does not know. */
export type UntypedSettings = ActivitySettings<Record<string, unknown>>;

/** An activity of a class, its members checked against the decorators. @throws WorkflowBuildError WM1206 */
export function buildFromClass(
  activityClass: Constructor,
  given: Members,
  settings: ActivitySettings | null = {},
  facts: ActivityFacts = {},
): ActivityBuilder {
  requireClass(activityClass);
  const className = activityClass.name;
  if (!isActivityClass(activityClass))
    throw new WorkflowBuildError(
      'WM1206',
      className,
      `Class ${className} is not an activity. Decorate it with @Activity() or @Trigger().`,
    );
  const descriptor = describeActivity(activityClass);
  const members: Record<string, unknown> = {};
  for (const [name, value] of defined(given)) members[name] = memberOf(descriptor, name, value);
  const outputs = (settings as UntypedSettings | null)?.outputs;
  for (const [name] of defined(outputs))
    if (!descriptor.outputs.some((o) => o.propertyName === name)) throw unknownMember(descriptor, name);
  bindOutputs(descriptor.typeName, members, outputs);
  const { version, typeName } = descriptor;
  return new ActivityBuilder(typeName, members, settings ?? {}, {
    version,
    outcomes: outcomesOf(descriptor),
    ...facts,
  });
}

/** Adds an activity by its type name: what looks like an activity is a child, everything else an input. */
export function buildFromName(type: string, given: Members, settings: UntypedSettings | null = {}): ActivityBuilder {
  const members: Record<string, unknown> = {};
  for (const [name, value] of defined(given)) {
    if (isTakenName(name)) throw notAMember(type, name);
    members[name] = isChild(value) ? value : inputPart(value);
  }
  bindOutputs(type, members, settings?.outputs);
  return new ActivityBuilder(type, members, settings ?? {});
}

/**
 * Adds outputs to the members of an activity, which has one member for each of them and of its inputs. @throws WorkflowBuildError
 * WM1206 where an input has the same one
 */
export function bindOutputs(
  type: string,
  members: Record<string, unknown>,
  outputs: Members | undefined,
  memberOfOutput: (name: string) => string = (name) => name,
): void {
  const inputs = new Set(Object.keys(members).map((name) => name.toLowerCase()));
  for (const [name, target] of defined(outputs)) {
    const member = memberOfOutput(name);
    if (inputs.has(member.toLowerCase())) throw inputAndOutput(type, name);
    members[member] = outputPart(target as OutputTarget<never>);
  }
}

/** Several steps become a sequence, where there is room for one activity only. */
export function toActivity(steps: Steps): ActivityBuilder {
  if (isActivityBuilder(steps)) return steps;
  requireActivities(steps, 'Elsa.Sequence.activities');
  return buildFromClass(Sequence, { activities: steps });
}

/**
 * Activities where activities are due. Callers in JavaScript may give anything, and TypeScript does not see that a constant is undefined as
 * long as two files import each other.
 * @throws WorkflowBuildError WM1206
 */
export function requireActivities(value: unknown, at: string): void {
  const what = (given: unknown): string => (given === null || typeof given !== 'object' ? String(given) : 'an object');
  if (!Array.isArray(value))
    throw new WorkflowBuildError('WM1206', at, `'${at}' must be a list of activities, not ${what(value)}.`);
  for (const [i, item] of value.entries())
    if (!isActivityBuilder(item))
      throw new WorkflowBuildError(
        'WM1206',
        `${at}[${i}]`,
        `'${at}[${i}]' must be an activity, as activity() and sequence() make it, not ${what(item)}.`,
      );
}

/** @throws WorkflowBuildError WM1206 */
function requireClass(activityClass: unknown): void {
  if (typeof activityClass === 'function') return;
  throw new WorkflowBuildError(
    'WM1206',
    'activity()',
    `An activity was given ${String(activityClass)} in place of a class or a type name. A class is undefined as long as two files import ` +
      'each other: make the activity inside build(), or import the class from a third file.',
  );
}

/** The activity with further members, which its decorators do not speak of. */
export function withMembers({ type, members, settings, facts }: ActivityBuilder, more: Members): ActivityBuilder {
  return new ActivityBuilder(type, { ...members, ...more }, settings, facts);
}

/** Members that are there; an optional one may be given as undefined. */
export function defined(members: Members | undefined): [string, unknown][] {
  return Object.entries(members ?? {}).filter(([, value]) => value !== undefined);
}

function memberOf(descriptor: ActivityDescriptor, name: string, value: unknown): unknown {
  const input = descriptor.inputs.find((i) => i.propertyName === name);
  if (input) return input.isWrapped ? inputPart(value, input.typeName !== 'Object') : jsonPart(value);
  if (descriptor.childLists.includes(name)) {
    requireActivities(value, `${descriptor.typeName}.${name}`);
    return value;
  }
  const isPort = descriptor.ports.some((p) => p.type === 'Embedded' && p.propertyName === name);
  if (!isPort) throw unknownMember(descriptor, name);
  return value === null ? null : toActivity(value as Steps);
}

function isChild(value: unknown): boolean {
  return isActivityBuilder(value) || (Array.isArray(value) && value.length > 0 && value.every(isActivityBuilder));
}

/** Types of Elsa name some outcomes only when they run; those of an application declare them, besides the default. */
function outcomesOf({ namespace, ports }: ActivityDescriptor): readonly string[] | undefined {
  const outcomes = ports.filter((p) => p.type === 'Flow').map((p) => p.name);
  return namespace === 'Elsa' || outcomes.length === 0 ? undefined : [...outcomes, DONE];
}

/** Of an activity that is given by its type name: with it, the definition could not be read again. */
function notAMember(type: string, name: string): WorkflowBuildError {
  return new WorkflowBuildError(
    'WM1206',
    `${type}.${name}`,
    `'${name}' is a member that every activity has, and no input of '${type}'. Give it as a setting: ` +
      `activity('${type}', { … }, { ${name}: … }). An input of a method or a workflow with that name is written '_${pascalCase(name)}'.`,
  );
}

function inputAndOutput(type: string, name: string): WorkflowBuildError {
  return new WorkflowBuildError(
    'WM1206',
    `${type}.${name}`,
    `'${name}' is both an input and an output of '${type}', which as an activity can have only one of them. Rename one, or run the workflow ` +
      'with ExecuteWorkflow.',
  );
}

function unknownMember(descriptor: ActivityDescriptor, name: string): WorkflowBuildError {
  const { typeName, inputs, outputs, ports, childLists } = descriptor;
  const isOutput = outputs.some((o) => o.propertyName === name);
  const known = (what: string, names: readonly (string | undefined)[]): string =>
    `${what}: ${names.filter((n) => n !== undefined).join(', ') || 'none'}`;
  return new WorkflowBuildError(
    'WM1206',
    `${typeName}.${name}`,
    isOutput
      ? `'${name}' is an output of activity '${typeName}'. Bind it to a variable: { outputs: { ${name}: variable } }.`
      : `Activity '${typeName}' does not declare '${name}'. It has ${known(
          'inputs',
          inputs.map((i) => i.propertyName),
        )}; ${known(
          'outputs',
          outputs.map((o) => o.propertyName),
        )}; ${known('activities', [
          ...ports.map((p) => p.propertyName),
          ...childLists,
        ])}. Correct the name, or decorate the property.`,
  );
}
