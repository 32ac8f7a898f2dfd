import { FaultError } from './execution-errors.js';
import { toErrorLike } from './waymark-error.js';

/** Characters of a code or a name by which an error is caught: they come from data, and each catch looks at them. */
const MAX_KEY = 256;

/** By what catches and retry policies find an error: its codes, and its name with those of its classes. */
export function errorKeys(thrown: unknown, type?: string): string[] {
  // Of an error that a scope passes on, they are stored: its class is gone.
  const carried = (thrown as { fault?: { keys?: unknown } } | null)?.fault?.keys;
  if (Array.isArray(carried)) return carried.map(String);
  const fault = thrown instanceof FaultError ? thrown.fault : undefined;
  const own = textOf((thrown as { code?: unknown } | null)?.code);
  const keys = [own, fault?.code, fault?.type, ...namesOf(thrown), type];
  return [...new Set(keys.filter((key) => key !== undefined).map((key) => key.slice(0, MAX_KEY)))];
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

/** A code, as text. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined;
