import { WaymarkError } from '@waymark/core';

/**
 * Thrown when a provider that must have one instance for all executions is request-scoped or transient, or depends on a
 * request-scoped provider.
 */
export class ProviderScopeError extends WaymarkError {
  readonly code = 'WM1045';
  constructor(
    /** What the class is, such as `Activity`. */
    readonly what: string,
    /** Name of the class. */
    readonly className: string,
    isTransient = false,
  ) {
    super(
      isTransient
        ? `${what} ${className} is transient-scoped. One instance serves all executions; each execution of an activity has its own inputs ` +
            'and outputs. Remove the scope from @Injectable().'
        : `${what} ${className} is request-scoped, or depends on a provider that is. One instance serves all executions, most of which ` +
            'run outside of a request: inject singletons only, and pass data of the request as workflow input.',
    );
  }
}
