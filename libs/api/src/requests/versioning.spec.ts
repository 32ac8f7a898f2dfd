import { Controller, Get, type INestApplication, VersioningType } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { resolveRuntimeOptions, RUNTIME_OPTIONS, WorkflowRuntimeModule } from '@waymark/runtime/adapter';
import { pairsOf } from '../../../../test/support/pairs.js';
import { ADAPTERS } from '../module/api-harness.spec.js';
import { WorkflowApiModule } from '../module/workflow-api.module.js';

@Controller('own')
class OwnController {
  @Get() own() {
    return 'own';
  }
}

describe.each(pairsOf(ADAPTERS, 'express'))('an application with versions in its paths, on %s', (adapter) => {
  let app: INestApplication;
  let base: string;

  beforeAll(async () => {
    const runtime = WorkflowRuntimeModule.compose({
      providers: [{ provide: RUNTIME_OPTIONS, useFactory: () => resolveRuntimeOptions({}) }],
    });
    const api = WorkflowApiModule.forRoot({ authentication: { apiKeys: ['right'] } });
    const module = await Test.createTestingModule({ imports: [runtime, api], controllers: [OwnController] }).compile();
    app = module.createNestApplication(adapter === 'fastify' ? new FastifyAdapter() : new ExpressAdapter());
    app.useLogger(false);
    app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });
    await app.listen(0, '127.0.0.1');
    base = await app.getUrl();
  });
  afterAll(() => app.close());

  const call = async (verb: string, path: string, body?: string, key = 'right') => {
    const headers = { 'content-type': 'application/json', authorization: `ApiKey ${key}` };
    const init: RequestInit = {
      method: verb,
      headers: body === undefined ? { authorization: headers.authorization } : headers,
    };
    if (body !== undefined) init.body = body;
    return (await fetch(base + path, init)).status;
  };

  it('serves the management API and workflows at unchanged paths', async () => {
    expect(await call('GET', '/v1/own')).toBe(200);
    expect(await call('GET', '/own')).toBe(404);
    expect(await call('GET', '/elsa/api/package/version')).toBe(200);
    expect(await call('GET', '/elsa/api/workflow-definitions')).toBe(200);
    expect(await call('GET', '/v1/elsa/api/workflow-definitions')).toBe(404);
    expect(await call('PUT', '/elsa/api/package/version')).toBe(405);
  });

  it('lets the API read the bodies of its requests', async () => {
    const large = JSON.stringify({ model: { definitionId: 'large', description: 'x'.repeat(3_000_000) } });
    expect(await call('POST', '/elsa/api/workflow-definitions', large)).not.toBe(413);
    expect(await call('POST', '/elsa/api/workflow-definitions', '{ nope', 'wrong')).toBe(401);
    expect(await call('POST', '/elsa/api/workflow-definitions', '{ nope')).toBe(400);
  });
});
