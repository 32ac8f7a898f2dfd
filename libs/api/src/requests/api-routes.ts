import { Injectable } from '@nestjs/common';
import { DiscoveryService, Reflector } from '@nestjs/core';
import { routedPath } from '@waymark/runtime/adapter';
import { ApiPath } from './api-path.js';

export const API_CONTROLLER = Symbol.for('@waymark/api:controller');
export const API_ROUTE = Symbol.for('@waymark/api:route');

export interface ApiRoute {
  readonly verb: string;
  readonly path: string;
}

/** A route as a controller declares it. */
export interface DeclaredRoute extends ApiRoute {
  /** With that of its controller. */
  readonly path: string;
  readonly controller: object;
  /** Name of the method that serves it. */
  readonly method: string;
  readonly handler: object;
}

interface KnownRoute {
  readonly verb: string;
  readonly pattern: RegExp;
}

/** Knows the paths of the API and their verbs, to tell a wrong verb from a path that does not exist. */
@Injectable()
export class ApiRoutes {
  private known: readonly KnownRoute[] | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly reflector: Reflector,
    private readonly path: ApiPath,
  ) {}

  /** Verbs that a URL of the API may be called with; none: there is no such path. */
  verbsOf(url: string): string[] {
    this.known ??= this.find();
    const own = routedPath(url).slice(this.path.base.length + 1);
    return [...new Set(this.known.filter(({ pattern }) => pattern.test(own)).map(({ verb }) => verb))].sort();
  }

  /** All routes of the API, in the order in which they are registered. */
  declared(): DeclaredRoute[] {
    return this.discovery.getControllers().flatMap(({ metatype }) => {
      const base = metatype && this.reflector.get<string | undefined>(API_CONTROLLER, metatype);
      if (base === undefined || !metatype) return [];
      const { prototype } = metatype as { prototype: Record<string, unknown> };
      return Object.getOwnPropertyNames(prototype).flatMap((method): DeclaredRoute[] => {
        const handler = prototype[method];
        if (typeof handler !== 'function') return [];
        const route = this.reflector.get<ApiRoute | undefined>(API_ROUTE, handler);
        const path = route && [base, route.path].filter((part) => part !== '').join('/');
        return route ? [{ verb: route.verb, path: path!, controller: metatype, method, handler }] : [];
      });
    });
  }

  private find(): KnownRoute[] {
    return this.declared().map(({ verb, path }) => ({ verb, pattern: patternOf(path) }));
  }
}

function patternOf(path: string): RegExp {
  const segments = path.split('/').filter((segment) => segment !== '');
  const source = segments.map((s) => (s.startsWith(':') ? '[^/]+' : s.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')));
  return new RegExp(`^${source.join('/')}/?$`, 'i');
}
