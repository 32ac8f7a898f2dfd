import type { PageOf } from './definitions.js';

/**
 * A list that is longer than one page, page after page. What is new or deleted between two of them moves the pages: each item is there once.
 * @param ask the page of that number, from 0 @param most pages that are read
 */
export async function allPages<T extends { readonly id: string }>(
  ask: (page: number) => Promise<PageOf<T>>,
  most: number,
): Promise<PageOf<T>> {
  const found = new Map<string, T>();
  for (let page = 0; ; page += 1) {
    const { items, ...total } = await ask(page);
    for (const item of items) found.set(item.id, item);
    const isAll = items.length === 0 || (found.size >= total.totalCount && !total.isTotalLowerBound);
    if (isAll || page + 1 >= most) return { ...total, items: [...found.values()] };
  }
}
