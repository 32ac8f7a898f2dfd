import { WaymarkError } from '@waymark/core';

/** The client went away before its request was complete. */
export class RequestAbortedError extends WaymarkError {
  readonly code = 'WM5002';
  constructor(options?: { cause?: unknown }) {
    super('The client closed the connection before the request was complete. Nothing was started or resumed.', options);
  }
}
