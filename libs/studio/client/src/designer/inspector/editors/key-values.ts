export type Entry = readonly [name: string, text: string];

/** The rows of a table; `undefined` for what holds more than texts by name. */
export function entriesOf(value: unknown): Entry[] | undefined {
  const object = parsed(value);
  if (object === undefined) return undefined;
  const entries = Object.entries(object);
  return entries.every((entry): entry is [string, string] => typeof entry[1] === 'string') ? entries : undefined;
}

function parsed(value: unknown): object | undefined {
  if (value === undefined || value === null || value === '') return {};
  try {
    const object: unknown = typeof value === 'string' ? JSON.parse(value) : value;
    return typeof object === 'object' && object !== null && !Array.isArray(object) ? object : undefined;
  } catch {
    return undefined;
  }
}

/** Rows without a name are not written; of two with one name, the first is. */
export const jsonOf = (entries: readonly Entry[]): string =>
  JSON.stringify(Object.fromEntries(entries.filter(([name], index) => name.trim() !== '' && !isTwice(entries, index))));

/** If true, a row before it has the same name. */
export const isTwice = (entries: readonly Entry[], index: number): boolean =>
  entries[index]![0] !== '' && entries.findIndex(([name]) => name === entries[index]![0]) < index;
