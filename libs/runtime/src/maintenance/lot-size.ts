import { isStoreOutage } from '../persistence/persistence-errors.js';

/** What a lot grows by when an earlier one was too large: a twentieth of the largest. */
const STEPS = 20;

/**
 * How many rows are removed at a time. What takes the database longer than it may take is tried in smaller lots, or it would never be
 * removed; they grow again while they are done in time.
 */
export class LotSize {
  private size: number;

  constructor(private readonly largest: number) {
    this.size = largest;
  }

  /**
   * Removes the next lot.
   * @param remove removes `limit` rows at most. @returns how many there were
   * @returns true when the lot was full: there may be more
   */
  async take(remove: (limit: number) => Promise<number>): Promise<boolean> {
    const limit = this.size;
    try {
      const isFull = (await remove(limit)) === limit;
      if (isFull) this.size = Math.min(this.largest, limit + Math.ceil(this.largest / STEPS));
      return isFull;
    } catch (error) {
      if (isStoreOutage(error)) this.size = Math.max(1, Math.floor(limit / 2));
      throw error;
    }
  }
}
