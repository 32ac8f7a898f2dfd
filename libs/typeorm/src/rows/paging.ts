import { countedTotal, countLimit, type Page, type PagedResult } from '@waymark/runtime';

/** A page with the number of all rows, which is only asked for when the page does not tell it. */
export async function pageOf<T>(
  page: Page | undefined,
  query: {
    rows(window: Page | undefined): Promise<T[]>;
    count(atMost: number | undefined): Promise<number>;
    /** The rows begin somewhere in the middle, so that they do not tell how many there are. */
    readonly isPart?: boolean;
  },
): Promise<PagedResult<T>> {
  const items = await query.rows(page);
  if (!page) return { items, totalCount: items.length };
  const isLast = items.length < page.take && (items.length > 0 || page.skip === 0);
  if (isLast && !query.isPart) return { items, totalCount: page.skip + items.length };
  const limit = countLimit(page);
  // One more tells whether there are more.
  return { items, ...countedTotal(await query.count(limit && limit + 1), limit) };
}
