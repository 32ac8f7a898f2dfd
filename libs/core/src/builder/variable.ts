import type { VariableDefinition } from '../definitions/workflow-definition.js';
import { isPlainObject } from '../values/plain-object.js';
import { WorkflowBuildError } from './build-error.js';
import { VariableRef } from './references.js';
import { constantText, isDate, jsonConstant } from './value.js';

/**
 * How long a value is kept: with the instance, or only as long as the process works on it without a pause. `encrypted`: with
 * the instance, encrypted by a key of the host (option `encryption` of WorkflowModule).
 */
export type ValueStorage = 'instance' | 'memory' | 'encrypted';

export interface VariableOptions<T> {
  /** Type alias, e.g. `Int32`, `String[]`: values are converted to it. @default from `default`, else `Object` */
  readonly type?: string;
  readonly default?: T;
  /** @default 'instance' */
  readonly storage?: ValueStorage;
}

const DRIVERS: Readonly<Record<ValueStorage, string>> = {
  instance: 'WorkflowInstanceStorageDriver',
  memory: 'MemoryStorageDriver',
  encrypted: 'EncryptedStorageDriver',
};

export const storageDriver = (storage: ValueStorage = 'instance'): string => DRIVERS[storage];

/** Set by loops, whose values would hide a variable of that name. */
const LOOP_NAMES: readonly string[] = ['CurrentValue', 'CurrentIndex'];

/**
 * A variable for a container: `sequence([…], { variables: [total] })`. Each execution of the container has its own, e.g.
 * each iteration of a parallel loop. Variables of the whole workflow are made by `WorkflowDefinitionBuilder.variable`.
 */
export function variable<T>(name: string, options: VariableOptions<T> = {}): VariableRef<T> {
  if (LOOP_NAMES.includes(name))
    throw new WorkflowBuildError('WM1203', name, `Loops set '${name}' themselves. Give the variable another name.`);
  const { alias, isArray } = splitType(options.type ?? typeOf(options.default));
  const value = defaultText(options.default, name);
  const definition: VariableDefinition = {
    // Made of the name, so that the same code gives the same variable.
    id: `variable-${name}`,
    name,
    typeName: alias,
    isArray,
    ...(value === undefined ? {} : { value }),
    storageDriverTypeName: storageDriver(options.storage),
  };
  return new VariableRef<T>(definition);
}

/** Definitions name arrays by their elements. */
export function splitType(type: string): { alias: string; isArray: boolean } {
  const isArray = type.endsWith('[]');
  return { alias: isArray ? type.slice(0, -2) : type, isArray };
}

function typeOf(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return 'String';
    case 'number':
      return 'Double';
    case 'bigint':
      return 'Int64';
    case 'boolean':
      return 'Boolean';
    default:
      if (isDate(value)) return 'DateTimeOffset';
      if (Array.isArray(value)) return 'Object[]';
      return isPlainObject(value) ? 'ObjectDictionary' : 'Object';
  }
}

/** Defaults are text in definitions; flags as .NET spells them. */
function defaultText(value: unknown, name: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  const text = constantText(value);
  if (text !== undefined) return text;
  const json = jsonConstant(value, name);
  return typeof json === 'object' ? JSON.stringify(json) : String(json);
}
