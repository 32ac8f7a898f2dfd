import type { OutboxMessage } from '../persistence/records.js';

/** Nodes that died while they had a message, from which on it may be the cause. */
const DEATHS = 2;

/**
 * A message that ends its process takes others with it, which that node was serving at the same time: each of them has had a
 * node die, and no more is known. So of those, a node serves one at a time, and does not hold the others: the culprit's
 * next deaths are its own, and the others do not become dead letters with it.
 */
export class PoisonMessageGuard {
  private current: string | undefined;
  private othersWait = false;

  /** Of claimed messages those to serve now. Those left are to be given back, for this node later, or another one. */
  pick(claimed: readonly OutboxMessage[]): { picked: readonly OutboxMessage[]; left: readonly OutboxMessage[] } {
    const suspects = claimed.filter(isSuspect);
    if (suspects.length === 0) return { picked: claimed, left: [] };
    const next = this.current === undefined ? suspects[0] : undefined;
    if (next) this.current = next.id;
    const left = suspects.filter((message) => message !== next);
    if (left.length > 0) this.othersWait = true;
    return { picked: claimed.filter((message) => !left.includes(message)), left };
  }

  /** It is served, or is not served here. @returns true when others wait for their turn */
  served(id: string): boolean {
    if (this.current !== id) return false;
    this.current = undefined;
    const { othersWait } = this;
    this.othersWait = false;
    return othersWait;
  }
}

/** One that failed has said why, and does no harm. When a node dies with it afterwards, its claim forgets what it failed with. */
function isSuspect({ attempts, lastError }: OutboxMessage): boolean {
  return attempts >= DEATHS && lastError === undefined;
}
