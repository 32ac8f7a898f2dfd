import type { WorkflowClock } from '../clock/workflow-clock.js';

/** For so long a node takes work ahead, unless the store is slow. */
const AHEAD_MS = 100;
/** What is fetched when half is left must be here before the other half has been served. */
const LOOKS_AHEAD = 2;
/** For each place: what waits in one process, waits there although another may have a place for it. */
const HELD_PER_PLACE = 8;

/**
 * How many messages of a backlog a node holds: as many as it has places for, and beside them, as many as it serves within a short
 * time, or while it looks at the store. A look for each message that ends would cost as much as a short message does; one for
 * a whole batch, when it has ended, would leave places empty while one message takes long, and all of them while the store answers.
 */
export class FetchPace {
  private served = 0;
  private since = -Infinity;
  private lookMs = 0;

  constructor(
    private readonly clock: WorkflowClock,
    private readonly places: number,
  ) {}

  note(): void {
    this.served++;
  }

  /** How many to fetch now. @param held being served or waiting here */
  wanted(held: number): number {
    const { ahead } = this;
    // At half, so that there is work while the store is asked. A free place is never left empty.
    return held < this.places || held - this.places < ahead / 2 ? Math.max(this.places + ahead - held, 1) : 0;
  }

  /** The store is asked now. */
  begin(): void {
    this.served = 0;
    this.since = this.clock.monotonic();
  }

  /** The store has answered. */
  answered(): void {
    this.lookMs = this.clock.monotonic() - this.since;
  }

  /** Beside those that are being served. */
  private get ahead(): number {
    const elapsed = Math.max(1, this.clock.monotonic() - this.since);
    const soon = Math.round((this.served * Math.max(AHEAD_MS, LOOKS_AHEAD * this.lookMs)) / elapsed);
    return Math.min(soon, this.places * (HELD_PER_PLACE - 1));
  }
}
