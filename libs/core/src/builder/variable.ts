import type { VariableDefinition } from '../definitions/workflow-definition.js';
import { isPlainObject } from '../values/plain-object.js';
import { storableTypeOf, storableTypeOfValue } from '../values/storable-type.js';
import { refuseUnknown } from '../options/refuse-unknown.js';
import { requireOneOf } from '../options/require-one-of.js';
import { WorkflowBuildError } from './build-error.js';
import { VariableRef } from './references.js';
import { constantText, isDate, jsonConstant } from './value.js';

/**
 * How long a value is kept: `instance` stores it with the instance, `memory` keeps it only until the end of the burst, and
 * `encrypted` stores it with the instance, encrypted with a key of the host (option `encryption` of WorkflowModule).
 */
export type ValueStorage = 'instance' | 'memory' | 'encrypted';

/** Settings of a variable. */
export interface VariableOptions<T> {
  /**
   * Type alias, e.g. `Int32`, `String[]`, or a class of the option `types` of WorkflowModule: values are converted to it.
   * @default derived from `default`, or else `Object`
   */
  readonly type?: TypeOption<T>;
  /** Its first value. @default none */
  readonly default?: T;
  /** How its value is kept between bursts. @default 'instance' */
  readonly storage?: ValueStorage;
}

const OPTION_NAMES: Readonly<Record<keyof VariableOptions<unknown>, true>> = {
  type: true,
  default: true,
  storage: true,
};

const DRIVERS: Readonly<Record<ValueStorage, string>> = {
  instance: 'WorkflowInstanceStorageDriver',
  memory: 'MemoryStorageDriver',
  encrypted: 'EncryptedStorageDriver',
};

/** @throws InvalidOptionError (`WM1090`), which names the permitted values */
export const storageDriver = (storage: ValueStorage = 'instance', at: string): string =>
  DRIVERS[requireOneOf(at, 'storage', storage, Object.keys(DRIVERS) as ValueStorage[])];

/** Set by loops, whose values would hide a variable of that name. */
const LOOP_NAMES: readonly string[] = ['CurrentValue', 'CurrentIndex'];

/**
 * Declares a variable of a container: `sequence([…], { variables: [total] })`. Each execution of the container has its own,
 * e.g. each iteration of a parallel loop. `WorkflowDefinitionBuilder.variable` declares variables of the whole workflow.
 * @param name the name by which expressions refer to it @param options its type and initial value
 * @throws WorkflowBuildError `WM1203` for a name that loops set, UnknownOptionError (`WM1091`)
 */
export function variable<T>(name: string, options: VariableOptions<T> = {}): VariableRef<T> {
  if (LOOP_NAMES.includes(name))
    throw new WorkflowBuildError('WM1203', name, `Loops set '${name}' themselves. Give the variable another name.`);
  refuseUnknown(`Variable '${name}'`, options, OPTION_NAMES);
  const { alias, isArray } = splitType(options.type ?? typeOf(options.default), name);
  const value = defaultText(options.default, name);
  const definition: VariableDefinition = {
    // Made of the name, so that the same code gives the same variable.
    id: `variable-${name}`,
    name,
    typeName: alias,
    isArray,
    ...(value === undefined ? {} : { value }),
    storageDriverTypeName: storageDriver(options.storage, `variable '${name}'`),
  };
  return new VariableRef<T>(definition);
}

/** The TypeScript types of values of the simple types. */
interface SimpleTypes {
  String: string;
  Guid: string;
  TimeSpan: string;
  Boolean: boolean;
  Byte: number;
  Int16: number;
  Int32: number;
  Int64: number | bigint;
  Long: number | bigint;
  Single: number;
  Double: number;
  Decimal: number;
  DateTime: Date;
  DateTimeOffset: Date;
  ByteArray: Uint8Array;
}

/** Aliases of simple types whose values are of type `T`. */
type SimpleAlias<T> = {
  [K in keyof SimpleTypes]: NonNullable<T> extends SimpleTypes[K] ? K : never;
}[keyof SimpleTypes];

/** Aliases whose TypeScript types the compiler cannot know: objects, lists, dictionaries, enums, types of the host. */
type OtherAlias =
  | 'Object'
  | 'JSON'
  | 'ExpandoObject'
  | 'Stream'
  | 'FormFile'
  | 'IFormFile'
  | 'Downloadable'
  | 'RouteData'
  | `Json${string}`
  | `Http${string}`
  | `${string}Dictionary`
  | `${string}Map`
  | `${string}Mode`
  | `${string}[]`
  | `${string}<${string}`
  | `${string}.${string}`;

/**
 * The alias of a type, or a class whose instances are stored. A simple type must match the TypeScript type of the values:
 * `w.variable<number>('days', { type: 'Int32' })`.
 */
export type TypeOption<T> =
  | (unknown extends T ? string : SimpleAlias<T> | `${SimpleAlias<T>}?` | OtherAlias | `${OtherAlias}?`)
  | (abstract new (...args: never[]) => NonNullable<T> & object);

type AnyTypeOption = string | (abstract new (...args: never[]) => object);

/** Definitions name arrays by their elements. @throws WorkflowBuildError WM1035 a class that is not registered */
export function splitType(option: AnyTypeOption, at: string): { alias: string; isArray: boolean } {
  const type = typeof option === 'string' ? option : aliasOf(option, at);
  const isArray = type.endsWith('[]');
  return { alias: isArray ? type.slice(0, -2) : type, isArray };
}

function aliasOf(type: Exclude<AnyTypeOption, string>, at: string): string {
  const storable = storableTypeOf(type);
  if (storable) return storable.name;
  throw new WorkflowBuildError(
    'WM1035',
    at,
    `The type of '${at}' is class ${type.name}, whose instances cannot be stored. Add it to the option 'types' of WorkflowModule.`,
  );
}

function typeOf(value: unknown): string {
  const storable = typeof value === 'object' && value !== null ? storableTypeOfValue(value) : undefined;
  if (storable) return storable.name;
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
  const storable = typeof value === 'object' ? storableTypeOfValue(value) : undefined;
  const json = jsonConstant(storable ? storable.toData(value) : value, name);
  return typeof json === 'object' ? JSON.stringify(json) : String(json);
}
