import { type FilterImplOptions, toValue } from 'liquidjs';
import { LiquidDecimal } from './liquid-decimal.js';
import type { RenderBudget } from './render-budget.js';
import { textOf } from './text-filters.js';

/** Places of a quotient that is not rounded down. */
const PLACES_OF_QUOTIENT = 15;
/** More places than a decimal number of .NET has: nothing is left to round. */
const MOST_PLACES = 28;

type Operation = (value: LiquidDecimal, by: LiquidDecimal) => LiquidDecimal;

/** Filters of numbers with the results that Elsa's have: in decimals, and of what is not a number as if it were 0. */
export const numberFilters: Readonly<Record<string, FilterImplOptions>> = {
  abs: inDecimals((value) => (value.isLessThan(zero) ? value.negated() : value)),
  at_least: inDecimals((value, least) => (value.isLessThan(least) ? least : value)),
  at_most: inDecimals((value, most) => (most.isLessThan(value) ? most : value)),
  ceil: inDecimals((value) => value.negated().floor().negated()),
  floor: inDecimals((value) => value.floor()),
  round: inDecimals((value, places) => value.rounded(Math.max(Math.trunc(Number(places)), -MOST_PLACES))),
  plus: inDecimals((value, by) => value.plus(by)),
  minus: inDecimals((value, by) => value.plus(by.negated())),
  times: inDecimals((value, by) => value.times(by)),
  modulo: inDecimals((value, by) => value.modulo(by)),
  divided_by: inDecimals(dividedBy),
  sum: function* (list: unknown, property: unknown) {
    const budget = this.context.memoryLimit as unknown as RenderBudget;
    let sum = zero;
    for (const item of itemsOf(list)) {
      budget.step();
      sum = sum.plus(decimalOf(property ? yield this.context._getFromScope(item, textOf(property), false) : item));
    }
    return sum.toTemplate();
  },
};

const zero = LiquidDecimal.of(0);

function itemsOf(value: unknown): unknown[] {
  const plain = toValue(value) as unknown;
  return Array.isArray(plain) ? plain : plain === null || plain === undefined ? [] : [plain];
}

/** A value of a template as a number. */
export const numberOf = (value: unknown): number => Number(decimalOf(value));

function decimalOf(value: unknown): LiquidDecimal {
  if (value instanceof LiquidDecimal) return value;
  const plain = toValue(value) as unknown;
  if (typeof plain === 'string') return LiquidDecimal.parse(plain);
  if (typeof plain === 'bigint' || typeof plain === 'number') return LiquidDecimal.of(plain);
  return LiquidDecimal.of(plain === true ? 1 : 0);
}

/** An operand that is left out counts as 0. */
function inDecimals(operation: Operation): FilterImplOptions {
  return (value: unknown, by: unknown) => operation(decimalOf(value), decimalOf(by)).toTemplate();
}

/** Integers divided by integers are rounded down. `4.0` is not one: so a template asks for the fraction. */
function dividedBy(dividend: LiquidDecimal, divisor: LiquidDecimal): LiquidDecimal {
  if (!dividend.hasPlaces && !divisor.hasPlaces) {
    const rest = dividend.modulo(divisor);
    const exact = dividend.plus(rest.negated()).dividedBy(divisor, 0);
    return !rest.isZero && rest.isLessThan(zero) !== divisor.isLessThan(zero)
      ? exact.plus(LiquidDecimal.of(-1))
      : exact;
  }
  return dividend.dividedBy(divisor, PLACES_OF_QUOTIENT).withPlaces();
}
