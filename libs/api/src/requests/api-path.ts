import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { ApplicationConfig, ModulesContainer } from '@nestjs/core';
import { MANAGEMENT_API, refuseMovedRoutes } from '@waymark/core/adapter';
import { routedPath } from '@waymark/runtime/adapter';
import { API_OPTIONS, type ResolvedApiOptions } from '../module/api-options.js';

/** Clients of Elsa look for the hub beside the API: below the parent of its prefix. */
export const hubPrefix = (routePrefix: string): string =>
  [...namesOf(routePrefix).slice(0, -1), 'hubs', 'workflow-instance'].join('/');

/** Where in the application's paths the API lives: its prefix, below the global one if there is one. */
@Injectable()
export class ApiPath implements OnModuleInit {
  constructor(
    private readonly config: ApplicationConfig,
    @Inject(API_OPTIONS) private readonly options: ResolvedApiOptions,
    private readonly modules: ModulesContainer,
  ) {}

  /** @throws ModuleSetupError (`WM1093`) where `RouterModule` of the application moves the API */
  onModuleInit(): void {
    const { routePrefix } = this.options;
    const all = [...this.modules.values()];
    const api = all.find(({ providers }) => providers.has(MANAGEMENT_API))?.metatype;
    refuseMovedRoutes(all, api, 'Set routePrefix of WorkflowApiModule.forRoot() instead.', routePrefix);
  }

  /** Without a slash at the end. Known once the application is set up. */
  get base(): string {
    return this.whole(pathOf(this.options.routePrefix), 'package/version');
  }

  /** The same of the hub. */
  get hub(): string {
    return this.whole(pathOf(hubPrefix(this.options.routePrefix)), 'negotiate');
  }

  /** @param route any route below it: applications exclude routes from their global prefix by patterns of paths */
  private whole(own: string, route: string): string {
    const { exclude = [] } = this.config.getGlobalPrefixOptions();
    const isExcluded = exclude.some(({ pathRegex }) => pathRegex.test(`${own}/${route}`));
    return isExcluded ? own : pathOf(this.config.getGlobalPrefix(), own);
  }

  /** Tells which URLs are those of the hub. Reads the global prefix at the first request, as below. */
  hubMatcher(): (url: string) => boolean {
    let hub: string | undefined;
    return (url) => {
      hub ??= this.hub.toLowerCase();
      const path = routedPath(url);
      if (path.slice(0, hub.length).toLowerCase() !== hub) return false;
      return /^\/?(negotiate\/?)?$/i.test(path.slice(hub.length));
    };
  }

  /** Tells which URLs are below the API. Reads the global prefix at the first request: until then the application may set it. */
  matcher(): (url: string) => boolean {
    let prefixes: string[] | undefined;
    return (url) => {
      // The application may have excluded the API from its global prefix, so both are looked for.
      prefixes ??= [...new Set([this.base, pathOf(this.options.routePrefix)])].map((path) => `${path.toLowerCase()}/`);
      const path = routedPath(url);
      return prefixes.some((prefix) => path.slice(0, prefix.length).toLowerCase() === prefix);
    };
  }
}

function pathOf(...parts: string[]): string {
  return parts
    .flatMap(namesOf)
    .map((name) => `/${name}`)
    .join('');
}

const namesOf = (path: string): string[] => path.split('/').filter((name) => name !== '');
