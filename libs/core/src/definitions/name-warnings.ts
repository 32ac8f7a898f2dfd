import type { DefinitionProblem } from './validate-definition.js';
import type { WorkflowDefinition } from './workflow-definition.js';

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
