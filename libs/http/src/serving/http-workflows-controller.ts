import { All, Controller, Req, Res, SetMetadata, type Type, VERSION_NEUTRAL } from '@nestjs/common';
import { AdapterExchange } from '../requests/adapter-exchange.js';
import { noEndpoint } from './error-response.js';
import type { Endpoint } from './find-endpoint.js';
import { WorkflowEndpoints } from './workflow-endpoints.js';
import { WorkflowRoutes } from './workflow-routes.js';

/** The controller of all endpoints. */
export interface HttpWorkflowsController {
  /** Serves a request below the base path; 404 when no workflow is there. */
  handle(request: object, response: object): Promise<void>;
  /** Serves a request of which is known that it leads somewhere. */
  handleFound(request: object, response: object): Promise<void>;
}

/** Token of the controller's class. */
export const HTTP_CONTROLLER = Symbol.for('@waymark/http:controller');

/**
 * A class of its own for each module, since its path is known only once the options are: two applications in one process
 * must not share it. A real controller, so that the application's guards, interceptors, filters and CORS apply.
 */
export function createHttpWorkflowsController(
  decorators: readonly ClassDecorator[] = [],
): Type<HttpWorkflowsController> {
  // Its wildcards say nothing of the endpoints: `WorkflowOpenApi` does. As `ApiExcludeController` of `@nestjs/swagger` writes it.
  @SetMetadata('swagger/apiExcludeController', [true])
  @Controller()
  class WorkflowsController implements HttpWorkflowsController {
    constructor(
      private readonly endpoints: WorkflowEndpoints,
      private readonly routes: WorkflowRoutes,
    ) {}

    handle(@Req() request: object, @Res() response: object): Promise<void> {
      const exchange = new AdapterExchange(request, response);
      const found = this.routes.endpointOf(exchange);
      // A trigger is known at once; only what has to ask the store is waited for.
      return found instanceof Promise
        ? found.then((endpoint) => this.serveOrRefuse(exchange, endpoint))
        : this.serveOrRefuse(exchange, found);
    }

    private serveOrRefuse(exchange: AdapterExchange, endpoint: Endpoint | undefined): Promise<void> {
      if (endpoint) return this.endpoints.serve(exchange, endpoint);
      const { request, target } = exchange;
      return Promise.resolve(target.send(noEndpoint(request.method, request.path)));
    }

    async handleFound(request: object, response: object): Promise<void> {
      const exchange = new AdapterExchange(request, response);
      const endpoint = (await this.routes.endpointOf(exchange)) as Endpoint;
      return this.endpoints.serve(exchange, endpoint);
    }
  }
  for (const decorate of decorators) decorate(WorkflowsController);
  return WorkflowsController;
}

/**
 * Gives the controller its routes, before Nest reads them. An empty base path gets none: see `HttpMount`.
 * @param wildcard for all paths below, as the adapter writes it
 */
export function mapRoutes(
  controller: Type<HttpWorkflowsController>,
  basePath: string,
  wildcard: '*' | '{*path}',
): void {
  Controller({ path: basePath, version: VERSION_NEUTRAL })(controller);
  if (basePath === '') return;
  const { prototype } = controller as { prototype: object };
  All(['', wildcard])(prototype, 'handle', Object.getOwnPropertyDescriptor(prototype, 'handle')!);
}
