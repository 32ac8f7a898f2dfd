/** Characters of values in the journal of a burst: a hundred steps may show a hundred texts of megabytes. */
const MOST_CHARS = 8_000_000;
/** What one of many has in any case: a commit for a few values each would cost more than it saves. */
const LEAST_CHARS = 100_000;
/** Of all bursts together. */
const ALL_CHARS = 32_000_000;

/**
 * How many characters of values a burst may hold until it is committed. Bursts that run at the same time share what there is: with all of
 * the limit for each, 150 of them took more memory than a process with a heap of 400 MB has.
 */
export class JournalShare {
  private bursts = 0;
  private share = MOST_CHARS;

  get chars(): number {
    return this.share;
  }

  /** A burst runs beside others. */
  enter(): void {
    this.count(1);
  }

  leave(): void {
    this.count(-1);
  }

  private count(more: number): void {
    this.bursts += more;
    this.share = Math.max(LEAST_CHARS, Math.min(MOST_CHARS, Math.floor(ALL_CHARS / Math.max(1, this.bursts))));
  }
}
