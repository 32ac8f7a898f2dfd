import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { Validator } from '@seriousme/openapi-schema-validator';
import { mergeOpenApi, type OpenApiDocument, type OpenApiOperation } from '@waymark/runtime';
import { OPEN_API_METHODS } from '@waymark/runtime/adapter';
import { pairsOf } from '../../../../test/support/pairs.js';
import { ADAPTERS, ApiServer, deployFaulting, deploySeen } from '../module/api-harness.spec.js';
import { ApiRoutes } from '../requests/api-routes.js';
import { ManagementOpenApi } from './management-open-api.js';
import { ROUTE_GROUPS } from './operations/route-groups.js';

const operationsOf = ({ paths }: OpenApiDocument): [name: string, OpenApiOperation][] =>
  Object.entries(paths).flatMap(([path, item]) =>
    OPEN_API_METHODS.flatMap((method): [string, OpenApiOperation][] => {
      const operation = item[method];
      return operation ? [[`${method} ${path}`, operation]] : [];
    }),
  );

describe.each(pairsOf(ADAPTERS, 'express'))('the document of the management API on %s', (adapter) => {
  let api: ApiServer;
  let document: OpenApiDocument;
  beforeAll(async () => {
    api = await ApiServer.start(adapter);
    document = (await api.call('GET', '/openapi.json')).json as OpenApiDocument;
    await deploySeen(api);
    await deployFaulting(api);
  });
  afterAll(() => api?.close());

  it('is one of OpenAPI', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document) as never);
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });

  it.each(['bulk-actions/import/workflow-instances', 'workflow-definitions/import-files'])(
    'says of POST %s that it takes forms only, and so does the server',
    async (route) => {
      const body = document.paths[`/elsa/api/${route}`]!.post!.requestBody!;
      expect(Object.keys(body.content)).toEqual(['multipart/form-data']);
      const refused = await api.call('POST', `/${route}`, {});
      expect([refused.status, refused.json.code]).toEqual([415, 'WM8002']);
      expect(refused.json.message).toContain(
        'as a form ("Content-Type: multipart/form-data"), each in a field "files"',
      );
    },
  );

  it('has every route, and no other', () => {
    const declared = api.app.get(ApiRoutes).declared();
    const routes = declared.map(({ verb, path }) => `${verb} ${path}`).sort();
    const described = ROUTE_GROUPS.flatMap((group) => Object.keys(group.routes)).sort();
    expect(described).toEqual(routes);
    expect(operationsOf(document)).toHaveLength(routes.length);
  });

  it('describes every route with its name, purpose, request and answers', () => {
    const operations = operationsOf(document);
    const ids = operations.map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [name, { operationId, summary, tags, responses, parameters = [], requestBody }] of operations) {
      expect([name, operationId]).toEqual([name, expect.stringMatching(/^[a-z]\w+$/)]);
      expect([name, summary]).toEqual([name, expect.stringMatching(/^[A-Z].+[^.]$/)]);
      expect([name, tags.length]).toEqual([name, 1]);
      const good = Object.keys(responses).filter((status) => status < '300');
      expect([name, good.length > 0]).toEqual([name, true]);
      for (const [status, response] of Object.entries(responses))
        if (!('$ref' in response) && !response.content && status !== '204')
          expect([name, status, response.description]).toEqual([name, status, expect.stringMatching(/empty\.$/)]);
      const inPath = [...name.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
      expect(parameters.filter((p) => p.in === 'path').map((p) => p.name)).toEqual(inPath);
      for (const { schema } of Object.values(requestBody?.content ?? {}))
        expect([name, schema]).not.toEqual([name, {}]);
    }
  });

  it('has no reference to a missing component, and no unused component', () => {
    const text = JSON.stringify(document);
    const referred = new Set([...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name));
    expect([...referred].sort()).toEqual(Object.keys(document.components.schemas).sort());
  });

  it('describes the members that the readers of requests accept', () => {
    const list = document.paths['/elsa/api/workflow-instances']!.post!;
    expect(list.requestBody!.content['application/json']!.schema).toMatchObject({
      properties: {
        pageSize: { type: 'integer', minimum: 1 },
        statuses: { type: 'array', items: { enum: ['Running', 'Finished'] } },
        timestampFilters: { items: { required: ['column', 'operator', 'timestamp'] } },
      },
    });
    const retry = document.paths['/elsa/api/alterations/run']!.post!;
    expect(JSON.stringify(retry.requestBody)).toContain('"enum":["Migrate"]');
    const by = document.paths['/elsa/api/activity-executions/list']!.get!;
    expect(by.parameters).toContainEqual({
      name: 'workflowInstanceId',
      in: 'query',
      required: true,
      schema: { type: 'string' },
    });
  });

  it('describes the headers by which a client saves over what it has read, and over nothing else', () => {
    const of = (path: string, verb: 'get' | 'post') => {
      const { parameters = [], responses } = document.paths[`/elsa/api/workflow-definitions${path}`]![verb]!;
      const { headers = {} } = responses['200'] as { headers?: object };
      const sent = parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name);
      return [sent, Object.keys(headers), '412' in responses];
    };
    expect(of('', 'post')).toEqual([['If-Match', 'If-None-Match'], ['ETag'], true]);
    expect(of('/{definitionId}/publish', 'post')).toEqual([['If-Match'], ['ETag'], true]);
    for (const path of ['/{definitionId}', '/by-id/{id}', '/by-definition-id/{definitionId}'])
      expect(of(path, 'get')).toEqual([[], ['ETag'], false]);
  });

  it('matches the answers of every GET route', async () => {
    const { id } = await api.execute('seen');
    await api.execute('faulting');
    const { definitionId, id: version } = (await api.call('GET', '/workflow-definitions/seen')).json;
    const [execution] = (await api.call('GET', `/activity-executions/list?workflowInstanceId=${id}`)).json.items;
    const node = execution.activityNodeId as string;
    const queries: Record<string, string> = {
      'activity-executions/list': `workflowInstanceId=${id}`,
      'activity-execution-summaries/list': `workflowInstanceId=${id}`,
      'activity-executions/count': `workflowInstanceId=${id}`,
      'activity-executions/by-id': `id=${execution.id}`,
      'workflow-definitions/subgraph/{id}': `parentNodeId=${node}`,
      'workflow-definitions/subgraph/segments/{id}': `childNodeId=${node}`,
      'workflow-definitions/validation/is-name-unique': 'name=seen',
      'descriptors/output-converters': 'sourceType=String&destinationType=String',
    };
    const ids = (path: string, name: string): string => {
      if (name === 'definitionId') return definitionId;
      if (name === 'typeName') return 'Elsa.WriteLine';
      if (name === 'fullName') return 'Elsa.Workflows';
      if (name === 'activityId') return 'A';
      if (name === 'activityInstanceId' || path.startsWith('activity-executions')) return execution.id;
      return path.startsWith('workflow-definitions') ? version : id;
    };
    const elsewhere: Record<string, number> = {};
    for (const [path, { get }] of Object.entries(document.paths)) {
      const own = path.slice('/elsa/api/'.length);
      if (!get || own === 'events/stream') continue;
      const filled = own.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(ids(own, name)));
      // The harness compares the answer with the document.
      const { status } = await api.call('GET', `/${filled}?${queries[own] ?? ''}`);
      if (status !== 200) elsewhere[own] = status;
    }
    // Nothing of theirs is there.
    expect(elsewhere).toEqual({
      'alterations/{id}': 404,
      'bookmark-queue/dead-letters/{id}': 404,
      'bookmarks/resume': 400,
      'bulk-actions/export/workflow-definitions': 204,
      'bulk-actions/export/workflow-instances': 204,
      'bulk-actions/plans/{id}': 404,
      'events/trigger': 400,
      'outbox/dead-letters/{id}': 404,
      schedules: 501,
      'schedules/waiting': 501,
      'schedules/{id}': 501,
      'user-tasks/{id}': 404,
      'user-tasks/{id}/history': 404,
      'workflow-instances/{id}/journal/values/{hash}': 404,
    });
  });

  it("is not in the application's own document, unless it is merged with it", async () => {
    const { app } = api;
    const own = SwaggerModule.createDocument(app, new DocumentBuilder().build());
    expect(Object.keys(own.paths)).toEqual([]);
    const { document: merged, conflicts } = mergeOpenApi(own, app.get(ManagementOpenApi).document());
    expect(conflicts).toEqual([]);
    expect(Object.keys(merged.paths)).toEqual(Object.keys(document.paths));
    const { errors } = await new Validator().validate(structuredClone(merged) as never);
    expect(errors).toBeUndefined();
  });
});

it('requires the permission read:openapi', async () => {
  const users = [
    { name: 'reader', password: 'a', permissions: ['read:openapi'] },
    { name: 'other', password: 'b', permissions: ['read:user'] },
  ];
  const api = await ApiServer.start('fastify', { authentication: { users } });
  const read = async (username: string, password: string) => {
    const { accessToken } = (await api.call('POST', '/identity/login', { username, password })).json;
    return api.call('GET', '/openapi.json', undefined, { authorization: `Bearer ${accessToken}` });
  };
  expect((await api.call('GET', '/openapi.json')).status).toBe(401);
  expect((await read('other', 'b')).status).toBe(403);
  const { status, json } = await read('reader', 'a');
  expect(status).toBe(200);
  const document = json as OpenApiDocument;
  expect(document.paths['/elsa/api/workflow-instances']!.get).toMatchObject({
    security: [{ waymarkToken: [] }, { waymarkKey: [] }],
    'x-waymark-permissions': ['read:workflow-instances'],
  });
  expect(document.paths['/elsa/api/identity/login']!.post).toMatchObject({ security: [] });
  const { errors } = await new Validator().validate(structuredClone(document) as never);
  expect(errors).toBeUndefined();
  await api.close();
});
