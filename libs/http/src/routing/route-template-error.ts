import { WaymarkError } from '@waymark/core';

/** A path template of an endpoint cannot be read. */
export class RouteTemplateError extends WaymarkError {
  readonly code = 'WM5001';
  constructor(
    readonly template: string,
    reason: string,
  ) {
    super(`The path "${template}" is not a route template: ${reason}.`);
  }
}
