/** A place in a value, with what is to stand there. */
export interface Place {
  /** Names of members and indexes of items; not empty. */
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

type Members = Record<string | number, unknown>;

/** The value with something else at these places. Only what is on the way to them is copied. */
export function replacePlaces(value: object, places: readonly Place[]): object {
  if (places.length === 0) return value;
  const copies = new Set<unknown>();
  const own = (source: unknown): Members => {
    if (copies.has(source)) return source as Members;
    const copy = Array.isArray(source) ? source.slice() : { ...(source as Members) };
    copies.add(copy);
    return copy as Members;
  };
  const root = own(value);
  for (const { path, value: replacement } of places) {
    let at = root;
    for (const step of path.slice(0, -1)) at = at[step] = own(at[step]);
    at[path.at(-1)!] = replacement;
  }
  return root;
}
