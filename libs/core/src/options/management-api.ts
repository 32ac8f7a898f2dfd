/**
 * Provided by `WorkflowApiModule`, so that `StudioModule` finds it without depending on its package: a `ManagementApi`. A registered
 * symbol: the two may come with different copies of this package.
 */
export const MANAGEMENT_API = Symbol.for('@waymark/core:management-api');

/** What is known of the management API before anything asynchronous. */
export interface ManagementApi {
  /** Its path below the global prefix of the application, such as `elsa/api`. */
  readonly routePrefix: string;
}
