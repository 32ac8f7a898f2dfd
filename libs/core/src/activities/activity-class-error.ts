import { WaymarkError } from '../errors/waymark-error.js';

/** Thrown when a class cannot be used as an activity; the message says what it lacks. */
export class ActivityClassError extends WaymarkError {
  readonly code = 'WM1044';
  constructor(
    /** Name of the class. */
    readonly className: string,
    problem: string,
  ) {
    super(`Class ${className} cannot be an activity: ${problem}`);
  }
}
