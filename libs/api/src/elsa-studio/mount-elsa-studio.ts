import type { IncomingMessage, ServerResponse } from 'node:http';
import type { INestApplication } from '@nestjs/common';
import type { HttpAdapterHost } from '@nestjs/core';
import { InvalidOptionError } from '@waymark/core';
import { Authenticator } from '../identity/authenticator.js';
import { ApiPath } from '../requests/api-path.js';
import { findStudioPackage, sendStudioFile } from './studio-files.js';
import { MISSING_PAGE, STUDIO_POLICY, studioPage } from './studio-page.js';
import { STUDIO_REQUESTS } from './studio-requests.js';
import { STUDIO_SCRIPT } from './studio-script.js';

/** Options of `mountElsaStudio`. All of them have defaults. */
export interface ElsaStudioOptions {
  /** Path at which it is served, from the root of the server. @default '/elsa-studio' */
  readonly path?: string | undefined;
  /**
   * What a proxy in front of the server strips from the beginning of paths, such as `/tools/waymark`: the page asks for its files, and the
   * API, below it. @default '' - nothing
   */
  readonly publicPath?: string | undefined;
  /** Folder of its files. @default the installed package `@elsa-workflows/elsa-studio-wasm` */
  readonly folder?: string | undefined;
  /**
   * Path or URL of a page at which an instance is altered, with `{id}` in the place of its id: _Alter_ opens it, which the package
   * itself has no page for. With `StudioModule`, it is `'/studio/instances/{id}'`. @default _Alter_ says that it is not available
   */
  readonly alterationPage?: string | undefined;
}

interface FastifyReply {
  readonly raw: ServerResponse;
  hijack(): unknown;
}
interface FastifyLike {
  route(options: {
    method: readonly string[];
    url: string;
    handler: (request: { raw: IncomingMessage }, reply: FastifyReply) => unknown;
  }): unknown;
}
interface ExpressLike {
  use(
    path: string,
    handler: (request: IncomingMessage & { originalUrl: string }, response: ServerResponse) => void,
  ): unknown;
}

/**
 * Paths of Elsa Studio as an application of its own. Its links have them, and a browser that opens one in a new tab requests it
 * here.
 */
const LINK = /^workflows\/(definitions|instances)(?:\/([^/]+)\/(?:edit|view))?$/;
const ALTERATION_PAGE = /^(?:https?:\/)?\/[^/].*\{id\}/;
const PATH = /^(\/[\w.~-]+)+$/;
/** Browsers take them for another path. */
const DOTS = /\/\.+(?:\/|$)/;

/**
 * Serves Elsa Studio, the designer of Elsa, for the management API of this application. Its package is an optional peer
 * dependency: without it a page says how to install it. Call it once, before the application listens. Its files are public; its
 * data come from the API, with the login of the user.
 * @throws InvalidOptionError (`WM1090`) for an invalid `path`, `publicPath` or `alterationPage`
 * @example
 * const app = await NestFactory.create(AppModule);
 * mountElsaStudio(app);
 * await app.listen(3000);
 */
export function mountElsaStudio(app: INestApplication, options: ElsaStudioOptions = {}): void {
  const base = (options.path ?? '/elsa-studio').replace(/\/+$/, '');
  if (!PATH.test(base))
    throw new InvalidOptionError('mountElsaStudio()', 'path', "a path such as '/elsa-studio'", `'${options.path}'`);
  const publicPath = (options.publicPath ?? '').replace(/\/+$/, '');
  if (publicPath !== '' && (!PATH.test(publicPath) || DOTS.test(publicPath)))
    throw new InvalidOptionError(
      'mountElsaStudio()',
      'publicPath',
      "a path such as '/tools/waymark'",
      `'${options.publicPath}'`,
    );
  const { alterationPage } = options;
  if (alterationPage !== undefined && !ALTERATION_PAGE.test(alterationPage))
    throw new InvalidOptionError(
      'mountElsaStudio()',
      'alterationPage',
      "a path or URL with '{id}', such as '/studio/instances/{id}'",
      `'${alterationPage}'`,
    );
  const folder = options.folder ?? findStudioPackage();
  const api = app.get(ApiPath, { strict: false });
  const asksForLogin = app.get(Authenticator, { strict: false }).isRequired;
  const answer = (url: string, request: IncomingMessage, response: ServerResponse): void => {
    respond(
      { base, publicPath, folder, asksForLogin, api: publicPath + api.base, alterationPage },
      url,
      request,
      response,
    ).catch(() => response.destroy());
  };
  const httpAdapter = app.getHttpAdapter() as HttpAdapterHost['httpAdapter'];
  if (httpAdapter.getType() === 'fastify')
    for (const url of [base, `${base}/*`])
      httpAdapter.getInstance<FastifyLike>().route({
        method: ['GET', 'HEAD'],
        url,
        handler: ({ raw }, reply) => {
          reply.hijack();
          answer(raw.url ?? '', raw, reply.raw);
        },
      });
  else
    httpAdapter
      .getInstance<ExpressLike>()
      .use(base, (request, response) => answer(request.originalUrl, request, response));
}

interface Place {
  readonly base: string;
  /** Before it, as browsers see it. */
  readonly publicPath: string;
  readonly folder: string | undefined;
  readonly asksForLogin: boolean;
  /** As browsers see it. */
  readonly api: string;
  readonly alterationPage: string | undefined;
}

async function respond(
  { base, publicPath, folder, asksForLogin, api, alterationPage }: Place,
  url: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const text = (status: number, type: string, body: string) => {
    response.writeHead(status, {
      'Content-Type': `${type}; charset=utf-8`,
      'Content-Length': Buffer.byteLength(body),
      'Content-Security-Policy': STUDIO_POLICY,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  };
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { Allow: 'GET, HEAD' }).end();
    return;
  }
  const name = nameOf(url, base);
  if (folder === undefined) return text(503, 'text/html', MISSING_PAGE);
  if (name === '' || name === 'index.html')
    return text(200, 'text/html', studioPage(`${publicPath}${base}/`, api, asksForLogin, alterationPage));
  const link = name === undefined ? null : LINK.exec(name);
  if (link) {
    const [, list, id] = link;
    const hash = `#/${list}${id === undefined ? '' : `/${encodeURIComponent(id)}`}`;
    response.writeHead(302, { Location: publicPath + base + hash, 'Content-Length': 0 }).end();
    return;
  }
  if (name === 'waymark-studio.js') return text(200, 'text/javascript', STUDIO_REQUESTS + STUDIO_SCRIPT);
  // The file in the package names another server.
  if (name === 'appsettings.json')
    return text(200, 'application/json', JSON.stringify({ Backend: { Url: urlOf(request, api) } }));
  if (name === undefined || !(await sendStudioFile(folder, name, request, response)))
    text(404, 'text/plain', 'Not found.');
}

/** Undefined: it cannot be decoded. */
function nameOf(url: string, base: string): string | undefined {
  try {
    return decodeURIComponent(url.split('?', 1)[0]!.slice(base.length + 1));
  } catch {
    return undefined;
  }
}

/** URL of the API as the client reaches it. From headers of the same request, so that it affects no other client. */
function urlOf(request: IncomingMessage, api: string): string {
  const isEncrypted = (request.socket as { encrypted?: boolean }).encrypted === true;
  const forwarded = String(request.headers['x-forwarded-proto'] ?? '')
    .split(',', 1)[0]!
    .trim();
  const scheme = forwarded === 'https' || isEncrypted ? 'https' : 'http';
  return `${scheme}://${request.headers.host ?? 'localhost'}${api}`;
}
