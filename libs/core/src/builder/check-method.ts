import { INPUT_KINDS, nameOf, OUTPUT_KINDS, SHARED_KINDS } from '../activities/check-decorator.js';
import { checkOptions } from '../options/check-options.js';
import * as is from '../options/option-kinds.js';
import type { ActivityMethodOptions } from './activity-methods.js';

const METHOD_KINDS: is.OptionKinds<ActivityMethodOptions> = {
  ...SHARED_KINDS,
  kind: is.oneOf('Action', 'Task', 'Job'),
  inputs: is.recordOf(is.group(INPUT_KINDS)),
  output: is.group(OUTPUT_KINDS),
};

/**
 * Checks the options of `@ActivityMethod()`.
 * @param prototype of the class that has the method
 * @throws UnknownOptionError (`WM1091`), InvalidOptionError (`WM1090`)
 */
export function checkMethodOptions(prototype: object, key: string | symbol, options: ActivityMethodOptions): void {
  const name = `@ActivityMethod() of ${nameOf(prototype.constructor)}.${String(key)}`;
  checkOptions({ name }, options, METHOD_KINDS);
}
