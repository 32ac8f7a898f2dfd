import { InvalidOptionError } from './option-errors.js';
import { checkMembers, type OptionKinds, type OptionOwner } from './option-kinds.js';
import { refuseUnknown } from './refuse-unknown.js';

/** The owner of checked options. */
export interface CheckedOwner extends Partial<OptionOwner> {
  /** As messages name it, such as `WorkflowModule`. */
  readonly name: string;
  /** The option of the owner that these are members of, such as `http`. @default none: they are the owner's own */
  readonly option?: string;
  /** Options that stand beside the factory of `forRootAsync`, with a member for each name. @default none */
  readonly beside?: object;
}

/**
 * Checks the names of options and the kinds of their values, also of those in groups. The owner itself checks what a table cannot express,
 * such as two options that contradict each other.
 *
 * @param options undefined and null are accepted
 * @returns the options without members that are null, which count as absent; an empty object if there are none
 * @throws UnknownOptionError (`WM1091`), InvalidOptionError (`WM1090`) or what the owner refuses with
 */
export function checkOptions<T extends object>(
  owner: CheckedOwner,
  options: T | null | undefined,
  kinds: OptionKinds<NoInfer<T>>,
): T {
  const { name, option, beside = {} } = owner;
  // None: as in `http: null` of a file with settings.
  if (options === undefined || options === null) return {} as T;
  if (typeof options === 'object' && !Array.isArray(options))
    refuseUnknown(option === undefined ? name : `Option '${option}' of ${name}`, options, kinds, { beside });
  return checkValues<T>(owner, options, kinds);
}

/**
 * Checks the kinds of values like `checkOptions`, but not the names: for options that stand beside those of another owner. @throws
 * InvalidOptionError (`WM1090`) or what the owner refuses with
 */
export function checkValues<T extends object>(
  { name, option, refuse }: CheckedOwner,
  options: T,
  kinds: OptionKinds<NoInfer<T>>,
): T {
  const owner: OptionOwner = { name, refuse: refuse ?? ((...why) => new InvalidOptionError(name, ...why)) };
  if (typeof options !== 'object' || Array.isArray(options))
    throw owner.refuse(option ?? 'options', 'an object', Array.isArray(options) ? 'a list' : `a ${typeof options}`);
  checkMembers<T>(options, kinds, option === undefined ? '' : `${option}.`, owner);
  return withoutNulls(options);
}

function withoutNulls<T extends object>(options: T): T {
  if (!Object.values(options).includes(null)) return options;
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null)) as T;
}
