import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { INestApplication } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { resolveRuntimeOptions, RUNTIME_OPTIONS, WorkflowRuntimeModule } from '@waymark/runtime/adapter';
import { pairsOf } from '../../../../test/support/pairs.js';
import { ADAPTERS } from '../module/api-harness.spec.js';
import { WorkflowApiModule } from '../module/workflow-api.module.js';
import { type ElsaStudioOptions, mountElsaStudio } from './mount-elsa-studio.js';

const SCRIPT = 'console.log("blazor");\n'.repeat(100);

function fakePackage(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-elsa-studio-'));
  mkdirSync(path.join(folder, '_framework'));
  mkdirSync(path.join(folder, '_content/Elsa'), { recursive: true });
  writeFileSync(path.join(folder, '_framework/blazor.webassembly.js'), SCRIPT);
  writeFileSync(path.join(folder, '_framework/blazor.webassembly.js.gz'), gzipSync(SCRIPT));
  writeFileSync(path.join(folder, '_framework/Core.jmbiqazf0n.wasm'), 'wasm');
  writeFileSync(path.join(folder, '_content/Elsa/.hidden.js'), 'hidden');
  writeFileSync(path.join(folder, 'Elsa.Studio.Host.CustomElements.styles.css'), 'body {}');
  writeFileSync(path.join(folder, 'package.json'), '{ "name": "secret" }');
  writeFileSync(path.join(folder, 'appsettings.json'), '{ "Backend": { "Url": "https://localhost:5001/elsa/api" } }');
  return folder;
}

describe.each(pairsOf(ADAPTERS, 'fastify'))('Elsa Studio on %s', (adapter) => {
  const opened: INestApplication[] = [];
  const folder = fakePackage();
  /** Of all tests that want nothing special. */
  let get: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => void (get = await serve({ folder })));
  afterAll(async () => {
    for (const app of opened) await app.close();
    rmSync(folder, { recursive: true });
  });

  async function serve(options: ElsaStudioOptions, prefix?: string) {
    const imports = [
      WorkflowRuntimeModule.compose({ providers: [{ provide: RUNTIME_OPTIONS, useFactory: resolveRuntimeOptions }] }),
      WorkflowApiModule.forRoot({ allowAnonymous: true }),
    ];
    const module = await Test.createTestingModule({ imports }).compile();
    // A client may have opened a connection that it never used: closing would wait for its time limit.
    const forceCloseConnections = true;
    const app = module.createNestApplication<INestApplication>(
      adapter === 'fastify' ? new FastifyAdapter({ forceCloseConnections }) : new ExpressAdapter(),
      { forceCloseConnections },
    );
    app.useLogger(false);
    if (prefix) app.setGlobalPrefix(prefix);
    mountElsaStudio(app, options);
    await app.listen(0, '127.0.0.1');
    opened.push(app);
    const url = await app.getUrl();
    const ask = async (route: string, init?: RequestInit) => {
      const answer = await fetch(url + route, init);
      // Read to its end: a server that closes waits for it.
      const text = await answer.text();
      return {
        status: answer.status,
        headers: answer.headers,
        text: () => text,
        json: () => JSON.parse(text) as unknown,
      };
    };
    return Object.assign(ask, { url });
  }

  it('answers with a page that contains its own path and that of the API', async () => {
    for (const route of ['/elsa-studio', '/elsa-studio/', '/elsa-studio/?x=1']) {
      const answer = await get(route);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      const html = answer.text();
      expect(html).toContain('<base href="/elsa-studio/">');
      expect(html).toContain('<meta name="waymark-api" content="/elsa/api">');
      expect(html).toContain('<meta name="waymark-login" content="false">');
      expect(html).not.toContain('https://');
    }
    expect((await get('/elsa-studio/waymark-studio.js')).headers.get('content-type')).toMatch(/^text\/javascript/);
    expect((await get('/elsa-studio/appsettings.json')).json()).toEqual({
      Backend: { Url: `${get.url}/elsa/api` },
    });
    expect((await get('/elsa/api/package/version')).status).toBe(200);
  });

  it('sends files of the package, compressed where that is taken', async () => {
    const route = '/elsa-studio/_framework/blazor.webassembly.js';
    const plain = await get(route, { headers: { 'accept-encoding': 'gzip;q=0' } });
    const small = await get(route, { headers: { 'accept-encoding': 'br, gzip' } });
    expect([plain.headers.get('content-encoding'), small.headers.get('content-encoding')]).toEqual([null, 'gzip']);
    expect([plain.text(), small.text()]).toEqual([SCRIPT, SCRIPT]);
    expect(plain.headers.get('cache-control')).toBe('no-cache');
    const again = await get(route, { headers: { 'if-none-match': plain.headers.get('etag')! } });
    expect([again.status, again.text()]).toEqual([304, '']);
    const wasm = await get('/elsa-studio/_framework/Core.jmbiqazf0n.wasm', { method: 'HEAD' });
    expect([wasm.headers.get('content-type'), wasm.headers.get('content-length'), wasm.text()]).toEqual([
      'application/wasm',
      '4',
      '',
    ]);
    expect(wasm.headers.get('cache-control')).toContain('immutable');
    expect((await get('/elsa-studio/Elsa.Studio.Host.CustomElements.styles.css')).status).toBe(200);
  });

  it.each([
    ['workflows/instances/a%20b/view', '/elsa-studio#/instances/a%20b'],
    ['workflows/definitions/order/edit?x=1', '/elsa-studio#/definitions/order'],
    ['workflows/instances', '/elsa-studio#/instances'],
  ])('serves its page for links of Studio: %s', async (link, expected) => {
    const answer = await get(`/elsa-studio/${link}`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, expected]);
  });

  it('serves no other files', async () => {
    for (const route of [
      'package.json',
      '_content/Elsa/.hidden.js',
      '_framework/../package.json',
      '_framework/..%2fpackage.json',
      '_framework/..%5cpackage.json',
      '_framework//etc/passwd.js',
      '_framework/none.js',
      '_framework',
    ])
      // By hand: a client would make the path plain before it sends it.
      expect([route, await statusOf(get.url, `/elsa-studio/${route}`)]).toEqual([route, 404]);
  });

  it('is served at the given path, and finds an API below a prefix', async () => {
    const below = await serve({ folder, path: '/ops/designer/' }, 'app');
    const html = (await below('/ops/designer')).text();
    expect(html).toContain('<base href="/ops/designer/">');
    expect(html).toContain('content="/app/elsa/api"');
    expect((await below('/ops/designer/_framework/blazor.webassembly.js')).status).toBe(200);
  });

  it('says how to install it where it is not installed', async () => {
    const answer = await (await serve({}))('/elsa-studio');
    expect(answer.status).toBe(503);
    expect(answer.text()).toContain('npm install @elsa-workflows/elsa-studio-wasm');
  });

  it('has the paths that browsers see, where a proxy strips the beginning of them', async () => {
    const behind = await serve({ folder, publicPath: '/tools/waymark/' });
    const html = (await behind('/elsa-studio/')).text();
    expect(html).toContain('<base href="/tools/waymark/elsa-studio/">');
    expect(html).toContain('<meta name="waymark-api" content="/tools/waymark/elsa/api">');
    expect((await behind('/elsa-studio/appsettings.json')).json()).toEqual({
      Backend: { Url: `${behind.url}/tools/waymark/elsa/api` },
    });
    const link = await behind('/elsa-studio/workflows/instances', { redirect: 'manual' });
    expect(link.headers.get('location')).toBe('/tools/waymark/elsa-studio#/instances');
  });

  it.each(['tools', '/a b', '/../tools', 'https://host/tools', '//host'])('a public path "%s" is refused', (wrong) => {
    const mount = () => mountElsaStudio({} as INestApplication, { publicPath: wrong });
    expect(mount).toThrow(expect.objectContaining({ code: 'WM1090' }));
  });

  it.each(['', '/', 'studio', '/a b', '/:id', '//x'])('a path "%s" is refused', (wrong) => {
    const mount = () => mountElsaStudio(opened[0]!, { folder, path: wrong });
    expect(mount).toThrow(expect.objectContaining({ code: 'WM1090' }));
  });
});

function statusOf(base: string, route: string): Promise<number | undefined> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path: route }, (response) => {
      // Read to its end: a server that closes waits for it.
      response.resume().on('end', () => resolve(response.statusCode));
    })
      .on('error', reject)
      .end();
  });
}
