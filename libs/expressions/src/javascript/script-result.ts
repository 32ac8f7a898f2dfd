import {
  ExpressionFailedError,
  ExpressionMemoryError,
  ExpressionSizeError,
  ExpressionTransferError,
} from '../errors/expression-errors.js';
import type { Evaluation } from './sandbox/evaluation.js';
import { isOutOfMemory, isStackOverflow, lineOf } from './sandbox/engine-error.js';
import { requireFewValues } from './transfer/few-values.js';
import { unpack } from './transfer/unpack.js';

/** The value that a script came to; `null` for none. See {@link checkResult}. */
export function readResult(...result: Parameters<typeof checkResult>): unknown {
  const [, { contents }] = result;
  return unpack(checkResult(...result), contents) ?? null;
}

/** Of a result. */
export interface ResultLimits {
  /** Characters of the value as it crosses. */
  readonly maxResultLength: number;
  readonly maxResultValues: number;
}

/**
 * The packed value that a script came to.
 * @param memoryWasShort the sandbox has needed much memory before
 * @throws WaymarkError when it came to an error
 */
export function checkResult(
  packed: string,
  evaluation: Evaluation,
  memoryWasShort: boolean,
  { maxResultLength, maxResultValues }: ResultLimits,
): string {
  if (packed.length > maxResultLength + 1)
    throw new ExpressionSizeError('JavaScript', 'result', packed.length - 1, maxResultLength, 'maxResultLength');
  requireFewValues(packed, maxResultValues);
  if (packed[0] === 'x') throw toError(packed.slice(1), evaluation, memoryWasShort);
  return packed;
}

interface ScriptFailure {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  /** `null` was thrown. QuickJS does so when there is no room for an error. */
  readonly isNull?: boolean;
  /** A value could not leave the sandbox. */
  readonly transfer?: boolean;
  /** Number of the error of the host that the script was shown and did not catch. */
  readonly host?: number;
}

function toError(json: string, evaluation: Evaluation, memoryWasShort: boolean): Error {
  const { name, message, stack, isNull, transfer, host } = JSON.parse(json) as ScriptFailure;
  const cause: unknown = typeof host === 'number' ? evaluation.findError(host) : undefined;
  if (transfer) return new ExpressionTransferError(message);
  if (isOutOfMemory({ name, message }) || (isNull && memoryWasShort))
    return new ExpressionMemoryError('JavaScript', 'memory');
  if (isStackOverflow({ name, message })) return new ExpressionMemoryError('JavaScript', 'stack');
  return new ExpressionFailedError(
    'JavaScript',
    name,
    message,
    lineOf(stack ?? ''),
    cause === undefined ? undefined : { cause },
  );
}
