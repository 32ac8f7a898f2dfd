import type { WorkflowClock } from '../clock/workflow-clock.js';

/** For so long a node takes work ahead. */
const AHEAD_MS = 100;
/** For each place: what waits in one process, waits there although another may have a place for it. */
const HELD_PER_PLACE = 8;

/**
 * How many messages of a backlog a node holds: as many as it has places for, and if it serves them fast, as many as it has just
 * served in a short time. A look at the store for each message that ends would cost as much as a short message does; one for
 * a whole batch, when it has ended, would leave places empty while one message takes long.
 */
export class FetchPace {
  private served = 0;
  private since = -Infinity;

  constructor(
    private readonly clock: WorkflowClock,
    private readonly places: number,
  ) {}

  note(): void {
    this.served++;
  }

  /** How many to fetch now. @param held being served or waiting here */
  wanted(held: number): number {
    const worthHolding = this.worthHolding;
    // At half, so that there is work while the store is asked. A free place is never left empty.
    if (held > Math.max(worthHolding / 2, this.places - 1)) return 0;
    const wanted = Math.max(worthHolding - held, 1);
    // Not any number: databases prepare a statement for each.
    return wanted > this.places ? wanted - (wanted % this.places) : wanted;
  }

  /** The store is asked now. */
  begin(): void {
    this.served = 0;
    this.since = this.clock.monotonic();
  }

  private get worthHolding(): number {
    const elapsed = Math.max(1, this.clock.monotonic() - this.since);
    const soon = Math.round((this.served * AHEAD_MS) / elapsed);
    return Math.min(Math.max(soon, this.places), this.places * HELD_PER_PLACE);
  }
}
