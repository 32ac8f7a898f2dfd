import type { ActivityJson, VariableDefinition } from '@waymark/core';
import type { InputJson } from '@waymark/core/adapter';

/** An input as the definition format writes it. */
export function input(type: string, value: unknown, typeName = 'Object'): InputJson {
  return { typeName, expression: { type, value } };
}

export const javascript = (source: string, typeName?: string): InputJson => input('JavaScript', source, typeName);
export const literal = (value: unknown, typeName?: string): InputJson => input('Literal', value, typeName);

/** Kept with the instance, as variables made in a designer are. */
export function variable(name: string, typeName = 'Object'): VariableDefinition {
  return {
    id: `${name}Variable`,
    name,
    typeName,
    isArray: false,
    storageDriverTypeName: 'WorkflowInstanceStorageDriver',
  };
}

export function setVariable(id: string, target: VariableDefinition, value: InputJson): ActivityJson {
  return {
    type: 'Elsa.SetVariable',
    id,
    variable: { id: target.id, name: target.name, typeName: target.typeName },
    value,
  };
}

/** A connection of a flowchart. */
export function connect(source: string, target: string, port = 'Done'): object {
  return { source: { activity: source, port }, target: { activity: target, port: 'In' } };
}
