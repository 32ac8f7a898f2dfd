/**
 * How long a client wants to wait for an answer, in milliseconds, by the header `Prefer: wait=N` of RFC 7240, whose unit is
 * the second; undefined when it does not say. The first one counts, as the RFC has it.
 */
export function preferredWaitMs(prefer: string | undefined): number | undefined {
  if (prefer === undefined) return undefined;
  for (const preference of prefer.split(',')) {
    const [, seconds] = /^\s*wait\s*=\s*"?(\d{1,9})"?\s*(;|$)/i.exec(preference) ?? [];
    if (seconds !== undefined) return Number(seconds) * 1000;
  }
  return undefined;
}
