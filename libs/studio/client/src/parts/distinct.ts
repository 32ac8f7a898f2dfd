/**
 * Choices of a drop-down, each value once. Of two with one value a list could not tell which is chosen, and Mantine throws: the whole page
 * would fail for a definition that the engine takes.
 */
export function distinct<T extends { readonly value: string }>(choices: readonly T[]): T[] {
  const values = new Set<string>();
  return choices.filter(({ value }) => !values.has(value) && values.add(value));
}

/** The same of texts that are both. */
export const distinctTexts = (texts: readonly string[]): string[] => [...new Set(texts)];
