import type { CanActivate, ConfigurableModuleAsyncOptions, Type } from '@nestjs/common';
import {
  checkOptions,
  type OptionKinds,
  optionKinds as is,
  refuseUnknown,
  requireFactoryResult,
} from '@waymark/core/adapter';
import { StudioOptionsError } from './studio-errors.js';

/** Options of `StudioModule.forRoot`. All of them have defaults. */
export interface StudioOptions {
  /** Path of the pages, below the global prefix of the application. @default '/studio' */
  readonly path?: string | undefined;
  /** Path of the management API, with or without the global prefix. @default the `routePrefix` of `WorkflowApiModule` */
  readonly apiPath?: string | undefined;
  /**
   * What a proxy strips from the addresses of pages and of the API before it passes requests on, such as `/tools/waymark`. It is never
   * taken from a header of the request, which anyone may send. @default '': nothing
   */
  readonly publicPath?: string | undefined;
  /**
   * The application's own login page. Studio opens it when the API requires credentials, with the address to return to in the
   * parameter `returnUrl`. @default none: Studio asks for a user and password, or for an API key
   */
  readonly loginUrl?: string | undefined;
  /**
   * Where the documentation of Waymark is published, such as `https://docs.example.org/waymark`: the help of each page links to
   * it. @default none: the help explains the page, without a link
   */
  readonly docsUrl?: string | undefined;
  /** Guards of the pages, after the application's global ones. @default [] */
  readonly guards?: readonly Type<CanActivate>[] | undefined;
  /**
   * Decorators for the controller that serves the pages, such as the application's own `@Public()`, when a global guard asks
   * for a header that browsers do not send when they open a page. @default []
   */
  readonly decorators?: readonly ClassDecorator[] | undefined;
}

/** What Nest needs before it calls a factory. */
export type StudioRouteOptions = Pick<StudioOptions, 'path' | 'guards' | 'decorators'>;

/** What the factory of `StudioModule.forRootAsync` returns. */
export type StudioPageOptions = Omit<StudioOptions, keyof StudioRouteOptions>;

/** Options of `StudioModule.forRootAsync`: a factory, and beside it what Nest needs before it calls that. */
export interface StudioAsyncOptions extends ConfigurableModuleAsyncOptions<StudioPageOptions>, StudioRouteOptions {}

export type ResolvedStudioOptions = Readonly<
  Required<Omit<StudioOptions, 'apiPath' | 'loginUrl' | 'docsUrl'>> & {
    apiPath: string | undefined;
    loginUrl: string | undefined;
    docsUrl: string | undefined;
  }
>;

export const STUDIO_OPTIONS = Symbol.for('@waymark/studio:options');

const EARLY_KINDS: OptionKinds<StudioRouteOptions> = {
  path: is.text,
  guards: is.listOf(is.aClass<Type<CanActivate>>()),
  decorators: is.listOf(is.aFunction<ClassDecorator>()),
};

/** What a factory may return. */
export const LATE_KINDS: OptionKinds<StudioPageOptions> = {
  apiPath: is.text,
  publicPath: is.text,
  loginUrl: is.text,
  docsUrl: is.text,
};

/** What the options take. */
const KINDS: OptionKinds<StudioOptions> = { ...EARLY_KINDS, ...LATE_KINDS };

/** What `forRootAsync` knows. */
export const ASYNC_NAMES = {
  ...EARLY_KINDS,
  imports: true,
  inject: true,
  useFactory: true,
  useClass: true,
  useExisting: true,
  provideInjectionTokensFrom: true,
};

const refuse = (option: string, requirement: string, given: string) =>
  new StudioOptionsError(option, `must be ${requirement}, not ${given}.`);

/** @throws StudioOptionsError (`WM9201`), UnknownOptionError (`WM1091`) */
export function resolveStudioOptions(given: StudioOptions = {}): ResolvedStudioOptions {
  const options = checkOptions({ name: 'StudioModule', refuse }, given, KINDS);
  return {
    path: plainPath('path', options.path ?? '/studio'),
    apiPath: options.apiPath === undefined ? undefined : plainPath('apiPath', options.apiPath),
    publicPath: options.publicPath ? plainPath('publicPath', options.publicPath) : '',
    loginUrl: ownPage('loginUrl', options.loginUrl),
    docsUrl: ownPage('docsUrl', options.docsUrl)?.replace(/\/+$/, ''),
    guards: options.guards ?? [],
    decorators: options.decorators ?? [],
  };
}

/** @param early what stands beside the factory @param given what it returned @throws as above, InvalidOptionError (`WM1090`) */
export function resolveLateOptions(early: ResolvedStudioOptions, given: StudioPageOptions): ResolvedStudioOptions {
  refuseUnknown('StudioModule', requireFactoryResult('StudioModule', given), LATE_KINDS, { beside: EARLY_KINDS });
  const { apiPath, publicPath, loginUrl, docsUrl } = resolveStudioOptions(given);
  return { ...early, apiPath, publicPath, loginUrl, docsUrl };
}

/** `/studio`: one slash before each name, none at the end. */
function plainPath(option: string, text: string): string {
  const names = text.split('/').filter((name) => name !== '');
  if (names.length === 0) throw new StudioOptionsError(option, "must name a path, such as '/studio'.");
  const odd = names.find((name) => !/^[\w.~-]+$/.test(name) || /^\.+$/.test(name));
  if (odd !== undefined)
    throw new StudioOptionsError(option, `may have letters, digits, "-", "_", "." and "~" only, not "${odd}".`);
  return names.map((name) => `/${name}`).join('');
}

function ownPage(option: string, url: string | undefined): string | undefined {
  if (url === undefined || /^(\/(?![/\\])|https?:\/\/)/.test(url)) return url;
  throw new StudioOptionsError(option, `must begin with "/" or "https://", not be "${url}".`);
}
