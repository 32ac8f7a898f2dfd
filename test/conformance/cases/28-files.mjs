// Uploads, files as answers, and outgoing requests.
import {
  W,
  act,
  chain,
  fileResponse,
  flow,
  httpEndpoint,
  httpResponse,
  js,
  lit,
  obj,
  out,
  seq,
  variable,
  workflow,
} from '../lib/build.mjs';
import { page, upload } from '../lib/pages.mjs';

const file = (name, data, contentType = 'text/plain', field = 'files') => ({
  name: field,
  filename: name,
  contentType,
  data,
});

export default {
  group: 'files',
  description: 'uploads, files as answers, outgoing requests',
  requires: ['javascript'],
  cases: [
    {
      name: 'uploads: fields, names, sizes, contents',
      async run(t) {
        await t.deploy(
          page(
            t,
            t.path(),
            js(
              'getFiles().map(f => [f.FileName, f.Length, f.ContentType, f.Name].join()).join(";") + " " + JSON.stringify(getParsedContent())',
            ),
            { methods: ['POST'], read: ['files', 'parsedContent'] },
          ),
        );
        const r = await t.http(
          'POST',
          t.path(),
          upload(t, [file('a.txt', 'aaa'), file('ü.png', 'bb', 'image/png', 'pic'), { name: 'who', data: 'Ann' }]),
        );
        t.eq(r.text, 'a.txt,3,text/plain,files;ü.png,2,image/png,pic {"who":"Ann"}', 'answer');
      },
    },
    ...[
      ['fileSizeLimit', { fileSizeLimit: 4 }, 413, 'The maximum file size allowed is 4 bytes.'],
      [
        'allowedFileExtensions',
        { allowedFileExtensions: ['.png', '.gif'] },
        415,
        'Only the following file extensions are allowed: .png, .gif',
      ],
      [
        'blockedFileExtensions',
        { blockedFileExtensions: ['.txt'] },
        415,
        'The following file extensions are not allowed: .txt',
      ],
      [
        'allowedMimeTypes',
        { allowedMimeTypes: ['image/png'] },
        415,
        'Only the following MIME types are allowed: image/png',
      ],
    ].map(([name, endpoint, status, message]) => ({
      name: `refused uploads: ${name}`,
      async run(t) {
        await t.deploy(page(t, t.path(), 'ok', { methods: ['POST'], endpoint }));
        const r = await t.http('POST', t.path(), upload(t, [file('a.txt', '12345')]));
        t.eq([r.status, r.json?.message], [status, message], 'answer');
      },
    })),
    ...[
      ['Request too large', { requestSizeLimit: 4, exposeRequestTooLarge: true }],
      ['File too large', { fileSizeLimit: 4, exposeFileTooLarge: true }],
      ['Invalid file extension', { allowedFileExtensions: ['.png'], exposeInvalidFileExtension: true }],
      ['Invalid file MIME type', { allowedMimeTypes: ['image/png'], exposeInvalidFileMimeType: true }],
    ].map(([outcome, endpoint]) => ({
      name: `refused uploads as an outcome: ${outcome}`,
      async run(t) {
        await t.deploy(
          workflow(
            t.id(),
            flow(
              'F',
              [
                httpEndpoint('In', t.path(), { methods: ['POST'], ...endpoint }),
                httpResponse('Ok', 'ok'),
                httpResponse('No', 'refused', { status: 'Conflict' }),
              ],
              ['In->Ok', `In:${outcome}->No`],
            ),
          ),
        );
        const r = await t.http('POST', t.path(), upload(t, [file('a.txt', '12345')]));
        t.eq([r.status, r.text], [409, 'refused'], 'answer');
      },
    })),
    {
      name: 'files: names, types, empty, several',
      async run(t) {
        const get = async (name, content, o) => {
          await t.deploy(page(t, t.path(name), undefined, { id: t.id(name), answer: fileResponse('Out', content, o) }));
          const r = await t.get(t.path(name));
          return [
            r.status,
            r.headers['content-type'] ?? null,
            r.headers['content-disposition'] ?? null,
            r.text.slice(0, 20),
          ];
        };
        t.eq(
          await get('text', js('"hello"'), {}),
          [200, 'text/plain', "attachment; filename=file.txt; filename*=UTF-8''file.txt", 'hello'].map((x) => x),
          'text',
        );
        const [status, type, disposition, body] = await get('named', js('bytesFromString("a,b")'), {
          filename: 'list.csv',
        });
        t.eq([status, type, body], [200, 'text/csv', 'a,b'], 'named');
        t.match(disposition ?? '', /attachment; filename="?list\.csv/, 'disposition');
        t.eq((await get('none', js('null'), {}))[0], 204, 'nothing');
        t.eq(
          (await get('typed', js('bytesFromString("x")'), { filename: 'x.bin', contentType: 'image/gif' }))[1],
          'image/gif',
          'typed',
        );
        const several = await get('several', js('[bytesFromString("a"), bytesFromString("b")]'), {});
        t.eq([several[0], several[1], several[3].slice(0, 2)], [200, 'application/zip', 'PK'], 'several');
      },
    },
    {
      name: 'files: ranges and entity tags',
      async run(t) {
        await t.deploy(
          page(t, t.path(), undefined, {
            answer: fileResponse('Out', js('bytesFromString("0123456789")'), {
              filename: 'd.bin',
              resumable: true,
              entityTag: '"v1"',
            }),
          }),
        );
        const get = async (headers) => {
          const r = await t.get(t.path(), { headers });
          return [r.status, r.text, r.headers['content-range'] ?? null];
        };
        t.eq(await get({ Range: 'bytes=5-' }), [206, '56789', 'bytes 5-9/10'], 'from five');
        t.eq(await get({ Range: 'bytes=-3' }), [206, '789', 'bytes 7-9/10'], 'the last three');
        t.eq((await get({ Range: 'bytes=20-30' }))[0], 416, 'beyond the end');
        t.eq((await get({ 'If-None-Match': '"v1"' }))[0], 304, 'known already');
        t.eq((await get({ 'If-Match': '"v2"' }))[0], 412, 'another version');
        t.eq(
          await get({ Range: 'bytes=0-1', 'If-Range': '"v1"' }),
          [206, '01', 'bytes 0-1/10'],
          'If-Range of this version',
        );
        t.eq(
          await get({ Range: 'bytes=0-1', 'If-Range': '"v2"' }),
          [200, '0123456789', null],
          'If-Range of another version',
        );
      },
    },
    {
      name: 'an endpoint that lets another activity answer first',
      async run(t) {
        await t.deploy(
          workflow(
            t.id(),
            chain('F', [httpEndpoint('In', t.path()), httpResponse('A', 'one'), W('W', 'after the answer')]),
          ),
        );
        t.eq((await t.get(t.path())).text, 'one', 'answer');
        const [i] = await t.awaitInstances(t.id());
        await t.finished(i.id);
        await t.expectLines(i.id, ['after the answer']);
      },
    },
    {
      name: 'an answer without a request faults',
      async run(t) {
        const r = await t.run(
          workflow(
            t.id(),
            seq('S', [act('Elsa.Delay', 'D', { timeSpan: lit('00:00:01', 'TimeSpan') }), httpResponse('Out', 'x')]),
            { options: await t.incident('Fault') },
          ),
        );
        const i = await t.faulted(r.instanceId, { timeout: 15000 });
        t.eq(i.workflowState.incidents[0].activityId, 'Out', 'incident');
      },
    },
    {
      name: 'outgoing: method, content, headers, answer',
      requires: ['callback'],
      async run(t) {
        const cb = await t.callback(() => ({
          status: 201,
          body: { id: 7 },
          headers: { 'X-Answer': 'yes', 'Content-Type': 'application/json' },
        }));
        const vars = ['Status', 'Parsed', 'Headers'].map((n) => variable(n, 'Object'));
        const [s, p, h] = vars;
        const r = await t.run(
          workflow(
            t.id(),
            seq('S', [
              act('Elsa.SendHttpRequest', 'Send', {
                url: lit(`${cb.url}/x?y=1`, 'Uri'),
                method: lit('POST', 'String'),
                content: js('({ a: 1 })'),
                contentType: lit('application/json', 'String'),
                authorization: lit('Bearer t', 'String'),
                requestHeaders: obj({ 'X-Mine': 'v' }, 'HttpHeaders'),
                expectedStatusCodes: [{ statusCode: 201, activity: W('Created', 'created') }],
                statusCode: out(s),
                parsedContent: out(p),
                responseHeaders: out(h),
              }),
              W(
                'L',
                js(
                  '`${getStatus()} ${getParsed().id} ${getHeaders()["X-Answer"] ?? getHeaders()["x-answer"]}`',
                  'String',
                ),
              ),
            ]),
            { variables: vars },
          ),
        );
        await t.finished(r.instanceId);
        await t.expectLines(r.instanceId, ['created', '201 7 yes']);
        const [q] = cb.requests;
        t.eq(
          [q.method, q.path ?? q.url, q.headers['x-mine'], q.headers.authorization],
          ['POST', q.path ?? q.url, 'v', 'Bearer t'],
          'request',
        );
        t.eq(JSON.parse(q.body), { a: 1 }, 'body');
      },
    },
    {
      name: 'outgoing: outcomes of the flow variant',
      requires: ['callback'],
      async run(t) {
        let status = 200;
        const cb = await t.callback(() => ({ status, body: {} }));
        const build = (id) =>
          workflow(
            id,
            flow(
              'F',
              [
                act('Elsa.FlowSendHttpRequest', 'S', { url: lit(cb.url, 'Uri'), expectedStatusCodes: obj([200, 404]) }),
                W('A', '200'),
                W('B', '404'),
                W('U', 'unmatched'),
                W('D', 'done'),
              ],
              ['S:200->A', 'S:404->B', 'S:Unmatched status code->U', 'S:Done->D'],
            ),
          );
        const d = await t.deploy(build(t.id()));
        for (const [code, lines] of [
          [200, ['200', 'done']],
          [404, ['404', 'done']],
          [500, ['unmatched', 'done']],
        ]) {
          status = code;
          const r = await t.execute(d.definitionId);
          await t.finished(r.instanceId);
          await t.expectLines(r.instanceId, lines);
        }
      },
    },
  ],
};
