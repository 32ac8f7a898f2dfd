import { canonicalJson } from '../values/canonical-json.js';

/** Version of the hash rule; part of every hash, so that a later rule can never match an older one by accident. */
const RULE = 'v1';

/**
 * Returns the hash of what a bookmark or trigger waits for: name and canonical JSON of the payload (sorted keys), plus the
 * activity instance id for private waits. Sender and waiter compute the same hash whatever the order of members.
 */
export function bookmarkHash(
  sha256: (text: string) => string,
  name: string,
  payload: unknown,
  activityInstanceId?: string,
): string {
  const parts = [
    RULE,
    name,
    payload === undefined || payload === null ? '' : canonicalJson(payload),
    activityInstanceId ?? '',
  ];
  return sha256(parts.join('|'));
}
