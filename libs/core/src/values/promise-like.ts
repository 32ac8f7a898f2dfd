/** Returns true if a value has to be awaited. What is there already costs no promise (ADR 5). */
export function isPromiseLike(value: unknown): value is Promise<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

/**
 * For a promise that an activity gave as a value: it is refused when it is stored, and until then its rejection has no other handler and
 * would end the process, as it would the next one that runs the instance. Does not call anything else of a value.
 */
export function handleRejection(value: object): void {
  try {
    if (value instanceof Promise) void value.catch(() => undefined);
  } catch {
    // A proxy that fails. What stores it says so.
  }
}
