// HTTP workflows: routes, methods, inputs, limits, responses, files, correlation, resuming over HTTP.
import {
  W,
  act,
  chain,
  fault,
  fileResponse,
  httpEndpoint,
  httpResponse,
  js,
  lit,
  liquid,
  runJs,
  variable,
  workflow,
} from '../lib/build.mjs';
import { page, upload } from '../lib/pages.mjs';

const filePart = (filename, data, contentType = 'text/plain', name = 'file') => ({ name, filename, contentType, data });

export default {
  group: 'http-endpoints',
  description: 'workflows behind HTTP endpoints',
  requires: ['javascript'],
  cases: [
    {
      name: 'the instance is finished when the answer arrives',
      async run(t) {
        await t.deploy(
          page(t, t.path(), 'Basic HttpEndpoint Test Response', {
            response: { contentType: 'text/plain', status: 'OK' },
          }),
        );
        const r = await t.get(t.path());
        t.eq(r.text, 'Basic HttpEndpoint Test Response', 'answer');
        const [i] = await t.awaitInstances(t.id());
        await t.finished(i.id, { timeout: 2000 });
        t.eq(await t.started(i.id, ['In', 'Out']), ['In', 'Out'], 'activities');
      },
    },
    {
      name: 'an unknown path is 404',
      async run(t) {
        await t.deploy(page(t, t.path('here'), 'ok'));
        t.eq((await t.get(t.path('here'))).status, 200, 'a known one');
        t.eq((await t.get(t.path('nowhere'))).status, 404, 'status');
      },
    },
    ...[
      ['123', '456'],
      ['user-abc', 'order-xyz'],
      ['999', '001'],
    ].map(([u, o]) => ({
      name: `route parameters: ${u}, ${o}`,
      async run(t) {
        await t.deploy(
          page(
            t,
            t.path('users/{userId}/orders/{orderId}'),
            js(
              'const r = getRouteData(); return `UserId: ${r.userid ?? r.userId}, OrderId: ${r.orderid ?? r.orderId}`;',
            ),
            { read: ['routeData'] },
          ),
        );
        t.eq((await t.get(t.path(`users/${u}/orders/${o}`))).text, `UserId: ${u}, OrderId: ${o}`, 'answer');
      },
    })),
    {
      name: 'a route that does not fit is 404',
      async run(t) {
        await t.deploy(page(t, t.path('users/{userId}/orders/{orderId}'), 'x'));
        t.eq(
          [
            (await t.get(t.path('users/123/invalid-path'))).status,
            (await t.get(t.path('users/123/orders'))).status,
            (await t.get(t.path('users/1/orders/2/3'))).status,
          ],
          [404, 404, 404],
          'status',
        );
      },
    },
    ...[
      ['name=John', 'TestAgent/1.0', 'John'],
      ['name=Jane', 'CustomAgent/2.0', 'Jane'],
      ['name=John&age=30&city=NewYork', 'TestAgent/1.0', 'John'],
      [`name=${encodeURIComponent('John Doe')}`, 'A/1', 'John Doe'],
    ].map(([q, agent, n]) => ({
      name: `query string and headers: ${q}`,
      async run(t) {
        await t.deploy(
          page(t, t.path(), js('`Name: ${getQueryStringData().name}, UserAgent: ${getHeaders()["User-Agent"]}`'), {
            read: ['queryStringData', 'headers'],
          }),
        );
        const r = await t.get(t.path() + '?' + q, { headers: { 'User-Agent': agent } });
        t.eq([r.status, r.text], [200, `Name: ${n}, UserAgent: ${agent}`], 'answer');
      },
    })),
    {
      name: 'no query string',
      async run(t) {
        await t.deploy(
          page(t, t.path(), js('`Name: ${getQueryStringData().name ?? "unknown"}`'), { read: ['queryStringData'] }),
        );
        t.eq((await t.get(t.path())).text, 'Name: unknown', 'answer');
      },
    },
    {
      name: 'JSON content',
      async run(t) {
        await t.deploy(
          page(
            t,
            t.path(),
            js(
              'const b = getParsedContent(); return `${b.Name} ${b.Age + 1} ${b.Address.City} ${b.Tags.length} ${b.Tags[1]}`;',
            ),
            { methods: ['POST'], read: ['parsedContent'] },
          ),
        );
        const r = await t.post(t.path(), { Name: 'John', Age: 30, Address: { City: 'New York' }, Tags: ['a', 'b'] });
        t.eq([r.status, r.text], [200, 'John 31 New York 2 b'], 'answer');
      },
    },
    {
      name: 'a JSON array as content',
      async run(t) {
        await t.deploy(
          page(t, t.path(), js('getParsedContent().map(x => x.id).join("+")'), {
            methods: ['POST'],
            read: ['parsedContent'],
          }),
        );
        t.eq((await t.post(t.path(), [{ id: 1 }, { id: 2 }])).text, '1+2', 'answer');
      },
    },
    {
      name: 'empty content',
      async run(t) {
        await t.deploy(
          page(t, t.path(), js('getParsedContent() ? "content" : "No content received"'), {
            methods: ['POST'],
            read: ['parsedContent'],
          }),
        );
        const r = await t.http('POST', t.path(), { body: '', headers: { 'Content-Type': 'application/json' } });
        t.eq([r.status, r.text], [200, 'No content received'], 'answer');
      },
    },
    {
      name: 'upload: fields beside a file',
      async run(t) {
        await t.deploy(
          page(t, t.path(), js('`${getParsedContent().name} ${getFiles().length}`'), {
            methods: ['POST'],
            read: ['files', 'parsedContent'],
          }),
        );
        t.eq(
          (
            await t.http(
              'POST',
              t.path(),
              upload(t, [filePart('test.txt', 'Test content'), { name: 'name', data: 'John Doe' }]),
            )
          ).text,
          'John Doe 1',
          'answer',
        );
      },
    },
    {
      name: 'upload: blocked extension is 415',
      async run(t) {
        await t.deploy(
          page(t, t.path(), 'File upload successful', {
            methods: ['POST'],
            endpoint: { blockedFileExtensions: ['.exe', '.bat', '.sh'] },
          }),
        );
        const bad = await t.http(
          'POST',
          t.path(),
          upload(t, [filePart('malware.EXE', 'Malicious file', 'application/octet-stream')]),
        );
        t.eq(bad.status, 415, 'blocked');
        t.excludes(bad.text, 'successful', 'body');
        t.eq(
          (await t.http('POST', t.path(), upload(t, [filePart('document.txt', 'Safe')]))).text,
          'File upload successful',
          'allowed',
        );
      },
    },
    {
      name: 'upload: allowed MIME types',
      async run(t) {
        await t.deploy(page(t, t.path(), 'ok', { methods: ['POST'], endpoint: { allowedMimeTypes: ['image/png'] } }));
        t.eq((await t.http('POST', t.path(), upload(t, [filePart('a.png', 'x', 'image/png')]))).status, 200, 'allowed');
        t.eq(
          (await t.http('POST', t.path(), upload(t, [filePart('a.png', 'x', 'text/plain')]))).status,
          415,
          'not allowed',
        );
      },
    },
    ...[
      ['with Content-Length', false],
      ['without Content-Length', true],
    ].map(([n, chunked]) => ({
      name: `request size limit ${n}`,
      async run(t) {
        await t.deploy(
          page(t, t.path(), js('"echo " + getParsedContent()'), {
            methods: ['POST'],
            read: ['parsedContent'],
            endpoint: { requestSizeLimit: 8 },
          }),
        );
        const send = (body) => t.http('POST', t.path(), { body, chunked, headers: { 'Content-Type': 'text/plain' } });
        const big = await send('0123456789');
        t.eq(big.status, 413, 'ten bytes');
        if (!chunked) t.includes(big.text, 'The maximum request size allowed is 8 bytes.', 'message');
        const small = await send('small');
        t.eq([small.status, small.text], [200, 'echo small'], 'five bytes');
        t.eq((await send('12345678')).status, 200, 'eight bytes');
      },
    })),
    {
      name: 'request timeout',
      requires: ['callback'],
      slow: true,
      timeout: 60000,
      async run(t) {
        const cb = await t.callback(() => ({ status: 200, body: { slow: true }, delay: 5000 }));
        const send = act('Elsa.SendHttpRequest', 'Send', {
          url: lit(cb.url + '/slow', 'String'),
          method: lit('GET', 'String'),
          expectedStatusCodes: [],
        });
        await t.deploy(
          workflow(
            t.id(),
            chain('Flow', [
              httpEndpoint('In', t.path(), { requestTimeout: '00:00:01' }),
              send,
              httpResponse('Out', 'late'),
            ]),
            { options: await t.incident('Fault') },
          ),
        );
        const began = Date.now();
        const r = await t.get(t.path(), { timeout: 30000 });
        t.ok(Date.now() - began < 4500, 'the answer comes before the slow call ends');
        t.ok(Date.now() - began > 800, 'the answer does not come before the time is up');
        t.eq(cb.requests.length, 1, 'requests to the slow server');
        t.excludes(r.text, 'late', 'body');
        t.ok(r.status >= 400 && r.status < 600, `status ${r.status}`);
      },
    },
    ...[
      ['OK', 200],
      ['Created', 201],
      ['Accepted', 202],
      ['BadRequest', 400],
      ['Unauthorized', 401],
      ['Forbidden', 403],
      ['NotFound', 404],
      ['Conflict', 409],
      ['InternalServerError', 500],
      ['ServiceUnavailable', 503],
    ].map(([n, code]) => ({
      name: `status ${n}`,
      async run(t) {
        await t.deploy(page(t, t.path(), `body of ${n}`, { response: { status: n } }));
        const r = await t.get(t.path());
        t.eq([r.status, r.text], [code, `body of ${n}`], 'answer');
      },
    })),
    {
      name: 'unicode in the answer',
      async run(t) {
        await t.deploy(page(t, t.path(), 'na\u00efve \u4f60\u597d \ud83d\ude00'));
        t.eq((await t.get(t.path())).text, 'na\u00efve \u4f60\u597d \ud83d\ude00', 'body');
      },
    },
    {
      name: 'a Liquid template as answer',
      requires: ['liquid'],
      async run(t) {
        const v = variable('Name', 'String', 'Ann');
        await t.deploy(page(t, t.path(), liquid('Hello {{ Variables.Name }}', 'Object'), { variables: [v] }));
        t.eq((await t.get(t.path())).text, 'Hello Ann', 'body');
      },
    },
    {
      name: 'no response activity: 200 without content',
      async run(t) {
        await t.deploy(workflow(t.id(), chain('Flow', [httpEndpoint('In', t.path()), W('W', 'only a line')])));
        const r = await t.get(t.path());
        t.eq([r.status, r.text], [200, ''], 'answer');
        const [i] = await t.awaitInstances(t.id());
        await t.finished(i.id);
        await t.expectLines(i.id, ['only a line']);
      },
    },
    {
      name: 'a fault before the response is 500',
      async run(t) {
        await t.deploy(
          workflow(
            t.id(),
            chain('Flow', [httpEndpoint('In', t.path()), fault('F', 'Boom'), httpResponse('Out', 'never')]),
            { options: await t.incident('Fault') },
          ),
        );
        const r = await t.get(t.path());
        t.eq(r.status, 500, 'status');
        t.excludes(r.text, 'never', 'body');
        const [i] = await t.awaitInstances(t.id());
        await t.faulted(i.id);
      },
    },
    {
      name: 'file: resumable download',
      async run(t) {
        await t.deploy(
          workflow(
            t.id(),
            chain('Flow', [
              httpEndpoint('In', t.path()),
              fileResponse('File', js('bytesFromString("0123456789")'), {
                filename: 'data.bin',
                resumable: true,
                entityTag: '"tag1"',
              }),
            ]),
          ),
        );
        const all = await t.get(t.path());
        t.eq([all.status, all.text, all.headers.etag], [200, '0123456789', '"tag1"'], 'whole');
        const part = await t.get(t.path(), { headers: { Range: 'bytes=2-5' } });
        t.eq([part.status, part.text], [206, '2345'], 'part');
        t.match(part.headers['content-range'] ?? '', /bytes 2-5\/10/, 'content-range');
      },
    },
    ...[
      ['workflowInstanceId', 'query'],
      ['correlationId', 'query'],
      ['X-Workflow-Instance-ID', 'header'],
      ['X-Correlation-ID', 'header'],
    ].map(([key, where]) => ({
      name: `the instance to resume is chosen by ${where} ${key}`,
      async run(t) {
        await t.deploy(
          workflow(
            t.id(),
            chain('Flow', [
              httpEndpoint('Start', t.path('start')),
              httpResponse('R1', 'started'),
              httpEndpoint('Resume', t.path('resume'), { start: false }),
              httpResponse('R2', js('getWorkflowInstanceId()')),
            ]),
          ),
        );
        const call = (p, v) =>
          where === 'query' ? t.get(`${t.path(p)}?${key}=${v}`) : t.get(t.path(p), { headers: { [key]: v } });
        const ids = [1, 2, 3].map((n) => t.id(`v${n}`));
        for (const id of ids) {
          const r = await call('start', id);
          t.eq([r.status, r.text], [200, 'started'], `start ${id}`);
        }
        const list = await t.awaitInstances(t.id(), 3);
        for (const i of list) await t.suspended(i.id);
        const full = await Promise.all(list.map((i) => t.instance(i.id)));
        const idOf = (v) => full.find((i) => (/instance/i.test(key) ? i.id : i.correlationId) === v)?.id;
        t.ok(
          ids.every(idOf),
          `instances carry the given ids: ${JSON.stringify(full.map((i) => [i.id, i.correlationId]))}`,
        );
        const r = await call('resume', ids[1]);
        t.eq([r.status, r.text], [200, idOf(ids[1])], 'resumed instance');
        await t.finished(idOf(ids[1]));
        t.eq((await t.instance(idOf(ids[0]))).subStatus, 'Suspended', 'another instance');
      },
    })),
    {
      name: 'an ambiguous resumption is refused',
      async run(t) {
        await t.deploy(
          workflow(
            t.id(),
            chain('Flow', [
              httpEndpoint('Start', t.path('start')),
              httpResponse('R1', 'started'),
              httpEndpoint('Resume', t.path('resume'), { start: false }),
              httpResponse('R2', 'resumed'),
            ]),
          ),
        );
        await t.get(t.path('start'));
        await t.get(t.path('start'));
        const l = await t.awaitInstances(t.id(), 2);
        for (const i of l) await t.suspended(i.id);
        const r = await t.get(t.path('resume'));
        t.eq(r.status, 500, 'status');
        t.eq(r.json?.errorMessage, 'The call is ambiguous and matches multiple workflows.', 'errorMessage');
        t.sameSet(
          (r.json?.workflows ?? []).map((w) => w.WorkflowInstanceId ?? w.workflowInstanceId),
          l.map((i) => i.id),
          'workflows',
        );
        for (const i of l) t.eq((await t.instance(i.id)).subStatus, 'Suspended', 'instances still wait');
      },
    },
    {
      name: 'an endpoint in the middle of the flow waits for its method',
      async run(t) {
        await t.deploy(
          workflow(
            t.id(),
            chain('Flow', [
              W('W', 'x'),
              httpEndpoint('In', t.path(), { start: false, methods: ['POST', 'PUT'] }),
              httpResponse('R', 'got it'),
            ]),
          ),
        );
        const r = await t.execute(t.id());
        t.expectState(r.state, 'Running', 'Suspended');
        t.eq(r.state.bookmarks.length, 2, 'one bookmark per method');
        t.eq((await t.get(t.path())).status, 404, 'GET');
        t.eq((await t.http('PUT', t.path())).text, 'got it', 'PUT');
        await t.finished(r.instanceId);
        t.eq((await t.state(r.instanceId)).bookmarks ?? [], [], 'bookmarks');
        t.eq((await t.post(t.path())).status, 404, 'POST afterwards');
      },
    },
    {
      name: 'an endpoint that asks for authorization is 401 without credentials',
      requires: ['auth'],
      async run(t) {
        await t.deploy(page(t, t.path(), 'secret', { endpoint: { authorize: true } }));
        const r = await t.get(t.path());
        t.eq(r.status, 401, 'status');
        t.excludes(r.text, 'secret', 'body');
        t.eq((await t.instancesOf(t.id())).length, 0, 'instances');
      },
    },
    {
      name: 'a script in between',
      async run(t) {
        await t.deploy(page(t, t.path(), js('getLastResult()'), { before: [runJs('J', 'return "computed";')] }));
        t.eq((await t.get(t.path())).text, 'computed', 'answer');
      },
    },
  ],
};
