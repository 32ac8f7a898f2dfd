import { type ActivityExecutionContext, FaultError } from '@waymark/core';
import { HttpRequestContext } from './http-request-context.js';

/** The request at hand. @throws FaultError `NoHttpContext` */
export function requireRequestContext(ctx: ActivityExecutionContext): HttpRequestContext {
  const context = HttpRequestContext.of(ctx);
  if (context) return context;
  throw new FaultError(
    { code: 'NoHttpContext', category: 'HTTP', type: 'System' },
    'There is no HTTP request to answer. The request that ran this workflow is over since the workflow was suspended; ' +
      'write the response before that, or wait for another request with an HTTP Endpoint.',
  );
}
