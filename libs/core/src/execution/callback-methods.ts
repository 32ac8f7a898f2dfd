import { InvalidCallbackError } from '../errors/execution-errors.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import type { CallbackMethod } from './work-item.js';

type Owner = Pick<ActivityExecutionContext, 'activity' | 'node'>;

/** Of every object, of Nest, and what the engine asks activities and triggers: none of them continues an activity. */
const NEVER: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  'onModuleInit',
  'onModuleDestroy',
  'onApplicationBootstrap',
  'beforeApplicationShutdown',
  'onApplicationShutdown',
  'canExecute',
  'getTriggerPayloads',
  'getTriggerDueAt',
  'getHashInput',
  'getExclusiveKey',
]);

/** False for names that no activity continues by. States name methods, and users import states. */
export const isCallbackName = (name: string): boolean => !NEVER.has(name);

/** The method by which an activity continues; undefined if it has none of that name, or one that is not for this. */
export function findCallback(activity: object, name: string): CallbackMethod | undefined {
  const member = isCallbackName(name) ? (activity as Readonly<Record<string, unknown>>)[name] : undefined;
  return typeof member === 'function' ? (member as CallbackMethod) : undefined;
}

/**
 * The name by which a method is called again later; closures cannot be found after a restart.
 * @throws InvalidCallbackError (`WM2004`)
 */
export function methodNameOf(owner: Owner, callback: (...args: never[]) => unknown): string {
  const { name } = callback;
  if (findCallback(owner.activity, name) !== callback)
    throw new InvalidCallbackError(owner.node.type, name || '(anonymous function)');
  return name;
}

/** @throws InvalidCallbackError (`WM2004`) */
export function requireMethod(owner: Owner, name: string): CallbackMethod {
  const method = findCallback(owner.activity, name);
  if (!method) throw new InvalidCallbackError(owner.node.type, name);
  return method;
}
