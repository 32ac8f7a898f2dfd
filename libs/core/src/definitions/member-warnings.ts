import { RETRY_NAMES } from '../activities/check-decorator.js';
import { nearestName } from '../options/nearest-name.js';
import { isPlainObject, prop } from '../values/plain-object.js';
import { isWorkflowType } from './activity-types.js';
import type { DefinitionContext } from './definition-context.js';
import { ENVELOPE } from './node-envelope.js';
import { memberName } from './node-members.js';
import { shapeOf } from './node-shapes.js';
import type { DefinitionProblem } from './validate-definition.js';
import { type ActivityVisit, descriptorsOf, walkActivities } from './walk-activities.js';
import { isBound } from './workflow-bindings.js';
import type { WorkflowDefinition } from './workflow-definition.js';

/** An activity has an expression or a binding for a member that its type does not have, or its retry policy one that none has: it is not read. */
const UNKNOWN_MEMBER = 'WM1051';

/** A reader sees no more of them; a definition may have 200,000, and each is compared with all inputs of its type. */
const MOST_COMPARED = 500;

/**
 * Finds inputs that an activity type does not have: mistyped names, and inputs of another version of Elsa. Elsa publishes such a definition
 * and ignores them. So does Waymark; otherwise definitions of newer versions could not be imported. The input that was meant has its
 * default. The same of members of retry policies.
 */
export function memberWarnings(
  { root }: Pick<WorkflowDefinition, 'root'>,
  { registry }: Pick<DefinitionContext, 'registry'>,
): DefinitionProblem[] {
  const warnings: DefinitionProblem[] = [];
  walkActivities(root, descriptorsOf(registry), (visit) => {
    const { node, path } = visit;
    const near = (name: string, names: readonly string[]): string | undefined =>
      warnings.length < MOST_COMPARED ? nearestName(name, names) : undefined;
    for (const name of unknownInputs(visit)) {
      const known = visit.descriptor!.inputs.map(memberName);
      const nearest = near(name, known);
      const inputs = known.length === 0 ? 'It has no inputs.' : `Its inputs: ${known.join(', ')}.`;
      const advice = nearest === undefined ? inputs : `Did you mean '${nearest}'?`;
      const message = `Activity '${node.id}' (${node.type}) has no input '${name}', so its expression is never evaluated. ${advice}`;
      warnings.push({ message, code: UNKNOWN_MEMBER, activityId: node.id, path: `${path}.${name}` });
    }
    for (const name of unknownOutputs(visit)) {
      const known = visit.descriptor!.outputs.map(memberName);
      const nearest = near(name, known);
      const outputs = known.length === 0 ? 'It has no outputs.' : `Its outputs: ${known.join(', ')}.`;
      const advice = nearest === undefined ? outputs : `Did you mean '${nearest}'?`;
      const message = `Activity '${node.id}' (${node.type}) has no output '${name}', so what it is bound to is never set. ${advice}`;
      warnings.push({ message, code: UNKNOWN_MEMBER, activityId: node.id, path: `${path}.${name}` });
    }
    for (const name of unknownInPolicy(visit)) {
      const nearest = near(name, POLICY_NAMES);
      const advice = nearest === undefined ? `It may have ${POLICY_NAMES.join(', ')}.` : `Did you mean '${nearest}'?`;
      const message = `Retry policy of activity '${node.id}' (${node.type}) has '${name}', which is not read. ${advice}`;
      const at = `${path}.customProperties.retryPolicy.${name}`;
      warnings.push({ message, code: UNKNOWN_MEMBER, activityId: node.id, path: at });
    }
  });
  return warnings;
}

const POLICY_NAMES = Object.keys(RETRY_NAMES);

function unknownInPolicy({ node }: ActivityVisit): string[] {
  const policy = prop(node.customProperties, 'retryPolicy');
  return isPlainObject(policy) ? Object.keys(policy).filter((name) => !Object.hasOwn(RETRY_NAMES, name)) : [];
}

/** Other members belong to the activity class, which may read them itself; expressions of members it could not evaluate. */
const unknownInputs = (visit: ActivityVisit): string[] => unknownMembers(visit, hasExpression);

/** Of workflows used as activities, whose members are inputs and outputs only: a class may have references of its own. */
const unknownOutputs = (visit: ActivityVisit): string[] =>
  visit.descriptor && isWorkflowType(visit.descriptor)
    ? unknownMembers(visit, (value) => isBound(value) && !hasExpression(value))
    : [];

const hasExpression = (value: unknown): boolean => isPlainObject(prop(value, 'expression'));

function unknownMembers({ node, descriptor }: ActivityVisit, isMeant: (value: unknown) => boolean): string[] {
  if (!descriptor) return [];
  let taken: Set<string> | undefined;
  return Object.keys(node).filter((name) => {
    if (!isMeant(node[name])) return false;
    taken ??= takenNames(descriptor);
    return !taken.has(name.toLowerCase());
  });
}

function takenNames({ typeName, inputs, outputs }: NonNullable<ActivityVisit['descriptor']>): Set<string> {
  const { special = {}, plain = [], ignored = [] } = shapeOf(typeName);
  const members = [...inputs, ...outputs].map(memberName);
  const all = [...ENVELOPE, ...members, ...Object.keys(special), ...plain, ...ignored];
  return new Set(all.map((name) => name.toLowerCase()));
}
