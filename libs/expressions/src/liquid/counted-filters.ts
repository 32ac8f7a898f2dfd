import type { FilterImplOptions } from 'liquidjs';
import { isGeneratorObject } from 'node:util/types';
import { LiquidDecimal, numberText } from './liquid-decimal.js';
import type { RenderBudget } from './render-budget.js';
import { lengthOf } from './value-size.js';
import { textOf } from './text-filters.js';

type Handler = Extract<FilterImplOptions, (...args: never[]) => unknown>;

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(' '));

/** They look at their value from outside only. */
const atOnce = setOf('size first last default raw');
/** They look at each element of a list, and by name at a member of each. */
const byElement = setOf(
  'reverse compact concat push pop shift unshift slice map where reject where_exp reject_exp group_by group_by_exp ' +
    'has has_exp find_index find_index_exp find find_exp uniq sample sort sort_natural keys',
);
/** They read their first argument as the text of a path. */
const withPath = setOf('where reject has find_index find group_by');
/** They read their second argument as the text of an expression. */
const withExpression = setOf('where_exp reject_exp group_by_exp has_exp find_index_exp find_exp');
/** They make their first argument a text for each element. */
const byName = setOf('map sum');
/** They read a value as text: a decimal number with all its places, which the engine does not know. */
const ofTexts = setOf(
  'append prepend upcase downcase strip lstrip rstrip strip_newlines newline_to_br truncate truncatewords slice slugify ' +
    'escape escape_once xml_escape cgi_escape uri_escape url_encode strip_html handle handleize md5 sha1 sha256 ' +
    'base64 base64_encode base64_url_safe_encode normalize_whitespace number_of_words',
);
const withText = setOf('append prepend');
/** They read texts as numbers, their arguments as well. */
const ofNumbers = setOf(
  'abs at_least at_most ceil floor round plus minus times modulo divided_by format_number to_integer',
);
/** Passes over a text that the engine's own count leaves out. */
const passes: Readonly<Record<string, number>> = {
  slugify: 20,
  handle: 10,
  handleize: 10,
  escape_once: 4,
  escape: 2,
  strip_html: 2,
  number_of_words: 4,
  cgi_escape: 3,
  url_encode: 2,
  uri_escape: 2,
  url_decode: 2,
};
/** What reading a path or an expression costs, for each of its characters. */
const PARSING = 20;

/** A filter that pays for what it is going to touch, and whose answer has a size. */
export function counted(name: string, filter: FilterImplOptions): FilterImplOptions {
  const handler = handlerOf(filter);
  // Asked once for a filter, and not for each of its calls.
  const isDefault = name === 'default';
  const isFree = atOnce.has(name);
  const spend = byElement.has(name) ? spendOnElements(name) : spendOnValues(name);
  const takesName = byName.has(name) || withExpression.has(name);
  const isOfTexts = ofTexts.has(name);
  const isWithText = withText.has(name);
  const run: Handler = function (value: unknown, ...given: unknown[]) {
    // The engine would hand on a number, which does not know its places.
    if (isDefault && value instanceof LiquidDecimal) return value;
    const budget = this.context.memoryLimit as unknown as RenderBudget;
    const args = takesName && Array.isArray(given[0]) ? withName(budget, name, given[0], given) : given;
    if (!isFree) spend(budget, value, args);
    const read = isOfTexts ? asText(value) : value;
    const result: unknown = handler.call(this, read, ...(isWithText ? args.map(asText) : args));
    return isGeneratorObject(result) ? admitLater(budget, result) : admit(budget, value, result);
  };
  return typeof filter === 'function' || !filter.raw ? run : { raw: true, handler: run };
}

function asText(value: unknown): unknown {
  if (value instanceof LiquidDecimal) return value.text;
  return typeof value === 'number' ? numberText(value) : value;
}

/** A list that is given as a name becomes the text that it is once, and is paid for as such. */
function withName(budget: RenderBudget, name: string, list: unknown[], given: readonly unknown[]): unknown[] {
  budget.useValue(list);
  return [byName.has(name) ? textOf(list) : String(list), ...given.slice(1)];
}

type Spend = (budget: RenderBudget, value: unknown, args: readonly unknown[]) => void;

function spendOnElements(name: string): Spend {
  const isWithPath = withPath.has(name);
  const isWithExpression = withExpression.has(name);
  return (budget, value, args) => {
    const [property] = args;
    const named = typeof property === 'string' ? property.length >> 4 : 0;
    budget.use(lengthOf(value) * (1 + named));
    if (isWithPath) budget.use(textOf(property).length * PARSING);
    if (isWithExpression) budget.use(textOf(args[1]).length * PARSING);
    for (const arg of args)
      if (typeof arg === 'object') budget.use(name === 'concat' ? lengthOf(arg) : budget.sizeOf(arg));
  };
}

function spendOnValues(name: string): Spend {
  const times = passes[name];
  const isOfNumbers = ofNumbers.has(name);
  const spendOn = (budget: RenderBudget, part: unknown): void => {
    if (typeof part === 'object' && part !== null) budget.useValue(part);
    else if (isOfNumbers && typeof part === 'string') budget.use(part.length);
  };
  return (budget, value, args) => {
    spendOn(budget, value);
    for (const arg of args) spendOn(budget, arg);
    // A list or an object is read as its text, as often as a text is.
    if (times) budget.use(budget.sizeOf(value) * times);
  };
}

function admit(budget: RenderBudget, value: unknown, result: unknown): unknown {
  // What a text grows by; most filters have counted the rest.
  if (typeof result === 'string') budget.use(result.length - (typeof value === 'string' ? value.length : 0));
  else budget.admit(result);
  return result;
}

function* admitLater(budget: RenderBudget, generator: unknown): Generator<unknown, unknown, unknown> {
  return admit(budget, undefined, yield generator);
}

function handlerOf(filter: FilterImplOptions): Handler {
  if (typeof filter === 'function') return filter as Handler;
  return filter.handler as Handler;
}
