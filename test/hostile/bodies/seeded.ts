/** Chances for inputs that are made by a seed: the same ones for the same seed. */
export interface Chances {
  /** A whole number from 0 to below the limit. */
  next(limit: number): number;
  pick<T>(list: readonly T[]): T;
  /** A list of fewer items than the limit. */
  some<T>(limit: number, make: () => T): T[];
}

export function chancesOf(seed: number): Chances {
  let state = seed >>> 0;
  const next = (limit: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
  return {
    next,
    pick: (list) => list[next(list.length)]!,
    some: (limit, make) => Array.from({ length: next(limit) }, make),
  };
}
