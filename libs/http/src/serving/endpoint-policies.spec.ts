import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { pairsOf } from '../../../../test/support/pairs.js';
import { endpoint, lit, respond, startApp, type TestServer } from './testing/http-test-app.js';

describe.each(pairsOf([FastifyAdapter, ExpressAdapter], ExpressAdapter))('policies of endpoints (%p)', (Adapter) => {
  let server: TestServer;
  beforeAll(async () => {
    const managers = (user: unknown) => (user as { name: string }).name === 'mia';
    server = await startApp(new Adapter(), { policies: { managers } });
  });
  afterAll(() => server.app.close());

  it('policies of endpoints apply without authorize', async () => {
    await server.publish([endpoint('In', 'managed', { policy: lit('managers') }), respond('Out', 'ok')]);
    const get = async (headers?: Record<string, string>) =>
      (await server.call('GET', '/workflows/managed', { headers })).status;
    expect([await get(), await get({ 'x-user': 'ann' }), await get({ 'x-user': 'mia' })]).toEqual([401, 401, 200]);
  });

  it('policies of endpoints that are not known are refused when the workflow is published, with those that are', async () => {
    const publishing = server.publish([endpoint('In', 'typo', { policy: lit('mangers') }), respond('Out', 'ok')]);
    await expect(publishing).rejects.toThrow(/"mangers" is not defined in .* "managers"/);
  });
});
