import { isWorkflowType, workflowTypeName } from './activity-types.js';
import type { DefinitionContext } from './definition-context.js';
import type { DefinitionProblem } from './validate-definition.js';
import type { WorkflowDefinition } from './workflow-definition.js';

/**
 * Finds that a workflow which is usable as an activity is called like an activity class: the type is that of the class, so that editors
 * could not offer the workflow.
 */
export function nameProblems(
  definition: Pick<WorkflowDefinition, 'definitionId' | 'name' | 'options'>,
  { registry }: Pick<DefinitionContext, 'registry'>,
): DefinitionProblem[] {
  if (definition.options.usableAsActivity !== true) return [];
  const typeName = workflowTypeName(definition);
  const found = registry.find(typeName);
  if (!found || isWorkflowType(found.descriptor)) return [];
  const message = `As an activity, the workflow would have the type '${typeName}', which is that of the class ${found.activityClass.name}. Rename the workflow, or set usableAsActivity to false.`;
  return [{ message, path: 'name' }];
}

/**
 * Finds inputs, and outputs, whose names differ in case only. Callers may write names in any casing, and an activity that stands for the
 * workflow has one member for both.
 */
export function nameWarnings({ inputs, outputs }: Pick<WorkflowDefinition, 'inputs' | 'outputs'>): DefinitionProblem[] {
  return [...alike('input', inputs), ...alike('output', outputs)];
}

function alike(what: 'input' | 'output', list: readonly { readonly name: string }[]): DefinitionProblem[] {
  const seen = new Map<string, string>();
  return list.flatMap(({ name }, i) => {
    const lower = name.toLowerCase();
    const first = seen.get(lower);
    if (first === undefined) seen.set(lower, name);
    if (first === undefined || first === name) return [];
    const message = `The ${what}s '${first}' and '${name}' differ in case only: where the workflow is used as an activity, they are one. Rename one of them.`;
    return [{ message, path: `${what}s[${i}]` }];
  });
}
