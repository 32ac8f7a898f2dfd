import { Injectable } from '@nestjs/common';
import { type ActivityIncident, type ExceptionState } from '@waymark/core';
import { toPlainJsonInTurns } from '@waymark/core/adapter';
import { type RunInstanceResult, WorkflowEngine } from '@waymark/runtime';
import { loopTurns, type ReportsFault } from '@waymark/runtime/adapter';
import type { HttpRequestContext } from '../requests/http-request-context.js';
import { jsonResponse } from '../requests/rejection.js';
import type { PreparedResponse } from '../responses/http-response-writer.js';

/** Answers requests whose workflow had incidents and wrote no response. */
export abstract class HttpFaultHandler {
  /** Makes the answer to a request whose workflow failed. */
  abstract handle(
    result: RunInstanceResult,
    incidents: readonly ActivityIncident[],
  ): PreparedResponse | Promise<PreparedResponse>;
}

/** Answers with a status only. The incidents of the instance describe the error to operators. */
@Injectable()
export class StatusFaultHandler extends HttpFaultHandler {
  handle(_result: RunInstanceResult, incidents: readonly ActivityIncident[]): PreparedResponse {
    return { status: faultStatus(incidents), headers: [] };
  }
}

/** Answers with the state of the instance and its incidents; for development, or for trusted clients. */
@Injectable()
export class DetailedFaultHandler extends HttpFaultHandler {
  constructor(private readonly engine: WorkflowEngine) {
    super();
  }

  /** In turns: a state may have megabytes. */
  async handle(result: RunInstanceResult, incidents: readonly ActivityIncident[]): Promise<PreparedResponse> {
    const { redaction } = this.engine.runner.engine;
    await loopTurns.goOn();
    const state = await toPlainJsonInTurns(result.state, () => loopTurns.goOn());
    await loopTurns.goOn();
    return jsonResponse(faultStatus(incidents), redaction ? redaction.shown(state) : state);
  }
}

const TIMEOUTS =
  /^(AbortError|TimeoutError|OutgoingTimeoutError|OperationCanceledException|TaskCanceledException|TimeoutException)$/;
const BAD_REQUESTS = /^(BadRequestHeaderError|BadRequestException|BadHttpRequestException|ContentSyntaxError)$/;

/** What the request brought leaves no room in the state (WM7017). */
const TOO_LARGE = 'ValueTooLargeError';

/**
 * The answer of an endpoint that rejects invalid inputs; `undefined` when the workflow failed for another reason. The message is
 * that of the incident, which has no secrets.
 */
export function invalidInputs(incidents: readonly ActivityIncident[]): PreparedResponse | undefined {
  const found = incidents.find(({ exception }) => exception && isInvalidInput(exception));
  return found && jsonResponse(400, { code: found.exception!.metadata?.code, message: found.exception!.message });
}

/** Values that break a rule, or that do not fit their type. */
const isInvalidInput = ({ type, innerException }: ExceptionState): boolean =>
  type === 'InputValidationError' ||
  (type === 'InputEvaluationError' && innerException?.type === 'ValueConversionError');

/** Whether the client gets a fault of its request as the answer above, which only a response of the workflow can prevent. */
export const reportsInvalidInputs =
  ({ response }: HttpRequestContext): ReportsFault =>
  (exception) =>
    !response.isSent && !response.isWritten && isInvalidInput(exception);

/** 408 after a timeout or cancellation, 400 for a malformed request, 413 for what the state has no room for, else 500. */
export function faultStatus(incidents: readonly ActivityIncident[]): number {
  const types = incidents.map((incident) => incident.exception?.type ?? '');
  if (types.some((type) => TIMEOUTS.test(type))) return 408;
  if (types.includes(TOO_LARGE)) return 413;
  return types.some((type) => BAD_REQUESTS.test(type)) ? 400 : 500;
}
