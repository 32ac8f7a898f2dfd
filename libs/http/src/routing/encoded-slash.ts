/**
 * How the segments of stored paths and keys, which are decoded, tell an encoded slash from a text that looks like one: `%2f` is the slash,
 * `%252f` the text `%2f`, `%25252f` the text `%252f`. Else a path with one more escape would lead to the same workflow, past the rules of a
 * proxy. All other texts are as they are.
 * @param text a decoded segment
 */
export const withEncodedSlashes = (text: string, slash = '%2f'): string =>
  text.includes('/') || text.includes('%') ? text.replaceAll(/%(?=(?:25)*2f)/gi, '%25').replaceAll('/', slash) : text;

/** The segment itself. */
export const withSlashes = (stored: string): string =>
  stored.replaceAll(/%((?:25)*)(2f)/gi, (_, percents: string, end: string) =>
    percents === '' ? '/' : `%${percents.slice(2)}${end}`,
  );
