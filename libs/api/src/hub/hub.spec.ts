import { EventEmitter, once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { HttpTransportType, HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import type { WorkflowRuntimeOptions } from '@waymark/runtime';
import { VirtualClock } from '@waymark/testing';
import { pairsOf } from '../../../../test/support/pairs.js';
import { Authenticator } from '../identity/authenticator.js';
import { LiveFeed } from '../live/live-feed.js';
import { type Adapter, ADAPTERS, ApiServer, event, line, sequence } from '../module/api-harness.spec.js';
import type { WorkflowApiOptions } from '../module/api-options.js';
import type { HttpReply } from '../requests/http-request.js';
import { HubConnections } from './hub-connections.js';
import { HubRequests } from './hub-requests.js';
import { RawHubClient } from './testing/raw-hub-client.js';

const KEY = { all: 'k'.repeat(40), instances: 'i'.repeat(40), none: 'n'.repeat(40) };
const authentication = {
  signingKey: 's'.repeat(40),
  users: [
    { name: 'ann', password: 'secret' },
    { name: 'tom', password: 'secret', permissions: ['read:workflow-definitions'] },
  ],
  apiKeys: [
    { key: KEY.all, name: 'all' },
    { key: KEY.instances, name: 'instances', permissions: ['read:workflow-instances'] },
    { key: KEY.none, name: 'none', permissions: ['read:user'] },
  ],
};
const as = (key: string) => ({ authorization: `ApiKey ${key}` });
const observe = (...ids: unknown[]) => ({
  type: 1,
  target: 'ObserveInstanceAsync',
  arguments: ids,
  invocationId: String(ids[0]),
});

/** Servers with the hub, one for all specifications of a block that want nothing special. */
function hubsOn(adapter: Adapter) {
  let shared: Promise<ApiServer> | undefined;
  const special: ApiServer[] = [];
  const raw: RawHubClient[] = [];

  const reach = async (api: ApiServer) => ({
    api,
    app: api.app,
    hub: `${await api.app.getUrl()}/elsa/hubs/workflow-instance`,
    connections: api.app.get(HubConnections),
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    for (const client of raw.splice(0)) client.leave();
    for (const api of special.splice(0)) await api.close();
    const connections = (await shared)?.app.get(HubConnections);
    await until(() => !connections?.size);
  });
  afterAll(async () => {
    // A client that broke off a request may have opened a connection that it never used.
    (await shared)?.app.getHttpServer().closeAllConnections();
    await (await shared)?.close();
  });

  return {
    start: async () => reach(await (shared ??= ApiServer.start(adapter, { authentication }))),
    startWith: async (options: WorkflowApiOptions, runtime?: WorkflowRuntimeOptions) => {
      const api = await ApiServer.start(adapter, options, runtime);
      special.push(api);
      return reach(api);
    },
    opened: async (url: string, headers?: Record<string, string>) => {
      const client = await RawHubClient.open(url, headers);
      raw.push(client);
      return client;
    },
    greeted: async (url: string, headers?: Record<string, string>) => {
      const client = await RawHubClient.greeted(url, headers);
      raw.push(client);
      return client;
    },
  };
}

async function negotiate(hub: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`${hub}/negotiate?negotiateVersion=1`, { method: 'POST', headers });
  return { status: answer.status, headers: answer.headers, body: await answer.text() };
}
const login = async (api: ApiServer, username: string) =>
  (await api.call('POST', '/identity/login', { username, password: 'secret' })).json;

/** An instance that waits for an event. */
async function waiting(api: ApiServer, definitionId: string, headers: Record<string, string> = as(KEY.all)) {
  const root = sequence(event('E', `${definitionId}-go`), line('L'));
  await api.call('POST', '/workflow-definitions', { model: { definitionId, root }, publish: true }, headers);
  const started = await api.call('POST', `/workflow-definitions/${definitionId}/execute`, {}, headers);
  return started.json.workflowState.id as string;
}
const go = (api: ApiServer, definitionId: string, workflowInstanceId: string) => {
  const body = { workflowInstanceId, workflowExecutionMode: 'Synchronous' };
  return api.call('POST', `/events/${definitionId}-go/trigger`, body, as(KEY.all));
};
/** Resolves when the server has read what was sent. */
async function heardBy(client: RawHubClient): Promise<void> {
  client.send(observe('nothing'));
  await client.until(isAnswer);
}
/** Looks again and again, until the server has noticed; not in each turn of the event loop, which would keep the processor busy. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(1);
}
/** Frames, masked with zeros. */
function bytesTo({ socket }: RawHubClient, frame: Buffer, times: number): void {
  const { _socket } = socket as unknown as { _socket: { write(bytes: Buffer): void } };
  _socket.write(Buffer.alloc(frame.length * times, frame));
}
const isTold = (target: string) => (message: { target?: string }) => message.target === target;
const isAnswer = ({ type }: { type: number }) => type === 3;

describe.each(pairsOf(ADAPTERS, 'fastify'))('the hub on %s', (adapter) => {
  const { start, startWith, greeted } = hubsOn(adapter);

  it.each(['WebSockets', 'LongPolling'] as const)('serves the official client by %s', async (transport) => {
    const { api, hub, app, connections } = await start();
    const { accessToken } = await login(api, 'ann');
    const id = await waiting(api, 'served');
    const connection = new HubConnectionBuilder()
      .withUrl(hub, { transport: HttpTransportType[transport], accessTokenFactory: () => accessToken as string })
      .configureLogging(LogLevel.None)
      .build();
    const updated: unknown[] = [];
    const log: unknown[] = [];
    const stats = new Map<string, Record<string, unknown>>();
    connection.on('WorkflowInstanceUpdatedAsync', (message) => updated.push(message));
    connection.on('WorkflowExecutionLogUpdatedAsync', (message) => log.push(message));
    const completed = new Promise<void>((resolve) => {
      connection.on('ActivityExecutionLogUpdatedAsync', (message: { stats: Record<string, unknown>[] }) => {
        for (const one of message.stats) stats.set(String(one.activityId), one);
        if (stats.get('L')?.completedCount === 1) resolve();
      });
    });
    await connection.start();
    await connection.invoke('ObserveInstanceAsync', id);
    await go(api, 'served', id);
    await completed;
    expect(updated).toContainEqual({ workflowInstanceId: id });
    expect(log).toContainEqual({});
    const report = { workflowInstanceId: id, activityNodeIds: [] };
    const expected = (await api.call('POST', '/activity-executions/report', report, as(KEY.all))).json.stats;
    expect([...stats.values()]).toEqual(expect.arrayContaining(expected));
    await connection.stop();
    await until(() => connections.size === 0 && app.get(LiveFeed).size === 0);
  });

  it('answers clients that may not connect as the API does', async () => {
    const { api, hub } = await start();
    const id = await waiting(api, 'refused');
    const [ann, tom] = [await login(api, 'ann'), await login(api, 'tom')];
    const cases: [headers: Record<string, string>, status: number][] = [
      [{}, 401],
      [{ authorization: 'Bearer nonsense' }, 401],
      [{ authorization: `Bearer ${ann.refreshToken}` }, 401],
      [as('wrong'), 401],
      [as(KEY.none), 403],
      [{ authorization: `Bearer ${tom.accessToken}` }, 403],
    ];
    for (const [headers, status] of cases) {
      const negotiated = await negotiate(hub, headers);
      const { code } = JSON.parse(negotiated.body) as { code: string };
      expect([headers, negotiated.status, code]).toEqual([headers, status, status === 401 ? 'WM8004' : 'WM8005']);
      await expect(RawHubClient.open(hub, headers)).rejects.toThrow(`${status}`);
    }
    expect((await negotiate(hub)).headers.get('www-authenticate')).toBe('Bearer');
    await expect(RawHubClient.open(`${hub}?access_token=${tom.accessToken}`)).rejects.toThrow('403');
    // Browsers cannot send headers with a WebSocket.
    const client = await greeted(`${hub}?access_token=${ann.accessToken}`);
    client.send(observe(id));
    expect(await client.until(isAnswer)).toEqual({ type: 3, invocationId: id, result: null });
  });

  it('requires a negotiation where no credentials are needed: pages of other sites cannot read its answer', async () => {
    const { api, hub } = await startWith({});
    const id = await waiting(api, 'open', {});
    await expect(RawHubClient.open(hub)).rejects.toThrow('404');
    await expect(RawHubClient.open(`${hub}?id=a.b.c`)).rejects.toThrow('404');
    const { connectionToken, ...answer } = JSON.parse((await negotiate(hub)).body);
    expect(answer).toEqual({
      negotiateVersion: 1,
      connectionId: expect.any(String),
      availableTransports: [
        { transport: 'WebSockets', transferFormats: ['Text'] },
        { transport: 'LongPolling', transferFormats: ['Text'] },
      ],
    });
    const client = await greeted(`${hub}?id=${connectionToken}`);
    client.send(observe(id));
    await client.until(isTold('WorkflowInstanceUpdatedAsync'));
  });

  it('answers polls only for the client that has negotiated the connection', async () => {
    const { hub, connections } = await start();
    const { connectionToken } = JSON.parse((await negotiate(hub, as(KEY.all))).body);
    const ask = async (method: string, token: string | undefined, key: string, body?: string) => {
      const query = token === undefined ? '' : `?id=${token}`;
      const answer = await fetch(hub + query, { method, headers: as(key), ...(body && { body }) });
      return { status: answer.status, text: await answer.text() };
    };
    expect((await ask('GET', undefined, KEY.all)).status).toBe(400);
    expect((await ask('GET', 'a.b.c', KEY.all)).status).toBe(404);
    expect((await ask('GET', connectionToken, KEY.instances)).status).toBe(404);
    expect(await ask('GET', connectionToken, KEY.all)).toEqual({ status: 200, text: '' });
    const handshake = '{"protocol":"json","version":1}\u001e';
    expect((await ask('POST', connectionToken, KEY.instances, handshake)).status).toBe(404);
    expect((await ask('POST', connectionToken, KEY.all, 'x'.repeat(100_000))).status).toBe(413);
    expect((await ask('POST', connectionToken, KEY.all, handshake)).status).toBe(200);
    expect(await ask('GET', connectionToken, KEY.all)).toEqual({ status: 200, text: '{}\u001e' });
    const [earlier, later] = [ask('GET', connectionToken, KEY.all), ask('GET', connectionToken, KEY.all)];
    expect(await Promise.race([earlier, later])).toEqual({ status: 204, text: '' });
    expect((await ask('DELETE', connectionToken, KEY.all)).status).toBe(202);
    expect([await earlier, await later]).toEqual([
      { status: 204, text: '' },
      { status: 204, text: '' },
    ]);
    expect(connections.size).toBe(0);
  });

  it('ends a poll whose client has disconnected before it is served', async () => {
    const { app, hub } = await start();
    const { connectionToken } = JSON.parse((await negotiate(hub, as(KEY.all))).body);
    const request = { headers: as(KEY.all), url: `/?id=${connectionToken}` };
    const closed = Object.assign(new EventEmitter(), { closed: true }) as unknown as HttpReply;
    const requests = app.get(HubRequests);
    const polls = [await requests.poll(request, closed), await requests.poll(request, closed)];
    expect(polls).toEqual([
      { status: 200, text: '' },
      { status: 200, text: '' },
    ]);
    requests.end(request);
  });
});

describe('a connection of the hub', () => {
  const { start, startWith, greeted, opened } = hubsOn('fastify');

  it('sends statistics only to clients that may read executions', async () => {
    const { api, hub } = await start();
    const id = await waiting(api, 'shown');
    const [some, all] = [await greeted(hub, as(KEY.instances)), await greeted(hub, as(KEY.all))];
    for (const client of [some, all]) client.send(observe(id));
    await all.until(isTold('ActivityExecutionLogUpdatedAsync'));
    const told: string[] = [];
    await some.until(({ type, target }) => {
      told.push(target);
      return type === 3;
    });
    expect(told).toEqual(['WorkflowInstanceUpdatedAsync', 'WorkflowExecutionLogUpdatedAsync', undefined]);
  });

  it('answers 403 where the API is closed, and 404 when the hub is switched off', async () => {
    const { hub } = await startWith({ allowAnonymous: false, authentication: undefined });
    expect((await negotiate(hub)).status).toBe(403);
    await expect(RawHubClient.open(hub)).rejects.toThrow('403');
    const off = await startWith({ authentication, hub: false });
    expect((await negotiate(off.hub, as(KEY.all))).status).toBe(404);
    await expect(RawHubClient.open(off.hub, as(KEY.all))).rejects.toThrow('404');
    const feature = '/features/installed/Elsa.RealTimeWorkflowUpdates';
    expect((await off.api.call('GET', feature, undefined, as(KEY.all))).status).toBe(404);
  });

  it('answers an invalid call with its error, and stays open', async () => {
    const { api, hub } = await start();
    const id = await waiting(api, 'called');
    const client = await greeted(hub, as(KEY.all));
    const failing = [
      observe('missing'),
      observe(7),
      observe('a', 'b'),
      { ...observe('unknown'), target: 'Nothing' },
      { ...observe('streamed'), type: 4 },
    ];
    client.send({ type: 2 }, { type: 99 }, ...failing);
    for (const [index, reason] of [
      /^WM8003: .*"missing"/,
      /^WM9081: .*one argument/,
      /^WM9081: .*one argument/,
      /^WM9081: .*no method "Nothing"/,
      /^WM9081: .*does not stream/,
    ].entries())
      expect(await client.next()).toEqual({
        type: 3,
        invocationId: failing[index]!.invocationId,
        error: expect.stringMatching(reason),
      });
    client.send({ ...observe(id), target: 'observeinstanceasync' });
    expect(await client.until(isAnswer)).toMatchObject({ invocationId: id, result: null });
  });

  it.each([
    ['no handshake', { protocol: 'messagepack', version: 1 }, undefined, /supports the protocol "json"/],
    ['no JSON', undefined, '{"type":\u001e', /cannot be read/],
    ['no type', undefined, '{}\u001e', /needs the member 'type'/],
    ['a flood', undefined, '{"type":6}\u001e'.repeat(100), /More than 60 messages/],
  ])('ends a connection that sends %s', async (_, first, then, reason) => {
    const { hub, connections } = await start();
    const client = await (first ? opened : greeted)(hub, as(KEY.all));
    if (first) client.send(first);
    else client.socket.send(then!);
    const last = await client.next();
    expect(last.error).toMatch(/^WM9081: /);
    expect(last.error).toMatch(reason);
    await client.end();
    await until(() => connections.size === 0);
  });

  it('ends a connection after a malformed frame, or one above the size limit', async () => {
    const { hub, connections } = await start();
    const large = await greeted(hub, as(KEY.all));
    large.socket.send('x'.repeat(40_000));
    expect(await large.end()).toBe(1009);
    const malformed = await greeted(hub, as(KEY.all));
    // A text that is no UTF-8, masked with zeros.
    const { _socket } = malformed.socket as unknown as { _socket: { write(bytes: Buffer): void } };
    _socket.write(Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0xc3, 0x28]));
    expect(await malformed.end()).toBe(1007);
    await until(() => connections.size === 0);
  });

  it('limits its connections, in all and of one user', async () => {
    const { hub, connections } = await startWith({ authentication, hub: { connections: 3, connectionsPerUser: 2 } });
    const [first] = [await greeted(hub, as(KEY.all)), await greeted(hub, as(KEY.all))];
    const refused = await negotiate(hub, as(KEY.all));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect(JSON.parse(refused.body)).toMatchObject({ code: 'WM9080', message: /of this user/ });
    await expect(RawHubClient.open(hub, as(KEY.all))).rejects.toThrow('503');
    await greeted(hub, as(KEY.instances));
    expect(JSON.parse((await negotiate(hub, as(KEY.instances))).body).message).toMatch(/at this node/);
    first!.leave();
    await until(() => connections.size === 2);
    await greeted(hub, as(KEY.all));
  });

  it('lets a connection observe ten instances', async () => {
    const { api, hub } = await start();
    const client = await greeted(hub, as(KEY.instances));
    await waiting(api, 'many');
    for (let i = 0; i < 11; i++) {
      const started = await api.call('POST', '/workflow-definitions/many/execute', {}, as(KEY.all));
      client.send(observe(started.json.workflowState.id));
      const { error } = await client.until(isAnswer);
      if (i < 10) expect(error).toBeUndefined();
      else expect(error).toMatch(/^WM9081: .*10 instances at most/);
    }
  });

  it('disconnects a client that reads too slowly', async () => {
    const { api, hub, app, connections } = await startWith({ authentication, liveBufferBytes: 4096 });
    const id = await waiting(api, 'slow');
    const client = await greeted(hub, as(KEY.instances));
    client.send(observe(id));
    await client.until(isAnswer);
    const [connection] = (
      app.get(HubConnections) as unknown as { wires: Map<{ send(text: string): void }, unknown> }
    ).wires.keys();
    connection!.send('x'.repeat(5000));
    expect(await client.end()).toBe(1006);
    await until(() => connections.size === 0 && app.get(LiveFeed).size === 0);
  });

  it('disconnects a client that pings and does not read the answers', async () => {
    const { hub, connections } = await startWith({ authentication });
    const client = await greeted(hub, as(KEY.all));
    client.socket.pause();
    const ping = Buffer.alloc(125);
    // The buffers of the system fill first.
    while (connections.size > 0) {
      for (let n = 0; n < 100; n++) client.socket.ping(ping, true, () => undefined);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(connections.size).toBe(0);
  });

  it.each([
    ['pings', 0x89],
    ['pongs', 0x8a],
  ])('disconnects a client that sends %s without end', async (_, first) => {
    const { hub, connections } = await start();
    const client = await greeted(hub, as(KEY.all));
    bytesTo(client, Buffer.from([first, 0x80, 0, 0, 0, 0]), 100_000);
    expect((await client.next()).error).toMatch(/^WM9081: .*60 messages/);
    await client.end();
    await until(() => connections.size === 0);
  });

  it('disconnects a client that sends a message in too many fragments', async () => {
    const { hub } = await start();
    const client = await greeted(hub, as(KEY.all));
    bytesTo(client, Buffer.from([0x01, 0x80, 0, 0, 0, 0]), 1);
    bytesTo(client, Buffer.from([0x00, 0x80, 0, 0, 0, 0]), 100_000);
    expect(await client.end()).toBe(1008);
  });

  it('answers pings', async () => {
    const { hub } = await start();
    const client = await greeted(hub, as(KEY.all));
    const answered = once(client.socket, 'pong');
    client.socket.ping('here');
    expect(String((await answered)[0])).toBe('here');
  });

  it('ends a connection that sends too many pieces of a message', async () => {
    const { hub } = await start();
    const client = await greeted(hub, as(KEY.all));
    for (let n = 0; n < 70; n++) client.socket.send(' ');
    expect((await client.next()).error).toMatch(/^WM9081: .*60 messages/);
  });

  it('ends silent connections, and connections that observe nothing', async () => {
    const clock = new VirtualClock();
    const { hub } = await startWith({ authentication }, { clock });
    const [mute, idle, useless] = [
      await opened(hub, as(KEY.all)),
      await greeted(hub, as(KEY.all)),
      await greeted(hub, as(KEY.all)),
    ];
    await clock.advance(15_000);
    expect((await mute.next()).error).toMatch(/handshake did not arrive/);
    for (let i = 0; i < 3; i++) {
      const beats = clock.now() + 15_000;
      useless.send({ type: 6 });
      await heardBy(useless);
      await clock.advance(beats - clock.now());
    }
    expect((await idle.next()).error).toMatch(/No message arrived/);
    expect((await useless.next()).error).toMatch(/No instance has been observed/);
  });

  it('ends a connection whose login has expired, or whose permission was withdrawn', async () => {
    const clock = new VirtualClock();
    const { api, hub, app } = await startWith(
      { authentication: { ...authentication, accessTokenLifetimeMs: 20_000 } },
      { clock },
    );
    const { accessToken } = await login(api, 'ann');
    const id = await waiting(api, 'ended');
    const [short, revoked] = [
      await greeted(`${hub}?access_token=${accessToken}`),
      await greeted(hub, as(KEY.instances)),
    ];
    for (const client of [short, revoked]) {
      client.send(observe(id));
      await client.until(isAnswer);
    }
    const authenticator = app.get(Authenticator);
    const { authenticate } = authenticator;
    jest.spyOn(authenticator, 'authenticate').mockImplementation((...given) => {
      const principal = authenticate.apply(authenticator, given);
      return principal.name === 'instances' ? { ...principal, permissions: [] } : principal;
    });
    revoked.send(observe('another'));
    expect((await revoked.until(isAnswer)).error).toMatch(/^WM8005/);
    await clock.advance(15_000);
    expect((await revoked.until(({ type }) => type === 7)).error).toMatch(/^WM8005: .*read:workflow-instances/);
    short.send({ type: 6 });
    await heardBy(short);
    await clock.advance(15_000);
    expect((await short.until(({ type }) => type === 7)).error).toMatch(/^WM8004/);
  });

  it('ends at shutdown, which does not wait for its clients', async () => {
    const { api: server, hub } = await start();
    const id = await waiting(server, 'shutdown');
    const [observing, greeting] = [await greeted(hub, as(KEY.all)), await opened(hub, as(KEY.all))];
    observing.send(observe(id));
    await observing.until(isAnswer);
    observing.socket.pause();
    await server.close();
    observing.socket.resume();
    expect(await observing.until(({ type }) => type === 7)).toEqual({ type: 7, allowReconnect: true });
    await Promise.all([observing.end(), greeting.end()]);
  });

  it('leaves no timer at shutdown for a client of long polling that does not come back', async () => {
    const clock = new VirtualClock();
    const { api: server, hub } = await startWith({ authentication }, { clock });
    const { connectionToken } = JSON.parse((await negotiate(hub, as(KEY.all))).body);
    expect((await fetch(`${hub}?id=${connectionToken}`, { headers: as(KEY.all) })).status).toBe(200);
    await server.close();
    expect(clock.pending).toEqual([]);
  });
});
