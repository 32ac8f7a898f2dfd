import type { Page, PagedResult } from '@waymark/runtime';

/** A page with the number of all rows, which is only asked for when the page does not tell it. */
export async function pageOf<T>(
  page: Page | undefined,
  query: { rows(window: Page | undefined): Promise<T[]>; count(): Promise<number> },
): Promise<PagedResult<T>> {
  const items = await query.rows(page);
  if (!page) return { items, totalCount: items.length };
  const isLast = items.length < page.take && (items.length > 0 || page.skip === 0);
  return { items, totalCount: isLast ? page.skip + items.length : await query.count() };
}
