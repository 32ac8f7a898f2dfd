import type { OutboxMessage } from '../persistence/records.js';
import type { PoisonMessageGuard } from './poison-message-guard.js';

/** Of a claim. */
export interface PickedMessages {
  /** Can be served now. */
  readonly taken: OutboxMessage[];
  /** To be given back. */
  readonly left: OutboxMessage[];
}

/**
 * Which claimed messages can be served now.
 * @param isLong whether a message is long work
 * @param places for long work, free ones and those kept for this claim
 */
export function pickMessages(
  claimed: readonly OutboxMessage[],
  isLong: (message: OutboxMessage) => boolean,
  places: number,
  poisonGuard: PoisonMessageGuard,
): PickedMessages {
  const long = claimed.filter(isLong);
  // A node of the version before has sent those, which come with the others: more than there are places for.
  const old = long.filter(hasNoTurn);
  const surplus = new Set(old.slice(Math.max(0, places - (long.length - old.length))));
  const { picked, left } = poisonGuard.pick(claimed.filter((message) => !isLong(message)));
  return { taken: [...picked, ...long.filter((message) => !surplus.has(message))], left: [...left, ...surplus] };
}

/** Whether it waits for a place of its definition, or for a node with its code. */
export function isWaiting(message: OutboxMessage): message is OutboxMessage & { turn: number } {
  return message.turn !== undefined && message.turn < 0;
}

export function hasNoTurn({ turn }: OutboxMessage): boolean {
  return turn === undefined;
}
