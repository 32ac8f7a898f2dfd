import { jest } from '@jest/globals';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { VirtualClock } from '@waymark/testing';
import { WorkflowEvent } from '@waymark/runtime';
import { WorkflowEventEmitter } from '@waymark/runtime/adapter';
import { pairsOf } from '../../../../test/support/pairs.js';
import { ADAPTERS, ApiServer, event, line, sequence } from '../module/api-harness.spec.js';
import type { WorkflowApiOptions } from '../module/api-options.js';
import type { WorkflowRuntimeOptions } from '@waymark/runtime';
import { LiveFeed } from './live-feed.js';
import { LiveReader } from './testing/live-reader.js';

const KEY = { all: 'k'.repeat(40), definitions: 'd'.repeat(40), none: 'n'.repeat(40) };
const authentication = {
  apiKeys: [
    KEY.all,
    { key: KEY.definitions, name: 'definitions', permissions: ['read:workflow-definitions'] },
    { key: KEY.none, permissions: ['read:user'] },
  ],
};
const as = (key: string) => ({ authorization: `ApiKey ${key}` });

describe.each(pairsOf(ADAPTERS, 'express'))('live events on %s', (adapter) => {
  let api: ApiServer | undefined;
  const open: LiveReader[] = [];

  const start = async (options?: WorkflowApiOptions, runtime?: WorkflowRuntimeOptions) => {
    api = await ApiServer.start(adapter, options, runtime);
    const base = await api.app.getUrl();
    const follow = async (query?: string, headers?: Record<string, string>) => {
      const live = await LiveReader.open(base, query, headers);
      open.push(live);
      return live;
    };
    return { api, follow, feed: api.app.get(LiveFeed) };
  };
  const waiting = async (server: ApiServer, definitionId: string) => {
    await server.deploy(definitionId, sequence(event('E', `${definitionId}-go`), line('L')));
    return (await server.execute(definitionId)).id as string;
  };
  const go = (server: ApiServer, definitionId: string, workflowInstanceId: string) =>
    server.call('POST', `/events/${definitionId}-go/trigger`, {
      workflowInstanceId,
      workflowExecutionMode: 'Synchronous',
    });
  /** Looks again and again, until the server has noticed; not in each turn of the event loop, which would keep the processor busy. */
  const until = async (holds: () => boolean) => {
    while (!holds()) await pause(1);
  };

  afterEach(async () => {
    for (const live of open.splice(0)) live.leave();
    await api?.close();
    api = undefined;
  });

  it('live events report changes of instances: status, bookmarks, incidents', async () => {
    const { api, follow } = await start();
    const live = await follow();
    expect(live.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(live.response.headers.get('cache-control')).toContain('no-cache');
    expect(await live.next()).toMatchObject({ name: 'ready', id: expect.any(String) });
    const id = await waiting(api, 'told');
    const begun = await live.until(({ data }) => data.id === id);
    expect(begun).toMatchObject({
      name: 'instance-changed',
      data: { definitionId: 'told', status: 'Running', subStatus: 'Suspended', incidentCount: 0 },
    });
    expect(begun.data.bookmarks).toEqual([
      { id: expect.any(String), name: 'Elsa.Event', activityInstanceId: expect.any(String) },
    ]);
    await go(api, 'told', id);
    const ended = await live.until(({ data }) => data.id === id);
    expect(ended.data).toMatchObject({ status: 'Finished', subStatus: 'Finished', bookmarks: [] });
    await api.deploy('failing', sequence({ id: 'X', type: 'Test.Broken' }));
    const faulted = (await api.execute('failing')).id;
    const event_ = await live.until(({ data }) => data.id === faulted);
    expect(event_.data).toMatchObject({ subStatus: 'Faulted', incidentCount: 1 });
  });

  it('live events report changes of definitions', async () => {
    const { api, follow } = await start();
    const live = await follow('?topic=definitions');
    const save = (publish: boolean) =>
      api.call('POST', '/workflow-definitions', { model: { definitionId: 'd', root: sequence() }, publish });
    await save(true);
    expect(await live.until(({ name }) => name !== 'ready')).toMatchObject({
      name: 'definition-changed',
      data: { definitionId: 'd', change: 'Published', latestVersion: 1, publishedVersion: 1 },
    });
    await save(false);
    expect(await live.next()).toMatchObject({ data: { change: 'Saved', latestVersion: 2, publishedVersion: 1 } });
    await api.call('DELETE', '/workflow-definitions/d');
    expect(await live.next()).toMatchObject({ name: 'definition-deleted', data: { definitionId: 'd' } });
  });

  it('live events begin with the state of the instances that are named, and report no others', async () => {
    const { api, follow } = await start();
    const [one, other] = [await waiting(api, 'one'), await waiting(api, 'other')];
    const live = await follow(`?workflowInstanceId=${one}`);
    await live.next();
    expect((await live.next()).data).toMatchObject({ id: one, subStatus: 'Suspended' });
    await go(api, 'other', other);
    await go(api, 'one', one);
    expect((await live.next()).data).toMatchObject({ id: one, subStatus: 'Finished' });
    await api.call('DELETE', `/workflow-instances/${one}`);
    expect(await live.next()).toMatchObject({
      name: 'instance-deleted',
      data: { id: one, definitionId: 'one' },
    });
  });

  it('live events report the instances of the definition that is named', async () => {
    const { api, follow } = await start();
    const live = await follow('?topic=instances&definitionId=mine');
    await live.next();
    await waiting(api, 'others');
    const mine = await waiting(api, 'mine');
    expect((await live.next()).data).toMatchObject({ id: mine, definitionId: 'mine' });
  });

  it('live events continue after the last event that a client has read', async () => {
    const { api, follow, feed } = await start();
    const live = await follow();
    const id = await waiting(api, 'resumed');
    await live.until(({ data }) => data.id === id);
    const { lastEventId } = live;
    live.leave();
    await until(() => feed.size === 0);
    await go(api, 'resumed', id);
    await api.call('DELETE', '/workflow-definitions/resumed');
    const again = await follow('', { 'last-event-id': lastEventId! });
    expect((await again.until(({ name }) => name === 'definition-deleted')).data).toEqual({ definitionId: 'resumed' });
  });

  it('live events say when a client has to read everything again', async () => {
    const { follow } = await start();
    const live = await follow('', { 'last-event-id': 'of another server' });
    await live.next();
    expect([await live.next(), await live.next()]).toMatchObject([
      { name: 'reset', data: { topic: 'instances' } },
      { name: 'reset', data: { topic: 'definitions' } },
    ]);
    const ahead = await follow('?lastEventId=999999.0.0&topic=instances');
    await ahead.next();
    expect(await ahead.next()).toMatchObject({ name: 'reset', data: { topic: 'instances' } });
  });

  it('live events contain only what the client may read', async () => {
    const { api, follow } = await start({ authentication });
    expect((await follow('', as(KEY.none))).response.status).toBe(403);
    expect((await follow('')).response.status).toBe(401);
    expect((await follow('?topic=instances', as(KEY.definitions))).response.status).toBe(403);
    expect((await follow('?workflowInstanceId=x', as(KEY.definitions))).response.status).toBe(403);
    expect((await follow('?topic=wrong', as(KEY.all))).response.status).toBe(400);
    const live = await follow('', as(KEY.definitions));
    const body = { model: { definitionId: 'p', root: sequence(line('L')) }, publish: true };
    await api.call('POST', '/workflow-definitions', body, as(KEY.all));
    await api.call('POST', '/workflow-definitions/p/execute', {}, as(KEY.all));
    await api.call('DELETE', '/workflow-definitions/p', undefined, as(KEY.all));
    const names: (string | undefined)[] = [];
    await live.until(({ name }) => {
      names.push(name);
      return name === 'definition-deleted';
    });
    expect(names.filter((name) => name?.startsWith('instance'))).toEqual([]);
  });

  it('live events are sent to a limited number of clients, and nothing listens after they have left', async () => {
    const { api, follow, feed } = await start({ liveClients: 1 });
    const emitter = api.app.get(WorkflowEventEmitter);
    expect(emitter.isHeard(WorkflowEvent.WorkflowStateCommitted)).toBe(false);
    const live = await follow();
    await live.next();
    expect(emitter.isHeard(WorkflowEvent.WorkflowStateCommitted)).toBe(true);
    const refused = await api.call('GET', '/events/stream');
    expect(refused).toMatchObject({ status: 503, json: { code: 'WM8025' } });
    expect(refused.headers.get('retry-after')).toBe('5');
    live.leave();
    await until(() => feed.size === 0);
    expect(emitter.isHeard(WorkflowEvent.WorkflowStateCommitted)).toBe(false);
    expect((await follow()).response.status).toBe(200);
  });

  it('live events are sent to a limited number of clients of one user, so that others can connect', async () => {
    const { follow, feed, api } = await start({ authentication, liveClients: 4, liveClientsPerUser: 2 });
    const mine = [await follow('', as(KEY.all)), await follow('', as(KEY.all))];
    for (const live of mine) await live.next();
    const refused = await api.call('GET', '/events/stream', undefined, as(KEY.all));
    expect(refused).toMatchObject({
      status: 503,
      json: { code: 'WM8025', message: /of this user .*'liveClientsPerUser'/ },
    });
    expect((await follow('', as(KEY.definitions))).response.status).toBe(200);
    mine[0]!.leave();
    await until(() => feed.size === 2);
    expect((await follow('', as(KEY.all))).response.status).toBe(200);
  });

  it('live events are counted by address where no credentials are asked for', async () => {
    const { follow, api } = await start({ liveClientsPerUser: 1 });
    await (await follow()).next();
    expect(await api.call('GET', '/events/stream')).toMatchObject({ status: 503, json: { message: /of this user/ } });
  });

  it('disconnect a client that reads too slowly', async () => {
    const { follow, feed } = await start({ liveBufferBytes: 4096 });
    const live = await follow();
    await live.next();
    const [client] = (feed as unknown as { clients: Set<{ note(text: string): void }> }).clients;
    client!.note(`: ${'x'.repeat(5000)}\n\n`);
    await expect(live.until(() => false)).rejects.toThrow();
    await until(() => feed.size === 0);
  });

  it('live events keep the connection alive, for as long as a login lasts', async () => {
    const clock = new VirtualClock();
    const { follow } = await start({ authentication: { ...authentication, accessTokenLifetimeMs: 20_000 } }, { clock });
    const live = await follow('', as(KEY.all));
    await live.next();
    await clock.advance(15_000);
    for (;;) if ((await live.block()) === ': heartbeat') break;
    await clock.advance(15_000);
    expect(await live.next()).toMatchObject({ name: 'closed', data: { reason: 'login' } });
    expect(await live.block()).toBeUndefined();
  });

  it('live events end when the token of the client expires', async () => {
    const clock = new VirtualClock();
    const users = [{ name: 'ann', password: 'secret' }];
    const { api, follow } = await start({ authentication: { users, accessTokenLifetimeMs: 60_000 } }, { clock });
    const { accessToken } = (await api.call('POST', '/identity/login', { username: 'ann', password: 'secret' })).json;
    await clock.advance(50_000);
    const live = await follow('', { authorization: `Bearer ${accessToken}` });
    await live.next();
    await clock.advance(15_000);
    expect(await live.next()).toMatchObject({ name: 'closed', data: { reason: 'login' } });
  });

  it('live events end when the server shuts down, which does not wait for its clients', async () => {
    const { api, follow } = await start();
    const live = await follow();
    await live.next();
    const closed = api.close();
    expect(await live.next()).toMatchObject({ name: 'closed', data: { reason: 'shutdown' } });
    expect(await live.block()).toBeUndefined();
    await closed;
  });

  it('live events answer HEAD and keep nothing', async () => {
    const { api, feed } = await start();
    expect((await api.call('HEAD', '/events/stream')).status).toBe(200);
    await until(() => feed.size === 0);
  });

  it('live events open no stream for HEAD, whose answer ends, so that the connection takes the next request', async () => {
    const { api, feed } = await start();
    const connect = jest.spyOn(feed, 'connect');
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const { port } = api.app.getHttpServer().address() as AddressInfo;
    const ask = async (path: string) => {
      const sent = request({ agent, port, method: 'HEAD', path: `/elsa/api/${path}` }).end();
      const [answer] = (await once(sent, 'response', { signal: AbortSignal.timeout(5000) })) as [IncomingMessage];
      answer.resume();
      await once(answer, 'end');
      return [answer.statusCode, answer.headers['content-type']];
    };
    const type = 'text/event-stream; charset=utf-8';
    for (let times = 0; times < 2; times++) expect(await ask('events/stream')).toEqual([200, type]);
    expect((await ask('events/stream?topic=none'))[0]).toBe(400);
    expect(connect).not.toHaveBeenCalled();
    agent.destroy();
  });
});
