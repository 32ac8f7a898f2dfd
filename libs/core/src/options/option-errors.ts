import { WaymarkError } from '../errors/waymark-error.js';

/** Thrown for an option of a module or a call with an invalid value. The message does not repeat values that may be secrets. */
export class InvalidOptionError extends WaymarkError {
  readonly code = 'WM1090';
  constructor(
    /** What has the option, such as `WorkflowModule`. */
    readonly owner: string,
    /** Path of the option, such as `http.outgoing.allow[2]`. */
    readonly option: string,
    /** What the value must be. */
    readonly requirement: string,
    /** What was given, as text. */
    readonly given: string,
    what: 'option' | 'argument' = 'option',
  ) {
    super(`${owner} ${what} '${option}' must be ${requirement}, not ${given}.`);
  }
}

/** Thrown for an option with an unknown name, whose default would otherwise silently stay in effect. */
export class UnknownOptionError extends WaymarkError {
  readonly code = 'WM1091';
  constructor(
    /** What has the options, such as `WorkflowModule`, or an option of it. */
    readonly owner: string,
    /** The name that was given. */
    readonly option: string,
    /** The known name that is nearest, with its path when it is an option of another group; undefined when none is near. */
    readonly nearest: string | undefined,
    /** All names that are known; the message lists them where none is near. @default none */
    readonly known: readonly string[] = [],
    /** What the message says to do, when the name belongs elsewhere. @default it suggests the nearest name */
    advice?: string,
  ) {
    super(`${owner} has no option '${option}'.${advice === undefined ? whichInstead(nearest, known) : ` ${advice}`}`);
    // A log shows the members below the message, which has these where they help: forty lines would hide it.
    Object.defineProperty(this, 'known', { enumerable: false });
  }
}

/** Thrown when two options contradict each other. */
export class OptionConflictError extends WaymarkError {
  readonly code = 'WM1092';
  constructor(
    /** What has the options, such as `WorkflowModule`. */
    readonly owner: string,
    /** The option that cannot be used together with the other one. */
    readonly option: string,
    /** The option that it contradicts. */
    readonly other: string,
    why: string,
  ) {
    super(`${owner} option '${option}' contradicts '${other}': ${why}`);
  }
}

function whichInstead(nearest: string | undefined, known: readonly string[]): string {
  if (nearest !== undefined) return ` Did you mean '${nearest}'?`;
  return known.length === 0 ? '' : ` Its options: ${known.join(', ')}.`;
}
