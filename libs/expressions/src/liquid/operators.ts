import { type Context, defaultOperators } from 'liquidjs';
import { containsText, textOf } from './text-filters.js';
import type { RenderBudget } from './render-budget.js';

type Operators = typeof defaultOperators;
type BinaryOperator = (left: unknown, right: unknown, context: Context) => ReturnType<Operators[string]>;

const standard = defaultOperators as Record<string, BinaryOperator>;
const budgetOf = (context: Context): RenderBudget => context.memoryLimit as unknown as RenderBudget;

/**
 * The operators of templates: those of the engine, counted, and those of Elsa that it lacks: `startswith`, `endswith` and `<>`. It takes a
 * name that it does not know for a value, and the first value for all: `{% if name startswith "A" %}` was true for every name.
 */
export function templateOperators(): Operators {
  const compared = ['<', '>', '<=', '>='].map((name) => [name, compare(standard[name]!)]);
  return {
    ...defaultOperators,
    ...(Object.fromEntries(compared) as Operators),
    '<>': standard['!=']!,
    contains,
    startswith: atEnd(
      (list) => list[0],
      (text, part) => text.startsWith(part),
    ),
    endswith: atEnd(
      (list) => list.at(-1),
      (text, part) => text.endsWith(part),
    ),
  } as Operators;
}

/** Comparing makes lists text, and reads long texts to their ends. */
function compare(operator: BinaryOperator): BinaryOperator {
  return (left, right, context) => {
    for (const side of [left, right])
      if (typeof side === 'object' && side !== null) budgetOf(context).useValue(side);
      else if (typeof side === 'string') budgetOf(context).use(side.length >> 6);
    return operator(left, right, context);
  };
}

const contains: BinaryOperator = (left, right, context) =>
  typeof left === 'string' ? containsText(budgetOf(context), left, right) : standard['contains']!(left, right, context);

/** Of a list its element at that end, as Elsa has it; of everything else its text. */
function atEnd(
  element: (list: readonly unknown[]) => unknown,
  isThere: (text: string, part: string) => boolean,
): BinaryOperator {
  return (left, right, context) => {
    if (Array.isArray(left)) return left.length > 0 && standard['==']!(element(left), right, context);
    for (const side of [left, right]) budgetOf(context).useValue(side);
    return isThere(textOf(left), textOf(right));
  };
}
