import type http from 'node:http';
import type { ExpressionScope } from '@waymark/core';
import { SystemClock } from '@waymark/runtime/adapter';
import { DownloadHttpFile } from './download-http-file.js';
import { FlowSendHttpRequest } from './flow-send-http-request.js';
import { SendHttpRequest } from './send-http-request.js';
import {
  type Answer,
  type Seen,
  FastClock,
  serve,
  lit,
  obj,
  out,
  line,
  variable,
  run,
  send,
  flow,
  CLOSED,
} from './testing/outgoing-runs.js';

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

  it('reads headers that are named like members of all objects', async () => {
    const named = { constructor: 'a', toString: ['b', 'c'], valueOf: 'd', hasOwnProperty: 'e' };
    answer = () => ({ headers: named as http.OutgoingHttpHeaders });
    const { values } = await run(send({ url: lit(server.url), responseHeaders: out('Headers') }), {
      variables: ['Headers'],
    });
    expect(Object.entries(values.Headers as object)).toEqual(
      expect.arrayContaining([
        ['constructor', ['a']],
        ['toString', ['b', 'c']],
        ['valueOf', ['d']],
        ['hasOwnProperty', ['e']],
      ]),
    );
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
    ['Object', 'application/x-www-form-urlencoded', 'access_token=a+b&n=1&n=2', { access_token: 'a b', n: ['1', '2'] }],
    ['String', 'application/x-www-form-urlencoded;charset=utf-8', 'a=b%20c', 'a=b%20c'],
    ['Object', 'application/json', '', null],
  ])('gives a variable of type %s for %s %s', async (type, contentType, body, expected) => {
    answer = () => ({ headers: { 'Content-Type': contentType }, body });
    const { values } = await run(send({ url: lit(server.url), parsedContent: out('V') }), {
      variables: [variable('V', type)],
    });
    expect(values.V).toEqual(expected);
  });

  it.each([
    ['[1,1,1]', 'http.maxResponseValues'],
    [JSON.stringify(Object.fromEntries(Array.from({ length: 31_000 }, (_, i) => [i, i]))), 'type String'],
  ])('a response of more JSON than is read faults with what to do: %.8s', async (body, advice) => {
    answer = () => ({ body });
    const bound = send({ url: lit(server.url), parsedContent: out('V') });
    const limited = { http: { maxResponseValues: body.length < 10 ? 3 : 250_000 } };
    const { wec } = await run(bound, limited);
    expect(wec.incidents).toMatchObject([{ message: expect.stringContaining(advice) }]);
    const text = await run(bound, { ...limited, variables: [variable('V', 'String')] });
    expect(text.values.V === body).toBe(true);
    const raised = await run(bound, { http: { maxResponseValues: 500_000 } });
    expect(raised.values.V).toEqual(JSON.parse(body));
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

  it('shows no token of an answer, wherever the workflow puts it', async () => {
    answer = () => ({ body: JSON.stringify({ access_token: 'token-of-a-partner' }) });
    const tokenOf = (scope: ExpressionScope) =>
      `got ${(scope.getVariable('V') as { access_token: string }).access_token}`;
    const text = { typeName: 'String', expression: { type: 'Delegate', value: tokenOf } };
    const then = [{ ...line('L', ''), text }];
    const { wec } = await run(send({ url: lit(server.url), parsedContent: out('V') }), { then });
    const journal = JSON.stringify(wec.journal!.take());
    expect(journal).toContain('got (redacted)');
    expect(journal).not.toContain('token-of-a-partner');
  });

  it('does not follow a redirect that would take a secret in the content to another origin', async () => {
    const other = await serve(() => ({ body: '1' }));
    answer = ({ path }) => ({ status: 307, headers: { Location: path === '/near' ? '/end' : other.url } });
    const outcomeOf = async (path: string, content: string, contentType: string) => {
      const request = { content: lit(content, 'Object'), contentType: lit(contentType), statusCode: out('V') };
      return (await run(send({ url: lit(server.url + path), method: lit('POST'), ...request }))).values.V;
    };
    const form = 'application/x-www-form-urlencoded';
    expect(await outcomeOf('/away', 'grant_type=a&client_secret=of-a-partner', form)).toBe(307);
    expect(await outcomeOf('/away', '{"password":"of-a-partner"}', 'application/json')).toBe(307);
    expect(other.requests).toHaveLength(0);
    expect(await outcomeOf('/away', 'plain=1&b=2', form)).toBe(200);
    expect(other.requests[0]!.body).toBe('plain=1&b=2');
    answer = ({ path }) => (path === '/near' ? { status: 307, headers: { Location: '/end' } } : {});
    expect(await outcomeOf('/near', 'client_secret=of-a-partner', form)).toBe(200);
    other.close();
  });

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
    [200, null, ['Done']],
  ])('FlowSendHttpRequest leaves with %d and codes %j by %j', async (status, codes, expected) => {
    answer = () => ({ status });
    const { lines } = await run(
      flow(
        {
          url: lit(server.url),
          expectedStatusCodes: codes === null ? lit(null) : codes === undefined ? undefined : obj(codes),
        },
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

    it('keeps the first and last of many attempts, and a part of what the server says', async () => {
      answer = (_seen, count) => ({
        status: count < 201 ? 503 : 200,
        headers: { 'Content-Type': `a; b=${'x'.repeat(9000)}` },
      });
      const own = { id: 'own', maxRetryAttempts: 1000, delay: '00:00:00' };
      const { values, record } = await run(resilient(own));
      expect([values.V, server.requests.length]).toEqual([200, 201]);
      const { properties, metadata } = record();
      const attempts = properties.RetryAttempts as { attemptNumber: number }[];
      expect(attempts.map(({ attemptNumber }) => attemptNumber)).toEqual(
        [5, 45].flatMap((count, last) => Array.from({ length: count }, (_, n) => (last ? 156 + n : 1 + n))),
      );
      expect(JSON.stringify(attempts).length).toBeLessThan(50_000);
      expect(metadata.Extensions).toEqual({ RetryAttemptsCount: 200 });
    });

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

    it('waits as long as the server asks for, where that is longer than the wait of the strategy', async () => {
      answer = (_seen, count) => ({
        status: count < 3 ? 429 : 200,
        headers: { 'Retry-After': count < 2 ? '9' : '1' },
      });
      const clock = new FastClock();
      const { values, record } = await run(resilient({ mode: 'Identifier', strategyId: 'three' }), {
        clock,
        http: strategies,
      });
      expect([values.V, clock.delays]).toEqual([200, [9000, 4000]]);
      expect(record().properties.RetryAttempts).toMatchObject([{ retryDelay: '00:00:09' }, { retryDelay: '00:00:04' }]);
    });

    it.each([
      ['10', 'text', []],
      ['11', 'text', ['Waymark.Retry']],
      // It would be stored with the instance.
      ['11', 'x'.repeat(1_000_001), []],
    ])(
      'waits in memory for 10 seconds at most, unless much would be stored: Retry-After %s',
      async (time, content, waits) => {
        answer = (_seen, count) => ({ status: count < 2 ? 429 : 200, headers: { 'Retry-After': time } });
        const more = { method: lit('POST'), content: lit(content, 'Object'), contentType: lit('text/plain') };
        const { wec } = await run(resilient({ strategyId: 'three' }, more), { http: strategies });
        expect([...wec.bookmarks.values()].map(({ name }) => name)).toEqual(waits);
        expect(server.requests).toHaveLength(waits.length > 0 ? 1 : 2);
      },
    );

    it('tells of a failed attempt among the retries, and in the journal only where it was the last', async () => {
      const post = resilient({ mode: 'Identifier', strategyId: 'three' }, { method: lit('POST') });
      answer = (_seen, count) => (count < 2 ? { reset: true } : {});
      const mended = await run(post, { http: strategies });
      expect(mended.values.V).toBe(200);
      const { payload, properties } = mended.record();
      expect(payload ?? {}).not.toHaveProperty('Error');
      const failed = { Reason: 'ConnectionFailed', Error: expect.stringContaining('socket hang up') as string };
      expect(properties.RetryAttempts).toMatchObject([{ details: failed }]);
      answer = () => ({ reset: true });
      const lost = await run(post, { http: strategies });
      expect(lost.record().payload).toMatchObject({ Error: expect.stringContaining('socket hang up') });
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

    it('supports the obsolete switch, and does not retry permanent failures', async () => {
      answer = () => ({ status: 502 });
      const { wec } = await run(send({ url: lit(server.url), enableResiliency: lit(true, 'Boolean') }));
      // The fifth comes after 16 seconds, at which it waits.
      expect([server.requests.length, wec.bookmarks.size]).toEqual([5, 1]);
      answer = () => ({ status: 400 });
      await run(send({ url: lit(server.url), enableResiliency: lit(true, 'Boolean') }));
      expect(server.requests).toHaveLength(6);
    });
  });
});
