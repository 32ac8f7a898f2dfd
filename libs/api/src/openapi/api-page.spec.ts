import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OpenApiDocument } from '@waymark/runtime';
import { ApiServer } from '../module/api-harness.spec.js';

describe('the page of the management API', () => {
  const page = readFileSync(path.join(import.meta.dirname, '../../../../docs/api.md'), 'utf8');
  let api: ApiServer;
  let document: OpenApiDocument;
  beforeAll(async () => {
    api = await ApiServer.start('fastify');
    document = (await api.call('GET', '/openapi.json')).json as OpenApiDocument;
  });
  afterAll(() => api?.close());

  it('names every part of the paths', () => {
    const parts = Object.keys(document.paths).flatMap((route) =>
      route
        .replace('/elsa/api/', '')
        .split('/')
        .filter((part) => !part.startsWith('{')),
    );
    expect([...new Set(parts)].filter((part) => !page.includes(part))).toEqual([]);
  });

  it.each([
    ['get', 'workflow-instances'],
    ['get', 'workflow-definitions'],
    ['post', 'workflow-definitions/import-files'],
  ] as const)('names every parameter of %s %s', (method, route) => {
    const { parameters = [] } = document.paths[`/elsa/api/${route}`]![method]!;
    const names = parameters.flatMap((parameter) =>
      'in' in parameter && parameter.in === 'query' ? parameter.name : [],
    );
    expect(names.length).toBeGreaterThan(2);
    expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});
