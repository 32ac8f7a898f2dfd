/**
 * Lets workflows answer API requests themselves: a WriteHttpResponse that runs during an execute writes to that request.
 * The host binds it to its HTTP library; without it workflows that write a response see no request.
 */
export abstract class ApiRequestContext {
  /** What a burst is given for the request, by token. @param request and @param response as Nest hands them to a handler */
  abstract transientFor(request: object, response: object): Iterable<readonly [unknown, unknown]>;
  /** Sends what a workflow has written. If true, one has, and the API writes no answer of its own. */
  abstract responded(response: object): boolean | Promise<boolean>;
}
