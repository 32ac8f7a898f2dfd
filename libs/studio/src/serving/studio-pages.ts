import { randomBytes } from 'node:crypto';
import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import { StudioApiPath } from '../module/api-path.js';
import { NOT_BUILT } from '../module/studio-errors.js';
import { type ResolvedStudioOptions, STUDIO_OPTIONS } from '../module/studio-options.js';
import { StudioAssets } from './studio-assets.js';

export interface StudioAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string | undefined;
}

export interface StudioRequest {
  /** Path and query as the client sent them. */
  readonly url: string;
  readonly acceptEncoding: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

const A_YEAR = 'public, max-age=31536000, immutable';
/** Files of this folder have names of their own for each content: a name that is not there is of another version. */
const HASHED = 'assets/';
const NONCE = '__WAYMARK_NONCE__';
const CONFIG = '__WAYMARK_CONFIG__';

/** What a request below Studio's path is answered. */
@Injectable()
export class StudioPages implements OnModuleInit {
  constructor(
    private readonly config: ApplicationConfig,
    private readonly assets: StudioAssets,
    @Inject(STUDIO_OPTIONS) private readonly options: ResolvedStudioOptions,
    private readonly api: StudioApiPath,
  ) {}

  onModuleInit(): void {
    if (this.assets.indexHtml() === undefined) new Logger('WaymarkStudio').warn(NOT_BUILT);
  }

  async answer({ url, acceptEncoding, ifNoneMatch }: StudioRequest): Promise<StudioAnswer> {
    const path = url.split(/[?#]/, 1)[0]!;
    const prefix = this.prefixOf(path);
    const base = prefix + this.options.path;
    const name = path.slice(base.length + 1);
    const asset = this.assets.find(name, acceptEncoding);
    if (asset === undefined) return name.startsWith(HASHED) ? notFound() : this.page(base);
    const headers: Record<string, string> = {
      etag: asset.etag,
      'cache-control': asset.isImmutable ? A_YEAR : 'no-cache',
      vary: 'Accept-Encoding',
    };
    if (ifNoneMatch?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === asset.etag))
      return { status: 304, headers, body: undefined };
    if (asset.encoding !== undefined) headers['content-encoding'] = asset.encoding;
    return {
      status: 200,
      headers: { ...headers, 'content-type': asset.type, 'x-content-type-options': 'nosniff' },
      body: await asset.read(),
    };
  }

  /** Every other path is a room of Studio, which finds its way by the address. */
  private page(base: string): StudioAnswer {
    const html = this.assets.indexHtml();
    if (html === undefined)
      return { status: 503, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: `${NOT_BUILT}\n` };
    const nonce = randomBytes(16).toString('base64');
    const { loginUrl, docsUrl, publicPath } = this.options;
    const shown = publicPath + base;
    const config = JSON.stringify({ base: shown, api: publicPath + this.api.whole, loginUrl, docs: docsUrl });
    return {
      status: 200,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        // A page from a cache would name files of another version, and styles would not have its nonce.
        'cache-control': 'no-store',
        'content-security-policy': contentPolicy(nonce),
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
      },
      body: html
        .replaceAll('="./', `="${shown}/`)
        .replaceAll(NONCE, nonce)
        .replace(CONFIG, () => attribute(config)),
    };
  }

  /** The application may have excluded Studio from its global prefix, so both are looked for. */
  private prefixOf(path: string): string {
    const global = this.config.getGlobalPrefix().replace(/^\/+|\/+$/g, '');
    if (global === '') return '';
    const prefixed = `/${global}${this.options.path}`;
    return path.slice(0, prefixed.length).toLowerCase() === prefixed.toLowerCase() ? `/${global}` : '';
  }
}

/** Styles by nonce: the editor and the component library add some while they run. Scripts are files only. */
const contentPolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'self'",
  ].join('; ');

const notFound = (): StudioAnswer => ({
  status: 404,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  body: 'No such file in this version of Waymark Studio.\n',
});

const attribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
