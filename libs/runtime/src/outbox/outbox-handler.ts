import { toErrorLike } from '@waymark/core/adapter';
import { isStoreOutage } from '../persistence/persistence-errors.js';
import type { OutboxMessage } from '../persistence/records.js';
import { isRefusedByNode } from './refused-by-node.js';

/** Why a message is given up that no node has failed with: each of them has ended while it served it. */
export const EVERY_NODE_DIED = 'Every node that processed it died.';

/** Serves messages of one kind. It must consume the message: in the commit it causes, or by deleting it. */
export interface OutboxHandler {
  /** Kind of the messages that it serves. */
  readonly kind: string;
  /** If true, it may take minutes or hours. Such messages have places of their own (`backgroundConcurrency`). */
  readonly isLong?: boolean;
  /** If true, its messages are put off while their instance is faulted: a repair makes them available at once. */
  readonly waitsForRepair?: boolean;
  /** The turn, below 0, at which a new message has to wait for a place; undefined: it can be served. */
  waitsAt?(payload: unknown): number | undefined;
  /**
   * Serves a message; what it throws counts as a failed attempt.
   * @param signal aborted when another node serves the message, or `findObsolete` names it
   */
  handle(message: OutboxMessage, signal: AbortSignal): Promise<void>;
  /** Ids of those, among messages being served here, whose work is not waited for any more. Asked every few seconds. */
  findObsolete?(messages: readonly OutboxMessage[]): Promise<readonly string[]>;
  /**
   * Its attempts are used up: notify what waits for it. It becomes a dead letter afterwards, unless this consumed it.
   * @throws NotGivenUp when it must not become one
   */
  abandon?(message: OutboxMessage, error: string): Promise<void>;
}

/** Thrown by `OutboxHandler.abandon`: the message stays, and is tried or given up again after a while. As a dead letter it would do harm. */
export class NotGivenUp extends Error {
  constructor(override readonly cause: unknown) {
    super(toErrorLike(cause).message, { cause });
  }
}

/**
 * For what the message is about, in `OutboxHandler.abandon`. While that fails, the message is not given up.
 * @throws NotGivenUp, faults of the store, and what another node may be able to do
 */
export async function orLater<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isStoreOutage(error) || isRefusedByNode(error)) throw error;
    throw new NotGivenUp(error);
  }
}
