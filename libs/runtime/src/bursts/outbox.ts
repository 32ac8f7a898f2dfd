import type { OutgoingMessage } from '@waymark/core/adapter';
import type { OutboxMessage } from '../persistence/records.js';

/** Which instance long work is for, and how much of it waits already. */
export interface LineOf {
  readonly definitionId: string;
  /** How many long messages of the instance were sent before and are not served yet. Asked only where there are more. */
  readonly ahead: () => number;
}

/** What a burst sends is stored in its commit, and served once that is done. */
export abstract class Outbox {
  /**
   * Rows for messages; the caller stores them in its commit and then calls `deliverSoon`.
   * @param line whose long work they are, if any of them is. @default long work waits by its time alone
   */
  abstract prepare(messages: readonly OutgoingMessage[], line?: LineOf): OutboxMessage[];
  /** A row for a message whose work is done here by other means: see `holdWhile`. */
  abstract prepareHeld(message: OutgoingMessage): OutboxMessage;
  /** Keeps a stored message from other nodes while its work is done here by other means. */
  abstract holdWhile<T>(message: OutboxMessage, task: () => Promise<T>): Promise<T>;
  /**
   * Whether a held message that was just stored is still this node's. Well within its head start that is known at once. Afterwards it
   * is claimed for longer first: when a slow store has kept the commit for that long, another node may be doing the work by then.
   */
  abstract isOurs(message: OutboxMessage): boolean | Promise<boolean>;
  /** True while the first of these is being served in a place of this node, and not held for others who do its work. */
  abstract isServing(messageIds: readonly string[] | undefined): boolean;
  /**
   * Waits for what is not the work of messages, such as the turn of their instance: if they are being served here, others have
   * their places meanwhile. They stay claimed.
   */
  abstract whileAside<T>(messageIds: readonly string[] | undefined, waiting: Promise<T>): Promise<T>;
  /** Serves stored messages without waiting for it. */
  abstract deliverSoon(messages: readonly OutboxMessage[]): void;
}
