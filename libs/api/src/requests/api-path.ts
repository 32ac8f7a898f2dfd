import { Inject, Injectable } from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import { API_OPTIONS, type ResolvedApiOptions } from '../module/api-options.js';

/** Where in the application's paths the API lives: its prefix, below the global one if there is one. */
@Injectable()
export class ApiPath {
  constructor(
    private readonly config: ApplicationConfig,
    @Inject(API_OPTIONS) private readonly options: ResolvedApiOptions,
  ) {}

  /** Without a slash at the end. Known once the application is set up. */
  get base(): string {
    const own = pathOf(this.options.routePrefix);
    return this.isExcluded(own) ? own : pathOf(this.config.getGlobalPrefix(), own);
  }

  /** Whether the application has its global prefix leave out the API, by the path of one of its routes. */
  private isExcluded(own: string): boolean {
    const { exclude = [] } = this.config.getGlobalPrefixOptions();
    return exclude.some(({ pathRegex }) => pathRegex.test(`${own}/package/version`));
  }

  /** Made when the first request comes: until then the application may still choose its global prefix. */
  matcher(): (url: string) => boolean {
    let prefixes: string[] | undefined;
    return (url) => {
      // The application may have excluded the API from its global prefix, so both are looked for.
      prefixes ??= [...new Set([this.base, pathOf(this.options.routePrefix)])].map((path) => `${path.toLowerCase()}/`);
      return prefixes.some((prefix) => url.slice(0, prefix.length).toLowerCase() === prefix);
    };
  }
}

function pathOf(...parts: string[]): string {
  const names = parts.flatMap((part) => part.split('/')).filter((name) => name !== '');
  return names.map((name) => `/${name}`).join('');
}
