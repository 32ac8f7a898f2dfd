import { expect, it } from '@jest/globals';
import { mergeOpenApi } from './merge-open-api.js';
import { OPEN_API_VERSION, type OpenApiDocument, type OpenApiOperation } from './open-api-document.js';

const operation = (operationId: string, more: Partial<OpenApiOperation> = {}): OpenApiOperation => ({
  operationId,
  summary: operationId,
  tags: ['Workflows'],
  responses: {
    200: { description: 'Done.', content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } } },
  },
  ...more,
});

const ours: OpenApiDocument = {
  openapi: OPEN_API_VERSION,
  info: { title: 'Ours', version: '1' },
  tags: [{ name: 'Workflows' }],
  paths: {
    '/orders/{id}': { get: operation('getOrder'), put: operation('putOrder') },
    '/hello': { get: operation('hello', { security: [{ bearer: [] }] }) },
  },
  components: {
    schemas: { Order: { type: 'object', properties: { name: { type: 'string', nullable: true } } } },
    responses: {},
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
  },
};

const application = (openapi = '3.0.0') => ({
  openapi,
  info: { title: 'Application', version: '7' },
  paths: { '/orders/{id}': { get: { operationId: 'hello', responses: {} } } },
  components: { schemas: { Order: { type: 'string' } } },
  tags: [{ name: 'Workflows', description: 'its own' }],
});

it("keeps the application's own document unchanged, and lists conflicts", () => {
  const given = application();
  const { document, conflicts } = mergeOpenApi(given, ours);
  expect(conflicts).toEqual(['components/schemas/Order', 'GET /orders/{id}', 'operationId hello']);
  expect(given).toEqual(application());
  expect(document.info.title).toBe('Application');
  expect(document.tags).toEqual(given.tags);
  expect(document.paths).toMatchObject({
    '/orders/{id}': { get: { operationId: 'hello' }, put: { operationId: 'putOrder' } },
    '/hello': { get: { operationId: 'helloWaymark', security: [{ bearer: [] }] } },
  });
});

it('gives a component of ours another name where the application has one of that name', () => {
  const { document } = mergeOpenApi(application(), ours);
  expect(document.components).toMatchObject({
    schemas: { Order: { type: 'string' }, OrderWaymark: { type: 'object' } },
    securitySchemes: { bearer: { scheme: 'bearer' } },
  });
  expect(JSON.stringify(document.paths)).toContain('#/components/schemas/OrderWaymark');
});

it('renames a security scheme together with those who need it', () => {
  const own = { ...application(), components: { securitySchemes: { bearer: { type: 'oauth2' } } } };
  const { document, conflicts } = mergeOpenApi(own, ours);
  expect(conflicts).toContain('components/securitySchemes/bearer');
  expect(document.paths).toMatchObject({ '/hello': { get: { security: [{ bearerWaymark: [] }] } } });
});

it('adds the same document once, however often it is merged', () => {
  const once = mergeOpenApi({ openapi: '3.0.0', paths: {} }, ours).document;
  const { document, conflicts } = mergeOpenApi(once, ours);
  expect(document).toEqual(once);
  expect(conflicts).toEqual(['GET /orders/{id}', 'PUT /orders/{id}', 'GET /hello']);
});

it("writes what is nullable as a document of OpenAPI 3.1 does, where the application's is one", () => {
  const { document } = mergeOpenApi({ openapi: '3.1.0', paths: {} }, ours);
  const { components } = document as unknown as OpenApiDocument;
  expect(components.schemas.Order!.properties!.name).toEqual({ type: ['string', 'null'] });
});

it('takes a path that differs by the names of its parameters for the same path', () => {
  const own = { openapi: '3.0.0', paths: { '/Orders/{orderId}': { get: { operationId: 'own' } } } };
  const { document, conflicts } = mergeOpenApi(own, ours);
  expect(conflicts).toEqual(['GET /orders/{id}', 'PUT /orders/{id}']);
  expect(Object.keys(document.paths)).toEqual(['/Orders/{orderId}', '/hello']);
});
