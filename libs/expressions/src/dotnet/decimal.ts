/**
 * The decimal digits of a number, as its shortest text has them. .NET formats `decimal`, which is exact where binary
 * numbers are not: 1.005 with two digits is 1.01.
 */
export interface Decimal {
  readonly isNegative: boolean;
  /** Digits before the point; empty for a number below one. */
  readonly whole: string;
  readonly fraction: string;
}

export function toDecimal(value: number): Decimal {
  const [, sign, whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(
    String(value),
  )!;
  return shift({ isNegative: sign === '-', whole, fraction }, Number(exponent));
}

/** Times ten to the power of `places`. */
export function shift({ isNegative, whole, fraction }: Decimal, places: number): Decimal {
  const digits = whole + fraction;
  const point = whole.length + places;
  const padded = point < 0 ? '0'.repeat(-point) + digits : digits.padEnd(point, '0');
  const at = Math.max(0, point);
  return { isNegative, whole: padded.slice(0, at).replace(/^0+/, ''), fraction: padded.slice(at) };
}

/** With exactly so many digits behind the point; a half goes away from zero. */
export function round({ isNegative, whole, fraction }: Decimal, places: number): Decimal {
  if (fraction.length <= places) return { isNegative, whole, fraction: fraction.padEnd(places, '0') };
  const kept = (whole + fraction.slice(0, places)).padStart(1, '0');
  const digits = fraction.charAt(places) >= '5' ? String(BigInt(kept) + 1n).padStart(kept.length, '0') : kept;
  const at = digits.length - places;
  return {
    isNegative,
    whole: digits.slice(0, Math.max(0, at)).replace(/^0+/, ''),
    fraction: digits.slice(at).padStart(places, '0'),
  };
}

export const isZero = ({ whole, fraction }: Decimal): boolean => !/[1-9]/.test(whole + fraction);
