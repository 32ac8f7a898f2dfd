import { countedTotal, countLimit, type IdPage, type Page, type PagedResult } from '../paging.js';

export type Comparer<T> = (left: T, right: T) => number;

export function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Something not set comes before everything that is. */
export function compareTime(left: Date | null | undefined, right: Date | null | undefined): number {
  const leftTime = left?.getTime() ?? -Infinity;
  const rightTime = right?.getTime() ?? -Infinity;
  return leftTime < rightTime ? -1 : leftTime > rightTime ? 1 : 0;
}

/** Oldest first; the id decides between equal times, so that every store answers in the same order. */
export function byAge(left: { createdAt: Date; id: string }, right: { createdAt: Date; id: string }): number {
  return compareTime(left.createdAt, right.createdAt) || compareText(left.id, right.id);
}

export function window<T>(rows: readonly T[], page: Page | undefined): PagedResult<T> {
  if (!page) return { items: [...rows], totalCount: rows.length };
  const items = rows.slice(page.skip, page.skip + page.take);
  // As a database answers, which learns how many there are when the page is the last one.
  const isLast = items.length < page.take && (items.length > 0 || page.skip === 0);
  return { items, ...countedTotal(rows.length, isLast ? undefined : countLimit(page)) };
}

/** In order of id. */
export function idWindow<T extends { readonly id: string }>(rows: readonly T[], page?: IdPage): T[] {
  const after = page?.after;
  const left = after === undefined ? [...rows] : rows.filter(({ id }) => compareText(id, after) > 0);
  left.sort((one, other) => compareText(one.id, other.id));
  return page ? left.slice(0, page.limit) : left;
}
