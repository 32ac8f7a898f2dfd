import { WaymarkError } from '../errors/waymark-error.js';

/** A definition has more activities than this host takes: reading, storing and compiling it would hold up everything else. */
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
