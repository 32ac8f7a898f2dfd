import { arrayAlias } from '../values/type-alias.js';
import type { ValueType } from '../values/value-type.js';

/** Definitions name the element type and say `isArray` beside it. */
export interface SplitType {
  readonly alias: string;
  readonly isArray: boolean;
}

/** `String[]` → String, true. */
export function splitType(type: ValueType): SplitType {
  if (type.element && type.alias === arrayAlias(type.element.alias))
    return { alias: type.element.alias, isArray: true };
  return { alias: type.alias, isArray: false };
}

/** Type of a name and an `isArray` beside it; `undefined` for an unknown name. `String[]` with `isArray` is a list of lists. */
export function resolveSplit(
  name: string,
  isArray: boolean,
  types: { resolve(text: string): ValueType | undefined },
): SplitType | undefined {
  const type = types.resolve(name);
  if (!type) return undefined;
  return isArray ? { alias: type.alias, isArray: true } : splitType(type);
}

/** One name for both: `String[]`. */
export const joinType = ({ alias, isArray }: SplitType): string => (isArray ? arrayAlias(alias) : alias);
