import { type FilterImplOptions, toValue } from 'liquidjs';
import type { RenderBudget } from './render-budget.js';
import { textOf } from './text-filters.js';

/**
 * `sample` of the standard: one element at random, or several of different places. That of the engine sorts the whole list by a
 * comparison at random, which held the process up for 0.8 s with a text of two million characters.
 */
export const sampleFilter: FilterImplOptions = function (value: unknown, count: unknown = 1) {
  const budget = this.context.memoryLimit as unknown as RenderBudget;
  const plain = toValue(value) as unknown;
  if (plain === null || plain === undefined) return [];
  const list: readonly unknown[] | string = Array.isArray(plain) ? plain : textOf(plain);
  budget.use(list.length);
  // A text is a list of its characters.
  const rest: unknown[] = typeof list === 'string' ? list.split('') : [...list];
  if (count === 1) return rest[pick(rest, 0)];
  // As the engine counts: from the end where it is negative, and not at all where it is not a number.
  const wanted = rest.slice(0, count as number).length;
  for (let place = 0; place < wanted; place++) {
    const from = pick(rest, place);
    [rest[place], rest[from]] = [rest[from], rest[place]];
  }
  return rest.slice(0, wanted);
};

/** A place at random, not before that one. */
const pick = (list: readonly unknown[], from: number): number =>
  from + Math.floor(Math.random() * (list.length - from));
