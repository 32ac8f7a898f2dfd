import { type ActivityExecutionContext, FaultError } from '@waymark/core';
import { laterAnswer } from '../pending/later-answer.js';
import type { HttpResponseWriter } from '../responses/http-response-writer.js';
import type { HttpRequest } from './http-request.js';
import { HttpRequestContext } from './http-request-context.js';

/** Where an activity writes its response. */
interface AnswerableRequest {
  readonly response: HttpResponseWriter;
  /** Undefined when the request is over, and its client waits or asks for the answer later. */
  readonly request?: HttpRequest;
}

/** The request at hand, or those that the instance has not answered yet. @throws FaultError `NoHttpContext` */
export function requireRequestContext(
  ctx: ActivityExecutionContext,
  { maxKeptAnswerBytes }: { readonly maxKeptAnswerBytes: number },
): AnswerableRequest {
  const context = HttpRequestContext.of(ctx);
  if (context) return context;
  const response = laterAnswer(ctx, maxKeptAnswerBytes);
  if (response) return { response };
  throw new FaultError(
    { code: 'NoHttpContext', category: 'HTTP', type: 'System' },
    'There is no HTTP request to answer. The request that ran this workflow ended when the workflow was suspended; ' +
      'write the response before that, wait for another request with an HTTP Endpoint, or set RespondAsync of the endpoint.',
  );
}
