import { ErrorNotReadableError, reasonOf } from '../errors/error-not-readable.js';
import { endsBurst } from '../errors/waymark-error.js';
import { toExceptionState } from '../state/exception-state.js';

/**
 * What was thrown, or an error in its place when reading it fails: that would fail the burst instead of the activity, and what the burst
 * did would be done again with each delivery. For what a listener threw, too.
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
