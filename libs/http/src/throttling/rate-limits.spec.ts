import { type ExecutionContext, Injectable } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { SkipThrottle, ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
import { pairsOf } from '../../../../test/support/pairs.js';
import {
  type EndpointOptions,
  endpoint,
  lit,
  respond,
  startApp,
  type TestServer,
} from '../serving/testing/http-test-app.js';
import { getWorkflowRoute } from '../serving/workflow-route.js';

const limited = (path: string, rateLimit: unknown, more: EndpointOptions = {}) => {
  const json = endpoint('In', path, more);
  return { ...json, customProperties: { ...json.customProperties, rateLimit } };
};

/** Of the application: a limit of its own, from which endpoints are free that have one or say so. */
@Injectable()
class AppGuard extends ThrottlerGuard {
  protected override async shouldSkip(context: ExecutionContext): Promise<boolean> {
    const route = await getWorkflowRoute(context);
    return route?.rateLimit !== undefined || route?.activity.customProperties.skipThrottle === true;
  }
}

describe.each(pairsOf([FastifyAdapter, ExpressAdapter], ExpressAdapter))('limits of requests (%p)', (Adapter) => {
  let server: TestServer | undefined;
  afterEach(() => server?.app.close());

  const start = async (
    basePath = '/workflows',
    guard: typeof ThrottlerGuard = AppGuard,
    decorators = [] as ClassDecorator[],
  ) =>
    (server = await startApp(
      new Adapter(),
      { basePath },
      { controllerDecorators: decorators },
      { pollIntervalMs: 50 },
      {
        imports: [ThrottlerModule.forRoot({ throttlers: [{ limit: 3, ttl: 60_000 }] })],
        providers: [{ provide: APP_GUARD, useClass: guard }],
      },
    ));
  const statuses = async (count: number, path: string, headers: Record<string, string> = {}) => {
    const all: number[] = [];
    for (let n = 0; n < count; n++) all.push((await server!.call('GET', path, { headers })).status);
    return all;
  };

  it.each(['/workflows', ''])(
    'refuses one too many with 429, Retry-After and a code (base path "%s")',
    async (base) => {
      const { publish, call, instances } = await start(base);
      const id = await publish([limited('few', { limit: 2, ttl: '00:01:00' }), respond('Out', 'ok')]);
      await publish([limited('others/{id}', { limit: 1, ttl: 60_000 }), respond('Out', 'ok')]);
      const [first, second, third] = [
        await call('GET', `${base}/few`),
        await call('GET', `${base}/few`),
        await call('GET', `${base}/few`),
      ];
      expect([first.status, second.status, third.status]).toEqual([200, 200, 429]);
      expect(first.headers).toMatchObject({ 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '1' });
      expect(Number(third.headers['retry-after'])).toBeGreaterThan(0);
      expect(third.json).toMatchObject({ code: 'WM5062' });
      expect(await instances(id)).toHaveLength(2);
      // Counted by endpoint, not by path.
      expect(await statuses(1, `${base}/others/1`)).toEqual([200]);
      expect(await statuses(1, `${base}/others/2`)).toEqual([429]);
    },
  );

  it('counts requests that are refused for other reasons as well', async () => {
    const { publish } = await start();
    await publish([
      limited('guarded', { limit: 1, ttl: 60_000 }, { authorize: lit(true, 'Boolean') }),
      respond('Out', 'ok'),
    ]);
    expect(await statuses(2, '/workflows/guarded')).toEqual([401, 429]);
  });

  it('counts for an endpoint that waits in the middle of a workflow', async () => {
    const { publish, call } = await start();
    await publish([
      endpoint('First', 'begin'),
      respond('Out', 'begun'),
      {
        ...limited('go-on', { limit: 1, ttl: 60_000 }, { authorize: lit(true, 'Boolean') }),
        id: 'Second',
        customProperties: { rateLimit: { limit: 1, ttl: 60_000 } },
      },
    ]);
    await call('GET', '/workflows/begin');
    expect(await statuses(2, '/workflows/go-on')).toEqual([401, 429]);
  });

  it("lets the application's guard limit workflows as controllers, and skip some", async () => {
    const { publish } = await start();
    await publish([endpoint('In', 'plain'), respond('Out', 'ok')]);
    const json = endpoint('In', 'skipped');
    await publish([
      { ...json, customProperties: { ...json.customProperties, skipThrottle: true } },
      respond('Out', 'ok'),
    ]);
    expect(await statuses(4, '/own')).toEqual([200, 200, 200, 429]);
    expect(await statuses(4, '/workflows/plain')).toEqual([200, 200, 200, 429]);
    expect(await statuses(5, '/workflows/skipped')).toEqual([200, 200, 200, 200, 200]);
  });

  it('keeps limits of endpoints where @SkipThrottle frees the controller of them all', async () => {
    const { publish } = await start('/workflows', ThrottlerGuard, [SkipThrottle()]);
    await publish([endpoint('In', 'plain'), respond('Out', 'ok')]);
    await publish([limited('few', { limit: 1, ttl: 60_000 }), respond('Out', 'ok')]);
    expect(await statuses(4, '/workflows/plain')).toEqual([200, 200, 200, 200]);
    expect(await statuses(2, '/workflows/few')).toEqual([200, 429]);
  });

  it.each([
    [{ limit: 0, ttl: 1000 }],
    [{ limit: 1.5, ttl: 1000 }],
    [{ limit: 1 }],
    [{ limit: 1, ttl: '-00:01' }],
    ['often'],
  ])('does not publish %j', async (rateLimit) => {
    const { publish } = await start();
    await expect(publish([limited('odd', rateLimit), respond('Out', 'ok')])).rejects.toThrow(
      'The custom property rateLimit of the HTTP Endpoint "In" is not a limit.',
    );
  });
});

it('refuses to publish a limit that the application cannot keep', async () => {
  const server = await startApp(new FastifyAdapter());
  try {
    await expect(server.publish([limited('few', { limit: 1, ttl: 60_000 }), respond('Out', 'ok')])).rejects.toThrow(
      'import ThrottlerModule.forRoot(…)',
    );
  } finally {
    await server.app.close();
  }
});
