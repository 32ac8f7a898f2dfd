import { FaultError } from '../errors/execution-errors.js';
import { toErrorLike } from '../errors/waymark-error.js';
import { CarriedFault } from './stored-fault.js';
import type { ExceptionState } from './workflow-state.js';

/** How deep a chain of causes is kept. */
const MAX_DEPTH = 8;

/** An error as it is stored with incidents and records. */
export function toExceptionState(thrown: unknown, depth = 0): ExceptionState {
  if (thrown instanceof CarriedFault) return thrown.fault.exception;
  const error = toErrorLike(thrown);
  // The name that the wire format and its clients know it by.
  const type = thrown instanceof FaultError ? 'FaultException' : error.name;
  const state: ExceptionState = { type, message: error.message };
  if (error.stack) state.stackTrace = error.stack;
  if (error.cause !== undefined && error.cause !== thrown && depth < MAX_DEPTH)
    state.innerException = toExceptionState(error.cause, depth + 1);
  const code = (thrown as { code?: unknown } | null)?.code;
  if (thrown instanceof FaultError) state.metadata = { ...thrown.fault };
  else if (typeof code === 'string' || typeof code === 'number') state.metadata = { code };
  return state;
}
