import type { Expression } from '@waymark/core';

/** Custom properties of endpoints, and of activities that send requests. */
export interface HttpCustomProperties {
  /** Of an HttpEndpoint: how many requests one client may send in a period, a time span or milliseconds. @default no limit */
  readonly rateLimit?: { readonly limit: number; readonly ttl: string | number } | null | undefined;
  /**
   * Of an activity that sends requests: how they are repeated. A strategy of the option `http.retryStrategies` by its id, one of its own, or
   * an expression that gives either. @default requests are not repeated
   */
  readonly resilienceStrategy?:
    | { readonly mode?: 'Identifier' | undefined; readonly strategyId: string }
    | { readonly mode: 'Expression'; readonly expression: Expression }
    | { readonly id: string; readonly [member: string]: unknown }
    | null
    | undefined;
}

declare module '@waymark/core' {
  // oxlint-disable-next-line typescript/no-empty-object-type -- it adds its members to those of the engine
  interface ActivityCustomProperties extends HttpCustomProperties {}
}
