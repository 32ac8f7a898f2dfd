import { Inject, Injectable, Optional } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { toPlainJsonInTurns } from '@waymark/core/adapter';
import { loopTurns } from '@waymark/runtime/adapter';
import { sendAsJson } from '../answers/json-type.js';
import { RequestAudit } from '../audit/request-audit.js';
import type { HttpRequest } from '../requests/http-request.js';
import { ApiRequestContext } from './api-request-context.js';

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** Answers requests whose response a workflow may have written meanwhile. */
@Injectable()
export class WorkflowResponses {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly audit: RequestAudit,
    @Optional() @Inject(ApiRequestContext) private readonly context: ApiRequestContext | undefined,
  ) {}

  /** False if workflows see no request here. */
  get areWritten(): boolean {
    return this.context !== undefined;
  }

  transientFor(request: HttpRequest, response: object): Iterable<readonly [unknown, unknown]> {
    return this.context?.transientFor(request, response) ?? [];
  }

  /** Sends the answer, unless a workflow has given one; once the request stands in the audit trail. */
  async send(request: HttpRequest, response: object, answer: Answer): Promise<void> {
    await this.audit.succeeded(request);
    if (!(await this.context?.responded(response))) await this.reply(response, answer);
  }

  /** Sends the answer in place of what a burst has written that came to nothing. */
  async sendOwn(request: HttpRequest, response: object, answer: Answer): Promise<void> {
    await this.audit.succeeded(request);
    await this.reply(response, answer);
  }

  private async reply(response: object, { status = 200, headers = {}, body }: Answer): Promise<void> {
    const { httpAdapter } = this.host;
    if (httpAdapter.isHeadersSent(response)) return;
    await loopTurns.goOn();
    const plain = body === undefined ? undefined : await toPlainJsonInTurns(body, () => loopTurns.goOn());
    // It is made text by the adapter, which takes as long again.
    await loopTurns.goOn();
    if (httpAdapter.isHeadersSent(response)) return;
    for (const [name, value] of Object.entries(headers)) httpAdapter.setHeader(response, name, value);
    if (body !== undefined) sendAsJson(response);
    httpAdapter.reply(response, plain, status);
  }
}
