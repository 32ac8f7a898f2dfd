import { InvalidRequestError } from './api-errors.js';

/** `{ items, count }`, the usual list. */
export const listAnswer = <T>(items: readonly T[]): { items: readonly T[]; count: number } => ({
  items,
  count: items.length,
});

/** `{ items, totalCount }`, one page of a longer list; `isTotalLowerBound` where there are more than were counted. */
export const pageAnswer = <T>(
  items: readonly T[],
  totalCount: number,
  isTotalLowerBound?: true,
): { items: readonly T[]; totalCount: number; isTotalLowerBound?: true } => ({
  items,
  totalCount,
  ...(isTotalLowerBound && { isTotalLowerBound }),
});

/** Where counts of unlimited lists end: counting a million rows takes as long as reading them. */
export const COUNTED_ROWS = 10_000;

/** Most rows before a page of an unlimited list: the database reads all of them. Clients use `after` to get further. */
export const DEEPEST_PAGE = 100_000;

/** Rows of an unlimited list that are searched for parts of texts. */
export const SEARCHED_ROWS = 100_000;

export interface PageRequest {
  readonly page?: number | undefined;
  readonly pageSize?: number | undefined;
  readonly skip?: number | undefined;
  readonly take?: number | undefined;
}

/** Rows of a page where a request does not say how many. */
export const DEFAULT_PAGE = 100;
/** Writing a larger page would block the event loop for too long. */
const MAX_PAGE = 10_000;

/**
 * The window that a request asks for.
 * @param defaultTake without a page size @default everything
 * @throws InvalidRequestError for more rows than a page may have
 */
export function windowOf(request: PageRequest, defaultTake: number): { skip: number; take: number };
export function windowOf(request: PageRequest): { skip: number; take: number } | undefined;
export function windowOf(request: PageRequest, defaultTake?: number): { skip: number; take: number } | undefined {
  const { page, pageSize, skip, take } = request;
  requirePage('pageSize', pageSize);
  requirePage('take', take);
  // A whole page counts before a part of a range, and before a whole one, as in the reference.
  const isPage = page !== undefined && pageSize !== undefined;
  if (!isPage && (skip !== undefined || take !== undefined))
    return { skip: Math.max(0, skip ?? 0), take: Math.max(0, take ?? defaultTake ?? Number.MAX_SAFE_INTEGER) };
  const size = pageSize ?? defaultTake;
  if (size === undefined) return undefined;
  // A page has no beginning without a size: then the first rows are answered, where the reference answers all of them.
  if (!isPage) return { skip: 0, take: size };
  // Databases refuse offsets beyond that; there is nothing on such a page.
  return { skip: Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, page) * size), take: size };
}

function requirePage(member: string, size: number | undefined): void {
  if (size === undefined || size <= MAX_PAGE) return;
  throw InvalidRequestError.at(
    member,
    `'${member}' must be ${MAX_PAGE} or less, but it is ${size}. Request one page at a time.`,
  );
}
