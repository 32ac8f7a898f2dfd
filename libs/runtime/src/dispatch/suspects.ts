import type { WorkflowClock } from '../clock/workflow-clock.js';
import type { OutboxMessage } from '../persistence/records.js';
import type { WorkflowPersistence } from '../persistence/workflow-persistence.js';

/** Nodes that died while they had a message, from which on it may be the cause. */
const DEATHS = 2;

/**
 * A message that ends its process takes others with it, which that node was serving at the same time: each of them has had a
 * node die, and no more is known. So of those, a node serves one at a time, and does not hold the others: the culprit's
 * next deaths are its own, and the others are not set aside with it.
 */
export class Suspects {
  private current: string | undefined;
  private othersWait = false;

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly clock: WorkflowClock,
  ) {}

  /** Of claimed messages those to serve now. The rest is given back uncounted, for this node later, or another one. */
  async pick(claimed: readonly OutboxMessage[]): Promise<readonly OutboxMessage[]> {
    const suspects = claimed.filter(isSuspect);
    if (suspects.length === 0) return claimed;
    const next = this.current === undefined ? suspects[0] : undefined;
    if (next) this.current = next.id;
    const now = new Date(this.clock.now());
    for (const { id } of suspects)
      if (id !== next?.id) {
        this.othersWait = true;
        await this.persistence.outbox.postpone(id, now);
      }
    return claimed.filter((message) => message === next || !isSuspect(message));
  }

  /** @returns true when others wait for their turn */
  served({ id }: OutboxMessage): boolean {
    if (this.current !== id) return false;
    this.current = undefined;
    const { othersWait } = this;
    this.othersWait = false;
    return othersWait;
  }
}

/** One that failed has said why, and harms nobody. */
function isSuspect({ attempts, lastError }: OutboxMessage): boolean {
  return attempts >= DEATHS && lastError === undefined;
}
