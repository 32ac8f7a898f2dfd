import type { ActivityExecutionContext, WorkflowExecutionContext } from '@waymark/core';
import { keptAnswer, storedOrLost } from '../idempotency/repeated-answers.js';
import { HttpResponseWriter, type PreparedResponse, type ResponseTarget } from '../responses/http-response-writer.js';
import { answerRequests, isAnswered, keepRequest, type KeptRequest, keptRequests } from './kept-requests.js';
import { requireStorable, sizeOf, storableAnswer } from './store-answer.js';

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
  const requests = keptRequests(workflow.properties);
  const tokens = requests.flatMap((request) => (request.isAwaited && !isAnswered(request) ? [request.token] : []));
  const repeated = requests.find((request) => isLostWithBurst(request, workflow));
  if (tokens.length === 0 && !repeated) return undefined;
  const keepRepeated = (prepared: PreparedResponse): void => {
    if (repeated) keepRequest(workflow, { ...repeated, ...keptAnswer(prepared, workflow, repeated.token, maxBytes) });
  };
  let bytes = 0;
  const writer = new HttpResponseWriter(KEPT, (written, body) => {
    if (written.isAppended) {
      // It was kept with its first part.
      if (!written.hasContent) return;
      if (tokens.length > 0) bytes = requireStorable(body, bytes, workflow, maxBytes);
      return workflow.beforeStored(written, () => {
        const { prepared } = written;
        if (tokens.length > 0) answerRequests(workflow, tokens, storedOrLost(prepared, workflow, maxBytes));
        keepRepeated(prepared);
      });
    }
    const { prepared } = written;
    if (tokens.length > 0) {
      answerRequests(workflow, tokens, { answer: storableAnswer(prepared, workflow, maxBytes) });
      bytes = sizeOf(prepared.body);
    }
    keepRepeated(prepared);
  });
  workflow.transient.set(LATER_ANSWER, writer);
  return writer;
}

/**
 * The request that started the instance may come again, and this burst continues the one that had it, whose node died after a part
 * was stored. Its client gets the answer when it repeats the request.
 */
function isLostWithBurst(
  { start, isTaken, isAwaited, answer, isLost }: KeptRequest,
  { origin }: WorkflowExecutionContext,
): boolean {
  return start !== undefined && isTaken === true && !isAwaited && !answer && !isLost && origin.cause === '';
}
