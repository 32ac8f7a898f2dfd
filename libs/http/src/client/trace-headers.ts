import type { ActivityExecutionContext } from '@waymark/core';
import { HTTP_REQUEST_CONTEXT, type HttpRequestContext } from '../requests/http-request-context.js';

/** The W3C form. Anything else would be passed on to a server that it was never checked for. */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}(-[\x21-\x7e]{1,200})?$/;
const TRACESTATE = /^[\x20-\x7e]{1,512}$/;

/**
 * The trace that the request at hand belongs to, for requests that the workflow makes on its behalf: what a server behind does is
 * found under the same trace. Only in the burst that serves the request, and not where the workflow sets the header itself.
 */
export function traceHeaders(
  ctx: ActivityExecutionContext,
  given: readonly (readonly [name: string, value: unknown])[],
): [string, string][] {
  if (given.some(([name]) => name.toLowerCase() === 'traceparent')) return [];
  const { request } = (ctx.workflow.transient.get(HTTP_REQUEST_CONTEXT) as HttpRequestContext | undefined) ?? {};
  const parent = request?.header('traceparent');
  if (!request || parent === undefined || !TRACEPARENT.test(parent)) return [];
  const state = request.header('tracestate');
  const hasState = given.some(([name]) => name.toLowerCase() === 'tracestate');
  return [
    ['traceparent', parent],
    ...(state !== undefined && !hasState && TRACESTATE.test(state) ? [['tracestate', state] as [string, string]] : []),
  ];
}
