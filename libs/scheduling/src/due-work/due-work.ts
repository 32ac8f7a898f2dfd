/** A row whose time has come, or will. */
export interface DueRow {
  readonly id: string;
  readonly dueAt: Date;
}

/** One kind of rows with a due time, and what firing one of them means. */
export interface DueWork<Row extends DueRow = DueRow> {
  /** For logs: `trigger` or `bookmark`. */
  readonly kind: 'trigger' | 'bookmark';
  /** Rows due at or before that time, earliest first. */
  find(before: Date, limit: number): Promise<Row[]>;
  /**
   * Fires a row once. Resolves as well when another node was faster: in both cases the row is not due any more.
   * @returns when the row is due again, if ever
   * @throws whatever kept it from firing: it is tried again later
   */
  fire(row: Row): Promise<Date | null>;
  /** What the row is, for logs. */
  describe(row: Row): string;
}
