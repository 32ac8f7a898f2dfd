/** A window on an ordered result. */
export interface Page {
  /** Rows to leave out at the start. */
  readonly skip: number;
  /** Rows to return at most. */
  readonly take: number;
}

export interface PagedResult<T> {
  readonly items: T[];
  /** Rows that match, whatever the page. */
  readonly totalCount: number;
}
