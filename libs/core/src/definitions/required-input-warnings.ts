import type { InputDescriptor } from '../activities/activity-descriptor.js';
import { isPlainObject, prop } from '../values/plain-object.js';
import { isWorkflowType } from './activity-types.js';
import type { DefinitionContext } from './definition-context.js';
import { memberName } from './node-members.js';
import type { DefinitionProblem } from './validate-definition.js';
import { descriptorsOf, walkActivities } from './walk-activities.js';
import type { WorkflowDefinition } from './workflow-definition.js';

/** A workflow used as an activity is given no value for an input that it requires. */
const MISSING_INPUT = 'WM4095';

/**
 * Finds inputs that a workflow used as an activity requires and is not given. It runs with null there: unlike a start, its execution is
 * not refused for that (ADR 160).
 */
export function requiredInputWarnings(
  { root }: Pick<WorkflowDefinition, 'root'>,
  { registry, types }: Pick<DefinitionContext, 'registry' | 'types'>,
): DefinitionProblem[] {
  const warnings: DefinitionProblem[] = [];
  walkActivities(root, descriptorsOf(registry), ({ node, path, descriptor }) => {
    if (!descriptor || !isWorkflowType(descriptor)) return;
    for (const input of descriptor.inputs) {
      const name = memberName(input);
      if (!input.isRequired || hasValue(input.defaultValue, input, types) || hasValue(prop(node, name), input, types))
        continue;
      const message = `Activity '${node.id}' (${node.type}) gives no value for '${name}', which the workflow requires, so it runs with null. Give it one.`;
      warnings.push({ message, code: MISSING_INPUT, activityId: node.id, path: `${path}.${name}` });
    }
  });
  return warnings;
}

/** What an expression gives is not known before it runs. */
function hasValue(json: unknown, { typeName }: InputDescriptor, types: DefinitionContext['types']): boolean {
  const expression = prop(json, 'expression');
  const isConstant = prop(expression, 'type') === 'Literal';
  if (isPlainObject(expression) && !isConstant) return true;
  const value = isConstant ? prop(expression, 'value') : json;
  if (typeof value !== 'string' || value.trim() !== '') return value !== undefined && value !== null;
  // A blank text is no number or date, but it is a text.
  return types.resolve(typeName)?.kind === 'string';
}
