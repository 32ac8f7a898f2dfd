/**
 * Base class of every error that Waymark throws deliberately. Compare by `code`, never by `instanceof`: a process may hold two
 * copies of a package, and errors cross serialization (W10).
 */
export abstract class WaymarkError extends Error {
  /** Stable identifier, `WM` and four digits; documented in docs/errors.md; never reused for another meaning. */
  abstract readonly code: string;

  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
  }
}

/**
 * Returns true for an error with a Waymark code, no matter which copy of the package created it.
 * @example
 * if (isWaymarkError(error, 'WM7002')) return false; // another caller was faster
 */
export function isWaymarkError(error: unknown, code?: string): error is WaymarkError {
  const found = (error as { code?: unknown } | null | undefined)?.code;
  return typeof found === 'string' && /^WM\d{4}$/.test(found) && (code === undefined || code === found);
}

/**
 * Returns true for errors that concern not the workflow but the infrastructure, such as a store that does not answer. They end
 * the burst without storing anything, so that it can be repeated; a faulted activity would be stored.
 */
export function endsBurst(error: unknown): boolean {
  return (error as { endsBurst?: unknown } | null | undefined)?.endsBurst === true;
}

/** Converts a thrown value to an `Error`-like object; `instanceof Error` fails for errors of another realm. */
export function toErrorLike(thrown: unknown): { name: string; message: string; stack?: string; cause?: unknown } {
  if (typeof thrown === 'object' && thrown !== null && 'message' in thrown) {
    const e = thrown as { name?: unknown; message: unknown; stack?: unknown; cause?: unknown };
    return {
      name: typeof e.name === 'string' ? e.name : 'Error',
      message: String(e.message),
      stack: typeof e.stack === 'string' ? e.stack : undefined,
      cause: e.cause,
    };
  }
  return { name: 'Error', message: String(thrown) };
}
