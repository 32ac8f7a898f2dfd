import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { ADAPTERS, ApiServer } from '../module/api-harness.spec.js';

describe.each(ADAPTERS)('paths of the API in other spellings on %s', (adapter) => {
  let server: ApiServer;
  beforeAll(async () => {
    const users = [{ name: 'ada', password: 'secret' }];
    server = await ApiServer.start(adapter, { authentication: { users, apiKeys: ['key'] } });
  });
  afterAll(() => server.close());

  /** By hand: a client would tidy the path. */
  async function post(target: string, body: string): Promise<string> {
    const { port } = new URL(await server.app.getUrl());
    const socket = connect(Number(port), '127.0.0.1');
    await once(socket, 'connect');
    const head = `POST ${target} HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
    socket.write(`${head}\r\n\r\n${body}`);
    return text(socket);
  }
  // Express takes encoded letters for other ones, so that there the first two are paths of nothing.
  const spellings = ['http://h/elsa/api', 'HTTPS://h:1/elsa/api', ...(adapter === 'fastify' ? ['/elsa/%61pi'] : [])];

  it.each(spellings)('%s: credentials are asked for before a body is read', async (base) => {
    for (const path of ['/workflow-definitions', '/workflow-definitions?x=%ZZ'])
      expect(await post(base + path, '{"a":')).toMatch(/^HTTP\/1.1 401 /);
    expect(await post(`${base}/identity/login`, '{"a":')).toMatch(/^HTTP\/1.1 400 [^]*serializerErrors|"a"/);
  });

  it.each(spellings)('%s: the limits of bodies hold', async (base) => {
    const long = JSON.stringify({ username: 'ada', password: 'secret', x: 'x'.repeat(5000) });
    expect(await post(`${base}/identity/login`, long)).toMatch(/^HTTP\/1.1 413 [^]*WM8006/);
    const right = JSON.stringify({ username: 'ada', password: 'secret' });
    expect(await post(`${base}/identity/login`, right)).toMatch(/^HTTP\/1.1 200 [^]*"isAuthenticated":true/);
  });
});
