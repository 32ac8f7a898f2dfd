export type Path = readonly (string | number)[];

/** What stands at a path; `undefined` where nothing does. */
export function getAt(value: unknown, path: Path): unknown {
  let found = value;
  for (const key of path) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = (found as Record<string | number, unknown>)[key];
  }
  return found;
}

/** A copy with another value at the path; everything beside it is shared, and members stay in their order. */
export function setAt<T>(value: T, path: Path, next: unknown): T {
  if (path.length === 0) return next as T;
  const [key, ...rest] = path as [string | number, ...(string | number)[]];
  if (Array.isArray(value)) {
    const copy = [...(value as unknown[])];
    copy[key as number] = setAt(copy[key as number], rest, next);
    return copy as T;
  }
  const from = (value ?? {}) as Record<string | number, unknown>;
  return { ...from, [key]: setAt(from[key], rest, next) } as T;
}

/** A copy without that member. */
export function without<T extends object>(value: T, ...members: readonly string[]): T {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !members.includes(name))) as T;
}
