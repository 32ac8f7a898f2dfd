import { WaymarkError } from '@waymark/core';

/** Characters of a path that a message repeats. */
const LONGEST_SHOWN = 1000;

/** Thrown when the path template of an endpoint is invalid. */
export class RouteTemplateError extends WaymarkError {
  readonly code = 'WM5001';
  constructor(
    /** The path of the endpoint. */
    readonly template: string,
    reason: string,
  ) {
    super(
      `The path "${template.length > LONGEST_SHOWN ? `${template.slice(0, LONGEST_SHOWN)}…` : template}" is not a route template: ${reason}. Correct it.`,
    );
  }
}
