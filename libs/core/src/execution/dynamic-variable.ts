import type { VariableDefinition } from '../definitions/workflow-definition.js';
import type { ValueType } from '../values/value-type.js';
import type { Variable } from '../graph/variable.js';
import { slotOfId } from '../graph/variable-slots.js';
import { camelCase } from '../values/names.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';

export const DYNAMIC_STORAGE = 'WorkflowInstanceStorageDriver';
export const ENCRYPTED_STORAGE = 'EncryptedStorageDriver';
const OBJECT: ValueType = { alias: 'Object', kind: 'object' };

/** Where the value of a variable is kept that stands for the input. @returns null for one that is never stored */
export function storageOf(input: { readonly isEncrypted: boolean; readonly isSensitive: boolean }): string | null {
  if (input.isEncrypted) return ENCRYPTED_STORAGE;
  return input.isSensitive ? null : DYNAMIC_STORAGE;
}

/**
 * The id of a variable that is declared at run time. Values are stored by their ids, so names that differ in case only get
 * different ones. @param nameOf of the variable that has an id already
 */
export function dynamicId(name: string, nameOf: (id: string) => string | undefined): string {
  const isFree = (id: string): boolean => (nameOf(id) ?? name) === name;
  const usual = `${camelCase(name)}Variable`;
  if (isFree(usual)) return usual;
  let id = `${name}Variable`;
  for (let count = 2; !isFree(id); count++) id = `${name}Variable${count}`;
  return id;
}

/** The same for a variable of that execution: what it sees counts. */
export function dynamicIdIn(from: ActivityExecutionContext, name: string): string {
  return dynamicId(name, (id) => {
    for (let c: ActivityExecutionContext | undefined = from; c; c = c.parent) {
      const slot = c.slots && slotOfId(c.slots, id);
      if (slot) return slot.variable.name;
    }
    return undefined;
  });
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
