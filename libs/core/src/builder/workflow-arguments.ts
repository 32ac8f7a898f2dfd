import type { InputDefinition, OutputDefinition } from '../definitions/workflow-definition.js';
import { refuseUnknown } from '../options/refuse-unknown.js';
import { WorkflowBuildError } from './build-error.js';
import { InputRef, OutputRef } from './references.js';
import type { ArgumentOptions, InputArgumentOptions } from './workflow-definition-builder.js';
import { splitType, storageDriver } from './variable.js';

export const ARGUMENT_NAMES: Readonly<Record<keyof ArgumentOptions, true>> = {
  type: true,
  displayName: true,
  description: true,
  category: true,
};

export const INPUT_ARGUMENT_NAMES: Readonly<Record<keyof InputArgumentOptions, true>> = {
  ...ARGUMENT_NAMES,
  required: true,
  uiHint: true,
  storage: true,
};

/** An input that a workflow class declares. The name of the member is the name of the input. */
export class DeclaredInput<T, IsRequired extends boolean = boolean> extends InputRef<T> {
  /** Never set. It tells the compiler whether callers must give the input. */
  declare protected readonly requiredType: IsRequired;

  constructor(private readonly options: InputArgumentOptions<T> & { readonly optional?: boolean }) {
    super('', '');
  }

  /** As the definition has it. @internal */
  define(name: string): InputDefinition {
    refuseUnknown(`Input '${name}'`, this.options, { ...INPUT_ARGUMENT_NAMES, optional: true });
    const { type: option = 'Object', storage, optional, required, ...texts } = this.options;
    const { alias, isArray } = splitType(option, name);
    Object.assign(this, { name, typeName: isArray ? `${alias}[]` : alias });
    const isRequired = required ?? !optional;
    const storageDriverType = storageDriver(storage, `input '${name}'`);
    return { name, type: alias, isArray, ...texts, storageDriverType, ...(isRequired ? { isRequired } : {}) };
  }
}

/** An output that a workflow class declares. The name of the member is the name of the output. */
export class DeclaredOutput<T> extends OutputRef<T> {
  constructor(private readonly options: ArgumentOptions<T>) {
    super('');
  }

  /** As the definition has it. @internal */
  define(name: string): OutputDefinition {
    refuseUnknown(`Output '${name}'`, this.options, ARGUMENT_NAMES);
    const { type: option = 'Object', ...texts } = this.options;
    const { alias, isArray } = splitType(option, name);
    Object.assign(this, { name });
    return { name, type: alias, isArray, ...texts };
  }
}

/** Inputs of a workflow class by name. */
// oxlint-disable-next-line typescript/no-explicit-any -- inputs of any types
export type DeclaredInputs = Readonly<Record<string, DeclaredInput<any>>>;
/** Outputs of a workflow class by name. */
// oxlint-disable-next-line typescript/no-explicit-any -- outputs of any types
export type DeclaredOutputs = Readonly<Record<string, DeclaredOutput<any>>>;

/**
 * Declares an input of a workflow class. Callers must give it unless it is `optional`; without a value, an optional input is
 * null.
 * @param options its type and description
 * @example inputs = { orderId: input<string>({ type: 'String' }), note: input<string>({ type: 'String', optional: true }) }
 */
export function input<T>(
  options: InputArgumentOptions<T> & { readonly optional: true },
): DeclaredInput<T | null, false>;
export function input<T>(options?: InputArgumentOptions<T> & { readonly optional?: false }): DeclaredInput<T, true>;
export function input<T>(options: InputArgumentOptions<T> & { readonly optional?: boolean } = {}): DeclaredInput<T> {
  return new DeclaredInput<T>(options);
}

/**
 * Declares an output of a workflow class.
 * @param options its type and description @example outputs = { total: output<number>({ type: 'Double' }) }
 */
export function output<T>(options: ArgumentOptions<T> = {}): DeclaredOutput<T> {
  return new DeclaredOutput<T>(options);
}

/** @throws WorkflowBuildError WM1203 something else stands among the inputs or outputs */
export function requireDeclared<D>(
  what: 'input' | 'output',
  type: abstract new (...args: never[]) => D,
  name: string,
  declared: unknown,
): D {
  if (declared instanceof type) return declared;
  throw new WorkflowBuildError(
    'WM1203',
    name,
    `The ${what} '${name}' was not created by ${what}(). Write ${name}: ${what}<…>().`,
  );
}
