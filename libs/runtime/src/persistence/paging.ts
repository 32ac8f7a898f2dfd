/** A window on an ordered result. */
export interface Page {
  /** Rows to leave out at the start. */
  readonly skip: number;
  /** Rows to return at most. */
  readonly take: number;
  /**
   * Rows that are counted at least; further ones, and those of the next few pages, are left uncounted, because counting
   * a million rows reads a million rows. @default all are counted
   */
  readonly countUpTo?: number | undefined;
}

/** A page of a list, and how many rows there are in all. */
export interface PagedResult<T> {
  /** The rows of the page. */
  readonly items: T[];
  /** Rows that match, whatever the page. */
  readonly totalCount: number;
  /** There are more than `totalCount`: see `Page.countUpTo`. */
  readonly isTotalLowerBound?: true;
}

/** Pages after the asked one that are counted in any case, so that a list can be paged to its end. */
const PAGES_AHEAD = 10;

/** How many rows a page has counted, at most. */
export function countLimit({ skip, take, countUpTo }: Page): number | undefined {
  return countUpTo === undefined ? undefined : Math.max(countUpTo, skip + (1 + PAGES_AHEAD) * take);
}

/** The total of a list that was counted up to a limit. @param counted matching rows, of which one more than the limit may have been counted. */
export function countedTotal(counted: number, limit: number | undefined): Omit<PagedResult<unknown>, 'items'> {
  if (limit === undefined || counted <= limit) return { totalCount: counted };
  return { totalCount: limit, isTotalLowerBound: true };
}

/** A window on rows in order of id: the next one begins where this one ends, however many rows there are. */
export interface IdPage {
  /** The last id of the window before. @default begins with the first row */
  readonly after?: string | undefined;
  /** Rows to return at most. */
  readonly limit: number;
}
