import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

/** Hashed before other requests get their turn. */
const SLICE_BYTES = 8 * 1024 * 1024;

/** Strong entity tag of some content, the same as `entityTag` forms at once. */
export async function entityTagInTurns(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    if (at > 0) await setImmediate();
    hash.update(bytes.subarray(at, at + SLICE_BYTES));
  }
  return `"${hash.digest('base64url')}"`;
}
