import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ActivityJson, type VariableDefinition, type WorkflowDefinition } from '@waymark/core';
import {
  ActivityRegistry,
  builtinExpressions,
  compileWorkflow,
  createDefaultTypeRegistry,
  ExpressionRegistry,
  registerCoreActivities,
  WorkflowRunner,
} from '@waymark/core/adapter';
import { type CancelTimer, WorkflowClock } from '@waymark/runtime';
import { sha256, SystemClock } from '@waymark/runtime/adapter';
import { resolveHttpOptions, type HttpWorkflowsOptions } from '../module/http-options.js';
import { DownloadHttpFile } from './download-http-file.js';
import { FlowSendHttpRequest } from './flow-send-http-request.js';
import { OutgoingHttp } from './outgoing-http.js';
import { RequestSender } from './request-sender.js';
import { SendHttpRequest } from './send-http-request.js';

/** Waits of retries end at once; the deadline of requests, 100 s, never comes. */
class FastClock extends WorkflowClock {
  readonly delays: number[] = [];
  now(): number {
    return 0;
  }
  setTimer(callback: () => void, delayMs: number): CancelTimer {
    if (delayMs === 100_000) return () => undefined;
    this.delays.push(delayMs);
    const handle = setImmediate(callback);
    return () => clearImmediate(handle);
  }
}

interface Seen {
  method?: string;
  path?: string;
  headers: http.IncomingHttpHeaders;
  rawHeaders: string[];
  body: string;
}
type Answer = {
  status?: number;
  headers?: http.OutgoingHttpHeaders;
  body?: string | Buffer;
  chunked?: boolean;
  hang?: boolean;
  reset?: boolean;
};

async function serve(answer: (seen: Seen, count: number) => Answer) {
  const requests: Seen[] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const seen = {
        method: request.method,
        path: request.url,
        headers: request.headers,
        rawHeaders: request.rawHeaders,
        body: Buffer.concat(chunks).toString(),
      };
      requests.push(seen);
      const {
        status = 200,
        headers = { 'Content-Type': 'application/json' },
        body = '',
        chunked,
        hang,
        reset,
      } = answer(seen, requests.length);
      if (reset) return void request.socket.destroy();
      if (hang) return;
      response.writeHead(status, chunked ? headers : { ...headers, 'Content-Length': Buffer.byteLength(body) });
      if (chunked) response.write(body);
      response.end(chunked ? undefined : body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, requests, close: () => void (server.closeAllConnections(), server.close()) };
}

const lit = (value: unknown, typeName = 'String') => ({ typeName, expression: { type: 'Literal', value } });
const obj = (value: unknown) => ({ typeName: 'Object', expression: { type: 'Object', value: JSON.stringify(value) } });
const out = (id: string) => ({ typeName: 'Object', memoryReference: { id } });
const line = (id: string, text: string): ActivityJson => ({ type: 'Elsa.WriteLine', id, version: 1, text: lit(text) });
const variable = (id: string, typeName = 'Object'): VariableDefinition => ({ id, name: id, typeName, isArray: false });

async function run(
  activity: ActivityJson,
  {
    variables = ['V'],
    clock = new FastClock(),
    http: options = {},
    signal,
    then = [],
  }: {
    variables?: (string | VariableDefinition)[];
    clock?: WorkflowClock;
    http?: HttpWorkflowsOptions;
    signal?: AbortSignal;
    then?: ActivityJson[];
  } = {},
) {
  const resolved = resolveHttpOptions(options);
  const sender = new RequestSender(new OutgoingHttp(clock, resolved), clock, resolved);
  const registry = new ActivityRegistry();
  registerCoreActivities(registry);
  for (const type of [SendHttpRequest, FlowSendHttpRequest, DownloadHttpFile])
    registry.registerClass(type, new type(sender));
  const lines: string[] = [];
  let ids = 0;
  const runner = new WorkflowRunner(
    { clock, newId: () => `id${++ids}`, hash: sha256, writeLine: (text) => void lines.push(text) },
    createDefaultTypeRegistry(),
  );
  const definition: WorkflowDefinition = {
    id: 'v1',
    definitionId: 'd',
    version: 1,
    createdAt: new Date(0),
    isLatest: true,
    isPublished: true,
    isReadonly: false,
    isSystem: false,
    materializerName: 'Json',
    variables: variables.map((v) => (typeof v === 'string' ? variable(v) : v)),
    inputs: [],
    outputs: [],
    outcomes: [],
    customProperties: {},
    options: {},
    root:
      activity.type === 'Elsa.Flowchart'
        ? activity
        : { type: 'Elsa.Sequence', id: 'Root', version: 1, activities: [activity, ...then] },
  };
  const graph = compileWorkflow(definition, {
    registry,
    expressions: new ExpressionRegistry(builtinExpressions),
    types: createDefaultTypeRegistry(),
  });
  const values: Record<string, unknown> = {};
  let begun: Parameters<NonNullable<Parameters<typeof runner.run>[0]['onBegin']>>[0] | undefined;
  const wec = await runner.run({ graph, instanceId: 'i', signal, onBegin: (w) => (begun = w) });
  for (const slot of begun?.rootContext?.slots ?? []) values[slot.variable.name] = slot.value;
  return { wec, lines, values, record: () => wec.journal!.take().records.find((r) => r.activityId === 'S')! };
}

const send = (members: object, type = 'Elsa.SendHttpRequest'): ActivityJson => ({
  type,
  id: 'S',
  version: 1,
  ...members,
});
const flow = (members: object, ...outcomes: string[]): ActivityJson => ({
  type: 'Elsa.Flowchart',
  id: 'Flow',
  version: 1,
  activities: [send(members, 'Elsa.FlowSendHttpRequest'), ...outcomes.map((o, i) => line(`L${i}`, o))],
  connections: outcomes.map((port, i) => ({ source: { activity: 'S', port }, target: { activity: `L${i}` } })),
});

const CLOSED = 'http://127.0.0.1:1/closed';

describe('outgoing requests', () => {
  let server: Awaited<ReturnType<typeof serve>>;
  let answer: (seen: Seen, count: number) => Answer = () => ({});
  beforeAll(async () => {
    server = await serve((seen, count) => answer(seen, count));
  });
  afterAll(() => server.close());
  beforeEach(() => {
    server.requests.length = 0;
    answer = () => ({});
  });

  it('sends method, headers, credentials and content', async () => {
    await run(
      send({
        url: lit(`${server.url}/a?b=1`),
        method: lit('POST'),
        content: obj({ x: 1 }),
        contentType: lit('application/json'),
        authorization: lit('Bearer token'),
        requestHeaders: obj({ 'X-One': '1', 'X-Two': ['2', '3'] }),
      }),
    );
    const [seen] = server.requests;
    expect([seen!.method, seen!.path, seen!.body, seen!.headers['content-type'], seen!.headers.authorization]).toEqual([
      'POST',
      '/a?b=1',
      '{"x":1}',
      'application/json',
      'Bearer token',
    ]);
    expect([seen!.headers['x-one'], seen!.headers['x-two']]).toEqual(['1', '2, 3']);
    expect(seen!.rawHeaders).toContain('X-One');
  });

  it('sends no content without a content type, and content with a GET if it must', async () => {
    await run(send({ url: lit(server.url), content: lit('x', 'Object') }));
    await run(send({ url: lit(server.url), content: lit('x', 'Object'), contentType: lit('text/plain') }));
    await run(send({ url: lit(server.url), method: lit('delete') }));
    expect(server.requests.map((r) => [r.method, r.body])).toEqual([
      ['GET', ''],
      ['GET', 'x'],
      ['DELETE', ''],
    ]);
  });

  it('reads the response into outputs', async () => {
    answer = () => ({
      status: 201,
      headers: { 'Content-Type': 'application/json; charset=utf-8', 'X-Custom-Header': ['a', 'b'] },
      body: '{"ok":true}',
    });
    const { values } = await run(
      send({
        url: lit(server.url),
        statusCode: out('Status'),
        parsedContent: out('Content'),
        responseHeaders: out('Headers'),
        result: out('Result'),
      }),
      {
        variables: ['Status', 'Content', 'Headers', 'Result'],
      },
    );
    expect([values.Status, values.Content]).toEqual([201, { ok: true }]);
    expect(values.Headers).toMatchObject({ 'X-Custom-Header': ['a', 'b'] });
    expect(values.Headers).not.toHaveProperty('Content-Type');
    expect(values.Result).toMatchObject({
      statusCode: 201,
      reasonPhrase: 'Created',
      contentHeaders: { 'Content-Type': ['application/json; charset=utf-8'] },
    });
  });

  it.each<[string, string, string, unknown]>([
    ['Object', 'application/json', '{"a":1}', { a: 1 }],
    ['String', 'application/json', '{"a":1}', '{"a":1}'],
    ['Object', 'text/html', '<p>', '<p>'],
    ['Object', 'application/json', '', null],
  ])('gives a variable of type %s for %s %s', async (type, contentType, body, expected) => {
    answer = () => ({ headers: { 'Content-Type': contentType }, body });
    const { values } = await run(send({ url: lit(server.url), parsedContent: out('V') }), {
      variables: [variable('V', type)],
    });
    expect(values.V).toEqual(expected);
  });

  it('reads chunked responses and follows redirects, without credentials to other servers', async () => {
    const other = await serve(() => ({ body: '"there"' }));
    answer = ({ path }) =>
      path === '/away'
        ? { status: 302, headers: { Location: other.url } }
        : path === '/here'
          ? { status: 307, headers: { Location: '/end' } }
          : { body: '"end"', chunked: true };
    const here = await run(
      send({
        url: lit(`${server.url}/here`),
        method: lit('POST'),
        content: lit('x', 'Object'),
        contentType: lit('text/plain'),
        parsedContent: out('V'),
      }),
    );
    expect([here.values.V, server.requests.at(-1)!.method, server.requests.at(-1)!.body]).toEqual(['end', 'POST', 'x']);
    const away = await run(
      send({
        url: lit(`${server.url}/away`),
        method: lit('POST'),
        authorization: lit('Bearer t'),
        parsedContent: out('V'),
      }),
    );
    expect([away.values.V, other.requests[0]!.method, other.requests[0]!.headers.authorization]).toEqual([
      'there',
      'GET',
      undefined,
    ]);
    other.close();
  });

  it.each(['http://[bad', 'http://', '//ann:pw-of-ann@[/?api_key=key-of-ann'])(
    'refuses a redirect to %s',
    async (to) => {
      answer = () => ({ status: 302, headers: { Location: to } });
      const { wec } = await run(send({ url: lit(`${server.url}/a?api_key=key-of-a-partner`) }));
      const [incident] = wec.incidents;
      expect(JSON.stringify(incident)).toContain('WM5012');
      expect(JSON.stringify(incident)).not.toMatch(/key-of|pw-of/);
    },
  );

  it('sends no credentials among further headers to another origin', async () => {
    const other = await serve(() => ({ body: '1' }));
    answer = () => ({ status: 307, headers: { Location: other.url } });
    const requestHeaders = obj({ 'X-Api-Key': 'key-of-a-partner', 'X-Copy': 'for key-of-a-partner', 'X-Plain': 'p' });
    for (const type of [SendHttpRequest, FlowSendHttpRequest, DownloadHttpFile]) {
      const node = { ...send({ url: lit(server.url), requestHeaders }), type: `Elsa.${type.name}` };
      await run(node);
      expect(server.requests.at(-1)!.headers).toMatchObject({ 'x-api-key': 'key-of-a-partner', 'x-plain': 'p' });
      const { headers } = other.requests.at(-1)!;
      expect([headers['x-api-key'], headers['x-copy'], headers['x-plain']]).toEqual([undefined, undefined, 'p']);
    }
    expect(other.requests).toHaveLength(3);
    other.close();
  });

  it.each<[number, string[]]>([
    [200, ['matched', 'after']],
    [404, ['after']],
    [500, ['unmatched', 'after']],
  ])('SendHttpRequest runs the activity for %d', async (status, expected) => {
    answer = () => ({ status });
    const cases = [
      { statusCode: 200, activity: line('A', 'matched') },
      { statusCode: 404, activity: null },
    ];
    const { lines, wec } = await run(
      send({ url: lit(server.url), expectedStatusCodes: cases, unmatchedStatusCode: line('U', 'unmatched') }),
      { then: [line('E', 'after')] },
    );
    expect([lines, wec.subStatus]).toEqual([expected, 'Finished']);
  });

  it('SendHttpRequest has a branch for failed connections and one for timeouts', async () => {
    const branches = {
      unmatchedStatusCode: line('U', 'unmatched'),
      failedToConnect: line('F', 'failed'),
      timeout: line('T', 'timeout'),
    };
    const failed = await run(send({ url: lit(CLOSED), ...branches }));
    expect([failed.lines, failed.wec.subStatus]).toEqual([['failed'], 'Finished']);
    expect(failed.record().payload!.Error).toContain('ECONNREFUSED');
    answer = () => ({ hang: true });
    const late = await run(send({ url: lit(server.url), ...branches }), {
      clock: new SystemClock(),
      http: { requestTimeoutMs: 100 },
    });
    expect([late.lines, late.record().payload]).toEqual([['timeout'], { Cancelled: true }]);
    answer = () => ({ reset: true });
    expect((await run(send({ url: lit(server.url), ...branches }))).lines).toEqual(['failed']);
  });

  it.each<[number, unknown, string[]]>([
    [200, undefined, ['200', 'Done']],
    [500, undefined, ['Unmatched status code', 'Done']],
    [404, [404, 405], ['404', 'Done']],
    [500, [], ['Done']],
  ])('FlowSendHttpRequest leaves with %d and codes %j by %j', async (status, codes, expected) => {
    answer = () => ({ status });
    const { lines } = await run(
      flow(
        { url: lit(server.url), expectedStatusCodes: codes === undefined ? undefined : obj(codes) },
        '200',
        '404',
        'Unmatched status code',
        'Failed to connect',
        'Timeout',
        'Done',
      ),
    );
    expect(new Set(lines)).toEqual(new Set(expected));
    expect(lines).toHaveLength(expected.length);
  });

  it('FlowSendHttpRequest leaves by "Failed to connect" alone', async () => {
    expect((await run(flow({ url: lit(CLOSED) }, 'Failed to connect', 'Done'))).lines).toEqual(['Failed to connect']);
  });

  it.each([
    ['no URL', {}, 'has no URL'],
    ['a relative URL', { url: lit('/x') }, 'not an absolute http(s) URL'],
    ['a malformed Authorization', { url: lit(CLOSED), authorization: lit('Bad\u00e9 x') }, 'Authorization header'],
    ['a malformed header', { url: lit(CLOSED), requestHeaders: obj({ 'a b': 'x' }) }, 'Header name'],
  ])('faults for %s', async (_what, members, message) => {
    const { wec } = await run(send({ ...members, failedToConnect: line('F', 'failed') }));
    expect([wec.subStatus, wec.incidents[0]?.message]).toEqual(['Faulted', expect.stringContaining(message)]);
  });

  it('ends with the burst', async () => {
    const controller = new AbortController();
    const arrived = new Promise<void>((resolve) => {
      answer = () => {
        resolve();
        return { hang: true };
      };
    });
    const running = run(send({ url: lit(server.url), timeout: line('T', 'timeout') }), { signal: controller.signal });
    await arrived;
    controller.abort(new Error('enough'));
    const { wec, lines } = await running;
    expect([wec.incidents[0]?.message, lines]).toEqual(['enough', []]);
  });

  describe('retries', () => {
    const strategies = {
      retryStrategies: [{ id: 'three', maxRetryAttempts: 3, delay: '00:00:02', backoffType: 'Linear' as const }],
    };
    const resilient = (strategy: object, more: object = {}) =>
      send({ url: lit(server.url), statusCode: out('V'), customProperties: { resilienceStrategy: strategy }, ...more });

    it('tries again as the strategy says and records it', async () => {
      answer = (_seen, count) => ({ status: count < 3 ? 503 : 200, headers: { 'Retry-After': '1' } });
      const clock = new FastClock();
      const { values, record } = await run(resilient({ mode: 'Identifier', strategyId: 'three' }), {
        clock,
        http: strategies,
      });
      expect([values.V, server.requests.length, clock.delays]).toEqual([200, 3, [2000, 4000]]);
      const { properties, metadata } = record();
      expect(properties.RetryAttempts).toMatchObject([
        {
          attemptNumber: 1,
          retryDelay: '00:00:02',
          activityId: 'S',
          workflowInstanceId: 'i',
          details: { StatusCode: '503', 'Retry-After': '1' },
        },
        { attemptNumber: 2, retryDelay: '00:00:04' },
      ]);
      expect(metadata.Extensions).toEqual({ RetryAttemptsCount: 2 });
    });

    it('gives up in the end', async () => {
      answer = () => ({ status: 500 });
      const { values } = await run(resilient({ mode: 'Identifier', strategyId: 'three' }), { http: strategies });
      expect([values.V, server.requests.length]).toEqual([500, 4]);
    });

    it('takes a strategy from an expression, and does without an unknown one', async () => {
      answer = () => ({ status: 500 });
      await run(
        resilient({ mode: 'Expression', expression: { type: 'Object', value: '{"id":"own","maxRetryAttempts":1}' } }),
      );
      expect(server.requests).toHaveLength(2);
      await run(resilient({ mode: 'Identifier', strategyId: 'unknown' }));
      expect(server.requests).toHaveLength(3);
    });

    it('knows the obsolete switch, and statuses that are no use repeating', async () => {
      answer = () => ({ status: 502 });
      await run(send({ url: lit(server.url), enableResiliency: lit(true, 'Boolean') }));
      expect(server.requests).toHaveLength(9);
      answer = () => ({ status: 400 });
      await run(send({ url: lit(server.url), enableResiliency: lit(true, 'Boolean') }));
      expect(server.requests).toHaveLength(10);
    });
  });

  describe('DownloadHttpFile', () => {
    it('gives the file with its name and type', async () => {
      answer = () => ({
        headers: { 'Content-Type': 'text/csv', 'Content-Disposition': 'attachment; filename="t.csv"', ETag: '"e"' },
        body: 'a,b',
      });
      const { values } = await run(
        send(
          {
            url: lit(`${server.url}/x/other.csv`),
            result: out('File'),
            responseContentBytes: out('Bytes'),
            responseContentHeaders: out('Headers'),
          },
          'Elsa.DownloadHttpFile',
        ),
        {
          variables: [variable('File', 'HttpFile'), variable('Bytes', 'ByteArray'), 'Headers'],
        },
      );
      expect(values.File).toMatchObject({ filename: 't.csv', contentType: 'text/csv', length: 3, eTag: '"e"' });
      expect(Buffer.from(values.Bytes as Uint8Array).toString()).toBe('a,b');
      expect(values.Headers).toMatchObject({ 'Content-Type': ['text/csv'] });
    });

    it('names it after the URL otherwise, and reads content by both names', async () => {
      for (const name of ['content', 'requestContent']) {
        const { values } = await run(
          send(
            {
              url: lit(`${server.url}/x/my%20file.bin`),
              method: lit('POST'),
              [name]: lit('x', 'Object'),
              requestContentType: lit('text/plain'),
              result: out('V'),
            },
            'Elsa.DownloadHttpFile',
          ),
        );
        expect((values.V as { filename: string }).filename).toBe('my file.bin');
      }
      expect(server.requests.map((r) => r.body)).toEqual(['x', 'x']);
    });
  });
});
