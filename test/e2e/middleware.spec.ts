import type { IncomingMessage } from 'node:http';
import { Controller, Get, Injectable, type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { endpoint, lit, show, variable } from '../../libs/http/src/serving/testing/endpoint-definitions.js';
import { pairsOf } from '../support/pairs.js';
import { startWhole, type WholeApplication } from './whole-application.js';

// "Middleware" in docs/recipes.md.

const passed: (string | undefined)[] = [];

@Injectable()
class BadgeMiddleware {
  use(request: IncomingMessage & { user?: object; originalUrl?: string }, _response: object, next: () => void): void {
    passed.push(request.originalUrl ?? request.url);
    if (request.headers['x-badge'] === 'badge-of-mia') request.user = { id: 'mia' };
    next();
  }
}

@Controller('own')
class OwnController {
  @Get() own(): string {
    return 'own';
  }
}

@Module({ controllers: [OwnController] })
class WithMiddleware implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(BadgeMiddleware).forRoutes('workflows/{*path}');
  }
}

describe.each(pairsOf([FastifyAdapter, ExpressAdapter], FastifyAdapter))('middleware (%p)', (Adapter) => {
  let server: WholeApplication;
  afterEach(() => server.close());

  it.each(['', '/app'])('sets the user of requests to workflows alone, below the prefix "%s"', async (prefix) => {
    passed.length = 0;
    server = await startWhole(new Adapter(), {
      also: [WithMiddleware],
      configure: (app) => void (prefix && app.setGlobalPrefix(prefix)),
    });
    await server.publish(
      [
        endpoint('In', 'echo', {
          methods: ['POST'],
          authorize: lit(true, 'Boolean'),
          outputs: { parsedContent: 'Content' },
        }),
        show('Content'),
      ],
      [variable('Content')],
    );
    const call = (headers: Record<string, string>) =>
      server.call('POST', `${prefix}/workflows/echo`, {
        headers: { 'Content-Type': 'application/json', ...headers },
        body: '{"a":1}',
      });
    const refused = await call({});
    expect([refused.status, refused.json.code]).toEqual([401, 'WM5063']);
    const admitted = await call({ 'X-Badge': 'badge-of-mia' });
    expect([admitted.status, admitted.json]).toEqual([200, { a: 1 }]);
    expect((await server.call('GET', `${prefix}/own`)).text).toBe('own');
    expect(passed).toEqual([`${prefix}/workflows/echo`, `${prefix}/workflows/echo`]);
  });
});
