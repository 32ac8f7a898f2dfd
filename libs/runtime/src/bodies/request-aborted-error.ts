import { WaymarkError } from '@waymark/core';

/** Thrown when a client disconnects before its request is complete. */
export class RequestAbortedError extends WaymarkError {
  readonly code = 'WM5002';
  constructor(options?: { cause?: unknown }) {
    super('The client closed the connection before the request was complete. Nothing was started or resumed.', options);
  }
}
