import { WaymarkError } from './waymark-error.js';

/** Replaces a thrown value that cannot be read, because one of its members fails or it is a revoked proxy. */
export class ErrorNotReadableError extends WaymarkError {
  readonly code = 'WM7040';

  constructor(
    /** Why it cannot be read, as far as that can be said. */
    readonly reason: string,
  ) {
    super(`The thrown value cannot be read: ${reason}. Throw an Error whose members are plain values.`);
  }
}

/** Never throws: what a getter or a trap throws may fail again when it is read. */
export function reasonOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return 'reading it fails';
  }
}
