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

/** A window on rows in order of id: the next one begins where this one ends, however many rows there are. */
export interface IdPage {
  /** The last id of the window before. @default begins with the first row */
  readonly after?: string | undefined;
  /** Rows to return at most. */
  readonly limit: number;
}
