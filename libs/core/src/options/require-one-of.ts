import { InvalidOptionError } from './option-errors.js';
import { inWords } from './option-kinds.js';

/**
 * A value of a closed set, also where the compiler did not look: in JavaScript, or behind a cast.
 * @param owner what it is given to, such as `fork()`
 * @throws InvalidOptionError (`WM1090`), which names the permitted values
 */
export function requireOneOf<T extends string>(
  owner: string,
  name: string,
  value: T,
  permitted: readonly T[],
  what?: 'option' | 'argument',
): T {
  if (permitted.includes(value)) return value;
  const given = typeof value === 'string' ? `'${value}'` : String(value);
  throw new InvalidOptionError(owner, name, inWords(permitted), given, what);
}
