import { ValueConversionError } from './value-conversion-error.js';
import type { ValueType } from './value-type.js';

const INTEGER_TEXT = /^\s*[+-]?\d+\s*$/;
/** `7.0`: no fraction, though it is written like one. */
const WHOLE_DECIMAL_TEXT = /^\s*[+-]?\d+\.0+\s*$/;
/** Digits in one way only: as `\d+\.?\d*` it would try all divisions of digits that no number follows, the square of their count. */
const DECIMAL_TEXT = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i;
/** Beyond 64 bits, whatever the digits are. */
const BEYOND_INT64 = 1e20;
const NAMED_NUMBERS: ReadonlyMap<string, number> = new Map([
  ['nan', Number.NaN],
  ['infinity', Number.POSITIVE_INFINITY],
  ['-infinity', Number.NEGATIVE_INFINITY],
]);

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

const INTEGER_RANGES: Readonly<Record<string, readonly [min: number, max: number]>> = {
  Byte: [0, 255],
  Int16: [-32_768, 32_767],
  Int32: [-2_147_483_648, 2_147_483_647],
};
const SAFE_RANGE = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] as const;

/** Of a number, in characters. In millions of digits the stack of a regular expression overflows. */
const LONGEST_TEXT = 100_000;

/** Largest magnitudes of the kinds of fractional numbers; `Double` takes everything. */
const FRACTIONAL_LIMITS: Readonly<Record<string, number>> = { Decimal: 7.922816251426434e28 };

/**
 * A number in the value range of a type of kind `integer`, `bigint` or `double`. Fractions are rounded half to even,
 * as .NET's `Convert` does; an `Int64` outside the safe range becomes a bigint.
 * @throws ValueConversionError when the number is out of range
 */
export function convertNumber(value: number | bigint, type: ValueType): number | bigint {
  const converted = fit(value, type);
  if (converted === undefined) {
    throw new ValueConversionError(
      value,
      type,
      'it is out of range; use a type with a larger range or check the value',
    );
  }
  return converted;
}

/**
 * Reads text in the invariant culture. `undefined` when it is not a number of that type, or out of its range.
 * @param takesWholeDecimals true: `7.0` is an integer, which .NET does not take for one
 */
export function parseNumber(text: string, type: ValueType, takesWholeDecimals = false): number | bigint | undefined {
  if (text.length > LONGEST_TEXT) return undefined;
  if (type.kind === 'double') {
    if (DECIMAL_TEXT.test(text)) return fit(Number(text), type);
    const named = NAMED_NUMBERS.get(text.trim().toLowerCase());
    return named === undefined ? undefined : fit(named, type);
  }
  if (takesWholeDecimals && WHOLE_DECIMAL_TEXT.test(text)) return parseNumber(text.slice(0, text.indexOf('.')), type);
  if (!INTEGER_TEXT.test(text)) return undefined;
  const number = Number(text);
  if (Number.isSafeInteger(number)) return fit(number, type);
  // Millions of digits would take seconds to become a bigint that no type has.
  return Math.abs(number) > BEYOND_INT64 ? undefined : fit(BigInt(text.trim().replace('+', '')), type);
}

/** True for what an integer would have to be rounded from. NaN and infinity are out of range, which says more. */
export const hasFraction = (value: number | bigint): boolean =>
  typeof value === 'number' && Number.isFinite(value) && !Number.isInteger(value);

/** True for a number that neighbours in the range of `Int64` are rounded to. Infinity is out of range, which says more. */
export const mayHaveLostDigits = (value: number | bigint): boolean =>
  typeof value === 'number' && !Number.isSafeInteger(value) && Number.isInteger(value) && fitInt64(value) !== undefined;

function fit(value: number | bigint, type: ValueType): number | bigint | undefined {
  switch (type.kind) {
    case 'double':
      return fitFractional(Number(value), type);
    case 'bigint':
      return fitInt64(value);
    default:
      return fitInteger(value, type);
  }
}

function fitFractional(value: number, type: ValueType): number | undefined {
  const limit = FRACTIONAL_LIMITS[baseAlias(type)];
  return limit === undefined || Math.abs(value) <= limit ? value : undefined;
}

function fitInt64(value: number | bigint): number | bigint | undefined {
  if (typeof value === 'number') {
    const rounded = roundHalfToEven(value);
    if (Number.isSafeInteger(rounded)) return rounded;
    return Number.isFinite(rounded) ? fitInt64(BigInt(rounded)) : undefined;
  }
  if (value < INT64_MIN || value > INT64_MAX) return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function fitInteger(value: number | bigint, type: ValueType): number | undefined {
  const rounded = roundHalfToEven(Number(value));
  const [min, max] = INTEGER_RANGES[baseAlias(type)] ?? SAFE_RANGE;
  return rounded >= min && rounded <= max ? rounded : undefined;
}

/** True when a number needs no conversion: the cheap check before `convertNumber`. */
export function isInt32(value: unknown): value is number {
  return typeof value === 'number' && (value | 0) === value && !Object.is(value, -0);
}

const baseAlias = (type: ValueType): string => (type.nullable ? type.alias.replace(/\?$/, '') : type.alias);

function roundHalfToEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  const up = rest > 0.5 || (rest === 0.5 && floor % 2 !== 0);
  // Adding 0 turns -0 into 0: .NET's integers have no negative zero.
  return (up ? floor + 1 : floor) + 0;
}
