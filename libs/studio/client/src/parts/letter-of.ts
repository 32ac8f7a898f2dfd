const LATIN = /^[a-z]$/i;
const LETTER = /^\p{L}$/u;

/**
 * The letter that a key stands for in shortcuts, small, whatever Caps Lock says. On a layout without Latin letters, such as a Russian or a Greek
 * one, it is the one that stands on the key elsewhere; other keys, such as `Insert` or `?`, are themselves.
 */
export function letterOf({ key, code }: { readonly key: string; readonly code: string }): string {
  if (LATIN.test(key)) return key.toLowerCase();
  const [, letter] = (LETTER.test(key) && /^Key([A-Z])$/.exec(code)) || [];
  return letter?.toLowerCase() ?? key;
}

/** If true, the key writes a letter. */
export const isLetter = (letter: string): boolean => LATIN.test(letter);
