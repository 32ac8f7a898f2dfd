import type { DefinitionPosition } from '@waymark/runtime/adapter';

/** How far a client has read, in counters of the store: so it can resume at any node, and after a restart. */
export interface LivePosition {
  /** Number of a chunk in the journal. */
  readonly write: number;
  readonly definitions: DefinitionPosition;
}

export const formatPosition = ({ write, definitions }: LivePosition): string =>
  `${write}.${definitions.counter}.${definitions.unnamed}`;

/** @returns undefined for a text that is not a position */
export function parsePosition(text: string): LivePosition | undefined {
  const [write, counter, unnamed, ...more] = text.trim().split('.').map(Number);
  const all = [write, counter, unnamed];
  if (more.length > 0 || !all.every((number) => Number.isSafeInteger(number) && number! >= 0)) return undefined;
  return { write: write!, definitions: { counter: counter!, unnamed: unnamed! } };
}
