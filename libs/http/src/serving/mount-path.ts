import { Inject, Injectable } from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import { originLength, routedPath } from '@waymark/runtime/adapter';
import { HTTP_OPTIONS, type ResolvedHttpOptions } from '../module/http-options.js';

/** A prefix, and where it ends in a URL. */
interface Mounted {
  readonly prefix: string;
  readonly end: number;
}

/** Where in the application's paths the endpoints live: the base path, below the global prefix if there is one. */
@Injectable()
export class HttpMountPath {
  private known: { readonly global: string; readonly prefixes: readonly string[] } | undefined;

  constructor(
    private readonly config: ApplicationConfig,
    @Inject(HTTP_OPTIONS) private readonly options: ResolvedHttpOptions,
  ) {}

  /** Where the endpoints may be, without a slash at the end. */
  get all(): readonly string[] {
    // Routes of the application may ask before it sets its global prefix.
    const global = this.config.getGlobalPrefix();
    if (this.known?.global !== global) this.known = { global, prefixes: this.candidates(global) };
    return this.known.prefixes;
  }

  /** Where they are, as the application has set its global prefix up. */
  get described(): string {
    const { basePath } = this.options;
    const { exclude = [] } = this.config.getGlobalPrefixOptions();
    const isExcluded = exclude.some(({ pathRegex }) => pathRegex.test(basePath) || pathRegex.test(`${basePath}/-`));
    return isExcluded ? basePath : this.all[0]!;
  }

  /** Path of a request below the mount path. */
  below(path: string): string {
    return path.slice(this.find(path)?.end ?? 0);
  }

  /** A path below the mount path as clients see it. @param requestPath of a request below the same mount path */
  public(requestPath: string, path: string): string {
    const { basePath, baseUrl } = this.options;
    const outside = new URL(baseUrl).pathname.replace(/\/$/, '');
    const prefix = this.find(requestPath)?.prefix ?? basePath;
    const global = prefix.slice(0, prefix.length - basePath.length);
    // The address as clients see it has the global prefix already, unless only a proxy in front has a path.
    const isInside = global !== '' && outside.toLowerCase().endsWith(global.toLowerCase());
    return `${outside}${isInside ? basePath : prefix}${path}`;
  }

  /** True for the mount path and everything below it; never for a path that merely begins with the same letters. */
  includes(url: string): boolean {
    return this.find(url) !== undefined;
  }

  private find(url: string): Mounted | undefined {
    const from = originLength(url);
    for (const prefix of this.all) {
      const end = from + prefix.length;
      const next = url.charAt(end);
      if (url.length < end || (next !== '/' && next !== '' && next !== '?')) continue;
      const isThere = url.startsWith(prefix, from) || url.slice(from, end).toLowerCase() === prefix.toLowerCase();
      if (isThere) return { prefix, end };
    }
    return url.includes('%') ? this.findEncoded(url, from) : undefined;
  }

  /** Routers find the route of `/%77orkflows/x` as well. */
  private findEncoded(url: string, from: number): Mounted | undefined {
    for (const prefix of this.all) {
      let end = from;
      for (let names = prefix.split('/').length - 1; names > 0 && end >= 0; names--) {
        const next = url.slice(end + 1).search(/[/?#]/);
        end = next < 0 ? url.length : end + 1 + next;
      }
      if (routedPath(url.slice(from, end)).toLowerCase() === prefix.toLowerCase()) return { prefix, end };
    }
    return undefined;
  }

  /** The host may have excluded the endpoints from its global prefix, so both are looked for. */
  private candidates(globalPrefix: string): string[] {
    const { basePath } = this.options;
    const global = globalPrefix.replace(/^\/+|\/+$/g, '');
    return global === '' || basePath === '' ? [basePath] : [`/${global}${basePath}`, basePath];
  }
}
