import type { DeliveryPool } from './delivery-pool.js';

/** Then a message has had its place for long: others get it. */
const LONG_MS = 60_000;

interface Held {
  readonly pool: DeliveryPool;
  readonly since: number;
}

/** The messages that have a place here, those that have had it longest first. */
export class HeldPlaces {
  private readonly held = new Map<string, Held>();

  /**
   * @param now monotonic, in milliseconds
   * @param onLent others have the place of that message now
   */
  constructor(
    private readonly now: () => number,
    private readonly onLent: (id: string) => void,
  ) {}

  has(id: string): boolean {
    return this.held.has(id);
  }

  take(id: string, pool: DeliveryPool): void {
    this.held.set(id, { pool, since: this.now() });
  }

  leave(id: string): void {
    this.held.delete(id);
  }

  /** Others have the place of that message while it waits for what is not its work, unless too many wait so. */
  async whileAside<T>(id: string | undefined, waiting: Promise<T>): Promise<T> {
    const pool = id === undefined ? undefined : this.held.get(id)?.pool;
    // One that keeps its place stays in the list: what it waits for may be a call that never returns.
    if (!pool?.hasRoomAside) return waiting;
    this.leave(id!);
    try {
      return await pool.whileAside(waiting);
    } finally {
      this.take(id!, pool);
    }
  }

  /** Others have its place from now on, as long as the pool lends any: it may never end. */
  lend(id: string): void {
    if (!this.held.get(id)?.pool.lend(id)) return;
    this.leave(id);
    this.onLent(id);
  }

  /**
   * Lends the places of those that have had them for long: of a call that waits for an answer, which may never come.
   * @returns true when the pool lends no more, and has no place for anything else
   */
  lendLong(of: DeliveryPool): boolean {
    let kept = 0;
    for (const [id, { pool, since }] of this.held) {
      if (this.now() - since < LONG_MS) break;
      if (pool !== of) continue;
      this.lend(id);
      if (this.has(id)) kept++;
    }
    return kept >= of.concurrency;
  }
}
