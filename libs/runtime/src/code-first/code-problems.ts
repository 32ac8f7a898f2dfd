import {
  type ActivityDescriptor,
  type ActivityJson,
  type VariableDefinition,
  type WorkflowDefinition,
} from '@waymark/core';
import {
  type ActivityRegistry,
  camelCase,
  CODE_MATERIALIZER,
  constantProblems,
  descriptorsOf,
  isTrigger,
  type NodeReadingActivity,
  walkActivities,
} from '@waymark/core/adapter';
import type { DefinitionProblem } from '../services/definition-services.js';
import type { WorkflowEngine } from '../engine/workflow-engine.js';

const ENVELOPE: ReadonlySet<string> = new Set(
  'type id nodeId name version customProperties metadata workflowDefinitionId workflowDefinitionVersionId'.split(' '),
);

/**
 * Finds mistakes that the TypeScript compiler cannot see: activities given by their type name, type aliases, constants that do not
 * convert. In a stored definition they are tolerated; in code they are errors.
 */
export function codeProblems(
  definition: Pick<WorkflowDefinition, 'variables' | 'inputs' | 'outputs' | 'options' | 'root'>,
  { activities, types }: Pick<WorkflowEngine, 'activities' | 'types'>,
): DefinitionProblem[] {
  const problems: DefinitionProblem[] = [];
  const checkType = (what: string, name: string, type: string, activityId?: string): void => {
    if (!types.resolve(type))
      problems.push({
        message: `The type '${type}' of ${what} '${name}' is not known. Use a registered alias such as String or Object.`,
        activityId,
      });
  };
  for (const { name, typeName } of definition.variables) checkType('variable', name, typeName);
  for (const { name, type } of definition.inputs) checkType('input', name, type);
  for (const { name, type } of definition.outputs) checkType('output', name, type);
  walkActivities(definition.root, descriptorsOf(activities), ({ node, descriptor }) => {
    const activityId = node.id;
    if (!descriptor) {
      problems.push({
        message: `Activity '${activityId}' is of type '${node.type}', which is not registered. Correct the name, or add its class to the providers.`,
        activityId,
      });
      return;
    }
    if (node.customProperties?.canStartWorkflow === true && !startsWorkflows(descriptor, activities))
      problems.push({
        message: `Activity '${activityId}' (${node.type}) is not a trigger, so it cannot start the workflow. Use activity() for it, or a trigger.`,
        activityId,
      });
    if (descriptor.isContainer)
      for (const { name, typeName } of (node.variables ?? []) as VariableDefinition[])
        checkType('variable', name, typeName, activityId);
    for (const name of unknownMembers(node, descriptor, activities))
      problems.push({
        message: `Activity '${activityId}' (${node.type}) has no member '${name}'. ${namesOf(descriptor)}`,
        activityId,
      });
  });
  const asStored = { ...definition, materializerName: CODE_MATERIALIZER };
  problems.push(...constantProblems(asStored, { registry: activities, types }));
  return problems;
}

function startsWorkflows({ typeName, version }: ActivityDescriptor, activities: ActivityRegistry): boolean {
  const { activityClass } = activities.find(typeName, version) ?? {};
  return activityClass !== undefined && isTrigger(activityClass.prototype as object);
}

/** Members of activities that were given by class are checked when they are built. */
function unknownMembers(node: ActivityJson, descriptor: ActivityDescriptor, activities: ActivityRegistry): string[] {
  const isByName = node.version === undefined || node.workflowDefinitionId !== undefined;
  const { activityClass } = activities.find(descriptor.typeName, descriptor.version) ?? {};
  if (!isByName || (activityClass as Partial<NodeReadingActivity> | undefined)?.readNode) return [];
  const known = new Set([...ENVELOPE, ...memberNames(descriptor), ...(descriptor.isContainer ? ['variables'] : [])]);
  for (const { propertyName } of [...descriptor.inputs, ...descriptor.outputs]) known.add(propertyName);
  return Object.keys(node).filter((name) => !known.has(name));
}

function memberNames({ inputs, outputs, ports, childLists }: ActivityDescriptor): string[] {
  // Inputs of methods have properties with a capital, and are written as the method declares them.
  const values = [...inputs, ...outputs].map(({ propertyName }) => camelCase(propertyName));
  return [
    ...values,
    ...ports.flatMap((p) => (p.type === 'Embedded' && p.propertyName ? [p.propertyName] : [])),
    ...childLists,
  ];
}

function namesOf(descriptor: ActivityDescriptor): string {
  return `It has: ${memberNames(descriptor).join(', ') || 'none'}.`;
}
