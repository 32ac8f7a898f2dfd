import { prop } from '../values/plain-object.js';
import { storageDriverAlias } from './class-names.js';
import type { Reading } from './definition-context.js';
import { DefinitionFormatError } from './definition-format-error.js';
import {
  flagMember,
  join,
  listMember,
  nameMember,
  requireObject,
  textMember,
  type JsonObject,
} from './json-members.js';
import { resolveSplit } from './type-split.js';
import type { InputDefinition, OutputDefinition } from './workflow-definition.js';

/** @throws DefinitionFormatError for an unknown type: callers would see values that are not converted */
export function readInputs(owner: JsonObject, path: string, run: Reading): InputDefinition[] {
  return listMember(owner, 'inputs', path).map((item, i) => {
    const at = `${join(path, 'inputs')}[${i}]`;
    const json = requireObject(item, at);
    return { ...readArgument(json, at, run), ...inputOnly(json, at) };
  });
}

export function readOutputs(owner: JsonObject, path: string, run: Reading): OutputDefinition[] {
  return listMember(owner, 'outputs', path).map((item, i) => {
    const at = `${join(path, 'outputs')}[${i}]`;
    return readArgument(requireObject(item, at), at, run);
  });
}

/** The wire form, as tools expect it: nulls left out, `isArray` only when true. */
export function writeArgument(argument: InputDefinition | OutputDefinition): JsonObject {
  const { uiHint, storageDriverType, defaultValue, isRequired } = argument as InputDefinition;
  const { type, name, displayName, description, category, isArray } = argument;
  const members = { uiHint, storageDriverType, defaultValue, type, name, displayName, description, category };
  const given = Object.entries(members).filter(([, value]) => value !== undefined && value !== null);
  const flags = Object.entries({ isArray, isRequired }).filter(([, isSet]) => isSet);
  return Object.fromEntries([...given, ...flags]);
}

/** The definition that an Input expression carries along; only its name matters, so an unknown type is not an error. */
export function readArgumentReference(json: JsonObject, at: string, run: Reading): JsonObject {
  const type = resolveSplit(nameMember(json, 'type', at) ?? 'Object', isList(json, at), run.ctx.types);
  const { alias, isArray } = type ?? { alias: 'Object', isArray: false };
  const name = textMember(json, 'name', at) ?? '';
  return writeArgument({ type: alias, name, ...texts(json, at), isArray, ...inputOnly(json, at) });
}

function readArgument(json: JsonObject, at: string, run: Reading): OutputDefinition {
  const name = nameMember(json, 'name', at);
  if (name === undefined)
    throw new DefinitionFormatError(`${at}.name`, `'${at}' has no name. Give it one, or remove it.`);
  const typeName = nameMember(json, 'type', at) ?? 'Object';
  const type = resolveSplit(typeName, isList(json, at), run.ctx.types);
  if (!type)
    throw new DefinitionFormatError(
      `${at}.type`,
      `'${at}' ('${name}') has the unknown type alias '${typeName}'. Use a registered alias such as String, Int32 or Object, or one of these with [].`,
      { key: 'type' },
    );
  return { type: type.alias, name, ...texts(json, at), isArray: type.isArray };
}

function texts(json: JsonObject, at: string): Pick<OutputDefinition, 'displayName' | 'description' | 'category'> {
  return definedOnly({
    displayName: textMember(json, 'displayName', at),
    description: textMember(json, 'description', at),
    category: textMember(json, 'category', at),
  });
}

function inputOnly(
  json: JsonObject,
  at: string,
): Pick<InputDefinition, 'uiHint' | 'storageDriverType' | 'defaultValue' | 'isRequired'> {
  const driver = nameMember(json, 'storageDriverType', at);
  return definedOnly({
    uiHint: textMember(json, 'uiHint', at),
    storageDriverType: driver === undefined ? undefined : storageDriverAlias(driver),
    isRequired: flagMember(json, 'isRequired', at) || undefined,
    defaultValue: prop(json, 'defaultValue') ?? undefined,
  });
}

const isList = (json: JsonObject, at: string): boolean =>
  (flagMember(json, 'isArray', at) ?? false) || (flagMember(json, 'isCollection', at) ?? false);

function definedOnly<T extends object>(members: T): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
}
