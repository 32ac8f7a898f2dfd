import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { act, endpoint, lit, ref, respond, variable, startApp, type TestServer } from './testing/http-test-app.js';

describe.each([FastifyAdapter, ExpressAdapter])('routes (%p)', (Adapter) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startApp(new Adapter(), { bodyBytes: 1_000_000 });
  });
  afterAll(() => server.app.close());

  it('answers with what the workflow writes, once the instance is finished', async () => {
    const id = await server.publish([endpoint('In', 'hello'), respond('Out', 'Hello')]);
    const r = await server.call('GET', '/workflows/hello');
    expect([r.status, r.text, r.headers['content-type'], r.headers['content-length']]).toEqual([
      200,
      'Hello',
      'text/plain',
      '5',
    ]);
    const [instance] = await server.instances(id);
    expect([instance!.status, instance!.subStatus]).toEqual(['Finished', 'Finished']);
  });

  it('gives route values, query and headers to the workflow', async () => {
    const outputs = { routeData: 'Route', queryStringData: 'Query', headers: 'Headers' };
    await server.publish(
      [
        endpoint('In', 'users/{userId:int}/{*Rest}', { outputs }),
        respond('A', ref('Route'), { contentType: lit('application/json') }),
        respond('B', ref('Query'), { contentType: lit('application/json') }),
        respond('C', ref('Headers'), { contentType: lit('application/json') }),
      ],
      [variable('Route'), variable('Query'), variable('Headers')],
    );
    const r = await server.call('GET', '/workflows/Users/42/A%20b/C?x=1&y=a&y=b', {
      headers: { 'X-Custom-Name': 'v' },
    });
    const [route, query, headers] = r.text
      .split(/(?<=\})(?=\{)/)
      .map((text) => JSON.parse(text) as Record<string, unknown>);
    expect(route).toEqual({ userid: '42', rest: 'A b/C' });
    expect(query).toEqual({ x: '1', y: ['a', 'b'] });
    expect(headers!['X-Custom-Name']).toBe('v');
  });

  it('matches paths in any casing and with a trailing slash, and no others', async () => {
    await server.publish([endpoint('In', '/Some/Path/'), respond('Out', 'ok')]);
    const statuses = async (...paths: string[]) =>
      Promise.all(paths.map(async (p) => (await server.call('GET', p)).status));
    expect(await statuses('/workflows/some/path', '/workflows/SOME/path/')).toEqual([200, 200]);
    expect(
      await statuses('/workflows/some', '/workflows/some/path/more', '/workflows', '/workflowsX/some/path'),
    ).toEqual([404, 404, 404, 404]);
    expect((await server.call('GET', '/workflows/some')).json.code).toBe('WM5007');
    expect((await server.call('HEAD', '/workflows/some/path')).status).toBe(404);
    expect(
      (
        await server.call('PUT', '/workflows/some/path', {
          body: '{',
          headers: { 'Content-Type': 'application/json' },
        })
      ).status,
    ).toBe(404);
  });

  it('serves HEAD and methods that editors do not offer', async () => {
    await server.publish([
      endpoint('In', 'methods', { methods: ['HEAD', 'PATCH', 'OPTIONS'] }),
      respond('Out', 'body'),
    ]);
    const head = await server.call('HEAD', '/workflows/methods');
    expect([head.status, head.text]).toEqual([200, '']);
    expect((await server.call('PATCH', '/workflows/methods')).text).toBe('body');
  });

  it('prefers literals, then constrained parameters, and asks no other method for its template', async () => {
    await server.publish([endpoint('In', 'orders/{id}', { methods: ['GET', 'POST'] }), respond('Out', 'any')]);
    await server.publish([endpoint('In', 'orders/{id:int}'), respond('Out', 'number')]);
    await server.publish([endpoint('In', 'orders/new'), respond('Out', 'new')]);
    const text = async (method: string, path: string) => (await server.call(method, path)).text;
    expect([
      await text('GET', '/workflows/orders/new'),
      await text('GET', '/workflows/orders/7'),
      await text('GET', '/workflows/orders/x'),
    ]).toEqual(['new', 'number', 'any']);
    expect(await text('POST', '/workflows/orders/new')).toBe('any');
  });

  it('keeps the case of arguments of constraints, for endpoints that start and for those that wait', async () => {
    await server.publish([
      endpoint('In', 'Cases/{Id:regex(^\\D+$)}'),
      endpoint('Next', 'cases/next/{id:regex(^\\D+$)}', { start: false }),
      respond('Out', 'letters'),
    ]);
    await server.publish([
      endpoint('In', 'cases/{Id:regex(^\\d+$)}'),
      endpoint('Next', 'cases/next/{id:regex(^\\d+$)}', { start: false }),
      respond('Out', 'digits'),
    ]);
    const answer = async (path: string) => {
      const { status, text } = await server.call('GET', `/workflows/${path}`);
      return [status, text];
    };
    expect([await answer('CASES/Ab'), await answer('cases/42')]).toEqual([
      [200, ''],
      [200, ''],
    ]);
    expect((await answer('cases/a4'))[0]).toBe(404);
    expect([await answer('cases/next/x'), await answer('cases/next/7')]).toEqual([
      [200, 'letters'],
      [200, 'digits'],
    ]);
  });

  it('follows publishing and retracting', async () => {
    const id = await server.publish([endpoint('In', 'come-and-go'), respond('Out', '1')]);
    await server.publisher.saveAndPublish({
      definitionId: id,
      root: act('Elsa.Sequence', 'Root', { activities: [endpoint('In', 'come-and-go'), respond('Out', '2')] }),
    });
    expect((await server.call('GET', '/workflows/come-and-go')).text).toBe('2');
    await server.publisher.retract(id);
    expect((await server.call('GET', '/workflows/come-and-go')).status).toBe(404);
  });

  it('refuses to publish what another workflow serves, and malformed templates', async () => {
    const id = await server.publish([endpoint('In', 'taken/{name}'), respond('Out', '1')]);
    await expect(server.publish([endpoint('In', '/Taken/{other}/'), respond('Out', '2')])).rejects.toThrow(
      `The /taken/{other} path and get method are already in use by another workflow! It is "${id}".`,
    );
    await expect(server.publish([endpoint('One', 'twice'), endpoint('Two', 'twice')])).rejects.toThrow(
      'Activities "One" and "Two" have identical triggers.',
    );
    await expect(server.publish([endpoint('In', 'broken/{name'), respond('Out', '2')])).rejects.toThrow(
      'a brace is not closed',
    );
  });
});
