import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { IncomingMessage, Server } from 'node:http';
import { WorkflowClock } from '@waymark/runtime';
import { guardConnections } from '@waymark/runtime/adapter';
import { protectAnswers } from '../answers/own-answer.js';
import { ApiPath } from './api-path.js';
import { ApiRoutes } from './api-routes.js';
import { holdBody } from './request-body.js';
import { answersUnknown } from './unknown-routes.js';

type Next = () => void;

interface ExpressLike {
  use(handler: (request: IncomingMessage, response: object, next: Next) => void): unknown;
  /** Express 4. */
  readonly _router?: { stack: ExpressLayer[] };
  /** Express 5. */
  readonly router: { stack: ExpressLayer[] };
}

interface ExpressLayer {
  readonly handle: object;
  readonly route?: { _handlesMethod?(method: string): boolean };
  match?(path: string): boolean;
}

interface FastifyRequest {
  readonly raw: IncomingMessage;
  /** Without a URL: no route of the application takes the request. */
  readonly routeOptions?: { readonly url?: string };
}

interface FastifyLike {
  addHook(event: 'onRequest', hook: (request: FastifyRequest, reply: unknown, done: Next) => void): unknown;
}

/** Intercepts requests to the API before the adapter reads their bodies. */
@Injectable()
export class ApiRequestMount {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly path: ApiPath,
    private readonly routes: ApiRoutes,
    private readonly clock: WorkflowClock,
  ) {}

  /** Called once, while Nest sets up its middleware. Does nothing in an application without HTTP. */
  mount(): void {
    const type = this.host.httpAdapter?.getType?.();
    if (!type) return;
    protectAnswers(this.host.httpAdapter);
    guardConnections(this.host.httpAdapter.getHttpServer() as Server, this.clock);
    const isApi = this.path.matcher();
    const isHub = this.path.hubMatcher();
    const hold = (raw: IncomingMessage, next: Next, isOther: () => boolean) => {
      const url = raw.url ?? '';
      if (isHub(url) || (isApi(url) && !this.isOwn(raw, isOther))) holdBody(raw);
      next();
    };
    if (type === 'fastify')
      this.host.httpAdapter
        .getInstance<FastifyLike>()
        .addHook('onRequest', ({ raw, routeOptions }, _reply, done) =>
          hold(raw, done, () => routeOptions?.url !== undefined && routeOptions.url !== `${this.path.base}/*`),
        );
    else {
      const app = this.host.httpAdapter.getInstance<ExpressLike>();
      this.mountFirst(app, (raw, next) => hold(raw, next, () => isRoute(app, raw)));
    }
  }

  /** The application's own route below the prefix of the API: its body is the application's. */
  private isOwn({ url = '', method = 'GET' }: IncomingMessage, isOther: () => boolean): boolean {
    return !this.routes.verbsOf(url).includes(method) && isOther();
  }

  /** Nest has registered its body parsers by now, however the application was created: moves ours before them. */
  private mountFirst(app: ExpressLike, hold: (raw: IncomingMessage, next: Next) => void): void {
    app.use((request, _response, next) => hold(request, next));
    const { stack } = app._router ?? app.router;
    stack.unshift(stack.pop()!);
  }
}

function isRoute(app: ExpressLike, { url = '', method = 'GET' }: IncomingMessage): boolean {
  const [path = ''] = url.split('?', 1);
  const { stack } = app._router ?? app.router;
  for (const layer of stack) {
    if (answersUnknown(layer.handle)) return false;
    if (layer.route && layer.route._handlesMethod?.(method) !== false && layer.match?.(path)) return true;
  }
  return false;
}
