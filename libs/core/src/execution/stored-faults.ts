import { FaultError } from '../errors/execution-errors.js';
import { toErrorLike } from '../errors/waymark-error.js';
import { shortened, toExceptionState } from '../state/exception-state.js';
import { CarriedFault, type StoredFault } from '../state/stored-fault.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';

/** Characters of a code or a name by which an error is caught: they come from data, and each catch looks at them. */
const MAX_KEY = 256;

/** The error of a faulted activity in a form that can be stored, without secrets. */
export function storedFault(thrown: unknown, { id, node, workflow }: ActivityExecutionContext): StoredFault {
  if (thrown instanceof CarriedFault) return thrown.fault;
  const exception = workflow.secrets.shown(toExceptionState(thrown, workflow.secrets));
  const own = textOf((thrown as { code?: unknown } | null)?.code);
  const fault = thrown instanceof FaultError ? thrown.fault : undefined;
  const keys = [own, fault?.code, fault?.type, ...namesOf(thrown), exception.type];
  return {
    exception,
    keys: [...new Set(keys.filter((key) => key !== undefined).map((key) => key.slice(0, MAX_KEY)))],
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

/** Its name and those of its classes: who catches a base class catches what is made of it. */
function namesOf(thrown: unknown): string[] {
  const names = [toErrorLike(thrown).name];
  let prototype: unknown = typeof thrown === 'object' && thrown !== null ? Object.getPrototypeOf(thrown) : null;
  while (prototype !== null && prototype !== Object.prototype) {
    names.push((prototype as { constructor?: { name?: string } }).constructor?.name ?? '');
    prototype = Object.getPrototypeOf(prototype);
  }
  return names.filter((name) => name !== '');
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined;

const shortenedOrNull = (text: string | undefined): string | null => (text === undefined ? null : shortened(text));
