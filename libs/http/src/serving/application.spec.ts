import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { pairsOf } from '../../../../test/support/pairs.js';
import { CountingInterceptor, endpoint, lit, respond, startApp, type TestServer } from './testing/http-test-app.js';

describe.each(pairsOf([FastifyAdapter, ExpressAdapter], FastifyAdapter))(
  'the application around endpoints (%p)',
  (Adapter) => {
    let server: TestServer;
    beforeAll(async () => {
      server = await startApp(new Adapter(), { bodyBytes: 1_000_000 });
    });
    afterAll(() => server.app.close());

    it('asks for a user where the endpoint does', async () => {
      const id = await server.publish([
        endpoint('In', 'secret', { authorize: lit(true, 'Boolean') }),
        respond('Out', 'secret'),
      ]);
      const refused = await server.call('GET', '/workflows/secret');
      expect([refused.status, refused.json]).toEqual([401, { code: 'WM5063', message: expect.any(String) }]);
      expect(await server.instances(id)).toHaveLength(0);
      expect((await server.call('GET', '/workflows/secret', { headers: { 'X-User': 'ann' } })).text).toBe('secret');
    });

    it('lets guards, interceptors and CORS apply', async () => {
      await server.publish([endpoint('In', 'guarded'), respond('Out', 'ok')]);
      expect((await server.call('GET', '/workflows/guarded', { headers: { 'X-Banned': '1' } })).status).toBe(403);
      const before = CountingInterceptor.count;
      const r = await server.call('GET', '/workflows/guarded', { headers: { Origin: 'https://example.org' } });
      expect([r.text, r.headers['access-control-allow-origin'], CountingInterceptor.count - before]).toEqual([
        'ok',
        'https://example.org',
        1,
      ]);
      const preflight = await server.call('OPTIONS', '/workflows/guarded', {
        headers: { Origin: 'https://example.org', 'Access-Control-Request-Method': 'GET' },
      });
      expect(preflight.status).toBe(204);
    });

    it("leaves the application's own routes alone", async () => {
      expect((await server.call('GET', '/own')).text).toBe('own');
      expect(
        (await server.call('POST', '/own', { body: '{"a":1}', headers: { 'Content-Type': 'application/json' } })).json,
      ).toEqual({ got: { a: 1 } });
      expect((await server.call('GET', '/nowhere')).json.message).toBe('Cannot GET /nowhere');
    });
  },
);
