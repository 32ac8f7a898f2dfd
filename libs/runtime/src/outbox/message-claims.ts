import type { WorkflowClock } from '../clock/workflow-clock.js';
import type { LongClaim, WaitingClaim } from '../persistence/message-stores.js';
import type { OutboxMessage } from '../persistence/records.js';
import type { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import type { HeadStart } from './head-start.js';
import { LEASE_MS, type MessageLeases } from './message-leases.js';

/** What a claim is for: so many places of each pool. */
export interface ClaimedPlaces {
  readonly short: number;
  readonly long: Required<LongClaim>;
  readonly waiting: readonly WaitingClaim[];
  readonly exceptKinds: readonly string[];
}

/** Takes messages from the store for this node. */
export class MessageClaims {
  /** A claim failed: the store may hold it, and its answer was lost. Until its lease would end, it is looked for. */
  private lostUntil = -Infinity;

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly clock: WorkflowClock,
    private readonly leases: MessageLeases,
    private readonly owner: string,
    private readonly headStart: HeadStart,
  ) {}

  get looksForLost(): boolean {
    return this.clock.monotonic() < this.lostUntil;
  }

  async claim({ short, long, waiting, exceptKinds }: ClaimedPlaces): Promise<OutboxMessage[]> {
    const begun = this.clock.monotonic();
    try {
      const claimed = await this.persistence.outbox.claim({
        owner: this.owner,
        limit: short,
        long,
        waiting,
        leaseMs: LEASE_MS,
        now: this.clock.storeTime(),
        held: this.looksForLost ? this.leases.ids : undefined,
        exceptKinds,
      });
      this.headStart.note(this.clock.monotonic() - begun);
      return claimed;
    } catch (error) {
      this.lostUntil = this.clock.monotonic() + LEASE_MS;
      throw error;
    }
  }
}
