import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createHost } from '../../src/host.js';
import { readSettings } from '../../src/settings/host-settings.js';

const ORIGIN = 'http://localhost:5173';
const METHODS = ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

describe.each<[string, Record<string, string>]>([
  ['open', {}],
  ['with a key', { WAYMARK_API_KEY: 'k' }],
])('pages of other origins and the reference host, %s', (_, env) => {
  let folder: string;
  let app: NestFastifyApplication;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'waymark-cors-'));
    app = await createHost(readSettings({ DATABASE_URL: `sqlite:${path.join(folder, 'host.db')}`, ...env }));
    app.useLogger(false);
    await app.init();
    await app.getHttpAdapter().getInstance().ready();
    const input = (typeName: string, type: string, value: unknown) => ({ typeName, expression: { type, value } });
    const endpoint = {
      type: 'Elsa.HttpEndpoint',
      id: 'In',
      customProperties: { canStartWorkflow: true },
      path: input('String', 'Literal', 'things'),
      supportedMethods: input('Object', 'Object', JSON.stringify(METHODS)),
    };
    const answer = {
      type: 'Elsa.WriteHttpResponse',
      id: 'Out',
      content: input('Object', 'Literal', 'by the workflow'),
    };
    const root = { type: 'Elsa.Sequence', id: 'S', activities: [endpoint, answer] };
    const saved = await app.inject({
      method: 'POST',
      url: '/elsa/api/workflow-definitions',
      headers: { authorization: 'ApiKey k', host: 'localhost' },
      payload: { model: { definitionId: 'things', root }, publish: true },
    });
    expect(saved.statusCode).toBe(200);
  }, 120_000);
  afterAll(async () => {
    await app?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const ask = (method: string, url: string, headers: Record<string, string> = {}) =>
    app.inject({ method: method as 'GET', url, headers: { host: 'localhost', ...headers } });

  it.each(METHODS.slice(0, -1))('a preflight allows %s', async (method) => {
    const headers = { origin: ORIGIN, 'access-control-request-method': method };
    for (const url of ['/workflows/things', '/elsa/api/workflow-definitions']) {
      const answer = await ask('OPTIONS', url, headers);
      expect([answer.statusCode, answer.body]).toEqual([204, '']);
      expect(String(answer.headers['access-control-allow-methods']).split(/, ?/)).toContain(method);
      expect(answer.headers['access-control-allow-origin']).toBe(ORIGIN);
    }
    const answer = await ask(method, '/workflows/things', { origin: ORIGIN });
    expect([answer.statusCode, answer.headers['access-control-allow-origin']]).toEqual([200, ORIGIN]);
  });

  it.each<[string, Record<string, string>]>([
    ['a program', {}],
    ['a page', { origin: ORIGIN }],
  ])('a plain OPTIONS by %s reaches the workflow that takes it', async (_by, headers) => {
    const answer = await ask('OPTIONS', '/workflows/things', headers);
    expect([answer.statusCode, answer.body]).toEqual([200, 'by the workflow']);
    expect(answer.headers['access-control-allow-origin']).toBe(headers.origin);
    expect((await ask('OPTIONS', '/workflows/others', headers)).json()).toMatchObject({ code: 'WM5007' });
    expect((await ask('OPTIONS', '/nowhere', headers)).statusCode).toBe(404);
  });
});
