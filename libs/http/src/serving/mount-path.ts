import { Inject, Injectable } from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import { HTTP_OPTIONS, type ResolvedHttpOptions } from '../module/http-options.js';

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
    return path.slice(this.prefixOf(path)?.length ?? 0);
  }

  /** A path below the mount path as clients see it. @param requestPath of a request below the same mount path */
  public(requestPath: string, path: string): string {
    const outside = new URL(this.options.baseUrl).pathname.replace(/\/$/, '');
    return `${outside}${this.prefixOf(requestPath) ?? this.options.basePath}${path}`;
  }

  /** True for the mount path and everything below it; never for a path that merely begins with the same letters. */
  includes(url: string): boolean {
    return this.prefixOf(url) !== undefined;
  }

  private prefixOf(url: string): string | undefined {
    for (const prefix of this.all) {
      const next = url.charAt(prefix.length);
      if (url.length < prefix.length || (next !== '/' && next !== '' && next !== '?')) continue;
      if (url.startsWith(prefix) || url.slice(0, prefix.length).toLowerCase() === prefix.toLowerCase()) return prefix;
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
