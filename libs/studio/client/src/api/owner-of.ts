import type { Credentials } from './session.js';

/**
 * In whose name something is kept in this browser. A key is a person as well, or a machine that several use; of the key itself nothing is written down.
 * @param own whose the application's own session is, where the API tells
 */
export function ownerOf(credentials: Credentials | undefined, own?: string): string {
  if (credentials === undefined) return own === undefined ? '' : `session ${own}`;
  return credentials.kind === 'user' ? credentials.name : `key ${hashOf(credentials.key)}`;
}

/** A few characters that stand for a text. */
export function hashOf(text: string): string {
  let [high, low] = [0x811c9dc5, 0x1b873593];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0xcc9e2d51);
  }
  return `${text.length}-${high >>> 0}-${low >>> 0}`;
}
