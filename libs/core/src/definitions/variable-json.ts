import { isPlainObject, prop } from '../values/plain-object.js';
import { storageDriverAlias } from './class-names.js';
import type { Reading } from './definition-context.js';
import {
  flagMember,
  join,
  listMember,
  nameMember,
  requireObject,
  textMember,
  type JsonObject,
} from './json-members.js';
import { joinType, resolveSplit } from './type-split.js';
import type { VariableDefinition } from './workflow-definition.js';

/** Variables of a definition. One of an unknown type is left out; a missing or repeated id is replaced. */
export function readVariables(owner: JsonObject, name: string, path: string, run: Reading): VariableDefinition[] {
  const variables: VariableDefinition[] = [];
  const ids = new Set<string>();
  for (const [i, item] of listMember(owner, name, path).entries()) {
    if (item === null || item === undefined) continue;
    const at = `${join(path, name)}[${i}]`;
    const json = requireObject(item, at);
    const typeName = nameMember(json, 'typeName', at) ?? 'Object';
    const type = resolveSplit(typeName, flagMember(json, 'isArray', at) ?? false, run.ctx.types);
    const variableName = textMember(json, 'name', at) ?? '';
    if (!type) {
      run.warn(`${at}.typeName`, `Variable '${variableName}' is left out: its type '${typeName}' is unknown.`);
      continue;
    }
    const id = uniqueId(nameMember(json, 'id', at), ids, `${at}.id`, run);
    variables.push({
      id,
      name: variableName,
      typeName: type.alias,
      isArray: type.isArray,
      ...rest(json, at, type.alias),
    });
  }
  return variables;
}

/** Variables of a container: arrays are `T[]`, and an unknown type becomes Object. */
export function readContainerVariables(owner: JsonObject, name: string, path: string, run: Reading): JsonObject[] {
  const ids = new Set<string>();
  const variables: JsonObject[] = [];
  for (const [i, item] of listMember(owner, name, path).entries()) {
    if (item === null || item === undefined) continue;
    const at = `${join(path, name)}[${i}]`;
    const { id, ...variable } = readVariableReference(requireObject(item, at), at, run);
    variables.push({ id: uniqueId(id as string | undefined, ids, `${at}.id`, run), ...variable });
  }
  return variables;
}

/** A variable as SetVariable and Variable expressions name it: as in a container, and only the id matters at run time. */
export function readVariableReference(json: JsonObject, at: string, run: Reading): JsonObject {
  const type = resolveSplit(
    nameMember(json, 'typeName', at) ?? 'Object',
    flagMember(json, 'isArray', at) ?? false,
    run.ctx.types,
  );
  const typeName = type ? joinType(type) : 'Object';
  const id = nameMember(json, 'id', at);
  return {
    ...(id === undefined ? {} : { id }),
    name: textMember(json, 'name', at) ?? '',
    typeName,
    ...rest(json, at, typeName),
  };
}

function rest(
  json: JsonObject,
  at: string,
  typeName: string,
): Pick<VariableDefinition, 'value' | 'storageDriverTypeName'> {
  const value = defaultText(prop(json, 'value'), typeName);
  const driver = nameMember(json, 'storageDriverTypeName', at) ?? nameMember(json, 'storageDriverType', at);
  return {
    ...(value === undefined ? {} : { value }),
    ...(driver === undefined ? {} : { storageDriverTypeName: storageDriverAlias(driver) }),
  };
}

/** Text form of a default value. Flags are spelled as .NET prints them, which other tools of that world rely on. */
function defaultText(value: unknown, typeName: string): unknown {
  switch (typeof value) {
    case 'boolean':
      return value ? 'True' : 'False';
    case 'number':
    case 'bigint':
      return String(value);
    case 'string':
      return typeName === 'Boolean' && /^(true|false)$/i.test(value)
        ? value.toLowerCase() === 'true'
          ? 'True'
          : 'False'
        : value;
    case 'object':
      if (value === null) return undefined;
      return Array.isArray(value) || isPlainObject(value) ? JSON.stringify(value) : value;
    default:
      return undefined;
  }
}

function uniqueId(given: string | undefined, used: Set<string>, at: string, run: Reading): string {
  const id = given !== undefined && !used.has(given) ? given : run.ctx.newId();
  if (given !== undefined && id !== given)
    run.warn(at, `Another variable has the id '${given}' too: this one now has '${id}'.`);
  used.add(id);
  return id;
}
