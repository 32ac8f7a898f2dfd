const WINDOW_MS = 60_000;
/** Keys that are counted at a time; beyond, the one that was counted first is forgotten. */
const MOST_COUNTED = 1000;

interface Window {
  readonly endsAt: number;
  count: number;
}

/** What becomes of one line. */
export interface CountedLine {
  /** There were enough of its kind: it is left out. */
  readonly isOver: boolean;
  /** It is logged, and further ones of its kind are not. */
  readonly isLast: boolean;
  /** How many of its kind were left out before it, since the last one that was logged. */
  readonly unlogged: number;
  /** When lines of its kind are logged again, by the clock that was given. */
  readonly endsAt: number;
}

/** Counts lines of a log by their kind, within a minute each: the same fault of thousands must not fill the disk. */
export class LineLimit {
  private readonly windows = new Map<string, Window>();

  /**
   * @param lines of one kind within a minute
   * @param now in milliseconds, by any clock
   */
  constructor(
    private readonly lines: number,
    private readonly now: () => number,
  ) {}

  /** Counts a line. @param kind what lines that say the same have in common */
  count(kind: string): CountedLine {
    const now = this.now();
    const known = this.windows.get(kind);
    // A window that ends later than a new one would is from before the clock was set back.
    const isNew = known === undefined || now >= known.endsAt || known.endsAt > now + WINDOW_MS;
    const window = isNew ? { endsAt: now + WINDOW_MS, count: 0 } : known;
    if (isNew) this.begin(kind, window);
    window.count++;
    return {
      isOver: window.count > this.lines,
      isLast: window.count === this.lines,
      unlogged: isNew && known ? Math.max(0, known.count - this.lines) : 0,
      endsAt: window.endsAt,
    };
  }

  private begin(kind: string, window: Window): void {
    // Moved to the end of the map, which is ordered by the begin of the windows.
    this.windows.delete(kind);
    if (this.windows.size >= MOST_COUNTED) this.windows.delete(this.windows.keys().next().value!);
    this.windows.set(kind, window);
  }
}
