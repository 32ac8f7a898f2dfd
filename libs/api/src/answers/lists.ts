/** `{ items, count }`, the usual list. */
export const listAnswer = <T>(items: readonly T[]): { items: readonly T[]; count: number } => ({
  items,
  count: items.length,
});

/** `{ items, totalCount }`, one page of a longer list. */
export const pageAnswer = <T>(
  items: readonly T[],
  totalCount: number,
): { items: readonly T[]; totalCount: number } => ({
  items,
  totalCount,
});

export interface PageRequest {
  readonly page?: number | undefined;
  readonly pageSize?: number | undefined;
  readonly skip?: number | undefined;
  readonly take?: number | undefined;
}

/** The window that a request asks for; without a page size it is everything, unless a default is given. */
export function windowOf(request: PageRequest, defaultTake?: number): { skip: number; take: number } | undefined {
  const { page, pageSize, skip, take } = request;
  if (skip !== undefined || take !== undefined)
    return { skip: Math.max(0, skip ?? 0), take: Math.max(0, take ?? defaultTake ?? Number.MAX_SAFE_INTEGER) };
  if (pageSize !== undefined) return { skip: Math.max(0, page ?? 0) * pageSize, take: pageSize };
  return defaultTake === undefined ? undefined : { skip: 0, take: defaultTake };
}
