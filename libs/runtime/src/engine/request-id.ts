import { sha256 } from './identity.js';

const ID_LENGTH = 16;

/**
 * A request that is repeated because its node died is the same instance again, with the same ids for its activities: so it
 * finds the children that it had started before it could be committed (W9).
 */
export function idOfRequest(requestKey: string): string {
  return sha256(`request/${requestKey}`).slice(0, ID_LENGTH).toLowerCase();
}
