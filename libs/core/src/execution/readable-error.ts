import { ErrorNotReadableError, reasonOf } from '../errors/error-not-readable.js';
import { endsBurst } from '../errors/waymark-error.js';
import { toExceptionState } from '../state/exception-state.js';

/**
 * Returns what was thrown, or an error in its place if it cannot be read. Otherwise the burst would fail instead of the activity, and each
 * delivery would repeat what the burst did. Also for what a listener threw.
 */
export function readableError(thrown: unknown): unknown {
  try {
    endsBurst(thrown);
    toExceptionState(thrown);
    return thrown;
  } catch (error) {
    return new ErrorNotReadableError(reasonOf(error));
  }
}
