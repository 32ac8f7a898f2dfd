import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  type CanActivate,
  type DynamicModule,
  type ExecutionContext,
  type INestApplication,
  Injectable,
  Module,
  SetMetadata,
  VersioningType,
} from '@nestjs/common';
import { APP_GUARD, Reflector } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { MANAGEMENT_API } from '@waymark/core/adapter';
import { StudioModule } from '../module/studio.module.js';
import type { StudioOptions } from '../module/studio-options.js';
import { STUDIO_FOLDER } from './studio-assets.js';

const Public = () => SetMetadata('public', true);

/** As applications have them: a header that browsers do not send when they open a page. */
@Injectable()
class TokenGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}
  canActivate(context: ExecutionContext): boolean {
    return this.reflector.get('public', context.getClass()) === true;
  }
}

@Injectable()
class Closed implements CanActivate {
  canActivate = () => false;
}

/** Stands for the configuration of an application. */
@Injectable()
class Addresses {
  readonly login = 'https://login.example';
}

@Module({ providers: [Addresses], exports: [Addresses] })
class AddressesModule {}

const SCRIPT = 'console.log("a script");\n'.repeat(100);

function builtFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-studio-'));
  mkdirSync(path.join(folder, 'assets'));
  mkdirSync(path.join(folder, '.vite'));
  writeFileSync(
    path.join(folder, 'index.html'),
    '<meta property="csp-nonce" nonce="__WAYMARK_NONCE__"><meta name="waymark-studio" content="__WAYMARK_CONFIG__">' +
      '<script type="module" crossorigin src="./assets/index-abc.js"></script>',
  );
  writeFileSync(path.join(folder, 'assets/index-abc.js'), SCRIPT);
  writeFileSync(path.join(folder, 'assets/index-abc.js.gz'), gzipSync(SCRIPT));
  writeFileSync(path.join(folder, 'favicon.svg'), '<svg/>');
  writeFileSync(path.join(folder, 'third-party-licences.txt'), 'react (MIT)');
  writeFileSync(path.join(folder, '.vite/manifest.json'), '{}');
  writeFileSync(path.join(folder, '.stamp'), 'x');
  return folder;
}

interface Setting {
  readonly options?: StudioOptions;
  /** Instead of one with the options. */
  readonly module?: DynamicModule;
  readonly folder?: string;
  readonly providers?: object[];
  readonly routePrefix?: string;
  readonly prepare?: (app: INestApplication) => unknown;
}

describe.each(['express', 'fastify'] as const)('Studio on %s', (adapter) => {
  const opened: INestApplication[] = [];
  const folders: string[] = [];

  afterEach(async () => {
    for (const app of opened.splice(0)) await app.close();
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  });

  async function serve({
    options,
    module: studio,
    folder,
    providers = [],
    prepare,
    routePrefix = 'elsa/api',
  }: Setting = {}) {
    const built = folder ?? builtFolder();
    folders.push(built);
    const module = await Test.createTestingModule({
      imports: [studio ?? StudioModule.forRoot(options)],
      // Stands for the management API, of which the pages need the path.
      providers: [{ provide: MANAGEMENT_API, useValue: { routePrefix } }, ...(providers as never[])],
    })
      .overrideProvider(STUDIO_FOLDER)
      .useValue(built)
      .compile();
    const app = module.createNestApplication<INestApplication>(
      adapter === 'fastify' ? new FastifyAdapter() : new ExpressAdapter(),
    );
    app.useLogger(false);
    prepare?.(app);
    await app.listen(0, '127.0.0.1');
    opened.push(app);
    const url = await app.getUrl();
    return (route: string, init?: RequestInit) => fetch(url + route, init);
  }

  it('tells the page where the documentation is', async () => {
    const get = await serve({ options: { docsUrl: 'https://docs.example/waymark/' } });
    expect(await (await get('/studio')).text()).toContain('&quot;docs&quot;:&quot;https://docs.example/waymark&quot;');
  });

  it('takes options from a factory, and those of its routes beside it', async () => {
    const get = await serve({
      module: StudioModule.forRootAsync({
        path: 'console',
        imports: [AddressesModule],
        inject: [Addresses],
        useFactory: async ({ login }: Addresses) => ({ loginUrl: login, docsUrl: undefined }),
      }),
    });
    expect((await get('/studio')).status).toBe(404);
    const html = await (await get('/console/instances')).text();
    expect(html).toContain('&quot;base&quot;:&quot;/console&quot;');
    expect(html).toContain('&quot;loginUrl&quot;:&quot;https://login.example&quot;');
  });

  it('passes guards that stand beside the factory', async () => {
    const module = StudioModule.forRootAsync({ guards: [Closed], useFactory: () => ({}) });
    expect((await (await serve({ module }))('/studio')).status).toBe(403);
  });

  it('answers every room with the page, its own addresses and a policy without inline scripts', async () => {
    const get = await serve();
    for (const route of ['/studio', '/studio/', '/studio/instances/4711.b?status=Faulted']) {
      const answer = await get(route);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      const html = await answer.text();
      expect(html).toContain('src="/studio/assets/index-abc.js"');
      expect(html).toContain('content="{&quot;base&quot;:&quot;/studio&quot;,&quot;api&quot;:&quot;/elsa/api&quot;}"');
      const policy = answer.headers.get('content-security-policy')!;
      expect(policy).toContain("script-src 'self';");
      const nonce = /'nonce-([^']+)'/.exec(policy)![1]!;
      expect(html).toContain(`nonce="${nonce}"`);
    }
  });

  it('gives each page a nonce of its own', async () => {
    const get = await serve();
    const policies = await Promise.all([get('/studio'), get('/studio')]);
    expect(policies[0]!.headers.get('content-security-policy')).not.toBe(
      policies[1]!.headers.get('content-security-policy'),
    );
  });

  it('sends files compressed where that is taken, to be cached without end', async () => {
    const get = await serve();
    const plain = await get('/studio/assets/index-abc.js', { headers: { 'accept-encoding': 'gzip;q=0' } });
    expect([plain.status, plain.headers.get('content-encoding')]).toEqual([200, null]);
    const zipped = await get('/studio/assets/index-abc.js', { headers: { 'accept-encoding': 'deflate, gzip' } });
    expect(zipped.headers.get('content-encoding')).toBe('gzip');
    expect(zipped.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(zipped.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(zipped.headers.get('vary')).toContain('Accept-Encoding');
    expect(zipped.headers.get('etag')).not.toBe(plain.headers.get('etag'));
    expect([await plain.text(), await zipped.text()]).toEqual([SCRIPT, SCRIPT]);
  });

  it('answers 304 to the tag that it gave, and HEAD without a body', async () => {
    const get = await serve();
    const route = '/studio/favicon.svg';
    const first = await get(route);
    expect(first.headers.get('cache-control')).toBe('no-cache');
    const etag = first.headers.get('etag')!;
    expect((await get(route, { headers: { 'if-none-match': `"other", W/${etag}` } })).status).toBe(304);
    const head = await get(route, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '6', '']);
  });

  it('shows the licences of what the pages hold as text', async () => {
    const get = await serve();
    const answer = await get('/studio/third-party-licences.txt');
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await answer.text()).toBe('react (MIT)');
  });

  it('answers 404 for a file of another version, and serves only files of its build', async () => {
    const get = await serve();
    expect((await get('/studio/assets/index-old.js')).status).toBe(404);
    for (const route of ['/studio/.stamp', '/studio/.vite/manifest.json', '/studio/index.html']) {
      const answer = await get(route);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    }
    // By hand: a client would make the path plain before it sends it.
    for (const route of ['/studio/../package.json', '/studio/assets/..%2f..%2fpackage.json', '/studio//etc/passwd']) {
      const { url } = await get('/studio');
      const body = await rawGet(new URL(url), route);
      expect(body).not.toContain('"version"');
      expect(body).not.toContain('root:');
    }
  });

  it('is served below the global prefix, and finds the API there', async () => {
    const get = await serve({
      options: { path: 'ops/studio/' },
      routePrefix: '/manage/',
      prepare: (app) => {
        app.setGlobalPrefix('app');
        app.enableVersioning({ type: VersioningType.URI });
      },
    });
    expect((await get('/ops/studio')).status).toBe(404);
    const html = await (await get('/app/ops/studio/workflows')).text();
    expect(html).toContain('src="/app/ops/studio/assets/index-abc.js"');
    expect(html).toContain('&quot;api&quot;:&quot;/app/manage&quot;');
    expect((await get('/app/ops/studio/assets/index-abc.js')).headers.get('etag')).toBeTruthy();
  });

  it('names the addresses that browsers see in front of a proxy that strips the beginning of paths', async () => {
    const get = await serve({
      options: { publicPath: 'tools/waymark/' },
      prepare: (app) => void app.setGlobalPrefix('app'),
    });
    const html = await (await get('/app/studio/workflows')).text();
    expect(html).toContain('src="/tools/waymark/app/studio/assets/index-abc.js"');
    expect(html).toContain('&quot;base&quot;:&quot;/tools/waymark/app/studio&quot;');
    expect(html).toContain('&quot;api&quot;:&quot;/tools/waymark/app/elsa/api&quot;');
  });

  it.each<[string, string[], string, StudioOptions]>([
    ['Studio', ['studio', 'studio/{*path}'], '/app/elsa/api', {}],
    [
      'Studio, with the whole path of the API',
      ['studio', 'studio/{*path}'],
      '/app/elsa/api',
      { apiPath: 'app/elsa/api' },
    ],
    ['the API', ['elsa/api/{*path}'], '/elsa/api', {}],
    ['both', ['studio', 'studio/{*path}', 'elsa/api/{*path}'], '/elsa/api', { apiPath: '/elsa/api' }],
  ])('finds the API when the application excludes from its global prefix: %s', async (_, exclude, api, options) => {
    const get = await serve({ options, prepare: (app) => app.setGlobalPrefix('app', { exclude }) });
    const studio = exclude.includes('studio') ? '/studio' : '/app/studio';
    expect(await (await get(studio)).text()).toContain(`&quot;api&quot;:&quot;${api}&quot;`);
  });

  it("applies the application's global guards, its own guards and its decorators", async () => {
    const guarded = { providers: [{ provide: APP_GUARD, useClass: TokenGuard }] };
    expect((await (await serve(guarded))('/studio')).status).toBe(403);
    expect((await (await serve({ ...guarded, options: { decorators: [Public()] } }))('/studio')).status).toBe(200);
    expect((await (await serve({ options: { guards: [Closed] } }))('/studio/favicon.svg')).status).toBe(403);
  });

  it('explains how to build the pages when they are missing', async () => {
    const get = await serve({ folder: mkdtempSync(path.join(tmpdir(), 'waymark-studio-')) });
    const answer = await get('/studio');
    expect(answer.status).toBe(503);
    expect(await answer.text()).toContain('WM9202');
  });
});

describe('options of Studio', () => {
  it.each([
    [{ path: '/' }, 'path'],
    [{ path: '/studio/:id' }, 'path'],
    [{ apiPath: '/../api' }, 'apiPath'],
    [{ publicPath: '/../tools' }, 'publicPath'],
    [{ loginUrl: 'javascript:alert(1)' }, 'loginUrl'],
    [{ loginUrl: '//elsewhere.example' }, 'loginUrl'],
    [{ docsUrl: 'docs.example' }, 'docsUrl'],
  ])('%j is refused with the name of the option', (options, option) => {
    expect(() => StudioModule.forRoot(options)).toThrow(expect.objectContaining({ code: 'WM9201', option }));
  });
});

function rawGet({ port }: URL, route: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, path: route }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => resolve(Buffer.concat(chunks).toString()));
    });
    request.on('error', reject);
    request.end();
  });
}
