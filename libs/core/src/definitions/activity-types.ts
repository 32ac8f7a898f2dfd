import type { ActivityDescriptor } from '../activities/activity-descriptor.js';
import type { ActivityRegistry } from '../activities/activity-registry.js';
import { pascalize } from '../values/names.js';
import { prop } from '../values/plain-object.js';
import type { WorkflowDefinition } from './workflow-definition.js';

export const FLOWCHART_TYPE = 'Elsa.Flowchart';
export const SEQUENCE_TYPE = 'Elsa.Sequence';
export const STATE_MACHINE_TYPE = 'Elsa.StateMachine';
/** Stands for an activity whose type is not registered. */
export const NOT_FOUND_TYPE = 'Elsa.NotFoundActivity';
/** Completes with one of the outcomes that it states, and with no other. */
export const USER_TASK_TYPE = 'Waymark.UserTask';

/** True for a type that stands for another workflow. */
export function isWorkflowType(descriptor: ActivityDescriptor): boolean {
  return textOf(descriptor.constructionProperties.WorkflowDefinitionId) !== undefined;
}

/** The type of the activity that stands for a workflow. */
export function workflowTypeName({ name, definitionId }: Pick<WorkflowDefinition, 'name' | 'definitionId'>): string {
  return pascalize(name || definitionId);
}

/** The type of a node at its version, or the one that the registry prefers. The definition that a node names counts before its type name. */
export function findDescriptor(node: object, registry: ActivityRegistry): ActivityDescriptor | undefined {
  const type = textOf(prop(node, 'type'));
  const given = prop(node, 'version');
  const version = typeof given === 'string' ? Number(given) : typeof given === 'number' ? given : undefined;
  const byType = type === undefined ? undefined : registry.find(type, version)?.descriptor;
  // DispatchWorkflow and its like have an input of the same name; a text there is no reference.
  if (byType?.inputs.some(({ propertyName }) => propertyName === 'workflowDefinitionId')) return byType;
  const definitionId = textOf(prop(node, 'workflowDefinitionId'));
  const definitionVersionId = textOf(prop(node, 'workflowDefinitionVersionId'));
  if (definitionId === undefined && definitionVersionId === undefined) return byType;
  return registry.findWorkflow({ definitionVersionId, definitionId, version })?.descriptor ?? byType;
}

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
