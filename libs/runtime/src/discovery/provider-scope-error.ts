import { WaymarkError } from '@waymark/core';

/** What has one instance for all executions is request-scoped, or depends on a provider that is. */
export class ProviderScopeError extends WaymarkError {
  readonly code = 'WM1045';
  constructor(
    /** What the class is, such as `Activity`. */
    readonly what: string,
    /** Name of the class. */
    readonly className: string,
  ) {
    super(
      `${what} ${className} is request-scoped, or depends on a provider that is. One instance serves all executions, most of which ` +
        'run outside of a request: inject singletons only, and pass data of the request as workflow input.',
    );
  }
}
