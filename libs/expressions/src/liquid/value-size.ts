import { Drop } from 'liquidjs';
import { ExpressionMemoryError } from '../errors/expression-errors.js';

/** Deeper data would fill the stack of whatever walks it. */
const MAX_DEPTH = 500;
/** A number, a date, or an object of the engine, as text. */
const SMALL = 8;

/**
 * How long values are as text. A list may hold the same list many times, and that one too: what is small in memory can be
 * without end as text, and everything that shows, compares or converts a list makes it text. Sizes are remembered, so such
 * a list is measured in the time that its memory takes.
 */
export class ValueSizes {
  private readonly sizes = new WeakMap<object, number>();

  /** @throws ExpressionMemoryError for data that is nested too deeply */
  of(value: unknown, depth = 0): number {
    if (typeof value === 'string') return value.length;
    if (typeof value !== 'object' || value === null) return SMALL;
    if (depth > MAX_DEPTH) throw new ExpressionMemoryError('Liquid', 'stack');
    let size = this.sizes.get(value);
    if (size === undefined) this.sizes.set(value, (size = this.measure(value, depth + 1)));
    return size;
  }

  private measure(value: object, depth: number): number {
    let size = 2;
    if (Array.isArray(value)) {
      for (const item of value) size += 1 + this.of(item, depth);
    } else if (value instanceof Drop) size = SMALL * SMALL;
    else for (const [name, member] of Object.entries(value)) size += 4 + name.length + this.of(member, depth);
    return size;
  }
}

/** Number of elements: what a filter touches that looks at the elements only. */
export function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 1;
}
