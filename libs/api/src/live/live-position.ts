import type { DefinitionPosition } from '@waymark/runtime/adapter';

/** Where a client stands: in what the store counts, so that it goes on at any node, and after a restart. */
export interface LivePosition {
  /** Of the journal. */
  readonly write: number;
  readonly definitions: DefinitionPosition;
}

export const formatPosition = ({ write, definitions }: LivePosition): string =>
  `${write}.${definitions.counter}.${definitions.unnamed}`;

/** @returns undefined: it is not a position of this API */
export function parsePosition(text: string): LivePosition | undefined {
  const [write, counter, unnamed, ...more] = text.trim().split('.').map(Number);
  const all = [write, counter, unnamed];
  if (more.length > 0 || !all.every((number) => Number.isSafeInteger(number) && number! >= 0)) return undefined;
  return { write: write!, definitions: { counter: counter!, unnamed: unnamed! } };
}
