import type {
  ActivityDescriptor,
  InputDescriptor,
  OutputDescriptor,
  PortDescriptor,
} from '../activities/activity-descriptor.js';
import type { ActivityRegistration, ActivityRegistry } from '../activities/activity-registry.js';
import { workflowTypeName } from '../definitions/activity-types.js';
import type { InputDefinition, OutputDefinition, WorkflowDefinition } from '../definitions/workflow-definition.js';
import { DONE } from '../state/outcomes.js';
import { isEncryptingDriver } from '../graph/compile-variable.js';
import { camelCase, pascalCase } from '../values/names.js';
import { syntheticName } from '../activities/synthetic-name.js';
import { WorkflowDefinitionActivity } from './workflow-definition-activity.js';

/** Describes a workflow as an activity that other workflows may use. */
export function workflowActivityDescriptor(definition: WorkflowDefinition): ActivityDescriptor {
  const typeName = workflowTypeName(definition);
  const identity = { WorkflowDefinitionId: definition.definitionId, WorkflowDefinitionVersionId: definition.id };
  return {
    typeName,
    name: typeName,
    version: definition.version,
    category: definition.options.activityCategory || 'Workflows',
    displayName: definition.name || definition.definitionId,
    description: definition.description ?? '',
    kind: 'Action',
    inputs: definition.inputs.map(describeInput),
    outputs: definition.outputs.map(describeOutput),
    ports: describePorts(definition.outcomes),
    childLists: [],
    customProperties: { RootType: 'WorkflowDefinitionActivity', ...identity },
    constructionProperties: { ...identity, Version: definition.version },
    isContainer: false,
    isBrowsable: definition.isPublished,
    isStart: false,
    isTerminal: false,
    runAsynchronously: false,
  };
}

/** Registers a workflow as an activity type, at its version. */
export function registerWorkflowActivity(
  registry: ActivityRegistry,
  definition: WorkflowDefinition,
): ActivityRegistration {
  const registration: ActivityRegistration = {
    descriptor: workflowActivityDescriptor(definition),
    activityClass: WorkflowDefinitionActivity,
    provider: new WorkflowDefinitionActivity(),
  };
  registry.register(registration);
  return registration;
}

function describeInput(input: InputDefinition): InputDescriptor {
  const name = syntheticName(input.name);
  return {
    name,
    // With a capital, so that an input called `execute` does not hide the method. The compiler reads camelCase as well.
    propertyName: pascalCase(name),
    typeName: typeNameOf(input),
    displayName: input.displayName || input.name,
    description: input.description ?? '',
    order: 0,
    category: input.category ?? '',
    uiHint: input.uiHint || 'singleline',
    uiSpecifications: {},
    defaultValue: input.defaultValue,
    isWrapped: true,
    autoEvaluate: true,
    isSensitive: false,
    isEncrypted: isEncryptingDriver(input.storageDriverType),
    isReadOnly: false,
    storageDriverType: input.storageDriverType ?? undefined,
    ...(input.isRequired === true && { isRequired: true }),
    isBrowsable: true,
    isSerializable: true,
    isSynthetic: true,
  };
}

function describeOutput(output: OutputDefinition): OutputDescriptor {
  return {
    name: output.name,
    propertyName: camelCase(output.name),
    typeName: typeNameOf(output),
    displayName: output.displayName || output.name,
    description: output.description ?? '',
    order: 0,
    isBrowsable: true,
    isSerializable: true,
    isSynthetic: true,
  };
}

/** `Root` is named as in the reference but holds nothing of the definition: the compiler fills it. */
function describePorts(outcomes: readonly string[]): PortDescriptor[] {
  const flow = (name: string): PortDescriptor => ({ name, displayName: name, type: 'Flow', isBrowsable: true });
  return [
    { name: 'Root', displayName: 'Root', type: 'Embedded', isBrowsable: false },
    ...(outcomes.length > 0 ? outcomes : [DONE]).map(flow),
  ];
}

function typeNameOf({ type, isArray }: { readonly type: string; readonly isArray: boolean }): string {
  return isArray ? `${type}[]` : type;
}
