import { type PagedResult } from '@waymark/runtime';
import { countedTotal, countLimit, type Page } from '@waymark/runtime/adapter';
import type { SqlDatabase } from '../database/sql-database.js';
import type { SqlValue } from '../database/statement.js';
import { toNumber } from './column-values.js';

/** A page with the total number of rows, which is counted only when it does not follow from the page. */
export async function pageOf<T>(
  page: Page | undefined,
  query: {
    rows(window: Page | undefined): Promise<T[]>;
    count(atMost: number | undefined): Promise<number>;
    /** If true, the page begins after a place, so that the total does not follow from it. */
    readonly isPart?: boolean;
  },
): Promise<PagedResult<T>> {
  const items = await query.rows(page);
  if (!page) return { items, totalCount: items.length };
  const isLast = items.length < page.take && (items.length > 0 || page.skip === 0);
  if (isLast && !query.isPart) return { items, totalCount: page.skip + items.length };
  const limit = countLimit(page);
  // One more than the limit shows that there are more.
  return { items, ...countedTotal(await query.count(limit && limit + 1), limit) };
}

/** @param from what is counted: a table, and its conditions @param atMost where the database stops to count. @default counts all */
export async function countRows(
  database: SqlDatabase,
  from: string,
  params: readonly SqlValue[],
  atMost: number | undefined,
): Promise<number> {
  const counted = atMost === undefined ? from : `(SELECT 1 FROM ${from} LIMIT ?) AS counted`;
  const [row] = await database.read({
    sql: `SELECT COUNT(*) AS matching FROM ${counted}`,
    params: atMost === undefined ? params : [...params, atMost],
  });
  return toNumber(row?.matching);
}
