import { WaymarkError } from '@waymark/core';

/** The server could not be reached, or the connection broke before its answer was complete. */
export class ConnectionFailedError extends WaymarkError {
  readonly code = 'WM5010';
  constructor(
    readonly method: string,
    readonly url: string,
    cause: unknown,
  ) {
    const reason = (cause as { code?: string; message?: string } | undefined) ?? {};
    super(
      `${method} ${url} failed to connect: ${[reason.code, reason.message].filter(Boolean).join(' ') || 'unknown reason'}.`,
      { cause },
    );
  }
}

/** The answer took too long. */
export class OutgoingTimeoutError extends WaymarkError {
  readonly code = 'WM5011';
  constructor(
    readonly method: string,
    readonly url: string,
    readonly timeoutMs: number,
  ) {
    super(`${method} ${url} was not answered within ${timeoutMs} ms.`);
  }
}

/** A request that cannot be sent as it is described. */
export class InvalidOutgoingRequestError extends WaymarkError {
  readonly code = 'WM5012';
}
