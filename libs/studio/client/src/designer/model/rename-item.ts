import { parseExactly } from '../../api/exact-json.js';
import type { Change, Design } from './change.js';
import type { ListName } from './new-item.js';

type Item = Readonly<Record<string, unknown>>;
type Json = Readonly<Record<string, unknown>>;

/**
 * Renames a variable, an input or an output of the workflow, and what names it: expressions that are it, activities that set it, outputs that
 * are bound to it. Left with the old name, they would silently be null at run time. Scripts and templates stay as they are written.
 */
export function renameItem(design: Design, list: ListName, index: number, to: string): Change {
  const items = (design[list] ?? []) as readonly Item[];
  const item = items[index];
  if (!item) return { patches: [] };
  const renamed = items.with(index, { ...item, name: to });
  const root = replaced(design.root, followerOf(design, list, item, to)) as Design['root'];
  return {
    patches: [
      { path: [list], from: items, to: renamed },
      ...(root === design.root ? [] : [{ path: ['root'], from: design.root, to: root }]),
    ],
  };
}

/** @returns the same object when it does not name the item */
type Follow = (object: Json) => Json;

function followerOf(design: Design, list: ListName, item: Item, to: string): Follow {
  const { id, name } = item;
  if (typeof name !== 'string' || name === '') return (object) => object;
  if (list === 'variables')
    return (object) =>
      typeof id === 'string' && object.id === id && object.name === name ? { ...object, name: to } : object;
  if (list === 'inputs') return inputFollower(name, to);
  // A variable of that id is what is meant.
  const isVariable = (design.variables ?? []).some((variable) => (variable as Item).id === name);
  return (object) => {
    if (object.type === 'Elsa.SetOutput') return withLiteral(object, 'outputName', name, to);
    const { memoryReference } = object as { memoryReference?: Json | null };
    return !isVariable && memoryReference?.id === name
      ? { ...object, memoryReference: { ...memoryReference, id: to } }
      : object;
  };
}

/** The engine finds inputs whatever the case of their names. */
function inputFollower(name: string, to: string): Follow {
  const isIt = (text: unknown) => typeof text === 'string' && text.toLowerCase() === name.toLowerCase();
  return (object) => {
    if (object.type !== 'Input' || !('value' in object)) return object;
    const { value } = object;
    if (isIt(value)) return { ...object, value: to };
    if (!isObject(value)) return inText(object, (inner) => (isIt(inner.name) ? { ...inner, name: to } : inner));
    return isIt(value.name) ? { ...object, value: { ...value, name: to } } : object;
  };
}

function withLiteral(object: Json, member: string, from: string, to: string): Json {
  const input = object[member];
  if (input === from) return { ...object, [member]: to };
  const { expression } = (isObject(input) ? input : {}) as { expression?: Json | null };
  if (expression?.type !== 'Literal' || expression.value !== from) return object;
  return { ...object, [member]: { ...(input as Json), expression: { ...expression, value: to } } };
}

/** A reference may stand as the JSON of an object. */
function inText(object: Json, follow: Follow): Json {
  if (typeof object.value !== 'string' || !object.value.trimStart().startsWith('{')) return object;
  let inner: unknown;
  try {
    inner = parseExactly(object.value);
  } catch {
    return object;
  }
  const next = isObject(inner) ? follow(inner) : inner;
  return next === inner ? object : { ...object, value: JSON.stringify(next) };
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !('rawJSON' in value);

/** With everything that stays as it is shared. */
function replaced(value: unknown, follow: Follow): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => replaced(item, follow));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isObject(value)) return value;
  let own = follow(value);
  if (own.type === 'Variable') own = inText(own, follow);
  for (const [name, member] of Object.entries(own)) {
    const next = replaced(member, follow);
    if (next !== member) own = { ...own, [name]: next };
  }
  return own;
}
