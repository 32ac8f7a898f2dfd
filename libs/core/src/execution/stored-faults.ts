import { FaultError } from '../errors/execution-errors.js';
import { toErrorLike } from '../errors/waymark-error.js';
import { toExceptionState } from '../state/exception-state.js';
import { CarriedFault, type StoredFault } from '../state/stored-fault.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';

/** The error of a faulted activity in a form that can be stored, without secrets. */
export function storedFault(thrown: unknown, { id, node, workflow }: ActivityExecutionContext): StoredFault {
  if (thrown instanceof CarriedFault) return thrown.fault;
  const exception = workflow.secrets.shown(toExceptionState(thrown));
  const own = textOf((thrown as { code?: unknown } | null)?.code);
  const fault = thrown instanceof FaultError ? thrown.fault : undefined;
  const keys = [own, fault?.code, fault?.type, ...namesOf(thrown), exception.type];
  return {
    exception,
    keys: [...new Set(keys.filter((key) => key !== undefined))],
    error: {
      code: fault?.code ?? own ?? null,
      type: exception.type,
      message: exception.message,
      activityId: node.id,
      activityType: node.type,
      activityInstanceId: id,
    },
  };
}

/** @param pattern a code or a name; `*` stands for any text */
export function isError({ keys }: StoredFault, pattern: string): boolean {
  if (!pattern.includes('*')) return keys.includes(pattern);
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const matcher = new RegExp(`^${parts.join('.*')}$`);
  return keys.some((key) => matcher.test(key));
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
