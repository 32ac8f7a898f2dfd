import { Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type OpenApiDocument, type OpenApiOperation } from '@waymark/runtime';
import { OPEN_API_VERSION } from '@waymark/runtime/adapter';
import { ROUTE_ACCESS, type RouteAccess } from '../identity/permissions.js';
import { API_OPTIONS, type ResolvedApiOptions } from '../module/api-options.js';
import { ApiPath } from '../requests/api-path.js';
import { ApiRoutes, type DeclaredRoute } from '../requests/api-routes.js';
import { readersOf } from '../requests/bind.js';
import { ManagementOpenApi } from './management-open-api.js';
import { describeRoute, REFUSALS, templateOf } from './describe-route.js';
import type { RouteDescription } from './operations/route-description.js';
import { ROUTE_GROUPS } from './operations/route-groups.js';
import { SCHEMAS } from './schemas/schemas.js';

/** Without authentication the API is either closed, or open without credentials. */
const SCHEMES = {
  waymarkToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The access token of a login.' },
  waymarkKey: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'A key of the server, as `ApiKey …`.',
  },
};

/** Made from the controllers: each route with its readers, its permissions and its description. */
@Injectable()
export class RouteDocument extends ManagementOpenApi {
  private known: OpenApiDocument | undefined;

  constructor(
    private readonly routes: ApiRoutes,
    private readonly reflector: Reflector,
    private readonly path: ApiPath,
    @Inject(API_OPTIONS) private readonly options: ResolvedApiOptions,
  ) {
    super();
  }

  document(): OpenApiDocument {
    return (this.known ??= this.create());
  }

  private create(): OpenApiDocument {
    const paths: Record<string, Record<string, OpenApiOperation>> = {};
    const described = new Map<string, { readonly tag: string; readonly description: RouteDescription }>();
    for (const { tag, routes } of ROUTE_GROUPS)
      for (const [route, description] of Object.entries(routes)) described.set(route, { tag, description });
    for (const route of this.routes.declared()) {
      const found = described.get(`${route.verb} ${route.path}`);
      if (!found) continue;
      const item = (paths[this.path.base + templateOf(route.path)] ??= {});
      item[route.verb.toLowerCase()] = this.describe(route, found.tag, found.description);
    }
    const hasLogin = this.options.authentication !== undefined;
    return {
      openapi: OPEN_API_VERSION,
      info: {
        title: 'Waymark management API',
        version: this.options.packageVersion,
        description: 'Manages workflow definitions and instances.',
      },
      tags: ROUTE_GROUPS.map(({ tag: name, description }) => ({ name, description })),
      paths,
      components: { schemas: SCHEMAS, responses: REFUSALS, securitySchemes: hasLogin ? SCHEMES : {} },
    };
  }

  private describe(route: DeclaredRoute, tag: string, description: RouteDescription): OpenApiOperation {
    const { verb, path, controller, method, handler } = route;
    const access = this.reflector.get<RouteAccess | undefined>(ROUTE_ACCESS, handler as () => unknown);
    const operation = describeRoute({
      verb,
      path,
      readers: readersOf(controller, method),
      access,
      tag,
      description,
    });
    const needsLogin = this.options.authentication !== undefined && !access?.isAnonymous;
    return needsLogin ? { ...operation, security: [{ waymarkToken: [] }, { waymarkKey: [] }] } : operation;
  }
}
