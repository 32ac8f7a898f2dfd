import { Controller, Delete, Get, Post, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { WorkflowLogger } from '@waymark/runtime/adapter';
import { toErrorLike } from '@waymark/core/adapter';
import { answerOf, UNEXPECTED } from '../answers/error-answer.js';
import { HiddenFromSwagger } from '../module/hidden-from-swagger.js';
import type { HttpReply, HttpRequest } from '../requests/http-request.js';
import { OfManagementApi } from '../requests/is-management-api.js';
import { HubRequests } from './hub-requests.js';

interface Reply extends HttpReply {
  send(body: string): unknown;
}

interface Answer {
  readonly status: number;
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Routes of the hub. A controller, so that guards of the application run first: where the API asks for no credentials, they are
 * what restricts access. Responses are written by hand, because interceptors and filters of the application would change them.
 */
@Controller({ version: VERSION_NEUTRAL })
@HiddenFromSwagger()
@OfManagementApi()
export class HubController {
  private readonly logger = new WorkflowLogger('WorkflowApi');

  constructor(private readonly modules: ModuleRef) {}

  @Post('negotiate')
  negotiate(@Req() request: HttpRequest, @Res() reply: Reply): Promise<void> {
    return this.answer(reply, () => ({ status: 200, body: this.requests.negotiate(request) }));
  }

  @Get()
  poll(@Req() request: HttpRequest, @Res() reply: Reply): Promise<void> {
    return this.answer(reply, async () => {
      const { status, text } = await this.requests.poll(request, reply);
      return { status, body: text };
    });
  }

  @Post()
  receive(@Req() request: HttpRequest, @Res() reply: Reply): Promise<void> {
    return this.answer(reply, async () => {
      await this.requests.receive(request);
      return { status: 200 };
    });
  }

  @Delete()
  end(@Req() request: HttpRequest, @Res() reply: Reply): Promise<void> {
    return this.answer(reply, () => {
      this.requests.end(request);
      return { status: 202 };
    });
  }

  /** A provider of the API's module, which imports the module of this controller. */
  private get requests(): HubRequests {
    return this.modules.get(HubRequests, { strict: false });
  }

  private async answer(reply: Reply, produce: () => Answer | Promise<Answer>): Promise<void> {
    const { status, headers = {}, body = '' } = await this.produced(produce);
    reply.status(status);
    reply.header('Cache-Control', 'no-store');
    reply.header('Content-Type', typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json');
    for (const [name, value] of Object.entries(headers)) reply.header(name, value);
    reply.send(typeof body === 'string' ? body : JSON.stringify(body));
  }

  private async produced(produce: () => Answer | Promise<Answer>): Promise<Answer> {
    try {
      return await produce();
    } catch (error) {
      const known = answerOf(error);
      if (!known) this.logger.error(`The hub failed: ${toErrorLike(error).message}`, toErrorLike(error).stack);
      return known ?? UNEXPECTED;
    }
  }
}
