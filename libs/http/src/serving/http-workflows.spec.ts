import http from 'node:http';
import { CanActivate, type CallHandler, Controller, type ExecutionContext, Get, Module, type NestInterceptor, Post, Body } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Activity, ActivityBase, type ActivityExecutionContext, type ActivityJson, type VariableDefinition } from '@waymark/core';
import {
  IWorkflowDefinitionPublisher,
  IWorkflowRuntime,
  RuntimeGate,
  RUNTIME_OPTIONS,
  resolveRuntimeOptions,
  WorkflowPersistence,
  WorkflowRuntimeModule,
} from '@waymark/runtime';
import { HTTP_OPTIONS, httpParts, HttpRequestContext, requestContextOf, resolveHttpOptions, RouteTable, type HttpWorkflowsOptions } from '../index.js';

// ---------- definitions ----------

const lit = (value: unknown, typeName = 'String') => ({ typeName, expression: { type: 'Literal', value } });
const obj = (value: unknown) => ({ typeName: 'Object', expression: { type: 'Object', value: JSON.stringify(value) } });
const ref = (id: string) => ({ typeName: 'Object', expression: { type: 'Variable', value: { id } } });
const act = (type: string, id: string, members: object = {}, start = false): ActivityJson => ({
  type,
  id,
  version: 1,
  customProperties: { canStartWorkflow: start },
  ...members,
});
interface EndpointOptions {
  methods?: string[];
  start?: boolean;
  outputs?: Record<string, string>;
  [input: string]: unknown;
}
const endpoint = (id: string, path: string, { methods = ['GET'], start = true, outputs = {}, ...inputs }: EndpointOptions = {}) =>
  act(
    'Elsa.HttpEndpoint',
    id,
    {
      path: lit(path),
      supportedMethods: obj(methods),
      ...inputs,
      ...Object.fromEntries(Object.entries(outputs).map(([name, variable]) => [name, { typeName: 'Object', memoryReference: { id: variable } }])),
    },
    start,
  );
const respond = (id: string, content: unknown, more: object = {}) =>
  act('Elsa.WriteHttpResponse', id, { content: typeof content === 'object' ? content : lit(content, 'Object'), ...more });
const show = (variable: string) => respond('Show', ref(variable), { contentType: lit('application/json') });
const fault = (id: string) => act('Elsa.Fault', id, { message: lit('boom') });
const variable = (id: string, typeName = 'Object'): VariableDefinition => ({ id, name: id, typeName, isArray: false, storageDriverTypeName: null });

@Activity({ namespace: 'Test' })
class WaitForEver extends ActivityBase {
  static aborted: unknown[] = [];
  execute(ctx: ActivityExecutionContext) {
    return new Promise<void>((_resolve, reject) =>
      ctx.signal.addEventListener('abort', () => {
        WaitForEver.aborted.push(ctx.signal.reason);
        reject(ctx.signal.reason as Error);
      }),
    );
  }
}

// ---------- applications ----------

class HeaderGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<{ headers: Record<string, string>; user?: unknown }>();
    if (request.headers['x-user']) request.user = { name: request.headers['x-user'] };
    return request.headers['x-banned'] === undefined;
  }
}

class CountingInterceptor implements NestInterceptor {
  static count = 0;
  intercept(_context: ExecutionContext, next: CallHandler) {
    CountingInterceptor.count++;
    return next.handle();
  }
}

@Controller('own')
class OwnController {
  @Get() own(): string {
    return 'own';
  }
  @Post() post(@Body() body: unknown): unknown {
    return { got: body };
  }
  @Get('flow') flow(): string {
    return 'unused';
  }
}

type Adapter = 'fastify' | 'express';

async function start(adapter: Adapter, http: HttpWorkflowsOptions = {}) {
  const { providers, controllers } = httpParts();
  @Module({
    imports: [
      WorkflowRuntimeModule.compose({
        providers: [
          { provide: RUNTIME_OPTIONS, useValue: resolveRuntimeOptions({ pollIntervalMs: 50 }) },
          { provide: HTTP_OPTIONS, useValue: resolveHttpOptions(http) },
          ...providers,
          WaitForEver,
        ],
      }),
    ],
    controllers: [...controllers, OwnController],
  })
  class App {}
  const app = await NestFactory.create(App, adapter === 'fastify' ? (new FastifyAdapter() as never) : new ExpressAdapter(), {
    logger: ['error'],
    abortOnError: false,
  });
  app.useGlobalGuards(new HeaderGuard());
  app.useGlobalInterceptors(new CountingInterceptor());
  app.enableCors({ origin: 'https://example.org' });
  await app.listen(0, '127.0.0.1');
  const port = (app.getHttpServer().address() as { port: number }).port;
  const publisher = app.get(IWorkflowDefinitionPublisher);
  const persistence = app.get(WorkflowPersistence);
  let counter = 0;
  return {
    app,
    publisher,
    persistence,
    runtime: app.get(IWorkflowRuntime),
    /** Publishes a sequence of activities. */
    async publish(activities: ActivityJson[], variables: VariableDefinition[] = [], more: object = {}): Promise<string> {
      const definitionId = `workflow-${++counter}`;
      const result = await publisher.saveAndPublish({
        definitionId,
        name: definitionId,
        variables,
        root: act('Elsa.Sequence', 'Root', { activities }),
        ...more,
      });
      if (!result.succeeded) throw new Error(result.problems.map((p) => p.message).join(' · '));
      return definitionId;
    },
    call: (method: string, path: string, options: CallOptions = {}) => call(port, method, path, options),
    async instances(definitionId: string) {
      return (await persistence.instances.findMany({ definitionIds: [definitionId] })).items;
    },
  };
}

interface CallOptions {
  headers?: Record<string, string>;
  body?: string | Buffer;
  chunked?: boolean;
}

function call(port: number, method: string, path: string, { headers = {}, body, chunked }: CallOptions) {
  return new Promise<{ status: number; headers: http.IncomingHttpHeaders; text: string; json: any }>((resolve, reject) => {
    const all: Record<string, string> = { ...headers };
    if (body !== undefined && !chunked) all['Content-Length'] = String(Buffer.byteLength(body));
    const request = http.request({ port, host: '127.0.0.1', method, path, headers: all, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          text,
          get json() {
            return JSON.parse(text) as unknown;
          },
        });
      });
    });
    request.on('error', reject);
    if (body !== undefined && chunked) request.write(body);
    request.end(chunked ? undefined : body);
  });
}

const multipart = (parts: { name: string; filename?: string; type?: string; data: string }[]) => {
  const boundary = 'XboundaryX';
  const lines = parts.flatMap(({ name, filename, type, data }) => [
    `--${boundary}`,
    `Content-Disposition: form-data; name="${name}"${filename ? `; filename="${filename}"` : ''}`,
    ...(type ? [`Content-Type: ${type}`] : []),
    '',
    data,
  ]);
  return { body: [...lines, `--${boundary}--`, ''].join('\r\n'), headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` } };
};

type Server = Awaited<ReturnType<typeof start>>;

describe.each<Adapter>(['fastify', 'express'])('HTTP workflows on %s', (adapter) => {
  let server: Server;
  beforeAll(async () => {
    server = await start(adapter, { bodyLimit: 1_000_000 });
  });
  afterAll(() => server.app.close());

  const echo = (path: string, more: EndpointOptions = {}, type = 'Object') =>
    server.publish([endpoint('In', path, { methods: ['GET', 'POST'], outputs: { parsedContent: 'Content' }, ...more }), show('Content')], [
      variable('Content', type),
    ]);

  describe('routes', () => {
    it('answers with what the workflow writes, once the instance is finished', async () => {
      const id = await server.publish([endpoint('In', 'hello'), respond('Out', 'Hello')]);
      const r = await server.call('GET', '/workflows/hello');
      expect([r.status, r.text, r.headers['content-type'], r.headers['content-length']]).toEqual([200, 'Hello', 'text/plain', '5']);
      const [instance] = await server.instances(id);
      expect([instance!.status, instance!.subStatus]).toEqual(['Finished', 'Finished']);
    });

    it('gives route values, query and headers to the workflow', async () => {
      const outputs = { routeData: 'Route', queryStringData: 'Query', headers: 'Headers' };
      await server.publish(
        [
          endpoint('In', 'users/{userId:int}/{*Rest}', { outputs }),
          respond('A', ref('Route'), { contentType: lit('application/json') }),
          respond('B', ref('Query'), { contentType: lit('application/json') }),
          respond('C', ref('Headers'), { contentType: lit('application/json') }),
        ],
        [variable('Route'), variable('Query'), variable('Headers')],
      );
      const r = await server.call('GET', '/workflows/Users/42/A%20b/C?x=1&y=a&y=b', { headers: { 'X-Custom-Name': 'v' } });
      const [route, query, headers] = r.text.split(/(?<=\})(?=\{)/).map((text) => JSON.parse(text) as Record<string, unknown>);
      expect(route).toEqual({ userid: '42', rest: 'A b/C' });
      expect(query).toEqual({ x: '1', y: ['a', 'b'] });
      expect(headers!['X-Custom-Name']).toBe('v');
    });

    it('knows paths in any casing and with a trailing slash, and nothing else', async () => {
      await server.publish([endpoint('In', '/Some/Path/'), respond('Out', 'ok')]);
      const statuses = async (...paths: string[]) => Promise.all(paths.map(async (p) => (await server.call('GET', p)).status));
      expect(await statuses('/workflows/some/path', '/workflows/SOME/path/')).toEqual([200, 200]);
      expect(await statuses('/workflows/some', '/workflows/some/path/more', '/workflows', '/workflowsX/some/path')).toEqual([404, 404, 404, 404]);
      expect((await server.call('GET', '/workflows/some')).text).toBe('');
      expect((await server.call('HEAD', '/workflows/some/path')).status).toBe(404);
      expect((await server.call('PUT', '/workflows/some/path', { body: '{', headers: { 'Content-Type': 'application/json' } })).status).toBe(404);
    });

    it('serves HEAD and methods that editors do not offer', async () => {
      await server.publish([endpoint('In', 'methods', { methods: ['HEAD', 'PATCH', 'OPTIONS'] }), respond('Out', 'body')]);
      const head = await server.call('HEAD', '/workflows/methods');
      expect([head.status, head.text]).toEqual([200, '']);
      expect((await server.call('PATCH', '/workflows/methods')).text).toBe('body');
    });

    it('prefers literals, then constrained parameters, and asks no other method for its template', async () => {
      await server.publish([endpoint('In', 'orders/{id}', { methods: ['GET', 'POST'] }), respond('Out', 'any')]);
      await server.publish([endpoint('In', 'orders/{id:int}'), respond('Out', 'number')]);
      await server.publish([endpoint('In', 'orders/new'), respond('Out', 'new')]);
      const text = async (method: string, path: string) => (await server.call(method, path)).text;
      expect([await text('GET', '/workflows/orders/new'), await text('GET', '/workflows/orders/7'), await text('GET', '/workflows/orders/x')]).toEqual(['new', 'number', 'any']);
      expect(await text('POST', '/workflows/orders/new')).toBe('any');
    });

    it('follows publishing and retracting', async () => {
      const id = await server.publish([endpoint('In', 'come-and-go'), respond('Out', '1')]);
      await server.publisher.saveAndPublish({ definitionId: id, root: act('Elsa.Sequence', 'Root', { activities: [endpoint('In', 'come-and-go'), respond('Out', '2')] }) });
      expect((await server.call('GET', '/workflows/come-and-go')).text).toBe('2');
      await server.publisher.retract(id);
      expect((await server.call('GET', '/workflows/come-and-go')).status).toBe(404);
    });

    it('refuses to publish what another workflow serves, and malformed templates', async () => {
      await server.publish([endpoint('In', 'taken/{name}'), respond('Out', '1')]);
      await expect(server.publish([endpoint('In', '/Taken/{other}/'), respond('Out', '2')])).rejects.toThrow(
        'The /taken/{other} path and get method are already in use by another workflow!',
      );
      await expect(server.publish([endpoint('In', 'broken/{name'), respond('Out', '2')])).rejects.toThrow('a brace is not closed');
    });
  });

  describe('bodies', () => {
    const json = (body: string) => ({ body, headers: { 'Content-Type': 'application/json' } });

    it('reads JSON, forms, text and XML', async () => {
      await echo('echo');
      const post = async (body: string, type: string, chunked = false) =>
        (await server.call('POST', '/workflows/echo', { body, chunked, headers: { 'Content-Type': type } })).json as unknown;
      expect(await post('{"a":1,"b":[1,"x"],"c":null}', 'application/json')).toEqual({ a: 1, b: [1, 'x'], c: null });
      expect(await post('[1,2]', 'application/json; charset=utf-8', true)).toEqual([1, 2]);
      expect(await post('a=1&b=2&b=3', 'application/x-www-form-urlencoded')).toEqual({ a: '1', b: ['2', '3'] });
      const text = async (body: string, type: string) => (await server.call('POST', '/workflows/echo', { body, headers: { 'Content-Type': type } })).text;
      expect(await text('hello', 'text/plain')).toBe('hello');
      expect(await text('<a>1</a>', 'application/xml')).toBe('<a>1</a>');
    });

    it('takes no body for null', async () => {
      await echo('empty');
      expect((await server.call('POST', '/workflows/empty', json(''))).text).toBe('');
      expect((await server.call('POST', '/workflows/empty')).text).toBe('');
      expect((await server.call('POST', '/workflows/empty', { headers: { 'Content-Type': 'application/json' } })).text).toBe('');
    });

    it('answers malformed JSON itself and makes no instance', async () => {
      const id = await echo('malformed');
      const r = await server.call('POST', '/workflows/malformed', json('{ nope'));
      expect([r.status, r.headers['content-type']]).toEqual([400, 'application/json; charset=utf-8']);
      expect(r.json).toEqual({
        message: "'n' is an invalid start of a property name. Expected a '\"'. Path: $ | LineNumber: 0 | BytePositionInLine: 2.",
        path: '$',
        lineNumber: 0,
      });
      expect((await server.call('POST', '/workflows/malformed', json('  '))).status).toBe(400);
      expect(await server.instances(id)).toHaveLength(0);
    });

    it('does not parse JSON for a text variable', async () => {
      await echo('as-text', {}, 'String');
      expect((await server.call('POST', '/workflows/as-text', json('{ nope'))).text).toBe('{ nope');
    });

    it.each([false, true])('keeps the size limit (chunked: %s)', async (chunked) => {
      await echo(`limit-${chunked}`, { requestSizeLimit: lit(8, 'Int64') });
      const send = (body: string) => server.call('POST', `/workflows/limit-${chunked}`, { body, chunked, headers: { 'Content-Type': 'text/plain' } });
      const big = await send('0123456789');
      expect([big.status, big.json.message]).toEqual([413, 'The maximum request size allowed is 8 bytes.']);
      expect((await send('12345678')).text).toBe('12345678');
    });

    it('has a limit of its own, well above that of the adapter', async () => {
      await echo('large');
      const body = JSON.stringify('x'.repeat(500_000));
      expect((await server.call('POST', '/workflows/large', json(body))).text).toHaveLength(500_000);
      expect((await server.call('POST', '/workflows/large', json(`"${'x'.repeat(1_000_001)}"`))).status).toBe(413);
    });

    it('takes uploads apart and judges them', async () => {
      const rules = { fileSizeLimit: lit(10, 'Int64'), allowedFileExtensions: obj(['.txt']), allowedMimeTypes: obj(['text/plain']) };
      const id = await server.publish(
        [endpoint('In', 'upload', { methods: ['POST'], outputs: { files: 'Files', parsedContent: 'Fields' }, ...rules }), show('Files'), respond('B', ref('Fields'), { contentType: lit('application/json') })],
        [variable('Files'), variable('Fields')],
      );
      const send = (filename: string, type: string, data: string) =>
        server.call('POST', '/workflows/upload', multipart([{ name: 'title', data: 't' }, { name: 'f', filename, type, data }]));
      const ok = await send('a.TXT', 'text/plain', 'hello');
      expect(ok.status).toBe(200);
      expect(ok.text).toContain('"filename":"a.TXT"');
      expect(ok.text).toContain('{"title":"t"}');
      const message = async (r: Promise<{ status: number; json: any }>) => [(await r).status, (await r).json.message];
      expect(await message(send('a.txt', 'text/plain', 'x'.repeat(11)))).toEqual([413, 'The maximum file size allowed is 10 bytes.']);
      expect(await message(send('a.exe', 'text/plain', 'x'))).toEqual([415, 'Only the following file extensions are allowed: .txt']);
      expect(await message(send('a.txt', 'image/png', 'x'))).toEqual([415, 'Only the following MIME types are allowed: text/plain']);
      expect(await server.instances(id)).toHaveLength(1);
    });

    it('lets the workflow handle what it exposes', async () => {
      const definition = {
        root: act('Elsa.Flowchart', 'Flow', {
          activities: [
            endpoint('In', 'exposed', { methods: ['POST'], requestSizeLimit: lit(3, 'Int64'), exposeRequestTooLargeOutcome: true }),
            respond('Big', 'too big', { statusCode: lit('RequestEntityTooLarge', 'HttpStatusCode') }),
            respond('Fine', 'fine'),
          ],
          connections: [
            { source: { activity: 'In', port: 'Request too large' }, target: { activity: 'Big' } },
            { source: { activity: 'In', port: 'Done' }, target: { activity: 'Fine' } },
          ],
        }),
      };
      await server.publish([], [], definition);
      const send = (body: string) => server.call('POST', '/workflows/exposed', { body, headers: { 'Content-Type': 'text/plain' } });
      const big = await send('0123');
      expect([big.status, big.text]).toEqual([413, 'too big']);
      expect((await send('012')).text).toBe('fine');
    });
  });

  describe('waiting instances', () => {
    const twoSteps = (path: string, more: EndpointOptions = {}) =>
      server.publish([
        endpoint('Start', `${path}/start`),
        respond('R1', 'started'),
        endpoint('Resume', `${path}/resume`, { start: false, ...more }),
        respond('R2', 'resumed'),
      ]);

    it('resumes by the correlation or instance id, and refuses an ambiguous call', async () => {
      const id = await twoSteps('two');
      for (const n of ['1', '2', '3']) expect((await server.call('GET', `/workflows/two/start?correlationId=c${n}`, { headers: { 'X-Workflow-Instance-ID': `two-${n}` } })).text).toBe('started');
      expect((await server.instances(id)).map((i) => [i.id, i.correlationId]).sort()).toEqual([['two-1', 'c1'], ['two-2', 'c2'], ['two-3', 'c3']]);
      const r = await server.call('GET', '/workflows/two/resume');
      expect([r.status, r.json.errorMessage]).toEqual([500, 'The call is ambiguous and matches multiple workflows.']);
      expect(r.json.workflows.map((w: any) => w.WorkflowInstanceId).sort()).toEqual(['two-1', 'two-2', 'two-3']);
      expect((await server.call('GET', '/workflows/two/resume', { headers: { 'X-Correlation-ID': 'c2' } })).text).toBe('resumed');
      expect((await server.call('GET', '/workflows/two/resume?workflowInstanceId=two-3')).text).toBe('resumed');
      expect((await server.call('GET', '/workflows/two/resume')).text).toBe('resumed');
      expect((await server.call('GET', '/workflows/two/resume')).status).toBe(404);
    });

    it('waits for one method of several', async () => {
      await twoSteps('methods-of-wait', { methods: ['POST', 'PUT'] });
      await server.call('GET', '/workflows/methods-of-wait/start');
      expect((await server.call('GET', '/workflows/methods-of-wait/resume')).status).toBe(404);
      expect((await server.call('PUT', '/workflows/methods-of-wait/resume')).text).toBe('resumed');
      expect((await server.call('POST', '/workflows/methods-of-wait/resume')).status).toBe(404);
    });

    it('keeps the bookmark when the request is rejected', async () => {
      await twoSteps('picky', { methods: ['POST'], requestSizeLimit: lit(3, 'Int64'), authorize: lit(true, 'Boolean') });
      await server.call('GET', '/workflows/picky/start');
      const send = (body: string, headers = {}) => server.call('POST', '/workflows/picky/resume', { body, headers: { 'Content-Type': 'text/plain', ...headers } });
      expect((await send('ok')).status).toBe(401);
      expect((await send('too long', { 'X-User': 'ann' })).status).toBe(413);
      expect((await send('ok', { 'X-User': 'ann' })).text).toBe('resumed');
    });

    it('finds a literal path that its route table does not know, as that of an instance of another node', async () => {
      await twoSteps('elsewhere');
      await server.call('GET', '/workflows/elsewhere/start');
      const table = server.app.get(RouteTable);
      const rows = await server.persistence.bookmarks.findMany({ names: ['Elsa.HttpEndpoint'] });
      table.removeBookmarks(rows.filter((row) => (row.payload as any).path === '/elsewhere/resume'));
      expect(table.find('GET', '/elsewhere/resume')).toBeUndefined();
      expect((await server.call('GET', '/workflows/elsewhere/resume')).text).toBe('resumed');
    });

    it('one of many concurrent requests resumes', async () => {
      const id = await twoSteps('race');
      await server.call('GET', '/workflows/race/start');
      const all = await Promise.all(Array.from({ length: 8 }, () => server.call('GET', '/workflows/race/resume')));
      expect(all.filter((r) => r.text === 'resumed')).toHaveLength(1);
      expect(all.filter((r) => r.text !== 'resumed').every((r) => [404, 409].includes(r.status))).toBe(true);
      expect((await server.instances(id))[0]!.subStatus).toBe('Finished');
    });

    it('never overwrites an instance', async () => {
      const id = await server.publish([endpoint('In', 'given-id'), respond('Out', 'ok')]);
      expect((await server.call('GET', '/workflows/given-id?workflowInstanceId=mine')).status).toBe(200);
      const again = await server.call('GET', '/workflows/given-id?workflowInstanceId=mine');
      expect([again.status, again.json.code]).toEqual([409, 'WM3002']);
      expect(await server.instances(id)).toHaveLength(1);
    });

    it('leaves a marked bookmark when there is no request, and goes on with one', async () => {
      const id = await server.publish([endpoint('In', 'without-request'), respond('Out', 'ok')]);
      const client = await server.runtime.createClient();
      const { state } = await client.createAndRunInstance({ definition: id, triggerActivityId: 'In' });
      expect(state.bookmarks).toMatchObject([{ name: 'Elsa.HttpEndpoint', metadata: { 'X-HttpCrossBoundary': 'true' } }]);
      const raw = { rawHeaders: [], headers: {}, method: 'GET', url: '/api' };
      const sent: unknown[] = [];
      const response = { headersSent: false, writableEnded: false, setHeader: () => undefined, end: (body: unknown) => sent.push(body) };
      const context = requestContextOf(raw, response);
      const resumed = await client.runInstance({ bookmarkId: state.bookmarks[0]!.id, transient: context.transient });
      expect([resumed.subStatus, context.response.isWritten]).toEqual(['Finished', true]);
      await context.response.send();
      expect(String(sent[0])).toBe('ok');
    });
  });

  describe('answers', () => {
    it('sends status, headers and types as they are given', async () => {
      await server.publish([
        endpoint('In', 'created'),
        respond('Out', 'x', { statusCode: lit('Created', 'HttpStatusCode'), contentType: lit('text/html'), responseHeaders: obj({ Location: '/here', 'Set-Cookie': ['a=1', 'b=2'] }) }),
      ]);
      const r = await server.call('GET', '/workflows/created');
      expect([r.status, r.headers['content-type'], r.headers.location, r.headers['set-cookie']]).toEqual([201, 'text/html', '/here', ['a=1', 'b=2']]);
    });

    it('answers 200 without content when nothing is written', async () => {
      await server.publish([endpoint('In', 'quiet')]);
      const r = await server.call('GET', '/workflows/quiet');
      expect([r.status, r.text, r.headers['content-type']]).toEqual([200, '', undefined]);
    });

    it('sends no content with 204', async () => {
      await server.publish([endpoint('In', 'nothing'), respond('Out', 'x', { statusCode: lit('NoContent', 'HttpStatusCode') })]);
      const r = await server.call('GET', '/workflows/nothing');
      expect([r.status, r.text]).toEqual([204, '']);
    });

    it('answers 500 for a fault, unless a response was written before', async () => {
      const id = await server.publish([endpoint('In', 'fault'), fault('F'), respond('Out', 'never')]);
      const r = await server.call('GET', '/workflows/fault');
      expect([r.status, r.text]).toEqual([500, '']);
      expect((await server.instances(id))[0]!.subStatus).toBe('Faulted');
      await server.publish([endpoint('In', 'late-fault'), respond('Out', 'early'), fault('F')]);
      const early = await server.call('GET', '/workflows/late-fault');
      expect([early.status, early.text]).toEqual([200, 'early']);
    });

    it('sends files, whole and in part', async () => {
      await server.publish([
        endpoint('In', 'file'),
        act('Elsa.WriteFileHttpResponse', 'File', { content: lit('0123456789', 'Object'), filename: lit('data.csv'), entityTag: lit('"tag1"'), enableResumableDownloads: lit(true, 'Boolean') }),
      ]);
      const whole = await server.call('GET', '/workflows/file');
      expect([whole.status, whole.text, whole.headers.etag, whole.headers['content-type'], whole.headers['content-disposition']]).toEqual([
        200, '0123456789', '"tag1"', 'text/csv', "attachment; filename=data.csv; filename*=UTF-8''data.csv",
      ]);
      const part = await server.call('GET', '/workflows/file', { headers: { Range: 'bytes=2-5' } });
      expect([part.status, part.text, part.headers['content-range']]).toEqual([206, '2345', 'bytes 2-5/10']);
      expect((await server.call('GET', '/workflows/file', { headers: { Range: 'nonsense' } })).status).toBe(400);
      expect((await server.call('GET', '/workflows/file', { headers: { Range: 'bytes=50-' } })).status).toBe(416);
    });

    it('gives up after the time that the endpoint allows, and cancels the instance', async () => {
      const id = await server.publish([endpoint('In', 'slow', { requestTimeout: lit('00:00:00.200', 'TimeSpan') }), act('Test.WaitForEver', 'W'), respond('Out', 'late')]);
      const r = await server.call('GET', '/workflows/slow');
      expect([r.status, r.text]).toEqual([408, '']);
      for (let i = 0; i < 50 && !(await server.instances(id)).length; i++) await new Promise((resolve) => setTimeout(resolve, 20));
      expect((await server.instances(id)).map((i) => i.subStatus)).toEqual(['Cancelled']);
    });

    it('answers 503 while the runtime is paused', async () => {
      await server.publish([endpoint('In', 'paused'), respond('Out', 'ok')]);
      const gate = server.app.get(RuntimeGate);
      gate.pause();
      try {
        const r = await server.call('GET', '/workflows/paused');
        expect([r.status, r.headers['retry-after'], r.text]).toEqual([503, '60', '']);
      } finally {
        gate.resume();
      }
    });

    it('respects the activation strategy', async () => {
      const definition = { options: { activationStrategyType: 'Singleton' } };
      await server.publish([endpoint('In', 'single'), respond('Out', 'ok'), endpoint('Wait', 'single/go', { start: false })], [], definition);
      expect((await server.call('GET', '/workflows/single')).status).toBe(200);
      expect((await server.call('GET', '/workflows/single')).status).toBe(409);
      expect((await server.call('GET', '/workflows/single/go')).status).toBe(200);
      expect((await server.call('GET', '/workflows/single')).status).toBe(200);
    });
  });

  describe('the application around it', () => {
    it('asks for a user where the endpoint does', async () => {
      const id = await server.publish([endpoint('In', 'secret', { authorize: lit(true, 'Boolean') }), respond('Out', 'secret')]);
      expect((await server.call('GET', '/workflows/secret')).status).toBe(401);
      expect(await server.instances(id)).toHaveLength(0);
      expect((await server.call('GET', '/workflows/secret', { headers: { 'X-User': 'ann' } })).text).toBe('secret');
    });

    it('lets guards, interceptors and CORS apply', async () => {
      await server.publish([endpoint('In', 'guarded'), respond('Out', 'ok')]);
      expect((await server.call('GET', '/workflows/guarded', { headers: { 'X-Banned': '1' } })).status).toBe(403);
      const before = CountingInterceptor.count;
      const r = await server.call('GET', '/workflows/guarded', { headers: { Origin: 'https://example.org' } });
      expect([r.text, r.headers['access-control-allow-origin'], CountingInterceptor.count - before]).toEqual(['ok', 'https://example.org', 1]);
      const preflight = await server.call('OPTIONS', '/workflows/guarded', { headers: { Origin: 'https://example.org', 'Access-Control-Request-Method': 'GET' } });
      expect(preflight.status).toBe(204);
    });

    it("leaves the application's own routes alone", async () => {
      expect((await server.call('GET', '/own')).text).toBe('own');
      expect((await server.call('POST', '/own', { body: '{"a":1}', headers: { 'Content-Type': 'application/json' } })).json).toEqual({ got: { a: 1 } });
      expect((await server.call('GET', '/nowhere')).json.message).toBe('Cannot GET /nowhere');
    });
  });
});

describe.each<Adapter>(['fastify', 'express'])('with an empty base path on %s', (adapter) => {
  let server: Server;
  beforeAll(async () => {
    server = await start(adapter, { basePath: '', writeResponseSynchronously: true });
  });
  afterAll(() => server.app.close());

  it("serves beside the application's routes and passes on what it does not know", async () => {
    await server.publish([endpoint('In', 'own/flow'), respond('Out', 'workflow')]);
    await server.publish([endpoint('In', 'flow/{id}', { methods: ['GET', 'POST'], outputs: { parsedContent: 'C' } }), respond('Out', ref('C'), { contentType: lit('application/json') })], [variable('C')]);
    expect((await server.call('GET', '/own/flow')).text).toBe('unused');
    expect((await server.call('GET', '/own')).text).toBe('own');
    expect((await server.call('POST', '/own', { body: '{"a":1}', headers: { 'Content-Type': 'application/json' } })).json).toEqual({ got: { a: 1 } });
    const post = (body: string, type: string) => server.call('POST', '/flow/1', { body, headers: { 'Content-Type': type } });
    expect((await post('{"a":1}', 'application/json')).json).toEqual({ a: 1 });
    expect((await post('a=1&a=2', 'application/x-www-form-urlencoded')).json).toEqual({ a: ['1', '2'] });
    expect((await post('<a/>', 'application/xml')).text).toBe('<a/>');
    expect((await server.call('GET', '/flow/1', { headers: { 'X-Banned': '1' } })).status).toBe(403);
    const unknown = await server.call('GET', '/unknown');
    expect([unknown.status, unknown.json.message]).toEqual([404, 'Cannot GET /unknown']);
  });
});

it('HttpRequestContext is exported for those who run bursts inside other requests', () => {
  expect(HttpRequestContext).toBeDefined();
});
