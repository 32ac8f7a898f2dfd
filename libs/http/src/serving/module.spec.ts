import { Controller, Get, Module, type DynamicModule, type INestApplication } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { IWorkflowDefinitionPublisher, WorkflowEngine } from '@waymark/runtime';
import { resolveRuntimeOptions, RUNTIME_OPTIONS, WorkflowRuntimeModule } from '@waymark/runtime/adapter';
import request from 'supertest';
import { HttpWorkflowsModule } from '../module/http-workflows.module.js';
import { HttpEndpointAuthorizer } from './endpoint-authorizer.js';
import { DetailedFaultHandler } from './fault-handler.js';
import { act, endpoint, fault, lit, respond } from './testing/http-test-app.js';

class OpenForAll extends HttpEndpointAuthorizer {
  authorize(): boolean {
    return true;
  }
}

@Controller('workflows')
class Neighbour {
  @Get('mine') mine(): string {
    return 'mine';
  }
}

const runtime = WorkflowRuntimeModule.compose({
  providers: [{ provide: RUNTIME_OPTIONS, useValue: resolveRuntimeOptions({}) }],
});

const extras = { authorizer: OpenForAll, faultHandler: DetailedFaultHandler };
const modules: [string, () => DynamicModule, string][] = [
  ['forRoot', () => HttpWorkflowsModule.forRoot({ basePath: '/flows/', ...extras }), '/flows'],
  [
    'forRootAsync',
    () => HttpWorkflowsModule.forRootAsync({ useFactory: async () => ({ basePath: 'jobs' }), ...extras }),
    '/jobs',
  ],
];

describe.each([FastifyAdapter, ExpressAdapter])('HttpWorkflowsModule (%p)', (Adapter) => {
  async function start(http: DynamicModule, prefix?: string, early?: (app: INestApplication) => void) {
    @Module({ imports: [runtime, http], controllers: [Neighbour] })
    class App {}
    // A testing module is compiled before it knows its adapter.
    const compiled = await Test.createTestingModule({ imports: [App] }).compile();
    const app = compiled.createNestApplication(new Adapter() as never, { logger: false });
    early?.(app);
    if (prefix) app.setGlobalPrefix(prefix);
    await app.init();
    if (Adapter === FastifyAdapter)
      await (app as unknown as NestFastifyApplication).getHttpAdapter().getInstance().ready();
    const publisher = app.get(IWorkflowDefinitionPublisher);
    const publish = (definitionId: string, ...activities: ReturnType<typeof act>[]) =>
      publisher.saveAndPublish({ definitionId, root: act('Elsa.Sequence', 'Root', { activities }) });
    return { app, publish, http: request(app.getHttpServer()) };
  }

  it.each(modules)('%s: options, replaced services and path', async (_name, module, basePath) => {
    const { app, publish, http } = await start(module());
    await publish('a', endpoint('In', 'a/{id}', { authorize: lit(true, 'Boolean') }), respond('Out', 'ok'));
    await publish('b', endpoint('In', 'b'), fault('F'));
    expect((await http.get(`${basePath}/a/1`)).text).toBe('ok');
    const failed = await http.get(`${basePath}/b`);
    expect([failed.status, failed.body.subStatus]).toEqual([500, 'Faulted']);
    expect((await http.get('/workflows/mine')).text).toBe('mine');
    const path = app.get(WorkflowEngine).activities.find('Elsa.HttpEndpoint')!.descriptor.inputs[0]!;
    expect(path.uiSpecifications).toEqual({
      singleline: { adornmentText: `http://localhost:3000${basePath}/`, enableCopyAdornment: true },
      Refresh: true,
    });
    await app.close();
  });

  it('lives below the global prefix', async () => {
    const { app, publish, http } = await start(HttpWorkflowsModule.forRoot({}), 'api');
    await publish('a', endpoint('In', 'a'), respond('Out', 'ok'));
    expect((await http.get('/api/workflows/a')).text).toBe('ok');
    expect((await http.get('/workflows/a')).status).toBe(404);
    const post = await http.post('/api/workflows/a').set('Content-Type', 'application/json').send('{ nope');
    expect([post.status, post.body.code]).toEqual([404, 'WM5007']);
    await app.close();
  });

  it('lives below a global prefix that is set after the application has added a route to its adapter', async () => {
    const early = (app: INestApplication) =>
      app
        .getHttpAdapter()
        .get('/ping', (_request: unknown, response: { send(text: string): void }) => response.send('pong'));
    const { app, publish, http } = await start(HttpWorkflowsModule.forRoot({}), 'api', early);
    await publish('a', endpoint('In', 'a', { methods: ['POST'] }), respond('Out', 'ok'));
    expect((await http.get('/ping')).text).toBe('pong');
    const post = await http.post('/api/workflows/a').set('Content-Type', 'application/json').send('{"a": 1}');
    expect([post.status, post.text]).toEqual([200, 'ok']);
    await app.close();
  });

  it.each([{ basePath: '/a/{b}' }, { baseUrl: 'nonsense' }, { bodyBytes: 0 }])('refuses %j', async (options) => {
    await expect(start(HttpWorkflowsModule.forRoot(options))).rejects.toThrow(/^WorkflowModule option 'http\./);
  });
});
