import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Inject, Injectable, type OnModuleInit, type Type } from '@nestjs/common';
import { ExternalContextCreator, HttpAdapterHost, ModuleRef, ModulesContainer } from '@nestjs/core';
import { refuseMovedRoutes } from '@waymark/core/adapter';
import { RuntimeGate, WorkflowClock } from '@waymark/runtime';
import { bodyMemory, guardConnections } from '@waymark/runtime/adapter';
import { HTTP_OPTIONS, type ResolvedHttpOptions } from '../module/http-options.js';
import { AdapterExchange } from '../requests/adapter-exchange.js';
import { announcesBody, holdBody, releaseBody } from '../requests/held-body.js';
import { HTTP_CONTROLLER, type HttpWorkflowsController, mapRoutes } from './http-workflows-controller.js';
import { deadlineOf } from './endpoint-input.js';
import { HttpMountPath } from './mount-path.js';
import { type ExpressLayer, moveBehindOwnRoutes, ownRouteFinder } from './own-routes.js';
import { bufferBody, noteRawBody } from './raw-body.js';
import { ENDPOINT, type RoutedRequest } from './workflow-route.js';
import { WorkflowRoutes } from './workflow-routes.js';

type Next = (error?: unknown) => void;
type Handler = HttpWorkflowsController['handleFound'];

/** What this class uses of the adapters' instances. */
interface ExpressApp {
  use(handler: (request: IncomingMessage, response: object, next: Next) => void): unknown;
  readonly router: { readonly stack: ExpressLayer[] };
}
interface HookedRequest {
  readonly raw: IncomingMessage;
}
type FastifyHook = (request: HookedRequest, reply: FastifyReply, done: Next) => void;
interface FastifyRoute {
  readonly url: string;
  onRequest?: FastifyHook | FastifyHook[];
  preHandler?: FastifyHook | FastifyHook[];
}
interface FastifyApp {
  readonly supportedMethods: readonly string[];
  addHook(event: 'onRoute', hook: (route: FastifyRoute) => void): unknown;
  register(plugin: (app: FastifyApp) => Promise<void>): unknown;
  removeAllContentTypeParsers(): void;
  addContentTypeParser(
    type: string,
    parser: (request: object, payload: unknown, done: (error: null, body?: unknown) => void) => void,
  ): void;
  route(options: {
    method: readonly string[];
    url: string;
    bodyLimit?: number;
    handler: (request: object, reply: FastifyReply) => Promise<void>;
  }): void;
}
interface FastifyReply {
  readonly raw: ServerResponse;
  callNotFound(): unknown;
}

/** Connects the endpoints with the HTTP adapter, Express or Fastify. */
@Injectable()
export class HttpMount implements OnModuleInit {
  /** Whether the application was made with `rawBody: true`. */
  private readonly keepsRawBody: () => boolean;

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly modules: ModuleRef,
    private readonly all: ModulesContainer,
    private readonly contexts: ExternalContextCreator,
    private readonly routes: WorkflowRoutes,
    private readonly path: HttpMountPath,
    private readonly clock: WorkflowClock,
    private readonly gate: RuntimeGate,
    @Inject(HTTP_CONTROLLER) private readonly controller: Type<HttpWorkflowsController>,
    @Inject(HTTP_OPTIONS) private readonly options: ResolvedHttpOptions,
  ) {
    this.keepsRawBody = noteRawBody(host);
    // Nest knows the adapter by now, except in tests, where it is chosen later; in each case before it reads routes.
    host.init$.subscribe(() => {
      const isFastify = this.adapterType === 'fastify';
      mapRoutes(controller, options.basePath, isFastify ? '*' : '{*path}');
      if (isFastify && options.basePath !== '') this.holdBodiesOnFastify(this.app<FastifyApp>());
    });
  }

  /** @throws ModuleSetupError (`WM1093`) where `RouterModule` moves the module of the endpoints */
  onModuleInit(): void {
    const own = [...this.all.values()].find(({ controllers }) => controllers.has(this.controller));
    refuseMovedRoutes(this.all.values(), own?.metatype, 'Set http.basePath of WorkflowModule.forRoot() instead.');
    bodyMemory.limitBytes = this.options.bodyMemoryBytes;
    if (!this.adapterType) return;
    guardConnections(this.host.httpAdapter.getHttpServer() as Server, this.clock);
    if (this.options.basePath === '') this.mountAtRoot();
    else if (this.adapterType !== 'fastify') this.holdBodiesOnExpress(this.app<ExpressApp>());
  }

  // ----- with a base path: a controller; the adapter's parsers are kept off the bodies of its requests -----

  /**
   * Hooks of the controller's own routes, so that requests to others meet none of them. A route of the application below the base
   * path is another one: its body is the application's.
   */
  private holdBodiesOnFastify(app: FastifyApp): void {
    const hold: FastifyHook = ({ raw }, _reply, done) => this.hold(raw, done);
    const release: FastifyHook = (request, reply, done) => this.release(request.raw, request, reply.raw, done);
    app.addHook('onRoute', (route) => {
      if (!this.path.all.some((prefix) => [prefix, `${prefix}/`, `${prefix}/*`].includes(route.url))) return;
      route.onRequest = [route.onRequest ?? [], hold].flat();
      route.preHandler = [route.preHandler ?? [], release].flat();
    });
  }

  private holdBodiesOnExpress(app: ExpressApp): void {
    const { stack } = app.router;
    moveBehindOwnRoutes(stack, this.path.all);
    // Asked for by the first request: routes may still be added until then.
    let isOwn: ReturnType<typeof ownRouteFinder> | undefined;
    app.use((request, _response, next) => {
      isOwn ??= ownRouteFinder(stack, this.path.all);
      const [path = ''] = (request.url ?? '').split('?', 1);
      if (this.path.includes(path) && isOwn(request.method ?? 'GET', path)) return next();
      this.hold(request, next);
    });
    this.moveAroundParsers(app);
  }

  /** Puts the layer that was added last before Nest's parsers, which it has registered by now, and one that releases behind them. */
  private moveAroundParsers(app: ExpressApp): void {
    const { stack } = app.router;
    app.use((request, response, next) => this.release(request, request, response as ServerResponse, next));
    const releasing = stack.pop()!;
    const holding = stack.pop()!;
    const lastParser = stack.findLastIndex(({ handle }) => /^(json|urlencoded|raw|text)Parser$/.test(handle.name));
    stack.splice(lastParser + 1, 0, releasing);
    stack.unshift(holding);
  }

  private hold(raw: IncomingMessage, next: Next): void {
    if (this.path.includes(raw.url ?? '')) {
      this.routes.note(raw);
      holdBody(raw);
    }
    next();
  }

  /** Shows the headers again, and the body where the application has asked for it as it came, before any guard. */
  private release(raw: IncomingMessage, request: object, response: ServerResponse, next: Next): void {
    const isHeld = releaseBody(raw);
    if (isHeld && this.keepsRawBody()) void this.buffer(raw, request, response, next);
    else next();
  }

  private async buffer(raw: IncomingMessage, request: object, response: ServerResponse, next: Next): Promise<void> {
    const { bodyBytes, uploadBytes } = this.options;
    const limit = Math.max(bodyBytes, uploadBytes);
    let isThere: boolean;
    try {
      isThere = await bufferBody(raw, request, response, limit, deadlineOf(this.options, this.clock, this.gate));
    } catch (error) {
      return next(error);
    }
    if (isThere) next();
  }

  // ----- without one: the adapter itself -----

  /**
   * A wildcard controller would hide the application's own. Its routes are all registered by now, so what comes here belongs to
   * none of them, and continues to Nest's 404 where it belongs to no workflow either.
   */
  private mountAtRoot(): void {
    const instance = this.modules.get<HttpWorkflowsController>(this.controller, { strict: false });
    const enhancers = { guards: true, interceptors: true, filters: false };
    const callback = instance.handleFound as (...args: unknown[]) => unknown;
    const guarded = this.contexts.create(
      instance,
      callback,
      'handleFound',
      undefined,
      undefined,
      undefined,
      undefined,
      enhancers,
    ) as Handler;
    if (this.adapterType === 'fastify') this.mountOnFastify(this.app<FastifyApp>(), guarded);
    else this.mountOnExpress(this.app<ExpressApp>(), guarded);
  }

  private mountOnExpress(app: ExpressApp, handler: Handler): void {
    this.holdWorkflowBodies(app);
    const serve = async (request: object, response: object, next: Next) => {
      try {
        await this.serveOrPass(request, response, handler, next);
      } catch (error) {
        next(error);
      }
    };
    app.use((request, response, next) => void serve(request, response, next));
  }

  /**
   * Of all that comes to the root, only the bodies of requests that lead to a workflow are kept off the parsers: middleware of the
   * application may need the others. Looked up again when it is served, as middleware may change the method until then.
   */
  private holdWorkflowBodies(app: ExpressApp): void {
    const { stack } = app.router;
    let isOwn: ReturnType<typeof ownRouteFinder> | undefined;
    const hold = async (request: IncomingMessage, response: object, next: Next): Promise<void> => {
      isOwn ??= ownRouteFinder(stack, this.path.all);
      const [path = ''] = (request.url ?? '').split('?', 1);
      try {
        const isOthers = isOwn(request.method ?? 'GET', path);
        if (!isOthers && (await this.routes.endpointOf(new AdapterExchange(request, response)))) holdBody(request);
      } catch {
        // A path that Express cannot decode, or a store that is out, is refused when the request is to be served.
      }
      next();
    };
    app.use((request, response, next) => {
      if (announcesBody(request)) void hold(request, response, next);
      else next();
    });
    this.moveAroundParsers(app);
  }

  private mountOnFastify(app: FastifyApp, handler: Handler): void {
    app.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
      // OPTIONS at /* belongs to CORS.
      const method = scope.supportedMethods.filter((name) => name !== 'OPTIONS');
      scope.route({
        method,
        url: '/*',
        // The limit is ours to keep.
        bodyLimit: Number.MAX_SAFE_INTEGER,
        handler: (request, reply) => this.serveOrPass(request, reply, handler, () => reply.callNotFound()),
      });
    });
  }

  private async serveOrPass(request: object, response: object, handler: Handler, pass: () => unknown): Promise<void> {
    const exchange = new AdapterExchange(request, response);
    const endpoint = await this.routes.endpointOf(exchange);
    if (!endpoint) return void pass();
    const raw: RoutedRequest = exchange.request.raw;
    this.routes.note(raw);
    raw[ENDPOINT] = { endpoint };
    await handler(request, response);
  }

  /** Undefined in an application without HTTP. */
  private get adapterType(): string | undefined {
    return this.host.httpAdapter?.getType?.() || undefined;
  }

  private app<T>(): T {
    return this.host.httpAdapter.getInstance<T>();
  }
}
