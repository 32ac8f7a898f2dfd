import type { VariableDefinition } from '../definitions/workflow-definition.js';
import type { Variable } from './variable.js';
import { type ConversionOptions, convertValue } from '../values/convert-value.js';
import type { TypeRegistry } from '../values/type-registry.js';

/** Names under which the driver that keeps a value in the instance is known; the obsolete one is treated alike. */
const PERSISTING = /(^|\.)(WorkflowInstanceStorageDriver|WorkflowStorageDriver|EncryptedStorageDriver)\b/;
const IN_MEMORY = /(^|\.)MemoryStorageDriver\b/;
const ENCRYPTING = /(^|\.)EncryptedStorageDriver\b/;

export function isPersistingDriver(name: string | null | undefined): boolean {
  return typeof name === 'string' && PERSISTING.test(name);
}

/** The driver that keeps a value until the end of the burst. */
export function isMemoryDriver(name: string | null | undefined): boolean {
  return typeof name === 'string' && IN_MEMORY.test(name);
}

/** The driver that keeps a value in the instance as well, encrypted. */
export function isEncryptingDriver(name: string | null | undefined): boolean {
  return typeof name === 'string' && ENCRYPTING.test(name);
}

export function compileVariable(
  definition: VariableDefinition,
  types: TypeRegistry,
  conversion?: ConversionOptions,
): Variable {
  const element = types.resolve(definition.typeName) ?? types.resolve('Object')!;
  const type = definition.isArray ? types.arrayOf(element) : element;
  return {
    id: definition.id,
    name: definition.name,
    type,
    conversion,
    initial: initialValue(definition.value, type, conversion),
    isPersisted: isPersistingDriver(definition.storageDriverTypeName),
    isEncrypted: isEncryptingDriver(definition.storageDriverTypeName),
    definition,
  };
}

function initialValue(
  value: unknown,
  type: Variable['type'],
  conversion: ConversionOptions | undefined,
): () => unknown {
  if (value === undefined || value === null || value === '')
    return value === '' && type.kind === 'string' ? () => '' : () => null;
  const source = typeof value === 'object' ? JSON.stringify(value) : value;
  let first: unknown;
  try {
    first = convertValue(source, type, conversion);
  } catch {
    // A default that does not convert is dropped, as the definition format says; validation reports it.
    return () => null;
  }
  return typeof first === 'object' && first !== null ? () => convertValue(source, type, conversion) : () => first;
}
