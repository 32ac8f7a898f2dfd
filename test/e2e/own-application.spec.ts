import {
  Body,
  type CallHandler,
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Module,
  type NestInterceptor,
  Post,
  VersioningType,
} from '@nestjs/common';
import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { WorkflowApiModule } from '@waymark/api';
import { map } from 'rxjs';
import { RawHubClient } from '../../libs/api/src/hub/testing/raw-hub-client.js';
import { endpoint, lit, respond, show, variable } from '../../libs/http/src/serving/testing/endpoint-definitions.js';
import { pairsOf } from '../support/pairs.js';
import { startWhole, type WholeApplication, type WholeSettings } from './whole-application.js';

@Controller('workflows')
class OwnWorkflows {
  @Post('x') post(@Body() body: unknown): unknown {
    return { got: body ?? 'nothing' };
  }
  @Get('y/:id') get(): string {
    return 'mine';
  }
}
@Controller('elsa/api')
class OwnApi {
  @Post('mine') post(@Body() body: unknown): unknown {
    return { got: body ?? 'nothing' };
  }
}
@Controller()
class Everywhere {
  @Get('*') page(): string {
    return 'page';
  }
}
@Module({ controllers: [OwnWorkflows, OwnApi] })
class OwnModule {}
@Module({ controllers: [Everywhere] })
class PageModule {}

class Wrapping implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler) {
    return next.handle().pipe(map((data: unknown) => ({ wrapped: data })));
  }
}

class PassGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.switchToHttp().getRequest<{ headers: Record<string, string> }>().headers['x-pass'] === 'yes';
  }
}

/** A webhook's signature, as guards check it. */
class SignatureGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context
      .switchToHttp()
      .getRequest<{ rawBody?: Buffer; headers: Record<string, string | undefined> }>();
    const given = request.headers['x-signature'];
    return given === undefined || given === sign(request.rawBody ?? '');
  }
}
const sign = (body: string | Buffer) => createHmac('sha256', 'secret').update(body).digest('hex');

const JSON_TYPE = { 'Content-Type': 'application/json' };
const api = () => WorkflowApiModule.forRoot({ allowAnonymous: true });

describe.each(pairsOf([FastifyAdapter, ExpressAdapter], ExpressAdapter))(
  'an application with routes of its own (%p)',
  (Adapter) => {
    let server: WholeApplication | undefined;
    afterEach(() => server?.close());
    const start = async (settings: WholeSettings) =>
      (server = await startWhole(new Adapter(), { also: [api()], ...settings }));

    describe.each([
      ['before', (workflows: unknown[]) => [OwnModule, ...workflows]],
      ['after', (workflows: unknown[]) => [...workflows, OwnModule]],
    ])('in a module %s those of Waymark', (_, modules) => {
      it('has its routes below the paths of workflows and API, with their bodies', async () => {
        const { call, publish } = await start({ modules: modules as NonNullable<WholeSettings['modules']> });
        await publish(
          [endpoint('In', 'flow', { methods: ['POST'], outputs: { parsedContent: 'Content' } }), show('Content')],
          [variable('Content')],
        );
        for (const path of ['/workflows/x', '/elsa/api/mine']) {
          const taken = await call('POST', path, { body: '{"a":1}', headers: JSON_TYPE });
          expect([taken.status, taken.json]).toEqual([201, { got: { a: 1 } }]);
          expect((await call('POST', path, { body: '{"a":', headers: JSON_TYPE })).status).toBe(400);
        }
        expect((await call('GET', '/workflows/y/1?z=2')).text).toBe('mine');
        // What is not the application's is answered as ever.
        const flow = await call('POST', '/workflows/flow', { body: '{"b":2}', headers: JSON_TYPE });
        expect([flow.status, flow.json]).toEqual([200, { b: 2 }]);
        const malformed = await call('POST', '/workflows/flow', { body: '{"b":', headers: JSON_TYPE });
        expect([malformed.status, malformed.json.code]).toEqual([400, 'WM5006']);
        expect((await call('POST', '/workflows/none', { body: '{', headers: JSON_TYPE })).json.code).toBe('WM5007');
        expect((await call('POST', '/elsa/api/none', { body: '{', headers: JSON_TYPE })).status).toBe(404);
        expect((await call('DELETE', '/elsa/api/package/version')).status).toBe(405);
      });
    });

    it('keeps its workflows in front of a page for every path', async () => {
      const { call, publish } = await start({ modules: (workflows) => [...workflows, PageModule] });
      await publish([endpoint('In', 'flow'), respond('Out', 'flow')]);
      expect((await call('GET', '/workflows/flow')).text).toBe('flow');
      expect((await call('GET', '/anything')).text).toBe('page');
    });

    it('leaves answers and files of the API as they are, whatever its interceptors wrap', async () => {
      const { call, publish } = await start({
        controllers: [OwnApi],
        configure: (app) => app.useGlobalInterceptors(new Wrapping()),
      });
      const id = await publish([endpoint('In', 'flow'), respond('Out', 'flow')]);
      expect((await call('GET', '/elsa/api/package/version')).json).toEqual({ packageVersion: expect.any(String) });
      expect((await call('POST', '/elsa/hubs/workflow-instance/negotiate')).json).toMatchObject({
        negotiateVersion: 0,
      });
      const file = await call('GET', `/elsa/api/workflow-definitions/${id}/export`);
      expect([file.json.definitionId, file.headers['content-disposition']]).toEqual([id, expect.stringContaining(id)]);
      const missing = await call('GET', '/elsa/api/workflow-definitions/by-definition-id/none');
      expect(missing.status).toBe(404);
      const refused = await call('POST', '/elsa/api/workflow-definitions', { body: '{', headers: JSON_TYPE });
      expect([refused.status, refused.json.errors]).toEqual([400, expect.any(Object)]);
      expect((await call('GET', '/workflows/flow')).text).toBe('flow');
      const own = await call('POST', '/elsa/api/mine', { body: '{}', headers: JSON_TYPE });
      expect(own.json).toEqual({ wrapped: { got: {} } });
    });

    it('causes no leak warning when its interceptor wraps a file of the API, and it listens to responses itself', async () => {
      const OWN = 3;
      let most = 0;
      let isWarned = false;
      const { call, publish } = await start({
        configure: (app) => {
          app.useGlobalInterceptors(new Wrapping());
          app.use((_request: unknown, response: ServerResponse, next: () => void) => {
            response.on('newListener', (event) => {
              if (event !== 'close') return;
              most = Math.max(most, response.listenerCount('close') + 1);
              isWarned ||= most > response.getMaxListeners();
            });
            for (let n = 0; n < OWN; n++) response.on('close', () => undefined);
            next();
          });
        },
      });
      const id = await publish([endpoint('In', 'flow'), respond('Out', 'flow')]);
      expect((await call('GET', `/elsa/api/workflow-definitions/${id}/export`)).status).toBe(200);
      expect(most).toBeGreaterThan(OWN);
      expect(isWarned).toBe(false);
    });

    it('controls by its guards who may negotiate with the hub and open a WebSocket', async () => {
      const { call, port } = await start({ configure: (app) => app.useGlobalGuards(new PassGuard()) });
      const hub = '/elsa/hubs/workflow-instance';
      expect((await call('POST', `${hub}/negotiate`)).status).toBe(403);
      expect((await call('GET', `${hub}?id=a.b.c`)).status).toBe(403);
      await expect(RawHubClient.open(`http://127.0.0.1:${port}${hub}`)).rejects.toThrow('404');
      const { connectionId } = (await call('POST', `${hub}/negotiate`, { headers: { 'X-Pass': 'yes' } })).json;
      const client = await RawHubClient.greeted(`http://127.0.0.1:${port}${hub}?id=${connectionId}`);
      client.leave();
    });

    describe('with rawBody', () => {
      const post = (path: string, body: string, more: Record<string, string> = {}, chunked = false) =>
        server!.call('POST', path, { body, chunked, headers: { ...JSON_TYPE, ...more } });

      it('shows its guards the bodies of workflows, so that they can check signatures', async () => {
        const { publish } = await start({
          rawBody: true,
          http: { bodyBytes: 100_000, defaultBodyBytes: 100_000 },
          configure: (app) => app.useGlobalGuards(new SignatureGuard()),
        });
        await publish(
          [endpoint('In', 'hook', { methods: ['POST'], outputs: { parsedContent: 'Content' } }), show('Content')],
          [variable('Content')],
        );
        const body = '{"a" : 1}';
        for (const chunked of [false, true]) {
          const taken = await post('/workflows/hook', body, { 'X-Signature': sign(body) }, chunked);
          expect([taken.status, taken.json]).toEqual([200, { a: 1 }]);
          expect((await post('/workflows/hook', body, { 'X-Signature': sign('{"a":1}') }, chunked)).status).toBe(403);
          expect((await post('/workflows/hook', `"${'x'.repeat(200_000)}"`, {}, chunked)).status).toBe(413);
          expect((await post('/workflows/hook', '{', {}, chunked)).json.code).toBe('WM5006');
        }
        expect((await server!.call('POST', '/workflows/hook')).status).toBe(200);
      });
    });

    it.each([
      ['has its prefix before the API and workflows', undefined, '/app/elsa/api', '/app/workflows'],
      [
        'leaves both out of its prefix',
        ['elsa/api/{*path}', 'workflows', 'workflows/{*path}'],
        '/elsa/api',
        '/workflows',
      ],
    ])('%s', async (_, exclude, apiPath, workflows) => {
      const { call, publish } = await start({
        configure: (app) => app.setGlobalPrefix('app', exclude ? { exclude } : {}),
      });
      await publish([endpoint('In', 'flow'), respond('Out', 'flow', { contentType: lit('text/plain') })]);
      expect((await call('GET', `${workflows}/flow`)).text).toBe('flow');
      expect((await call('GET', `${apiPath}/package/version`)).status).toBe(200);
      const wrong = await call('DELETE', `${apiPath}/package/version`);
      expect([wrong.status, wrong.headers.allow, wrong.json.code]).toEqual([405, 'GET', 'WM8003']);
      const none = await call('GET', `${apiPath}/none`);
      expect([none.status, none.json.code]).toEqual([404, 'WM8003']);
    });

    it('keeps API and workflows without a version where its own paths have one', async () => {
      const { call, publish } = await start({
        controllers: [OwnApi],
        configure: (app) => app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' }),
      });
      await publish([endpoint('In', 'flow'), respond('Out', 'flow')]);
      expect((await call('GET', '/workflows/flow')).text).toBe('flow');
      expect((await call('GET', '/elsa/api/package/version')).status).toBe(200);
      expect((await call('POST', '/v1/elsa/api/mine', { body: '{"a":1}', headers: JSON_TYPE })).json).toEqual({
        got: { a: 1 },
      });
    });
  },
);
