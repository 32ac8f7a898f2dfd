import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { pairsOf } from '../../../../test/support/pairs.js';
import { endpoint, lit, respond, startApp, type TestServer } from './testing/http-test-app.js';

describe.each(pairsOf([FastifyAdapter, ExpressAdapter], FastifyAdapter))('addresses for clients (%p)', (Adapter) => {
  let server: TestServer;
  afterEach(() => server.app.close());

  it.each([
    ['a base URL with the global prefix', 'app', 'http://h/app', '/app/workflows', ''],
    ['a base URL without it', 'app', 'http://h', '/app/workflows', ''],
    ['a base URL whose path ends alike', 'app', 'http://h/myapp', '/myapp/app/workflows', '/myapp'],
    [
      'a path of a proxy before the global prefix',
      '/app/v1/',
      'http://h/shop/app/v1/',
      '/shop/app/v1/workflows',
      '/shop',
    ],
    ['a path of a proxy and no prefix', undefined, 'http://h/proxy', '/proxy/workflows', '/proxy'],
  ])('lead to the state with %s', async (_, globalPrefix, baseUrl, expected, removedByProxy) => {
    server = await startApp(new Adapter(), { baseUrl }, {}, undefined, {}, {}, (app) => {
      if (globalPrefix !== undefined) app.setGlobalPrefix(globalPrefix);
    });
    await server.publish([
      endpoint('In', 'slow', { respondAsync: lit(true, 'Boolean') }),
      endpoint('Later', 'later', { start: false }),
      respond('Out', 'done'),
    ]);
    const inside = `${expected.slice(removedByProxy.length)}/slow`;
    const { status, headers } = await server.call('GET', inside, { headers: { Prefer: 'respond-async' } });
    const { location } = headers;
    expect([status, location]).toEqual([202, expect.stringMatching(`^${expected}/~requests/`)]);
    const told = await server.call('GET', location!.slice(removedByProxy.length));
    expect(told.json).toMatchObject({ status: 'Running' });
  });
});
