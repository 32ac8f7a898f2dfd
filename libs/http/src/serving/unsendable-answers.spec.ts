import http from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { endpoint, lit, obj, respond, startApp, type TestServer } from './testing/http-test-app.js';

/** What an activity may say that no HTTP message can. */
const UNSENDABLE: Record<string, object> = {
  'a header value with a line break': { responseHeaders: obj({ 'X-Name': 'a\r\nInjected: yes' }) },
  'a header value with a character above 255': { responseHeaders: obj({ 'X-Name': 'ā' }) },
  'a header value with a control character': { responseHeaders: obj({ 'X-Name': 'a\u0000b' }) },
  'one bad value among several': { responseHeaders: obj({ 'Set-Cookie': ['a=1', 'b=\n'] }) },
  'a header name with a space': { responseHeaders: obj({ 'X Name': 'a' }) },
  'a header without a name': { responseHeaders: obj({ '': 'a' }) },
  'status 600': { statusCode: lit(600, 'Int32') },
  'status 999': { statusCode: lit(999, 'Int32') },
  'a content type with a character above 255': { contentType: lit('ā/b') },
  'a content type with a line break': { contentType: lit('text/plain\r\nX: y') },
};

/** Headers that decide where a message ends belong to the server: a wrong one would leave the client waiting. */
const FRAMING: Record<string, object> = {
  'a length that is too large': { 'Content-Length': '1000' },
  'a length that is too small': { 'Content-Length': '1' },
  'a length that is no number': { 'Content-Length': 'many' },
  'a transfer encoding': { 'Transfer-Encoding': 'chunked' },
  'both of them': { 'Content-Length': '3', 'Transfer-Encoding': 'chunked' },
  'a trailer': { Trailer: 'X-Later' },
  'an upgrade': { Connection: 'Upgrade', Upgrade: 'websocket' },
};

describe.each([FastifyAdapter, ExpressAdapter])('answers that HTTP cannot carry (%p)', (Adapter) => {
  let server: TestServer;
  let number = 0;
  beforeAll(async () => {
    server = await startApp(new Adapter());
  });
  afterAll(() => server.app.close());

  it.each(Object.entries(UNSENDABLE))(
    '%s is a fault of the activity: 500 at once, with an incident',
    async (_, more) => {
      const path = `unsendable-${++number}`;
      const id = await server.publish([endpoint('In', path), respond('Out', 'text', more)]);
      const answer = await server.call('GET', `/workflows/${path}`);
      expect([answer.status, answer.headers['x-name'], answer.headers.injected]).toEqual([500, undefined, undefined]);
      const [instance] = await server.instances(id);
      const { state } = (await server.persistence.instances.load(instance!.id))!;
      expect([state.subStatus, state.incidents.map(({ message }) => message)]).toEqual([
        'Faulted',
        [expect.stringMatching(/cannot be sent|cannot be the status/)],
      ]);
    },
  );

  it.each(Object.entries(FRAMING))('%s is left to the server', async (_, responseHeaders) => {
    const path = `framing-${++number}`;
    await server.publish([endpoint('In', path), respond('Out', 'text', { responseHeaders: obj(responseHeaders) })]);
    const answer = await server.call('GET', `/workflows/${path}`);
    const { upgrade, trailer } = answer.headers;
    expect([answer.status, answer.text, upgrade, trailer]).toEqual([200, 'text', undefined, undefined]);
    expect([answer.headers['content-length'], answer.headers['transfer-encoding']].filter(Boolean)).toHaveLength(1);
  });

  it('keeps a connection usable after an answer that could not be sent', async () => {
    await server.publish([
      endpoint('In', 'kept'),
      respond('Out', 'text', { responseHeaders: obj({ 'X-Name': '\n' }) }),
    ]);
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const { port } = server.app.getHttpServer().address() as { port: number };
    const statusOf = () =>
      new Promise((resolve, reject) => {
        http
          .get({ port, host: '127.0.0.1', path: '/workflows/kept', agent }, (response) => {
            response.resume().on('end', () => resolve(response.statusCode));
          })
          .on('error', reject);
      });
    expect([await statusOf(), await statusOf()]).toEqual([500, 500]);
    agent.destroy();
  });
});
