import { type FilterImplOptions, filters as standardFilters, TypeGuards } from 'liquidjs';

type Handler = Extract<FilterImplOptions, (...args: never[]) => unknown>;

/** Digits on which fractions of two and of ten agree: Elsa counts in decimals, where 0.1 and 0.2 are 0.3. */
const DIGITS = 15;

const standard = (name: string) => standardFilters[name as keyof typeof standardFilters] as Handler;

/** Filters of the standard that count in binary fractions, with the results of decimal ones. */
export const numberFilters: Readonly<Record<string, FilterImplOptions>> = {
  plus: inDecimals(standard('plus')),
  minus: inDecimals(standard('minus')),
  times: inDecimals(standard('times')),
  divided_by: inDecimals(dividedBy),
};

function inDecimals(handler: Handler): FilterImplOptions {
  return function (...args: Parameters<Handler>) {
    const result = handler.apply(this, args) as number;
    return Number.isInteger(result) ? result : Number(result.toPrecision(DIGITS));
  };
}

const divide = standard('divided_by');

/** Integers divided by integers are rounded down. `4.0` is not one: so a template asks for the fraction. */
function dividedBy(this: ThisParameterType<Handler>, dividend: unknown, divisor: unknown): unknown {
  const [written] = this.token.args;
  const asksForFraction = TypeGuards.isNumberToken(written) && written.getText().includes('.');
  const areIntegers = !asksForFraction && [dividend, divisor].every((value) => Number.isInteger(Number(value)));
  return divide.call(this, dividend, divisor, areIntegers);
}
