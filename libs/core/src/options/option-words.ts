export const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** `'a', 'b' or 'c'` */
export function inWords(names: readonly string[]): string {
  const quoted = names.map((name) => `'${name}'`);
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
}
