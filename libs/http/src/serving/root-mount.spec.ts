import { Controller, Module, Param, Post } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { pairsOf } from '../../../../test/support/pairs.js';
import { endpoint, lit, ref, respond, variable, startApp, type TestServer } from './testing/http-test-app.js';

@Controller('by')
class ByIdController {
  @Post(':id') post(@Param('id') id: string): string {
    return id;
  }
}

@Module({ controllers: [ByIdController] })
class ByIdModule {}

describe.each(pairsOf([FastifyAdapter, ExpressAdapter], FastifyAdapter))('an empty base path (%p)', (Adapter) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startApp(new Adapter(), { basePath: '', writeResponseSynchronously: true }, {}, undefined, {
      imports: [ByIdModule],
    });
  });
  afterAll(() => server.app.close());

  it("serves beside the application's routes and passes on what it does not know", async () => {
    await server.publish([endpoint('In', 'own/flow'), respond('Out', 'workflow')]);
    await server.publish(
      [
        endpoint('In', 'flow/{id}', { methods: ['GET', 'POST'], outputs: { parsedContent: 'C' } }),
        respond('Out', ref('C'), { contentType: lit('application/json') }),
      ],
      [variable('C')],
    );
    expect((await server.call('GET', '/own/flow')).text).toBe('unused');
    expect((await server.call('GET', '/own')).text).toBe('own');
    expect(
      (await server.call('POST', '/own', { body: '{"a":1}', headers: { 'Content-Type': 'application/json' } })).json,
    ).toEqual({ got: { a: 1 } });
    const post = (body: string, type: string) =>
      server.call('POST', '/flow/1', { body, headers: { 'Content-Type': type } });
    expect((await post('{"a":1}', 'application/json')).json).toEqual({ a: 1 });
    expect((await post('a=1&a=2', 'application/x-www-form-urlencoded')).json).toEqual({ a: ['1', '2'] });
    expect((await post('<a/>', 'application/xml')).text).toBe('<a/>');
    expect((await server.call('GET', '/flow/1', { headers: { 'X-Banned': '1' } })).status).toBe(403);
    const unknown = await server.call('GET', '/unknown');
    expect([unknown.status, unknown.json.message]).toEqual([404, 'Cannot GET /unknown']);
  });

  it('reads bodies as it does below a base path', async () => {
    await server.publish(
      [
        endpoint('In', 'body/{id}', { methods: ['POST'], outputs: { parsedContent: 'C' } }),
        respond('Out', ref('C'), { contentType: lit('application/json') }),
      ],
      [variable('C')],
    );
    const post = (body: string, type: string, path = '/body/1') =>
      server.call('POST', path, { body, headers: { 'Content-Type': type } });
    const form = 'user[name]=Ann&tags[]=a&tags[]=b';
    const fields = { 'user[name]': 'Ann', 'tags[]': ['a', 'b'] };
    expect((await post(form, 'application/x-www-form-urlencoded')).json).toEqual(fields);
    const long = JSON.stringify({ text: 'x'.repeat(200_000) });
    expect(await post(long, 'application/json')).toMatchObject({ status: 200, text: long });
    expect((await post('5', 'application/json')).json).toBe(5);
    expect(await post('{"a":', 'application/json')).toMatchObject({ status: 400, json: { code: 'WM5006' } });
    // The application's own bodies, and those that belong to no workflow, stay with the parsers.
    expect(await post('{"a":', 'application/json', '/own')).toMatchObject({ status: 400, json: { statusCode: 400 } });
    expect((await post('{"a":1}', 'application/json', '/own')).json).toEqual({ got: { a: 1 } });
    expect(await post('{"a":1}', 'application/json', '/nothing')).toMatchObject({ status: 404 });
    // Express throws while it compares it with routes.
    expect((await post('{"a":1}', 'application/json', '/by/%E0%A4%A')).status).toBe(400);
  });
});
