/** A row whose time has come, or will. */
export interface DueRow {
  readonly id: string;
  readonly dueAt: Date;
}

/** What a look at the store is for. */
export interface DueLook {
  readonly now: Date;
  /** The next look comes then at the latest. */
  readonly until: Date;
  /** Free places: rows that can be fired at once, or groups of rows where those of one group share a place; 1 or more. */
  readonly free: number;
  /** Rows that are being fired here or wait for a retry: a store that reads those too must look past them. */
  readonly held: number;
  /** Ids of those that are being fired here. */
  readonly running: readonly string[];
  /** Ids of those that have failed here, and are tried again. */
  readonly failed: ReadonlySet<string>;
  /** Groups of which enough is being fired here, or that this node cannot read: nothing more of them is taken. */
  readonly fullGroups: readonly string[];
}

export interface DueRows<Row extends DueRow = DueRow> {
  /** Earliest first. Some may be due later, or be held. */
  readonly rows: readonly Row[];
  /** More than these may be due now. */
  readonly hasMore: boolean;
  /** When something is due, or free to be taken, that is not among the rows. */
  readonly nextAt?: Date | undefined;
  /** The time of the store by which all that is said. @default `now` of the look */
  readonly decidedAt?: Date | undefined;
}

/** Thrown by `DueWork.fire`: the row is in order, and waits for something else to end. It is looked at again within a second. */
export class OccurrenceWaits extends Error {}

/** One kind of rows with a due time, and what firing one of them means. */
export interface DueWork<Row extends DueRow = DueRow> {
  /** For logs: `trigger`, `schedule` (of the application) or `bookmark`. */
  readonly kind: 'trigger' | 'schedule' | 'bookmark';
  /**
   * If true, found rows may wait in this process for a place, because most are claimed, so that no other node fires them.
   * @default false
   */
  readonly mayWait?: boolean;
  /** Finds what is due. Where rows can be claimed, those it returns are this node's. */
  find(look: DueLook): Promise<DueRows<Row>>;
  /**
   * Fires a row once. Resolves as well when another node was faster: in both cases the row is not due any more.
   * @returns when the row is due again, if ever
   * @throws whatever kept it from firing: it is tried again later
   */
  fire(row: Row): Promise<Date | null>;
  /** Where rows can be claimed: gives back one that was not fired, for any node from that time on. */
  giveBack?(row: Row, availableAt: Date): Promise<void>;
  /**
   * Rows of one group are fired together, in one place of the pool: what they change is one, so they would wait for each other
   * while others could be fired. @default each row is a group of its own
   */
  groupOf?(row: Row): string;
  /** What the row is, for logs. */
  describe(row: Row): string;
}
