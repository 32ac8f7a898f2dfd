import { InvalidCallbackError } from '../errors/execution-errors.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import type { CallbackMethod } from './work-item.js';

type Owner = Pick<ActivityExecutionContext, 'activity' | 'node'>;

const memberOf = ({ activity }: Owner, name: string): unknown => (activity as unknown as Record<string, unknown>)[name];

/**
 * The name by which a method is called again later; closures cannot be found after a restart.
 * @throws InvalidCallbackError (`WM2004`)
 */
export function methodNameOf(owner: Owner, callback: (...args: never[]) => unknown): string {
  const { name } = callback;
  if (memberOf(owner, name) !== callback)
    throw new InvalidCallbackError(owner.node.type, name || '(anonymous function)');
  return name;
}

/** @throws InvalidCallbackError (`WM2004`) */
export function requireMethod(owner: Owner, name: string): CallbackMethod {
  const method = memberOf(owner, name);
  if (typeof method !== 'function') throw new InvalidCallbackError(owner.node.type, name);
  return method as CallbackMethod;
}
