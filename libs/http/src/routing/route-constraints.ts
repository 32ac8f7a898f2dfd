import { parseDate } from '@waymark/core/adapter';
import { RouteExpressionError, type RouteExpressions } from './route-expression.js';
import type { RouteSteps } from './route-steps.js';
import { RouteTemplateError } from './route-template-error.js';

const MONTH = '(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*';
const WORDED = new RegExp(String.raw`^(?:\d{1,2} ${MONTH},? \d{4}|${MONTH} \d{1,2},? \d{4}|\d{4}-\d{2})$`, 'i');

/** `Date.parse` alone takes `order-1` for a day in 2001: it skips words that it does not know. */
function isDateTime(text: string): boolean {
  return parseDate(text) !== undefined || (WORDED.test(text) && !Number.isNaN(Date.parse(text)));
}

/** A condition on the text of a route parameter, such as `int` or `length(3,8)`. */
export interface Constraint {
  /** As written, lower-case name first. */
  readonly text: string;
  accepts(value: string, steps?: RouteSteps): boolean;
}

type Check = (value: string) => boolean;
type Make = (args: readonly string[]) => { shape?: string; check?: Check };

const NUMBER = '-?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?';
const between =
  (low: number, high: number): Check =>
  (value) =>
    Number(value) >= low && Number(value) <= high;
const long =
  (low: number, high: number): Check =>
  (value) =>
    value.length >= low && value.length <= high;
const pattern =
  (shape: string, check?: Check): Make =>
  () => ({ shape, check });
const number = (text: string | undefined): number => (text === undefined || text.trim() === '' ? NaN : Number(text));

/** The inline constraints of ASP.NET. */
const CONSTRAINTS: Readonly<Record<string, Make>> = {
  int: pattern('-?\\d+', between(-(2 ** 31), 2 ** 31 - 1)),
  long: pattern('-?\\d+', (value) => value.length <= 20 && BigInt.asIntN(64, BigInt(value)) === BigInt(value)),
  bool: pattern('true|false'),
  datetime: pattern('.*\\d.*', isDateTime),
  decimal: pattern('-?\\d+(?:\\.\\d+)?'),
  double: pattern(NUMBER),
  float: pattern(NUMBER),
  guid: pattern('\\{?[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}\\}?'),
  alpha: pattern('[a-z]+'),
  required: pattern('.+'),
  file: pattern('.*\\.[^.]+'),
  nonfile: pattern('.+', (value) => !/\.[^./]+$/.test(value)),
  min: ([low]) => ({ shape: '-?\\d+', check: between(number(low), Infinity) }),
  max: ([high]) => ({ shape: '-?\\d+', check: between(-Infinity, number(high)) }),
  range: ([low, high]) => ({ shape: '-?\\d+', check: between(number(low), number(high)) }),
  minlength: ([low]) => ({ check: long(number(low), Infinity) }),
  maxlength: ([high]) => ({ check: long(0, number(high)) }),
  length: ([low, high]) => ({ check: long(number(low), number(high ?? low)) }),
};

const ARGUMENTS: Readonly<Record<string, readonly number[]>> = {
  min: [1],
  max: [1],
  range: [2],
  minlength: [1],
  maxlength: [1],
  length: [1, 2],
};

/**
 * @param expressions those of the same template so far
 * @throws RouteTemplateError for an unknown constraint or wrong arguments
 */
export function parseConstraint(source: string, template: string, expressions: RouteExpressions): Constraint {
  const match = /^\s*([\w]+)\s*(?:\((.*)\))?\s*$/s.exec(source);
  const name = match?.[1]?.toLowerCase() ?? '';
  const inner = match?.[2];
  if (name === 'regex' && inner !== undefined) return regexConstraint(inner, template, expressions);
  const make = Object.hasOwn(CONSTRAINTS, name) ? CONSTRAINTS[name] : undefined;
  if (!make) throw new RouteTemplateError(template, `there is no constraint '${source}'`);
  const args = inner === undefined ? [] : inner.split(',');
  const counts = ARGUMENTS[name] ?? [0];
  if (!counts.includes(args.length) || args.some((arg) => Number.isNaN(number(arg))))
    throw new RouteTemplateError(template, `constraint '${source}' has the wrong arguments`);
  const { shape = '.+', check } = make(args);
  const expression = new RegExp(`^(?:${shape})$`, 'is');
  const text = args.length ? `${name}(${args.map((arg) => arg.trim()).join(',')})` : name;
  return { text, accepts: (value) => expression.test(value) && (check?.(value) ?? true) };
}

function regexConstraint(source: string, template: string, expressions: RouteExpressions): Constraint {
  try {
    return { text: `regex(${source})`, accepts: expressions.compile(source) };
  } catch (error) {
    if (!(error instanceof RouteExpressionError)) throw error;
    throw new RouteTemplateError(template, `regular expression '${source}': ${error.message}`);
  }
}
