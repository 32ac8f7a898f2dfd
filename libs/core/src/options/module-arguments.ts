import { ModuleSetupError } from './module-setup-error.js';
import { InvalidOptionError } from './option-errors.js';
import { described } from './option-kinds.js';
import { refuseUnknown } from './refuse-unknown.js';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Checks the argument of `forRoot`. It may be absent, since all options have defaults.
 * @param method such as `WorkflowModule.forRoot()`
 * @throws InvalidOptionError (`WM1090`) for anything but an object, such as null
 */
export function requireOptionsObject(method: string, options: unknown): void {
  if (options !== undefined && !isObject(options)) throw refusal(method, 'options', 'an object', options);
}

/**
 * Checks the argument of `forRootAsync`: it must have one of the three ways to make options, and no unknown names.
 * @param method such as `WorkflowModule.forRootAsync()`
 * @param known an object with a member for each name
 * @param returned an object with a member for each option that the factory returns
 * @param adviceOnOthers what to do with an option of something else, as a sentence
 * @throws InvalidOptionError (`WM1090`), UnknownOptionError (`WM1091`)
 */
export function requireAsyncOptions(
  method: string,
  options: unknown,
  known: object,
  returned: object,
  adviceOnOthers?: (name: string) => string | undefined,
): void {
  if (!isObject(options)) throw refusal(method, 'options', "an object with 'useFactory'", options);
  const adviceOn = (name: string) =>
    Object.hasOwn(returned, name) ? "Return it from 'useFactory', with the other options." : adviceOnOthers?.(name);
  refuseUnknown(method, options, known, { adviceOn });
  const { useFactory, useClass, useExisting } = options;
  if (useClass || useExisting) return;
  if (typeof useFactory !== 'function')
    throw refusal(method, 'useFactory', 'a function that returns the options', useFactory);
}

/**
 * Checks the result of the factory of `forRootAsync`.
 * @param module such as `WorkflowModule`
 * @throws InvalidOptionError (`WM1090`) for anything but an object, as of a factory without `return`
 */
export function requireFactoryResult<T>(module: string, options: T): T {
  if (isObject(options)) return options;
  const given = `one that returns ${described(options)}`;
  throw new InvalidOptionError(`${module}.forRootAsync()`, 'useFactory', 'a function that returns the options', given);
}

/**
 * Stands for the options of a module that is imported as a class: `imports: [WorkflowModule]`.
 * @throws ModuleSetupError (`WM1093`) always
 */
export function refuseClassImport(module: string): never {
  throw new ModuleSetupError(
    module,
    `is imported as a class. Import ${module}.forRoot(…) instead, once, in the root module; other modules do not import it.`,
  );
}

const refusal = (method: string, option: string, requirement: string, given: unknown) =>
  new InvalidOptionError(method, option, requirement, described(given), 'argument');
