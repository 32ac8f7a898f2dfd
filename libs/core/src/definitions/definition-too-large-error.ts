import { WaymarkError } from '../errors/waymark-error.js';

/**
 * Thrown when a definition has more activities, states, transitions and cases than this host accepts: reading, storing and
 * compiling it would block other work.
 */
export class DefinitionTooLargeError extends WaymarkError {
  readonly code = 'WM1024';
  constructor(
    /** The limit. */
    readonly maxActivities: number,
  ) {
    super(
      `The workflow definition has more than ${maxActivities} activities, states, transitions and cases. Split it into workflows that call each other, ` +
        "or raise the option 'maxActivities' of WorkflowModule.",
    );
  }
}
