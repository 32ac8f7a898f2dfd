import { toErrorLike } from '../errors/waymark-error.js';
import { type ConversionOptions, convertValue } from '../values/convert-value.js';
import { setMember } from '../values/plain-object.js';
import type { ValueType } from '../values/value-type.js';
import { conversionOf } from './conversion-of.js';
import type { InputDefinition, WorkflowDefinition } from './workflow-definition.js';

type Inputs = Readonly<Record<string, unknown>>;

/**
 * Sentences that say what is wrong. An input may have a hundred thousand members that nothing declares, each of which would
 * have one.
 */
const MOST_PROBLEMS = 50;
/** Names that such a sentence lists. */
const MOST_NAMES = 50;

/** How inputs are checked. */
export interface InputCheckOptions {
  /** Names that are accepted although they are not declared, because Waymark adds them itself. @default none */
  readonly added?: readonly string[];
  /** If false, required inputs may be missing, because they are given later. @default true */
  readonly wantsAll?: boolean;
  /** If true, only definitions that convert strictly are checked. @default false */
  readonly onlyStrict?: boolean;
  /** Checks a converted value, and returns what is wrong with it, as ends of sentences. @default none */
  readonly examine?: (value: unknown, type: ValueType) => readonly string[];
}

/** Result of checking the inputs of a start against the declarations of the definition. */
export interface CheckedInputs {
  /** The inputs, converted to the declared types if conversions are strict. Do not use them if there are problems. */
  readonly input: Inputs;
  /** What is wrong, in sentences; empty if the inputs are valid. */
  readonly problems: readonly string[];
}

/**
 * Checks what a workflow is started with against what it declares: required inputs that are missing, values that have no
 * form in the declared type and, where conversions are strict, unknown names and values that would lose something.
 * @returns undefined for definitions that accept any input: those with `strictConversions: false`, or without declared inputs
 */
export function checkInputs(
  definition: Pick<WorkflowDefinition, 'inputs' | 'materializerName' | 'options'>,
  given: Inputs,
  types: { resolve(alias: string): ValueType | undefined },
  { added = [], wantsAll = true, onlyStrict = false, examine }: InputCheckOptions = {},
): CheckedInputs | undefined {
  const conversion = conversionOf(definition);
  const isStrict = conversion?.strict ?? types.resolve('Object')?.isStrict ?? false;
  if (definition.inputs.length === 0 || conversion?.strict === false || (onlyStrict && !isStrict)) return undefined;
  const how: ConversionOptions = { strict: true, lossless: isStrict, longHours: conversion?.longHours };
  const input: Record<string, unknown> = {};
  const problems: string[] = [];
  const declared = new Map(definition.inputs.map((each) => [each.name.toLowerCase(), each]));
  // Names may differ in case only: then each is the one that is spelt like that.
  const spelt = new Map(definition.inputs.map((each) => [each.name, each]));
  const missing = new Set(definition.inputs.filter((each) => each.isRequired === true));
  const taken = onFirstUse(() => listed(definition.inputs));
  for (const [name, value] of Object.entries(given)) {
    if (problems.length >= MOST_PROBLEMS)
      return { input: given, problems: [...problems, 'there are further problems'] };
    const found = spelt.get(name) ?? declared.get(name.toLowerCase());
    if (!found && isStrict && !added.includes(name))
      problems.push(`'${name}' is not declared; the workflow takes ${taken()}`);
    if (!found) setMember(input, name, value);
    else if (value !== null && value !== undefined)
      try {
        const type = typeOf(found, types);
        const converted = convertValue(value, type, how);
        const faults = converted === null ? [] : (examine?.(converted, type) ?? []);
        if (faults.length > 0) problems.push(`'${found.name}' is not valid${quoted(faults, found)}`);
        // Blank text is no number, date or the like: as if it was not given.
        if (converted !== null && converted !== undefined) {
          setMember(input, found.name, converted);
          missing.delete(found);
        }
      } catch (error) {
        problems.push(`'${found.name}' does not fit its type: ${reasonOf(error, found)}`);
        missing.delete(found);
      }
  }
  if (wantsAll) for (const { name } of [...missing].slice(0, MOST_PROBLEMS)) problems.push(`'${name}' is missing`);
  return { input: isStrict ? input : given, problems };
}

function listed(inputs: readonly InputDefinition[]): string {
  const names = inputs.slice(0, MOST_NAMES).map(({ name }) => name);
  return [...names, ...(inputs.length > MOST_NAMES ? [`${inputs.length - MOST_NAMES} more`] : [])].join(', ');
}

function onFirstUse(make: () => string): () => string {
  let made: string | undefined;
  return () => (made ??= make());
}

function typeOf({ type, isArray }: InputDefinition, types: { resolve(alias: string): ValueType | undefined }) {
  return types.resolve(isArray ? `${type}[]` : type) ?? types.resolve('Object')!;
}

/** Messages of rules may quote the value, which may be one that is to be stored encrypted. */
const quoted = (faults: readonly string[], { storageDriverType }: InputDefinition): string =>
  storageDriverType?.includes('Encrypted') ? '' : `: ${faults.join(', ')}`;

/** What fails to convert is quoted, unless it is to be stored encrypted. */
function reasonOf(error: unknown, { type, storageDriverType }: InputDefinition): string {
  return storageDriverType?.includes('Encrypted')
    ? `it is not a value of type ${type}`
    : toErrorLike(error).message.replace(/\.$/, '');
}
