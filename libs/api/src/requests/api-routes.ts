import { Injectable } from '@nestjs/common';
import { DiscoveryService, Reflector } from '@nestjs/core';
import { ApiPath } from './api-path.js';

export const API_CONTROLLER = Symbol.for('@waymark/api:controller');
export const API_ROUTE = Symbol.for('@waymark/api:route');

export interface ApiRoute {
  readonly verb: string;
  readonly path: string;
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
    const [path = ''] = url.split('?', 1);
    const own = path.slice(this.path.base.length + 1);
    return [...new Set(this.known.filter(({ pattern }) => pattern.test(own)).map(({ verb }) => verb))].sort();
  }

  private find(): KnownRoute[] {
    return this.discovery.getControllers().flatMap(({ metatype }) => {
      const base = metatype && this.reflector.get<string | undefined>(API_CONTROLLER, metatype);
      if (base === undefined) return [];
      const { prototype } = metatype as { prototype: Record<string, unknown> };
      return Object.getOwnPropertyNames(prototype).flatMap((name) => {
        const handler = prototype[name];
        const route =
          typeof handler === 'function' ? this.reflector.get<ApiRoute | undefined>(API_ROUTE, handler) : undefined;
        return route ? [{ verb: route.verb, pattern: patternOf(`${base}/${route.path}`) }] : [];
      });
    });
  }
}

function patternOf(path: string): RegExp {
  const segments = path.split('/').filter((segment) => segment !== '');
  const source = segments.map((s) => (s.startsWith(':') ? '[^/]+' : s.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')));
  return new RegExp(`^${source.join('/')}/?$`, 'i');
}
