import type { CanActivate, Type } from '@nestjs/common';
import { checkOptions, type OptionKinds, optionKinds as is } from '@waymark/core/adapter';
import { StudioOptionsError } from './studio-errors.js';

/** Options of `StudioModule.forRoot`. All of them have defaults. */
export interface StudioOptions {
  /** Path of the pages, below the global prefix of the application. @default '/studio' */
  readonly path?: string;
  /** Path of the management API, with or without the global prefix. @default the `routePrefix` of `WorkflowApiModule` */
  readonly apiPath?: string;
  /**
   * What a proxy strips from the addresses of pages and of the API before it passes requests on, such as `/tools/waymark`. It is never
   * taken from a header of the request, which anyone may send. @default '': nothing
   */
  readonly publicPath?: string;
  /**
   * The application's own login page. Studio opens it when the API requires credentials, with the address to return to in the
   * parameter `returnUrl`. @default none: Studio asks for a user and password, or for an API key
   */
  readonly loginUrl?: string;
  /**
   * Where the documentation of Waymark is published, such as `https://docs.example.org/waymark`: the help of each page links to
   * it. @default none: the help explains the page, without a link
   */
  readonly docsUrl?: string;
  /** Guards of the pages, after the application's global ones. @default [] */
  readonly guards?: readonly Type<CanActivate>[];
  /**
   * Decorators for the controller that serves the pages, such as the application's own `@Public()`, when a global guard asks
   * for a header that browsers do not send when they open a page. @default []
   */
  readonly decorators?: readonly ClassDecorator[];
}

export type ResolvedStudioOptions = Readonly<
  Required<Omit<StudioOptions, 'apiPath' | 'loginUrl' | 'docsUrl'>> & {
    apiPath: string | undefined;
    loginUrl: string | undefined;
    docsUrl: string | undefined;
  }
>;

export const STUDIO_OPTIONS = Symbol.for('@waymark/studio:options');

/** What the options take. */
const KINDS: OptionKinds<StudioOptions> = {
  path: is.text,
  apiPath: is.text,
  publicPath: is.text,
  loginUrl: is.text,
  docsUrl: is.text,
  guards: is.listOf(is.aClass<Type<CanActivate>>()),
  decorators: is.listOf(is.aFunction<ClassDecorator>()),
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
