import { FaultError } from '../errors/execution-errors.js';
import { errorKeys, textOf } from '../errors/error-keys.js';
import { shortened, toExceptionState } from '../state/exception-state.js';
import { CarriedFault, type StoredFault } from '../state/stored-fault.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';

/** The error of a faulted activity in a form that can be stored, without secrets. */
export function storedFault(thrown: unknown, { id, node, workflow }: ActivityExecutionContext): StoredFault {
  if (thrown instanceof CarriedFault) return thrown.fault;
  const exception = workflow.secrets.shown(toExceptionState(thrown, workflow.secrets));
  const own = textOf((thrown as { code?: unknown } | null)?.code);
  const fault = thrown instanceof FaultError ? thrown.fault : undefined;
  return {
    exception,
    keys: errorKeys(thrown, exception.type),
    error: {
      code: shortenedOrNull(fault?.code ?? own),
      type: exception.type,
      message: exception.message,
      activityId: node.id,
      activityType: node.type,
      activityInstanceId: id,
    },
  };
}

const shortenedOrNull = (text: string | undefined): string | null => (text === undefined ? null : shortened(text));
