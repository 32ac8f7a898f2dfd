import { isPlain, JournalReference, MAX_DEPTH } from './journal-values.js';

/** How much of a journal to read. */
export interface JournalReading {
  /**
   * How many bytes of the values that are kept by reference to read, in the order of the journal. Those that no longer fit
   * come as `JournalReference`. @default all of them
   */
  readonly valueBytes?: number;
}

/** Values by their hash; those that are not there are missing. */
export type ReadJournalValues = (hashes: readonly string[]) => Promise<ReadonlyMap<string, unknown>>;

/** What is left to read, over several calls. */
export interface ValueBudget {
  /** Bytes of values that may still be read. */
  bytes: number;
}

/**
 * Returns entries or records with values in place of their references. A value for which the budget has no room, or that is not stored any
 * more, stays a reference. Equal values count once.
 */
export async function fillIn<T extends object>(
  items: readonly T[],
  budget: ValueBudget,
  read: ReadJournalValues,
): Promise<T[]> {
  const wanted = new Set<string>();
  const choose = (reference: JournalReference): unknown => {
    if (!wanted.has(reference.hash) && reference.bytes <= budget.bytes) {
      budget.bytes -= reference.bytes;
      wanted.add(reference.hash);
    }
    return reference;
  };
  for (const item of items) replaceReferences(item, choose);
  if (wanted.size === 0) return [...items];
  const values = await read([...wanted]);
  return items.map((item) =>
    replaceReferences(item, (reference) => (values.has(reference.hash) ? values.get(reference.hash) : reference)),
  );
}

/** Returns a copy in which each reference is replaced; the same object if there is none. */
export function replaceReferences<T extends object>(
  source: T,
  replace: (reference: JournalReference) => unknown,
  depth = 0,
): T {
  // None stands deeper: in an entry, in one of its bags, and so many below.
  if (depth > MAX_DEPTH + 1) return source;
  let copy: T | undefined;
  for (const name of Object.keys(source) as (keyof T)[]) {
    const value = source[name];
    const replaced = replaceIn(value, replace, depth);
    if (replaced !== value) (copy ??= { ...source })[name] = replaced as T[keyof T];
  }
  return copy ?? source;
}

/** References stand in plain objects only: other values are replaced as a whole. */
function replaceIn(value: unknown, replace: (reference: JournalReference) => unknown, depth: number): unknown {
  if (value instanceof JournalReference) return replace(value);
  return isPlain(value) ? replaceReferences(value, replace, depth + 1) : value;
}
