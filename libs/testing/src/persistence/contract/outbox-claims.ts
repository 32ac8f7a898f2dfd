import type { WorkflowPersistence } from '@waymark/runtime';
import type { OutboxMessage } from '@waymark/runtime/adapter';
import type { ContractContext } from './contract-context.js';

export const LEASE = 30_000;

interface ClaimGiven {
  readonly limit?: number;
  readonly owner?: string;
  readonly held?: readonly string[];
  readonly exceptKinds?: readonly string[];
  readonly long?: { readonly limit: number; readonly fromTurn?: number };
  readonly waiting?: readonly { readonly turn: number; readonly limit: number }[];
  readonly node?: WorkflowPersistence;
}

export const idsOf = (messages: readonly OutboxMessage[]) => messages.map((message) => message.id);

export function outboxClaims(context: ContractContext) {
  const claim = (now: Date, { node = context.store, ...given }: ClaimGiven = {}) =>
    node.outbox.claim({ owner: 'node-a', limit: 100, leaseMs: LEASE, now, ...given });

  /** Claims are over the whole outbox, so each test begins with an empty one. */
  async function drain(): Promise<void> {
    const farOff = new Date('2090-01-01T00:00:00Z');
    for (let claimed = await claim(farOff); claimed.length > 0; claimed = await claim(farOff)) {
      for (const message of claimed) await context.store.outbox.delete(message.id);
    }
  }

  return { claim, drain };
}
