import type { WorkflowClock } from '../clock/workflow-clock.js';
import type { LongClaim } from '../persistence/message-stores.js';
import type { OutboxMessage } from '../persistence/records.js';
import { DeliveryPool } from './delivery-pool.js';
import { FairTurns } from './fair-turns.js';
import { HEAD_START_MS } from './head-start.js';

/**
 * The places for long work. What has no place here is left to all nodes at once: nothing waits in a process while others
 * have a place for it, and a place that becomes free is filled at once.
 */
export class LongWorkPool extends DeliveryPool {
  readonly line = new FairTurns();
  /** More may wait in the store than there were places for. */
  hasMore = false;
  /** Messages that are being committed and get a place here afterwards, and until when they are expected. */
  private readonly promised = new Map<string, number>();
  private claimed = 0;

  constructor(
    concurrency: number,
    private readonly clock: WorkflowClock,
    serve: (message: OutboxMessage) => Promise<void>,
    onServed: () => void,
    mostAside: number,
    onPlace: () => void,
  ) {
    super(concurrency, concurrency, serve, onServed, mostAside, onPlace);
  }

  /** Places that are neither taken nor promised. */
  override get free(): number {
    const now = this.clock.monotonic();
    // A commit that failed keeps no place.
    for (const [id, until] of this.promised) {
      if (until > now) break;
      this.promised.delete(id);
    }
    return Math.max(0, super.free - this.promised.size - this.claimed);
  }

  /** Keeps a place for a new message. False when there is none, or others wait for it already. */
  promise(id: string, headStartMs = HEAD_START_MS): boolean {
    if (this.hasMore || this.free === 0) return false;
    this.promised.set(id, this.clock.monotonic() + headStartMs);
    return true;
  }

  /** A message is stored. If false, it has no place, and is claimed like those of other nodes. */
  redeems(id: string): boolean {
    if (this.promised.delete(id)) return true;
    this.hasMore = true;
    return false;
  }

  /** All free places, of which there is one at least, are kept until `end` is called with what it found; undefined: it failed. */
  beginClaim(): { readonly asked: Required<LongClaim>; readonly end: (found?: readonly OutboxMessage[]) => void } {
    const asked = { limit: this.free, fromTurn: this.line.begin() };
    this.claimed += asked.limit;
    this.hasMore = false;
    return {
      asked,
      end: (found) => {
        this.claimed -= asked.limit;
        if (!found) return;
        const turns = found.flatMap(({ turn }) => turn ?? []);
        if (this.line.found(asked.fromTurn, turns, asked.limit)) this.hasMore = true;
      },
    };
  }
}
