import { type FilterImplOptions, filters as standardFilters, toValue, TypeGuards } from 'liquidjs';
import { shift, toDecimal } from '../dotnet/decimal.js';

type Handler = Extract<FilterImplOptions, (...args: never[]) => unknown>;

/** Digits on which fractions of two and of ten agree: Elsa counts in decimals, where 0.1 and 0.2 are 0.3. */
const DIGITS = 15;
/** More places than a decimal number of .NET has: nothing is left to round. */
const MOST_PLACES = 28;

const standard = (name: string) => standardFilters[name as keyof typeof standardFilters] as Handler;

/** Filters of numbers with the results that Elsa's have: in decimals, and of what is not a number as if it were 0. */
export const numberFilters: Readonly<Record<string, FilterImplOptions>> = {
  abs: ofNumbers(standard('abs')),
  at_least: ofTwoNumbers(standard('at_least')),
  at_most: ofTwoNumbers(standard('at_most')),
  ceil: ofNumbers(standard('ceil')),
  floor: ofNumbers(standard('floor')),
  round: ofNumbers(roundHalfToEven),
  plus: ofTwoNumbers(inDecimals(standard('plus'))),
  minus: ofTwoNumbers(inDecimals(standard('minus'))),
  times: ofTwoNumbers(inDecimals(standard('times'))),
  // With the sign of what is divided, as .NET has it.
  modulo: ofTwoNumbers(inDecimals(byWhatIsNotZero((value: number, by: number) => value % by))),
  divided_by: ofTwoNumbers(inDecimals(byWhatIsNotZero(dividedBy))),
};

/** A value of a template as a number. */
export function numberOf(value: unknown): number {
  const plain = toValue(value) as unknown;
  if (typeof plain === 'object') return 0;
  const number = typeof plain === 'string' ? numberInText(plain) : Number(plain);
  return Number.isNaN(number) ? 0 : number;
}

/** As .NET reads decimals: `1,234.50`, but not `0x10` or `Infinity`. */
function numberInText(text: string): number {
  const plain = text.trim();
  if (!/^[+-]?(?:\d[\d,]*(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(plain)) return 0;
  const number = Number(plain.replaceAll(',', ''));
  return Number.isFinite(number) ? number : 0;
}

function ofNumbers(handler: (this: ThisParameterType<Handler>, ...args: number[]) => unknown): FilterImplOptions {
  return function (value: unknown, ...args: unknown[]) {
    return handler.call(this, numberOf(value), ...args.map(numberOf));
  };
}

/** The second one may be left out, and counts as 0 then. */
function ofTwoNumbers(handler: Handler): FilterImplOptions {
  return ofNumbers(function (value, by = 0) {
    return handler.call(this, value, by);
  });
}

function inDecimals(handler: Handler): Handler {
  return function (...args: Parameters<Handler>) {
    const result = handler.apply(this, args) as number;
    return Number.isInteger(result) ? result : Number(result.toPrecision(DIGITS));
  };
}

/** @throws RangeError as .NET does: `Infinity` in a letter to a customer helps no one */
function byWhatIsNotZero(handler: Handler): Handler {
  return function (value: unknown, divisor: unknown, ...args: unknown[]) {
    if (divisor === 0) throw new RangeError('Attempted to divide by zero.');
    return handler.call(this, value, divisor, ...args);
  };
}

const divide = standard('divided_by');

/** Integers divided by integers are rounded down. `4.0` is not one: so a template asks for the fraction. */
function dividedBy(this: ThisParameterType<Handler>, dividend: unknown, divisor: unknown): unknown {
  const [written] = this.token.args;
  const asksForFraction = TypeGuards.isNumberToken(written) && written.getText().includes('.');
  const areIntegers = !asksForFraction && [dividend, divisor].every((value) => Number.isInteger(value));
  return divide.call(this, dividend, divisor, areIntegers);
}

/** As .NET rounds decimals: 2.5 becomes 2 and 3.5 becomes 4, and 1.005 is exact. */
function roundHalfToEven(value: number, places = 0): number {
  const kept = Math.max(Math.trunc(places), -MOST_PLACES);
  if (!Number.isFinite(value) || kept > MOST_PLACES) return value;
  const { isNegative, whole, fraction } = shift(toDecimal(value), kept);
  const down = BigInt(whole || '0');
  const isHalf = /^50*$/.test(fraction);
  const goesUp = isHalf ? down % 2n === 1n : fraction >= '5';
  return Number(`${isNegative ? '-' : ''}${goesUp ? down + 1n : down}e${-kept}`);
}
