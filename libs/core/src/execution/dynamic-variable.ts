import type { VariableDefinition } from '../definitions/workflow-definition.js';
import type { ValueType } from '../values/value-type.js';
import type { Variable } from './variable.js';

export const DYNAMIC_STORAGE = 'WorkflowInstanceStorageDriver';
const OBJECT: ValueType = { alias: 'Object', kind: 'object' };

/** A variable declared at run time: of any type, kept with the instance. */
export function dynamicVariable(name: string, id = name, storage: string | null = DYNAMIC_STORAGE): Variable {
  const definition: VariableDefinition = {
    id,
    name,
    typeName: 'Object',
    isArray: false,
    storageDriverTypeName: storage,
  };
  return { id, name, type: OBJECT, initial: () => null, isPersisted: storage !== null, definition };
}
