import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { storeFaultAnswer, StoreOutages, WorkflowLogger } from '@waymark/runtime/adapter';
import { RequestAudit } from '../audit/request-audit.js';
import type { HttpRequest } from '../requests/http-request.js';
import { answerOf, answerOfHttpStatus, UNEXPECTED, type ErrorAnswer } from './error-answer.js';
import { NothingToDo } from './head-requests.js';
import { dropAnswer } from './own-answer.js';
import { sendAsJson } from './json-type.js';

/** Answers errors of the API's controllers in the wire format of Elsa (W10). */
@Catch()
export class ApiExceptionFilter implements ExceptionFilter {
  private readonly logger = new WorkflowLogger('WorkflowApi');

  constructor(
    private readonly adapterHost: HttpAdapterHost,
    private readonly outages: StoreOutages,
    private readonly audit: RequestAudit,
  ) {}

  async catch(error: unknown, host: ArgumentsHost): Promise<void> {
    if (error instanceof NothingToDo) return this.send({ status: 200 }, host.switchToHttp().getResponse<object>());
    const answer = this.answerTo(error);
    const http = host.switchToHttp();
    const recorded = this.audit.failed(http.getRequest<HttpRequest>(), error, answer.status);
    if (recorded) await recorded;
    this.send(answer, http.getResponse<object>());
  }

  private send(answer: ErrorAnswer, response: object): void {
    const { httpAdapter } = this.adapterHost;
    dropAnswer(response);
    if (httpAdapter.isHeadersSent(response)) return;
    for (const [name, value] of Object.entries(answer.headers ?? {})) httpAdapter.setHeader(response, name, value);
    if (answer.body) sendAsJson(response, answer.headers?.['Content-Type']);
    httpAdapter.reply(response, answer.body, answer.status);
  }

  private answerTo(error: unknown): ErrorAnswer {
    const known = answerOf(error);
    // The answer does not show the error of the database.
    if (storeFaultAnswer(error) && !this.outages.report(error)) this.logger.error(error);
    if (known) return known;
    // Not by `instanceof`: errors of a second copy of Nest have other classes.
    const status = (error as { getStatus?(): unknown } | undefined)?.getStatus?.();
    if (typeof status === 'number') return answerOfHttpStatus(status, error);
    this.logger.error(error);
    return UNEXPECTED;
  }
}
