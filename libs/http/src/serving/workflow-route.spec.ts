import { type ArgumentsHost, type CallHandler, Catch, type ExecutionContext, ForbiddenException } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, BaseExceptionFilter } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { pairsOf } from '../../../../test/support/pairs.js';
import { act, endpoint, lit, respond, startApp, type TestServer } from './testing/http-test-app.js';
import { getWorkflowRoute, type WorkflowRoute } from './workflow-route.js';

const seen: Record<'guard' | 'interceptor' | 'filter', (WorkflowRoute | undefined)[]> = {
  guard: [],
  interceptor: [],
  filter: [],
};

const guard = {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const route = await getWorkflowRoute(context);
    seen.guard.push(route);
    if (route?.customProperties.audience === 'none') throw new ForbiddenException('closed');
    return true;
  },
};
const interceptor = {
  async intercept(context: ExecutionContext, next: CallHandler) {
    seen.interceptor.push(await getWorkflowRoute(context));
    return next.handle();
  },
};
@Catch()
class Filter extends BaseExceptionFilter {
  override catch(error: unknown, host: ArgumentsHost): void {
    void getWorkflowRoute(host).then((route) => {
      seen.filter.push(route);
      // oxlint-disable-next-line promise/valid-params -- an exception filter's, not a promise's
      super.catch(error, host);
    });
  }
}

describe.each(pairsOf([FastifyAdapter, ExpressAdapter], FastifyAdapter))('the route of a request (%p)', (Adapter) => {
  describe.each(['/workflows', ''])('below "%s"', (basePath) => {
    let server: TestServer;
    beforeAll(async () => {
      server = await startApp(
        new Adapter(),
        { basePath, policies: { clerks: () => true } },
        {},
        { pollIntervalMs: 50 },
        {
          providers: [
            { provide: APP_GUARD, useValue: guard },
            { provide: APP_INTERCEPTOR, useValue: interceptor },
            { provide: APP_FILTER, useClass: Filter },
          ],
        },
      );
    });
    afterAll(() => server.app.close());
    beforeEach(() => Object.values(seen).forEach((list) => list.splice(0)));

    it('is available to guards and interceptors before the workflow runs', async () => {
      const first = endpoint('In', 'Orders/{Id}', { policy: lit('clerks'), methods: ['PUT'] });
      const definitionId = await server.publish(
        [{ ...first, customProperties: { ...first.customProperties, cost: 5 } }, respond('Out', 'ok')],
        [],
        { customProperties: { audience: 'partners' } },
      );
      expect((await server.call('PUT', `${basePath}/orders/7`, { headers: { 'x-user': 'ann' } })).text).toBe('ok');
      expect(seen.guard).toEqual([
        {
          kind: 'start',
          definitionId,
          definitionVersionId: expect.any(String),
          version: 1,
          name: definitionId,
          customProperties: { audience: 'partners' },
          activity: { id: 'In', customProperties: { canStartWorkflow: true, cost: 5 } },
          path: '/orders/{id}',
          method: 'PUT',
          routeValues: { id: '7' },
          authorize: false,
          policy: 'clerks',
        },
      ]);
      expect(seen.interceptor).toEqual(seen.guard);
    });

    it('has the properties of the endpoint, where another activity has its id', async () => {
      const first = endpoint('In', 'twice');
      await server.publish([
        act('Elsa.Sequence', 'TheOneWithTheLongerName', {
          activities: [{ ...first, customProperties: { ...first.customProperties, roles: ['clerks'] } }],
        }),
        act('Elsa.Sequence', 'S', { activities: [respond('In', 'ok')] }),
      ]);
      expect((await server.call('GET', `${basePath}/twice`)).text).toBe('ok');
      expect(seen.guard[0]!.activity.customProperties).toMatchObject({ roles: ['clerks'] });
    });

    it('names the waiting instance that is resumed', async () => {
      const definitionId = await server.publish([
        endpoint('First', 'begin'),
        respond('Out', 'begun'),
        { ...endpoint('Second', 'go-on', { start: false }), name: 'Paid' },
        respond('Done', 'done'),
      ]);
      await server.call('GET', `${basePath}/begin`, { headers: { 'X-Correlation-ID': 'c1' } });
      const [instance] = await server.instances(definitionId);
      expect((await server.call('GET', `${basePath}/go-on`)).text).toBe('done');
      expect(seen.guard[1]).toMatchObject({
        kind: 'resume',
        definitionId,
        version: 1,
        workflowInstanceId: instance!.id,
        correlationId: 'c1',
        activity: { id: 'Second', name: 'Paid' },
        path: '/go-on',
      });
    });

    it('is undefined for other controllers and for paths without a workflow', async () => {
      await server.call('GET', '/own');
      await server.call('GET', `${basePath}/nothing`);
      // Nest's own 404 asks no guard.
      expect(seen.guard).toEqual(basePath ? [undefined, undefined] : [undefined]);
    });

    it('lets a guard refuse, and exception filters see the route', async () => {
      const id = await server.publish([endpoint('In', 'closed'), respond('Out', 'ok')], [], {
        customProperties: { audience: 'none' },
      });
      const refused = await server.call('GET', `${basePath}/closed`);
      expect([refused.status, refused.json]).toEqual([403, { statusCode: 403, message: 'closed', error: 'Forbidden' }]);
      expect(seen.filter).toEqual([expect.objectContaining({ definitionId: id })]);
      expect(await server.instances(id)).toEqual([]);
    });

    it('is the same for each spelling of the path that leads to it', async () => {
      await server.publish([endpoint('In', '{tenant}/{order}', { methods: ['POST'] }), respond('Out', 'ok')], [], {
        customProperties: { audience: 'none' },
      });
      const spellings = [
        `http://host${basePath}/a/b`,
        `HTTPS://host:1${basePath}/a/b?x`,
        // Express takes encoded letters for other ones.
        ...(Adapter === FastifyAdapter && basePath ? ['/%77orkflows/a/b', '/workflow%73/a/b?x=%ZZ'] : []),
      ];
      for (const spelling of spellings) {
        const { status } = await server.call('POST', spelling, {
          // Beside the application's own routes, its parsers come first.
          body: basePath ? '{"a":' : '{}',
          headers: { 'content-type': 'application/json' },
        });
        expect([spelling, status]).toEqual([spelling, 403]);
        expect(seen.guard.splice(0)).toMatchObject([{ routeValues: { tenant: 'a', order: 'b' } }]);
      }
    });

    it('serves what the guard has seen: a look-up is made once', async () => {
      await server.publish([endpoint('First', 'once'), act('Elsa.Event', 'Wait', { eventName: lit('e') })]);
      await server.call('GET', `${basePath}/once`);
      expect(seen.guard[0]).toBe(seen.interceptor[0]);
    });
  });
});
