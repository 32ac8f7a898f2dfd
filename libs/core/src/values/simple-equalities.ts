import { isPlainObject } from './plain-object.js';

/** Names that the codec refuses, with an error of its own. */
const REFUSED: ReadonlySet<string> = new Set(['__proto__', 'prototype', 'constructor']);

type Container = Record<string, unknown>;

/** A member that is the same as another one. */
interface Equality {
  readonly from: Place;
  readonly to: Place;
}

interface Place {
  readonly parent: Container;
  readonly name: string;
}

/**
 * Finds the several places where one value stands, as the codec (superjson) notes them for the branches of a loop: by the path of the
 * first, with the paths of the others. The codec follows each path from the root, with several checks for each step.
 * @param notes as the codec writes them
 * @returns puts it there; undefined where there is a note of any other kind, and all of it is for the codec
 */
export function simpleEqualities(value: unknown, notes: unknown): (() => void) | undefined {
  const found = isPlainObject(notes) && collect(value, notes);
  if (!found) return undefined;
  return () => {
    for (const { from, to } of found) to.parent[to.name] = from.parent[from.name];
  };
}

function collect(value: unknown, notes: Readonly<Container>): readonly Equality[] | undefined {
  const found: Equality[] = [];
  let steps: number | undefined;
  const placeOf = (path: unknown): Place | undefined => {
    if (typeof path !== 'string' || path.includes('\\')) return undefined;
    const names = path.split('.');
    // Of the same length, so that none of them leads through another one, which is yet to be put there.
    steps ??= names.length;
    return names.length === steps ? placeIn(value, names) : undefined;
  };
  for (const first of Object.keys(notes)) {
    const others = notes[first];
    const from = placeOf(first);
    if (!from || !Array.isArray(others)) return undefined;
    for (const path of others) {
      const to = placeOf(path);
      if (!to) return undefined;
      found.push({ from, to });
    }
  }
  return found;
}

/** Undefined: there is no such place, or it is within something else than data. */
function placeIn(value: unknown, names: readonly string[]): Place | undefined {
  let parent = value;
  for (let index = 0; index < names.length; index++) {
    const name = names[index]!;
    if (REFUSED.has(name) || (name === 'length' && Array.isArray(parent))) return undefined;
    if (!(Array.isArray(parent) || isPlainObject(parent)) || !Object.hasOwn(parent, name)) return undefined;
    if (index === names.length - 1) return { parent: parent as Container, name };
    parent = (parent as Container)[name];
  }
  return undefined;
}
