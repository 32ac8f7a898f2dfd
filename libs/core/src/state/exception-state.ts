import { FaultError } from '../errors/execution-errors.js';
import { toErrorLike } from '../errors/waymark-error.js';
import { CarriedFault } from './stored-fault.js';
import type { ExceptionState } from './workflow-state.js';

/** How deep a chain of causes is kept. */
const MAX_DEPTH = 8;
/**
 * Characters that are kept of each text. A fault is written several times: incident, journal, record and answer each have its
 * message, and the stack has it once more.
 */
const MAX_CHARS = 32_000;

/**
 * An error as it is stored with incidents and records; texts of more than 32,000 characters are cut.
 * @param secrets of the burst; they are removed before a text is cut, or the beginning of one at the cut would stay. The caller redacts
 * members by their names
 */
export function toExceptionState(
  thrown: unknown,
  secrets?: { shownError(text: string): string },
  depth = 0,
): ExceptionState {
  if (thrown instanceof CarriedFault) return thrown.fault.exception;
  const error = toErrorLike(thrown);
  const kept = (text: string): string => shortened(secrets ? secrets.shownError(text) : text);
  // The name that the wire format and its clients know it by.
  const type = thrown instanceof FaultError ? 'FaultException' : kept(error.name);
  const state: ExceptionState = { type, message: kept(error.message) };
  if (error.stack) state.stackTrace = kept(error.stack);
  if (error.cause !== undefined && error.cause !== thrown && depth < MAX_DEPTH)
    state.innerException = toExceptionState(error.cause, secrets, depth + 1);
  const code = (thrown as { code?: unknown } | null)?.code;
  if (thrown instanceof FaultError) state.metadata = textsOf(thrown.fault, kept);
  else if (typeof code === 'string' || typeof code === 'number') state.metadata = textsOf({ code }, kept);
  return state;
}

/** What the journal says of a fault. A business fault has the full name, and the source, that clients of Elsa know it by. */
export function faultPayload({ type, message, metadata, stackTrace }: ExceptionState): Record<string, unknown> {
  const known = type === 'FaultException' && { source: 'Elsa.Workflows.Core' };
  const exception = known ? 'Elsa.Workflows.Exceptions.FaultException' : type;
  return { exception, message, ...known, data: metadata ?? {}, stackTrace };
}

/** @returns the text, or its beginning with a mark where it is long */
export function shortened(text: string): string {
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text;
}

const textsOf = (values: object, kept: (text: string) => string): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? kept(value) : value]),
  );
