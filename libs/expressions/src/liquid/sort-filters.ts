import { type Context, type FilterImplOptions, toValue } from 'liquidjs';
import type { RenderBudget } from './render-budget.js';
import { textOf } from './text-filters.js';

type Key = string | number | boolean | bigint | undefined;

/** `sort` and `sort_natural` of the standard: what has no value comes last. */
export const sortFilters: Readonly<Record<string, FilterImplOptions>> = {
  sort: function (list: unknown, property: unknown) {
    return sorted(this.context, list, property, (key) => key);
  },
  sort_natural: function (list: unknown, property: unknown) {
    return sorted(this.context, list, property, (key) => String(key).toLowerCase());
  },
};

function* sorted(
  context: Context,
  value: unknown,
  property: unknown,
  toKey: (key: Key) => Key,
): Generator<unknown, unknown[], unknown> {
  const budget = context.memoryLimit as unknown as RenderBudget;
  const plain = toValue(value) as unknown;
  const list: unknown[] = Array.isArray(plain) ? plain : plain === null || plain === undefined ? [] : [plain];
  const path = property ? textOf(property).split('.') : undefined;
  budget.use(list.length * (path?.length ?? 1));
  const keyed: { item: unknown; key: Key }[] = [];
  let size = 0;
  for (const item of list) {
    const found = toValue(path ? yield context._getFromScope(item, path, false) : item) as unknown;
    // Each key becomes what it compares as once, and not for each comparison.
    size += budget.sizeOf(found);
    const key = typeof found === 'object' && found !== null ? String(found as unknown) : (found as Key);
    keyed.push({ item, key: key === null || key === undefined ? undefined : toKey(key) });
  }
  // Texts may be equal up to their last character.
  budget.use(((list.length + (size >> 3)) * Math.ceil(Math.log2(list.length + 1))) >> 1);
  return keyed.sort((a, b) => compare(a.key, b.key)).map(({ item }) => item);
}

function compare(a: Key, b: Key): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? 1 : -1;
  if (a < b) return -1;
  return a > b ? 1 : 0;
}
