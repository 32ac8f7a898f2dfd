import type { OutboxMessage } from '../persistence/records.js';

/** Serves messages of one kind. It must consume the message: in the commit it causes, or by deleting it. */
export interface OutboxHandler {
  /** Kind of the messages that it serves. */
  readonly kind: string;
  /** If true, it may take minutes or hours. Such messages have places of their own (`backgroundConcurrency`). */
  readonly isLong?: boolean;
  /** The turn, below 0, at which a new message has to wait for a place; undefined: it can be served. */
  waitsAt?(payload: unknown): number | undefined;
  /**
   * Serves a message; what it throws counts as a failed attempt.
   * @param signal aborted when another node serves the message, or `findObsolete` names it
   */
  handle(message: OutboxMessage, signal: AbortSignal): Promise<void>;
  /** Ids of those, among messages being served here, whose work is not waited for any more. Asked every few seconds. */
  findObsolete?(messages: readonly OutboxMessage[]): Promise<readonly string[]>;
  /** Its attempts are used up: notify what waits for it. It becomes a dead letter afterwards, unless this consumed it. */
  abandon?(message: OutboxMessage, error: string): Promise<void>;
}
