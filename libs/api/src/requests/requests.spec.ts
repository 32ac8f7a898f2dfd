import { gzipSync } from 'node:zlib';
import { ADAPTERS, JSON_TYPE, line, useServer } from '../module/api-harness.spec.js';

describe.each(ADAPTERS)('requests on %s', (adapter) => {
  const { call, deploy, send } = useServer(adapter);

  it('requests match routes in any casing, with a slash at the end', async () => {
    expect((await call('GET', '/Package/VERSION/')).json).toEqual({ packageVersion: '3.8.0' });
  });

  it.each([
    ['without a content type', undefined, {}],
    ['with another content type', '{}', { 'content-type': 'text/plain' }],
  ])('%s are 415', async (_, body, headers) => {
    const reply = await call('POST', '/workflow-definitions', body, headers as Record<string, string>);
    expect([reply.status, reply.json.code]).toEqual([415, 'WM8002']);
    expect(
      (await call('POST', '/workflow-definitions/x/publish', body, headers as Record<string, string>)).status,
    ).toBe(415);
  });

  it('requests with compressed bodies are 415, and say so', async () => {
    const form = '--b\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\n{}\r\n--b--\r\n';
    for (const [path, type, text] of [
      ['/workflow-definitions', 'application/json', '{}'],
      ['/workflow-definitions/import-files', 'multipart/form-data; boundary=b', form],
      ['/identity/login', 'application/json', '{}'],
    ] as const)
      for (const coding of ['gzip', 'x-gzip', 'br', 'gzip, identity']) {
        const headers = { 'content-type': type, 'content-encoding': coding };
        const answer = await send('POST', path, new Blob([gzipSync(text)]), headers);
        expect([path, coding, answer.status, await answer.json()]).toEqual([
          path,
          coding,
          415,
          { code: 'WM5022', message: expect.stringContaining(`"${coding}"`) },
        ]);
        expect(answer.headers.get('accept-encoding')).toBe('identity');
      }
    for (const coding of ['identity', 'UTF-8']) {
      const plain = { 'content-type': 'application/json', 'content-encoding': coding };
      expect((await send('POST', '/workflow-definitions', new Blob(['{}']), plain)).status).toBe(400);
    }
  });

  it.each([
    ['{ "model": { "name": ', 'model.name'],
    ['', 'serializerErrors'],
    ['[]', 'serializerErrors'],
    ['{"model":null}', 'model'],
    ['{"model":{"root":{"id":"x"}}}', 'model.root'],
    ['{"model":{"root":"hello"}}', 'model.root'],
    ['{"model":{"inputs":[{"type":"Acme.Missing","name":"X"}]}}', 'type'],
  ])('requests that are malformed are answered with the place: %s', async (text, key) => {
    const reply = await call('POST', '/workflow-definitions', text, JSON_TYPE);
    expect(reply.status).toBe(400);
    expect(reply.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(reply.json).toMatchObject({ statusCode: 400, message: 'One or more errors occurred!' });
    expect(Object.keys(reply.json.errors)).toEqual([key]);
  });

  it('requests are answered with the content types of the reference, but for the charset that Express always adds', async () => {
    const types = async (method: string, path: string, body?: unknown) =>
      (await call(method, path, body)).headers.get('content-type');
    const { id } = await deploy('types', line('A'));
    const charset = adapter === 'express' ? '; charset=utf-8' : '';
    expect(await types('GET', '/workflow-definitions')).toBe(`application/json${charset}`);
    expect(await types('POST', '/workflow-definitions/types/execute', {})).toBe(`application/json${charset}`);
    const model = { definitionId: 'types', root: line('A') };
    expect(await types('POST', '/workflow-definitions', { model })).toBe('application/json; charset=utf-8');
    expect(await types('GET', `/workflow-definitions/subgraph/${id}?parentNodeId=Workflow1:A`)).toBe(
      'application/json; charset=utf-8',
    );
    expect(await types('POST', '/workflow-definitions', {})).toBe(`application/problem+json${charset}`);
    expect(await types('GET', '/workflow-definitions/none')).toBe(`application/json${charset}`);
  });

  it('requests bind queries in any casing', async () => {
    await deploy('query', line('A'));
    const reply = await call(
      'GET',
      '/workflow-definitions?DefinitionIds=query&DEFINITIONIDS=none&VersionOptions=latest&Page=0&PageSize=10&OrderBy=version',
    );
    expect(reply.json.items.map((d: { definitionId: string }) => d.definitionId)).toEqual(['query']);
  });

  it.each(['page=abc', 'pageSize=0', 'orderBy=Nope', 'versionOptions=Newest'])(
    'requests report a bad query: %s',
    async (query) => {
      const reply = await call('GET', `/workflow-definitions?${query}`);
      expect([reply.status, Object.keys(reply.json.errors)]).toEqual([400, [query.split('=')[0]]]);
    },
  );

  it('requests that name what does not exist are answered 404 with a message', async () => {
    for (const [method, path] of [
      ['GET', '/workflow-definitions/none'],
      ['GET', '/workflow-instances/none'],
      ['GET', '/workflow-instances/none/journal/a'],
      ['GET', '/activity-executions/none'],
      ['GET', '/features/installed/None'],
      ['DELETE', '/workflow-instances/none'],
    ] as const) {
      const reply = await call(method, path);
      expect([path, reply.status, reply.json]).toEqual([
        path,
        404,
        { code: expect.stringMatching(/^WM\d{4}$/), message: expect.any(String) },
      ]);
    }
  });

  it('requests that list or cancel what does not exist find nothing to do, as in the reference', async () => {
    const none = '/workflow-instances/none';
    expect((await call('GET', `${none}/journal`)).json).toEqual({ items: [], totalCount: 0 });
    expect((await call('GET', `${none}/variables`)).json).toEqual({ items: [], count: 0 });
    const change = { variables: [{ id: 'v', value: 1 }] };
    expect((await call('POST', `${none}/variables`, change)).json).toEqual({ items: [], count: 0 });
    expect((await call('POST', `/cancel${none}`)).status).toBe(200);
  });
});
