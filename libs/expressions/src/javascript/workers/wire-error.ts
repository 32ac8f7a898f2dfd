import { isWaymarkError } from '@waymark/core';
import { toErrorLike } from '@waymark/core/adapter';
import {
  ExpressionFailedError,
  ExpressionMemoryError,
  ExpressionSizeError,
  ExpressionSyntaxError,
  ExpressionTimeoutError,
  ExpressionTransferError,
} from '../../errors/expression-errors.js';

/** An error on its way from a thread: structured cloning would keep neither its class nor its members. */
export interface WireError {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  readonly members?: Readonly<Record<string, unknown>>;
  readonly cause?: WireError;
  /** The error itself never left the main thread; its number there. */
  readonly host?: number;
}

/** Stands for an error of the host in the thread, which knows only its number. */
export class HostErrorNumber extends Error {
  constructor(readonly host: number) {
    super('An error of the host.');
  }
}

export function toWire(error: unknown): WireError {
  const { name, message, cause } = toErrorLike(error);
  if (error instanceof HostErrorNumber) return { name, message, host: error.host };
  const wire: WireError = { name, message, ...(cause === undefined ? {} : { cause: toWire(cause) }) };
  if (!isWaymarkError(error)) return wire;
  const { name: _name, cause: _cause, code, ...members } = error as unknown as Record<string, unknown>;
  return { ...wire, code: String(code), members };
}

/**
 * The error that the sandbox would have thrown here.
 * @param findHostError an error of the host by its number
 */
export function fromWire(wire: WireError, findHostError: (number: number) => unknown): unknown {
  if (wire.host !== undefined) return findHostError(wire.host);
  const cause = wire.cause && fromWire(wire.cause, findHostError);
  const error = rebuild(wire, cause === undefined ? undefined : { cause });
  // The constructors make texts of their members; some texts were given more.
  error.message = wire.message;
  return error;
}

function rebuild({ code, name, message, members }: WireError, options: { cause: unknown } | undefined): Error {
  const m = (members ?? {}) as Record<string, never>;
  switch (code) {
    case 'WM4001':
      return new ExpressionTimeoutError('JavaScript', m['timeoutMs']!, m['option']!);
    case 'WM4002':
      return new ExpressionMemoryError('JavaScript', m['limit']!, options);
    case 'WM4003':
      return new ExpressionFailedError('JavaScript', m['errorName']!, m['errorMessage']!, m['line'], options);
    case 'WM4004':
      return new ExpressionSyntaxError('JavaScript', m['errorMessage']!, m['line'], m['column']);
    case 'WM4005':
      return new ExpressionTransferError(message, options);
    case 'WM4008':
      return new ExpressionSizeError('JavaScript', m['what']!, m['size']!, m['limit']!, m['option']!);
    default:
      return Object.assign(new Error(message, options), { name, ...(code === undefined ? {} : { code }) });
  }
}
