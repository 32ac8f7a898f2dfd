import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Validator } from '@seriousme/openapi-schema-validator';
import { IWorkflowDefinitionPublisher, mergeOpenApi, type OpenApiDocument } from '@waymark/runtime';
import { endpoint, lit, respond, startApp, type TestServer, variable } from '../serving/testing/http-test-app.js';
import { webhookSignature } from '../signatures/webhook-signature.js';
import { RouteTable } from '../routing/route-table.js';
import { WorkflowOpenApi } from './workflow-open-api.js';

const adapters = [
  ['express', () => new ExpressAdapter()],
  ['fastify', () => new FastifyAdapter()],
] as const;

const whole = (value: unknown) => lit(value, 'Boolean');

async function requireValid(document: unknown): Promise<void> {
  const { errors } = await new Validator().validate(structuredClone(document) as never);
  expect(errors).toBeUndefined();
}

describe.each(adapters)('the document of the endpoints on %s', (_name, adapter) => {
  let server: TestServer;
  let api: WorkflowOpenApi;
  const read = (): Promise<OpenApiDocument> => api.document();

  beforeAll(async () => {
    server = await startApp(adapter(), {
      policies: { managers: () => true, stripe: webhookSignature({ style: 'stripe', secret: 'x' }) },
      openApi: { title: 'Orders', version: '2.1', securityScheme: { type: 'apiKey', in: 'header', name: 'X-User' } },
    });
    api = server.app.get(WorkflowOpenApi);
  });
  afterAll(() => server?.app.close());

  it('is empty when nothing is published, and has the title that the host sets', async () => {
    const document = await read();
    expect(document).toMatchObject({ openapi: '3.0.3', info: { title: 'Orders', version: '2.1' }, paths: {} });
    await requireValid(document);
  });

  it('follows what is published and retracted, and is the same object in between', async () => {
    const id = await server.publish([endpoint('In', 'follows/{OrderId:int}'), respond('Out', 'text')]);
    const document = await read();
    expect(await read()).toBe(document);
    expect(api.latest()).toBe(document);
    expect(document.paths['/workflows/follows/{OrderId}']!.get).toMatchObject({
      summary: id,
      tags: [id],
      parameters: [{ name: 'OrderId', in: 'path', required: true, schema: { type: 'integer', format: 'int32' } }],
      responses: { 200: { description: 'Written by the workflow.', content: { 'text/plain': {} } } },
      'x-waymark-workflow': { definitionId: id, version: 1, activityId: 'In' },
    });
    await requireValid(document);
    await server.app.get(IWorkflowDefinitionPublisher).retract(id);
    expect((await read()).paths['/workflows/follows/{OrderId}']).toBeUndefined();
  });

  it('shows workflows that were published while another document was made', async () => {
    const id = await server.publish([endpoint('In', 'meanwhile')]);
    const triggers = await server.persistence.triggers.findMany({ workflowDefinitionIds: [id] });
    const routes = server.app.get(RouteTable);
    routes.removeTriggers(triggers);
    const before = read();
    routes.addTriggers(triggers);
    const after = read();
    expect((await before).paths['/workflows/meanwhile']).toBeUndefined();
    expect((await after).paths['/workflows/meanwhile']).toBeDefined();
  });

  it('has the methods, names and descriptions of a workflow', async () => {
    await server.publish([endpoint('In', 'named', { methods: ['POST', 'PUT', 'GET'] })], [], {
      name: 'Take an order',
      description: 'Checks it, and packs it.',
    });
    const document = await read();
    expect(Object.keys(document.paths['/workflows/named']!)).toEqual(['get', 'put', 'post']);
    expect(document.paths['/workflows/named']!.get).toMatchObject({
      summary: 'Take an order',
      description: 'Checks it, and packs it.',
    });
    expect(document.tags).toContainEqual({ name: 'Take an order', description: 'Checks it, and packs it.' });
    await requireValid(document);
  });

  it('has a body by what receives it', async () => {
    const receiving = async (path: string, type: string) => {
      const parts = endpoint('In', path, { methods: ['POST'], outputs: { parsedContent: 'Content' } });
      await server.publish([parts], [variable('Content', type)]);
      return (await read()).paths[`/workflows/${path}`]!.post!.requestBody!.content;
    };
    expect(await receiving('body/texts', 'StringDictionary')).toMatchObject({
      'application/json': { schema: { type: 'object', additionalProperties: { type: 'string' } } },
      'multipart/form-data': {},
    });
    expect(await receiving('body/list', 'List<Int32>')).toEqual({
      'application/json': { schema: { type: 'array', items: { type: 'integer' } } },
    });
    expect(Object.keys(await receiving('body/text', 'String'))).toContain('text/plain');
    await server.publish([endpoint('In', 'body/free', { methods: ['PUT'] })]);
    expect((await read()).paths['/workflows/body/free']!.put!.requestBody).toEqual({
      content: { '*/*': { schema: {} } },
    });
    await server.publish([endpoint('In', 'body/none')]);
    expect((await read()).paths['/workflows/body/none']!.get!.requestBody).toBeUndefined();
    await requireValid(await read());
  });

  it('describes authorization, and the maximum size of requests', async () => {
    await server.publish([
      endpoint('In', 'guarded', {
        methods: ['POST'],
        authorize: whole(true),
        policy: lit('managers'),
        requestSizeLimit: lit(1000, 'Int64'),
      }),
    ]);
    await server.publish([endpoint('In', 'signed', { methods: ['POST'], policy: lit('stripe') })]);
    const document = await read();
    const { post } = document.paths['/workflows/guarded']!;
    expect(post).toMatchObject({ security: [{ workflowEndpoint: [] }], responses: { 401: {}, 413: {} } });
    expect(post!.description).toContain('`managers`');
    expect(post!.description).toContain('1000 bytes');
    expect(document.components.securitySchemes).toMatchObject({ workflowEndpoint: { name: 'X-User' } });
    const { post: signed } = document.paths['/workflows/signed']!;
    expect(signed!.security).toBeUndefined();
    expect(signed!.description).toContain('signed');
  });

  it('describes deferred answers and their status', async () => {
    await server.publish([
      endpoint('In', 'later', { methods: ['POST'], respondAsync: whole(true), idempotencyKeys: whole(true) }),
    ]);
    const document = await read();
    const { post } = document.paths['/workflows/later']!;
    expect(post!.responses[202]).toMatchObject({ content: { 'application/json': {} } });
    expect(post!.parameters!.map(({ name }) => name)).toEqual(['Idempotency-Key', 'Prefer']);
    expect(Object.keys(document.paths)).toContain('/workflows/~requests/{token}');
    expect(Object.keys(document.paths)).toContain('/workflows/~requests/{token}/answer');
    await requireValid(document);
  });

  it('has a path for each length of a template, and one for templates that differ by names alone', async () => {
    await server.publish([endpoint('In', 'files/{folder=all}/{*rest}')]);
    await server.publish([endpoint('In', 'same/{id:int}')]);
    await server.publish([endpoint('In', 'same/{name:alpha}', { methods: ['PUT'] })]);
    const { paths } = await read();
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining(['/workflows/files', '/workflows/files/{folder}', '/workflows/files/{folder}/{rest}']),
    );
    const [same] = Object.keys(paths).filter((path) => path.startsWith('/workflows/same'));
    expect(paths[same!]!.get!.parameters![0]!.name).toBe(paths[same!]!.put!.parameters![0]!.name);
    await requireValid(await read());
  });

  it('is merged into the document of the application, whose routes take precedence', async () => {
    await server.publish([endpoint('In', 'merged')]);
    const own = SwaggerModule.createDocument(server.app, new DocumentBuilder().build());
    // The wildcards of the endpoints are not among them.
    expect(Object.keys(own.paths).sort()).toEqual(['/own', '/own/flow']);
    const { document, conflicts } = mergeOpenApi(own, await read());
    expect(conflicts).toEqual([]);
    expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(['/own', '/workflows/merged']));
    await requireValid(document);
  });
});

it.each(adapters)('is shown by @nestjs/swagger on %s as it is at the time of the request', async (_name, adapter) => {
  const server = await startApp(adapter(), {}, {}, {}, {}, {}, (app) => {
    const endpoints = app.get(WorkflowOpenApi);
    SwaggerModule.setup('api-docs', app, () => SwaggerModule.createDocument(app, new DocumentBuilder().build()), {
      ui: false,
      raw: ['json'],
      patchDocumentOnRequest: (_request, _response, document) => {
        const latest = endpoints.latest();
        return latest ? mergeOpenApi(document, latest).document : document;
      },
    });
  });
  const shown = async (): Promise<string[]> => {
    const { paths } = JSON.parse((await server.call('GET', '/api-docs-json')).text) as OpenApiDocument;
    return Object.keys(paths);
  };
  await server.app.get(WorkflowOpenApi).document();
  expect(await shown()).toEqual(['/own', '/own/flow']);
  await server.publish([endpoint('In', 'hello')]);
  // The first answer is what was known; the next has what was published.
  await shown();
  await server.app.get(WorkflowOpenApi).document();
  expect(await shown()).toEqual(['/own', '/own/flow', '/workflows/hello']);
  await server.app.close();
});

it('has the base path and the global prefix of the application', async () => {
  const server = await startApp(new FastifyAdapter(), { basePath: '/flows' }, {}, {}, {}, {}, (app) =>
    app.setGlobalPrefix('api'),
  );
  await server.publish([endpoint('In', 'hello')]);
  expect(Object.keys((await server.app.get(WorkflowOpenApi).document()).paths)).toEqual(['/api/flows/hello']);
  await server.app.close();
});
