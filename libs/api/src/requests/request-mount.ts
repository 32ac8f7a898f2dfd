import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { IncomingMessage } from 'node:http';
import { ApiPath } from './api-path.js';
import { holdBody } from './request-body.js';

type Next = () => void;

interface ExpressLike {
  use(handler: (request: IncomingMessage, response: object, next: Next) => void): unknown;
  /** Express 4. */
  readonly _router?: { stack: unknown[] };
  /** Express 5. */
  readonly router: { stack: unknown[] };
}

interface FastifyLike {
  addHook(event: 'onRequest', hook: (request: { raw: IncomingMessage }, reply: unknown, done: Next) => void): unknown;
}

/** Gets at requests to the API before the adapter reads their bodies. */
@Injectable()
export class ApiRequestMount {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly path: ApiPath,
  ) {}

  /** Called once, while Nest sets up its middleware. Does nothing in an application without HTTP. */
  mount(): void {
    const type = this.host.httpAdapter?.getType?.();
    if (!type) return;
    const isApi = this.path.matcher();
    const hold = (raw: IncomingMessage, next: Next) => {
      if (isApi(raw.url ?? '')) holdBody(raw);
      next();
    };
    if (type === 'fastify')
      this.host.httpAdapter.getInstance<FastifyLike>().addHook('onRequest', ({ raw }, _reply, done) => hold(raw, done));
    else this.mountFirst(this.host.httpAdapter.getInstance<ExpressLike>(), hold);
  }

  /** Nest has registered its body parsers by now, whatever the way in which the application was made: get ahead of them. */
  private mountFirst(app: ExpressLike, hold: (raw: IncomingMessage, next: Next) => void): void {
    app.use((request, _response, next) => hold(request, next));
    const { stack } = app._router ?? app.router;
    stack.unshift(stack.pop());
  }
}
