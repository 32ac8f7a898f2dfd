import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Validator } from '@seriousme/openapi-schema-validator';
import { IWorkflowDefinitionPublisher } from '@waymark/runtime';
import { createAdapter, createHost } from '../../src/host.js';
import { readSettings } from '../../src/settings/host-settings.js';

const START_MS = 120_000;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

let folder: string;
beforeAll(() => {
  Logger.overrideLogger(false);
  folder = mkdtempSync(path.join(tmpdir(), 'waymark-docs-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  Logger.overrideLogger(undefined as never);
});

async function startHost(name: string, environment: Record<string, string> = {}): Promise<NestFastifyApplication> {
  const settings = readSettings({ DATABASE_URL: `sqlite:${path.join(folder, `${name}.db`)}`, ...environment });
  const app = await createHost(settings, createAdapter(settings));
  app.useLogger(false);
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  return app;
}

describe('the page of an open host', () => {
  let app: NestFastifyApplication;
  beforeAll(async () => {
    app = await startHost('open');
  }, START_MS);
  afterAll(() => app?.close());

  const page = async () => app.inject({ method: 'GET', url: '/docs', headers: { host: 'localhost' } });

  it('shows the endpoints of workflows and of the management API', async () => {
    const { statusCode, headers, body } = await page();
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(body).toContain('<code>/workflows/hello/{name}</code> Hello');
    expect(body).toContain('<code>/elsa/api/workflow-instances/{id}</code>');
    expect(body).toContain('<a href="#management-schema-WorkflowInstance">WorkflowInstance</a>');
    expect(body).toContain('id="management-schema-WorkflowInstance"');
  });

  it('runs nothing, and has nothing from elsewhere', async () => {
    const { headers, body } = await page();
    expect(body).not.toMatch(/<script|src=|https?:/);
    const [, style] = /<style>([^]*?)<\/style>/.exec(body)!;
    const hash = createHash('sha256').update(style!).digest('base64');
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    );
  });

  it('follows what is published, and takes no names for markup', async () => {
    await app.get(IWorkflowDefinitionPublisher, { strict: false }).saveAndPublish({
      definitionId: 'odd',
      name: '<script>alert(1)</script> & "co"',
      root: {
        id: 'E',
        type: 'Elsa.HttpEndpoint',
        version: 1,
        customProperties: { canStartWorkflow: true },
        path: { typeName: 'String', expression: { type: 'Literal', value: 'odd' } },
      },
    });
    const { body } = await page();
    expect(body).toContain('<code>/workflows/odd</code> &#60;script&#62;alert(1)&#60;/script&#62; &#38; &#34;co&#34;');
  });

  it('has the document of the endpoints for tools', async () => {
    const answer = await app.inject({ url: '/docs/endpoints.json', headers: { host: 'localhost' } });
    const document = answer.json<{ paths: object }>();
    expect(Object.keys(document.paths)).toContain('/workflows/travel-bookings');
    const { errors } = await new Validator().validate(document as never);
    expect(errors).toBeUndefined();
  });
});

describe('the page of a host with users', () => {
  let app: NestFastifyApplication;
  beforeAll(async () => {
    app = await startHost('closed', {
      WAYMARK_API_KEY: 'a-key-of-the-host',
      WAYMARK_USERS: JSON.stringify([
        { name: 'reader', password: 'right', permissions: ['read:openapi'] },
        { name: 'other', password: 'right', permissions: ['read:user'] },
      ]),
    });
  }, START_MS);
  afterAll(() => app?.close());

  const post = (fields: Record<string, string>) =>
    app.inject({ method: 'POST', url: '/docs', headers: FORM, payload: new URLSearchParams(fields).toString() });
  const shows = (body: string): boolean => body.includes('/workflows/hello/{name}');

  it.each(['text/plain', 'application/json'])('asks for credentials when it is sent no form but %s', async (type) => {
    const payload = type === 'text/plain' ? 'x'.repeat(1000) : '["x","y"]';
    const answer = await app.inject({ method: 'POST', url: '/docs', headers: { 'content-type': type }, payload });
    expect(answer.statusCode).toBe(401);
    // As for a form without credentials: nothing was given that could be wrong.
    expect(answer.body).not.toContain('role="alert"');
  });

  it('requires credentials before it shows anything', async () => {
    const { statusCode, body } = await app.inject({ url: '/docs' });
    expect(statusCode).toBe(401);
    expect(body).toContain('<form method="post">');
    expect(body).not.toContain('role="alert"');
    expect(shows(body)).toBe(false);
    expect((await app.inject({ url: '/docs/endpoints.json' })).statusCode).toBe(401);
  });

  it.each([
    ['a key', { key: 'a-key-of-the-host', username: '', password: '' }],
    ['a user', { key: '', username: 'reader', password: 'right' }],
  ])('takes %s from its form', async (_name, fields) => {
    const { statusCode, body } = await post(fields);
    expect(statusCode).toBe(200);
    expect(shows(body)).toBe(true);
    expect(body).not.toContain('right');
  });

  it.each([
    ['a wrong key', { key: 'wrong' }, 401],
    ['a wrong password', { username: 'reader', password: 'wrong' }, 401],
    ['a user who may not read it', { username: 'other', password: 'right' }, 403],
    ['an empty form', {}, 401],
  ])('refuses %s', async (_name, fields: Record<string, string>, status) => {
    const { statusCode, body } = await post(fields);
    expect(statusCode).toBe(status);
    expect(shows(body)).toBe(false);
    expect(body.includes('role="alert"')).toBe(Object.keys(fields).length > 0);
  });

  it('takes the credentials of programs', async () => {
    const headers = { authorization: 'ApiKey a-key-of-the-host' };
    expect(shows((await app.inject({ url: '/docs', headers })).body)).toBe(true);
    expect((await app.inject({ url: '/docs/endpoints.json', headers })).statusCode).toBe(200);
  });
});
