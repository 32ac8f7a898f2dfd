import type { ActivityExecutionContext, WorkflowExecutionContext } from '@waymark/core';
import { HttpResponseWriter, type ResponseTarget } from '../responses/http-response-writer.js';
import { answerRequests, keptRequests } from './kept-requests.js';
import { storableAnswer } from './store-answer.js';

/** Transient token of a burst: the answer that it writes to requests of earlier ones. */
const LATER_ANSWER = Symbol('@waymark/http:later-answer');

/** It goes out by the commit: no request is here to send it to. */
const KEPT: ResponseTarget = { isSent: false, send: () => undefined };

/**
 * The response of a burst without a request at hand to all requests that its instance has not answered yet; undefined when
 * there are none.
 */
export function laterAnswer({ workflow }: ActivityExecutionContext, maxBytes: number): HttpResponseWriter | undefined {
  const known = workflow.transient.get(LATER_ANSWER) as HttpResponseWriter | undefined;
  if (known) return known;
  const tokens = keptRequests(workflow.properties).flatMap(({ token, isAwaited, answer }) =>
    isAwaited && !answer ? [token] : [],
  );
  if (tokens.length === 0) return undefined;
  const writer = new HttpResponseWriter(KEPT, ({ prepared }) => keep(workflow, tokens, prepared, maxBytes));
  workflow.transient.set(LATER_ANSWER, writer);
  return writer;
}

function keep(
  workflow: WorkflowExecutionContext,
  tokens: readonly string[],
  prepared: HttpResponseWriter['prepared'],
  maxBytes: number,
): void {
  answerRequests(workflow, tokens, storableAnswer(prepared, workflow, maxBytes));
}
