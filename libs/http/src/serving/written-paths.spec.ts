import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { pairsOf } from '../../../../test/support/pairs.js';
import { endpoint, ref, respond, startApp, type TestServer, variable } from './testing/http-test-app.js';

describe.each(pairsOf([FastifyAdapter, ExpressAdapter], FastifyAdapter))('paths with escapes (%p)', (Adapter) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startApp(new Adapter());
  });
  afterAll(() => server.app.close());

  const written = [
    'A 1',
    'é',
    'a/b',
    '100%',
    '{x}',
    'a?b',
    'a#b',
    '%25',
    'ab@c',
    'a&b',
    'a:b',
    'a;b',
    'a=b,c$',
    'a*b',
    'a%2Fb',
    'a%252Fb',
    'a+b',
  ].map((id) => [encodeURIComponent(id)]);

  it.each(written)('paths with escapes are served where a trigger has one: %s', async (id) => {
    await server.publish([endpoint('In', `items/${id}/all`), respond('Out', 'literal')]);
    expect((await server.call('GET', `/workflows/items/${id}/all`)).text).toBe('literal');
  });

  it('paths with escapes are served as often as they are encoded, and no more', async () => {
    const spelled = ['a/b', 'a%2Fb', 'a%252Fb', '%2F'].map((id) => [id, encodeURIComponent(id)] as const);
    for (const [id, encoded] of spelled) {
      await server.publish([endpoint('In', `deep/${encoded}`), respond('Out', `literal ${id}`)]);
      await server.publish([endpoint('In', `in/${encoded}.{ext}`), respond('Out', `complex ${id}`)]);
    }
    for (const [id, encoded] of spelled)
      for (const path of [encoded, encoded.toLowerCase()]) {
        expect((await server.call('GET', `/workflows/deep/${path}`)).text).toBe(`literal ${id}`);
        expect((await server.call('GET', `/workflows/in/${path}.txt`)).text).toBe(`complex ${id}`);
      }
    for (const path of ['deep/a%2525252Fb', 'deep/%25252F', 'deep/a/b', 'in/a%2525252Fb.txt'])
      expect([path, (await server.call('GET', `/workflows/${path}`)).status]).toEqual([path, 404]);
  });

  it.each(written)('paths with escapes are served before a parameter: %s', async (id) => {
    await server.publish(
      [endpoint('In', `items/${id}/of/{who=%41}`, { outputs: { routeData: 'Route' } }), respond('Out', ref('Route'))],
      [variable('Route')],
    );
    expect((await server.call('GET', `/workflows/items/${id}/of/me%20`)).json).toEqual({ who: 'me ' });
    // A default is a text and not part of a path.
    expect((await server.call('GET', `/workflows/items/${id}/of`)).json).toEqual({ who: '%41' });
  });

  it.each(written)('paths with escapes are served where an instance waits there: %s', async (id) => {
    await server.publish([
      endpoint('In', `orders/${id}/start`),
      respond('First', 'started'),
      endpoint('Wait', `orders/${id}/payment`, { start: false }),
      respond('Second', 'paid'),
    ]);
    expect((await server.call('GET', `/workflows/orders/${id}/start`)).text).toBe('started');
    expect((await server.call('GET', `/workflows/orders/${id}/payment`)).text).toBe('paid');
  });

  it.each(written)('paths with escapes are served beside a parameter in one segment: %s', async (id) => {
    await server.publish(
      [endpoint('In', `files/${id}.{ext}`, { outputs: { routeData: 'Route' } }), respond('Out', ref('Route'))],
      [variable('Route')],
    );
    expect((await server.call('GET', `/workflows/files/${id}.txt`)).json).toEqual({ ext: 'txt' });
  });

  it('paths with escapes are the same in a path without escapes, for a client that encodes more than it must', async () => {
    await server.publish([endpoint('In', 'plain/a@b;c/{x}'), respond('Out', 'plain')]);
    for (const path of ['a@b;c/x', 'a@b;c/%78', 'a%40b%3Bc/x'])
      expect([path, (await server.call('GET', `/workflows/plain/${path}`)).text]).toEqual([path, 'plain']);
  });

  it('paths with escapes are left alone where they are not valid, and refused where clients resolve them', async () => {
    await server.publish([endpoint('In', 'odd/%zz/%E4'), respond('Out', 'odd')]);
    await expect(server.publish([endpoint('In', 'up/%2e%2E/x'), respond('Out', 'x')])).rejects.toThrow('".."');
  });
});
