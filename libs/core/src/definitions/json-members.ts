import { isPlainObject, prop } from '../values/plain-object.js';
import { DefinitionFormatError } from './definition-format-error.js';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Path of a member: `root` + `activities` → `root.activities`. */
export const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** What a JSON value is, in words of an error message. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'a list';
  switch (typeof value) {
    case 'string':
      return 'a string';
    case 'object':
      return 'an object';
    default:
      return `a ${typeof value}`;
  }
}

export function mismatch(path: string, expected: string, value: unknown): DefinitionFormatError {
  return new DefinitionFormatError(
    path,
    `'${path === '' ? 'The definition' : path}' must be ${expected}, but it is ${kindOf(value)}.`,
  );
}

export function requireObject(value: unknown, path: string): JsonObject {
  if (!isPlainObject(value)) throw mismatch(path, 'an object', value);
  return value;
}

/** Null and a missing member are `undefined`, as everywhere in the format. */
export function objectMember(owner: JsonObject, name: string, path: string): JsonObject | undefined {
  const value = prop(owner, name) ?? undefined;
  return value === undefined ? undefined : requireObject(value, join(path, name));
}

export function textMember(owner: JsonObject, name: string, path: string): string | undefined {
  const value = prop(owner, name) ?? undefined;
  if (value !== undefined && typeof value !== 'string') throw mismatch(join(path, name), 'a string', value);
  return value;
}

/** A text that means nothing when it is blank. */
export function nameMember(owner: JsonObject, name: string, path: string): string | undefined {
  const value = textMember(owner, name, path);
  return value === undefined || value.trim() === '' ? undefined : value;
}

export function flagMember(owner: JsonObject, name: string, path: string): boolean | undefined {
  const value = prop(owner, name) ?? undefined;
  if (value === undefined || typeof value === 'boolean') return value;
  const flag = typeof value === 'string' ? flagOf(value) : undefined;
  if (flag === undefined) throw mismatch(join(path, name), 'true or false', value);
  return flag;
}

/** `true`, `"true"` and `"True"` alike: .NET writes flags both ways. */
export function flagOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return text === 'true' ? true : text === 'false' ? false : undefined;
}

/** A whole number, also in quotes. */
export function integerMember(owner: JsonObject, name: string, path: string): number | undefined {
  const value = prop(owner, name) ?? undefined;
  if (value === undefined) return undefined;
  const number = typeof value === 'string' && /^\s*[+-]?\d+\s*$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number)) return number;
  throw new DefinitionFormatError(
    join(path, name),
    `'${join(path, name)}' must be a whole number, but it is ${typeof value === 'object' ? kindOf(value) : JSON.stringify(value)}.`,
  );
}

/** A list; null and a missing member are an empty one. `{ "$values": […] }` is a list that kept its references. */
export function listMember(owner: JsonObject, name: string, path: string): readonly unknown[] {
  const value = prop(owner, name) ?? [];
  const list = isPlainObject(value) && Array.isArray(value.$values) ? (value.$values as unknown[]) : value;
  if (!Array.isArray(list)) throw mismatch(join(path, name), 'a list', value);
  return list as unknown[];
}

/** .NET refuses anything deeper than 64; real definitions with nested containers come close to that. */
const MAX_DEPTH = 512;

/** Refuses nesting that would overflow the stack when the document is walked later. @throws DefinitionFormatError */
export function assertDepth(json: unknown): void {
  if (isDeeper(json, MAX_DEPTH))
    throw new DefinitionFormatError(
      '',
      `The definition is nested deeper than ${MAX_DEPTH} levels. Move inner parts to workflows of their own.`,
    );
}

/** Without lists of members: most have nothing inside, and a definition may have a hundred thousand. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels < 0) return true;
  if (Array.isArray(value)) return value.some((item) => isDeeper(item, levels - 1));
  for (const name in value) if (isDeeper((value as JsonObject)[name], levels - 1)) return true;
  return false;
}
