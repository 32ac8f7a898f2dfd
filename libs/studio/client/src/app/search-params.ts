type Values = Readonly<Record<string, unknown>>;

/** `?status=Faulted&status=Suspended&q=4711`: texts only, a name that stands there twice is a list. */
export function parseSearch(text: string): Record<string, string | string[]> {
  const found: Record<string, string | string[]> = {};
  const parameters = new URLSearchParams(text);
  for (const name of new Set(parameters.keys())) {
    const values = parameters.getAll(name);
    found[name] = values.length === 1 ? values[0]! : values;
  }
  return found;
}

export function stringifySearch(values: Values): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(values))
    for (const item of Array.isArray(value) ? (value as unknown[]) : [value])
      if (item !== undefined && item !== null && item !== '') parameters.append(name, String(item));
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

/** A text of the address; `undefined` where it is missing or empty. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Those of the values that are known; what an address has besides is left out. */
export function listOf<T extends string>(value: unknown, known: readonly T[]): T[] | undefined {
  const values = (Array.isArray(value) ? value : [value]) as unknown[];
  const found = known.filter((item) => values.includes(item));
  return found.length > 0 ? found : undefined;
}

export function oneOf<T extends string>(value: unknown, known: readonly T[]): T | undefined {
  return known.find((item) => item === value);
}

/** A number from 1. */
export function ordinalOf(value: unknown): number | undefined {
  const number = Number(value);
  return Number.isInteger(number) && number >= 1 ? number : undefined;
}

/** The number of a page; the first one needs none. */
export function pageOf(value: unknown): number | undefined {
  const number = ordinalOf(value);
  return number === 1 ? undefined : number;
}
