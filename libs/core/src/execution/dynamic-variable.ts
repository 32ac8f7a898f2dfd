import type { VariableDefinition } from '../definitions/workflow-definition.js';
import type { ValueType } from '../values/value-type.js';
import type { Variable } from '../graph/variable.js';

export const DYNAMIC_STORAGE = 'WorkflowInstanceStorageDriver';
export const ENCRYPTED_STORAGE = 'EncryptedStorageDriver';
const OBJECT: ValueType = { alias: 'Object', kind: 'object' };

/** Where the value of a variable is kept that stands for the input. @returns null for one that is never stored */
export function storageOf(input: { readonly isEncrypted: boolean; readonly isSensitive: boolean }): string | null {
  if (input.isEncrypted) return ENCRYPTED_STORAGE;
  return input.isSensitive ? null : DYNAMIC_STORAGE;
}

/** A variable declared at run time: of any type, kept with the instance. */
export function dynamicVariable(name: string, id = name, storage: string | null = DYNAMIC_STORAGE): Variable {
  const definition: VariableDefinition = {
    id,
    name,
    typeName: 'Object',
    isArray: false,
    storageDriverTypeName: storage,
  };
  const isEncrypted = storage === ENCRYPTED_STORAGE;
  return { id, name, type: OBJECT, initial: () => null, isPersisted: storage !== null, isEncrypted, definition };
}
