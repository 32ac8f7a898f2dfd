import { Drop, type FilterImplOptions, toValue } from 'liquidjs';
import { findText, replaceFirstText, replaceLastText, splitText } from '../budget/find-text.js';
import { LiquidDecimal, numberText } from './liquid-decimal.js';
import type { RenderBudget } from './render-budget.js';
import { ZonedDate } from './zoned-date.js';

type Filter = (budget: RenderBudget, text: string, part: string, by: string) => unknown;

/**
 * Filters of the standard that search texts and sort lists. Those of the engine cost the product of the lengths, or make
 * every text small letters again for each comparison. And `capitalize`, which means something else in Elsa.
 */
const filters: Readonly<Record<string, Filter>> = {
  // Those of the engine refuse to be called without an argument.
  append: (_, text, part) => text + part,
  prepend: (_, text, part) => part + text,
  split: (_, text, part) => {
    const parts = splitText(text, part);
    // As in Ruby.
    while (parts.length > 0 && parts.at(-1) === '') parts.pop();
    return parts;
  },
  remove: (_, text, part) => splitText(text, part).join(''),
  remove_first: (_, text, part) => replaceFirstText(text, part, ''),
  remove_last: (_, text, part) => replaceLastText(text, part, ''),
  replace: (budget, text, part, by) => {
    const parts = splitText(text, part);
    budget.use(parts.length * by.length);
    return parts.join(by);
  },
  replace_first: (_, text, part, by) => replaceFirstText(text, part, by),
  replace_last: (_, text, part, by) => replaceLastText(text, part, by),
  // Each word, and the rest as it is: that of the engine knows one word only, and makes the others small.
  capitalize: (_, text) => text.replace(/(?<=^|[\s.-])\S/gu, (letter) => letter.toUpperCase()),
};

export function textFilters(): Readonly<Record<string, FilterImplOptions>> {
  const entries = Object.entries(filters).map(([name, filter]): [string, FilterImplOptions] => [
    name,
    function (value: unknown, part: unknown, by: unknown) {
      const budget = this.context.memoryLimit as unknown as RenderBudget;
      const texts = [textOf(value), textOf(part), textOf(by)] as const;
      budget.use(texts[0].length + texts[1].length);
      return filter(budget, ...texts);
    },
  ]);
  return Object.fromEntries(entries);
}

/** `join` of the standard, for which that of the engine knows objects by their class only. */
export const joinFilter: FilterImplOptions = function (value: unknown, separator: unknown) {
  const plain = toValue(value) as unknown;
  if (plain === null || plain === undefined) return '';
  const list: unknown[] = Array.isArray(plain) ? plain : [plain];
  const between = separator === null || separator === undefined ? ' ' : textOf(separator);
  (this.context.memoryLimit as unknown as RenderBudget).use(between.length * list.length);
  return list.map(textOf).join(between);
};

/** Whether a text contains another one. */
export function containsText(budget: RenderBudget, text: string, part: unknown): boolean {
  const searched = String(toValue(part));
  budget.use((text.length + searched.length) >> 4);
  return findText(text, searched) >= 0;
}

/** A value as the engine shows it, and an object as its JSON. */
export function textOf(value: unknown): string {
  if (value instanceof LiquidDecimal) return value.text;
  const plain = toValue(value) as unknown;
  if (typeof plain === 'string') return plain;
  if (plain === null || plain === undefined) return '';
  if (typeof plain === 'number') return numberText(plain);
  if (Array.isArray(plain)) return plain.map(textOf).join('');
  return isData(plain) ? JSON.stringify(plain) : String(plain as number);
}

/** An object that says nothing of itself as text, unlike a date or a constant of the engine. */
function isData(value: unknown): value is object {
  return typeof value === 'object' && !(value instanceof Drop) && !(value instanceof ZonedDate);
}
