import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { RuntimeGate, WorkflowEvent } from '@waymark/runtime';
import { pairsOf } from '../../../../test/support/pairs.js';
import {
  act,
  endpoint,
  fault,
  lit,
  obj,
  ref,
  respond,
  startApp,
  type TestServer,
  variable,
} from './testing/http-test-app.js';

describe.each(pairsOf([FastifyAdapter, ExpressAdapter], ExpressAdapter))('answers (%p)', (Adapter) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startApp(new Adapter(), { bodyBytes: 1_000_000 });
  });
  afterAll(() => server.app.close());

  it('sends status, headers and types as they are given', async () => {
    await server.publish([
      endpoint('In', 'created'),
      respond('Out', 'x', {
        statusCode: lit('Created', 'HttpStatusCode'),
        contentType: lit('text/html'),
        responseHeaders: obj({ Location: '/here', 'Set-Cookie': ['a=1', 'b=2'] }),
      }),
    ]);
    const r = await server.call('GET', '/workflows/created');
    expect([r.status, r.headers['content-type'], r.headers.location, r.headers['set-cookie']]).toEqual([
      201,
      'text/html',
      '/here',
      ['a=1', 'b=2'],
    ]);
  });

  it('answers 200 without content when nothing is written', async () => {
    await server.publish([endpoint('In', 'quiet')]);
    const r = await server.call('GET', '/workflows/quiet');
    expect([r.status, r.text, r.headers['content-type']]).toEqual([200, '', undefined]);
  });

  it('sends no content with 204', async () => {
    await server.publish([
      endpoint('In', 'nothing'),
      respond('Out', 'x', { statusCode: lit('NoContent', 'HttpStatusCode') }),
    ]);
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
      endpoint('In', 'file', { methods: ['GET', 'POST'] }),
      act('Elsa.WriteFileHttpResponse', 'File', {
        content: lit('0123456789', 'Object'),
        filename: lit('data.csv'),
        entityTag: lit('"tag1"'),
        enableResumableDownloads: lit(true, 'Boolean'),
      }),
    ]);
    const whole = await server.call('GET', '/workflows/file');
    expect([
      whole.status,
      whole.text,
      whole.headers.etag,
      whole.headers['content-type'],
      whole.headers['content-disposition'],
    ]).toEqual([200, '0123456789', '"tag1"', 'text/csv', "attachment; filename=data.csv; filename*=UTF-8''data.csv"]);
    const part = await server.call('GET', '/workflows/file', { headers: { Range: 'bytes=2-5' } });
    expect([part.status, part.text, part.headers['content-range']]).toEqual([206, '2345', 'bytes 2-5/10']);
    expect((await server.call('GET', '/workflows/file', { headers: { Range: 'nonsense' } })).status).toBe(400);
    expect((await server.call('GET', '/workflows/file', { headers: { Range: 'bytes=50-' } })).status).toBe(416);
    // What is known to a client is not sent again; but an answer to a POST is new.
    const known = { headers: { 'If-None-Match': '"tag1"' } };
    expect((await server.call('GET', '/workflows/file', known)).status).toBe(304);
    expect((await server.call('POST', '/workflows/file', known)).text).toBe('0123456789');
  });

  it('continues with an archive only where its bytes are the same, also under a tag of the workflow', async () => {
    const publish = (path: string, files: string[]) =>
      server.publish(
        [
          endpoint('In', path),
          act('Elsa.WriteFileHttpResponse', 'File', {
            content: ref('Files'),
            entityTag: lit('v1'),
            enableResumableDownloads: lit(true, 'Boolean'),
          }),
        ],
        [{ ...variable('Files', 'ObjectList'), isArray: true, value: files }],
      );
    await publish('one', ['a', 'b']);
    // Nodes with another version of Node compress the same files to other bytes.
    await publish('other', ['a', 'c']);
    const whole = await server.call('GET', '/workflows/one');
    const tag = whole.headers.etag as string;
    expect(tag).toMatch(/^"v1-.+"$/);
    const resumed = (path: string) =>
      server.call('GET', `/workflows/${path}`, { headers: { Range: 'bytes=10-', 'If-Range': tag } });
    expect([(await resumed('one')).status, (await resumed('other')).status]).toEqual([206, 200]);
    expect((await server.call('GET', '/workflows/one', { headers: { 'If-None-Match': tag } })).status).toBe(304);
  });

  it('gives up after the time that the endpoint allows, and cancels the instance', async () => {
    const id = await server.publish([
      endpoint('In', 'slow', { requestTimeout: lit('00:00:00.200', 'TimeSpan') }),
      act('Test.WaitForEver', 'W'),
      respond('Out', 'late'),
    ]);
    const ended = new Promise((resolve) => server.app.get(EventEmitter2).once(WorkflowEvent.WorkflowFinished, resolve));
    const r = await server.call('GET', '/workflows/slow');
    expect([r.status, r.text]).toEqual([408, '']);
    await ended;
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
    await server.publish(
      [endpoint('In', 'single'), respond('Out', 'ok'), endpoint('Wait', 'single/go', { start: false })],
      [],
      definition,
    );
    expect((await server.call('GET', '/workflows/single')).status).toBe(200);
    expect((await server.call('GET', '/workflows/single')).status).toBe(409);
    expect((await server.call('GET', '/workflows/single/go')).status).toBe(200);
    expect((await server.call('GET', '/workflows/single')).status).toBe(200);
  });
});
