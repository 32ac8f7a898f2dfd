import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { ActivityJson } from '@waymark/core';
import { DownloadHttpFile, FlowSendHttpRequest, OutgoingHttp, RequestSender, SendHttpRequest } from '@waymark/http';
import { HTTP_OPTIONS, resolveHttpOptions } from '@waymark/http/adapter';
import { IWorkflowStarter, type WorkflowPersistence } from '@waymark/runtime';
import { resolveSchedulingOptions, SCHEDULING_OPTIONS, schedulingProviders } from '@waymark/scheduling/adapter';
import { VirtualClock } from '@waymark/testing';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { line, literal, type RuntimeNode, sequence, startNode } from '../support/runtime-node.js';

const SECOND = 1000;
/** Nodes that write to a server may be behind the clock: it is moved on by a little, this often at most. */
const STEPS = 100;

describeOn(await testBackends(), 'retries after a long time on $name', (backend) => {
  let clock: VirtualClock;
  let store: WorkflowPersistence;
  let node: RuntimeNode;
  let server: http.Server;
  let url: string;
  /** Bodies of the requests so far. */
  const requests: string[] = [];
  const credentials: (string | undefined)[] = [];
  /** How many requests are refused before one is served. */
  let refusals: number;
  let retryAfter: string;

  beforeAll(async () => {
    server = http.createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        requests.push(body);
        credentials.push(request.headers.authorization);
        const isRefused = requests.length <= refusals;
        response.writeHead(isRefused ? 429 : 200, isRefused ? { 'Retry-After': retryAfter } : {});
        response.end('served');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await backend.drop();
  });

  async function start(): Promise<void> {
    store = await backend.create();
    const retryStrategies = [{ id: 'twice', maxRetryAttempts: 2, delay: '00:00:00' }];
    const providers = [
      ...schedulingProviders,
      { provide: SCHEDULING_OPTIONS, useValue: resolveSchedulingOptions({ pollIntervalMs: SECOND }) },
      { provide: HTTP_OPTIONS, useValue: resolveHttpOptions({ retryStrategies }) },
      ...[OutgoingHttp, RequestSender, SendHttpRequest, FlowSendHttpRequest, DownloadHttpFile],
    ];
    node = await startNode(store, { clock, providers });
  }
  beforeEach(async () => {
    clock = new VirtualClock('2026-03-01T10:00:00Z');
    requests.length = credentials.length = 0;
    refusals = 1;
    retryAfter = '120';
    await start();
  });
  afterEach(() => node.close());

  const sender = (type: string, more: object = {}): ActivityJson => ({
    type,
    id: 'S',
    url: literal(url),
    method: literal('POST'),
    content: literal('the content'),
    contentType: literal('text/plain'),
    requestContentType: literal('text/plain'),
    customProperties: { resilienceStrategy: { strategyId: 'twice' } },
    ...more,
  });

  let count = 0;
  async function begun(activity: ActivityJson): Promise<string> {
    const definition = `long-retries-${++count}`;
    await node.deploy(definition, sequence('Root', activity, line('L', 'after it')));
    const { result } = await node.get(IWorkflowStarter).start({ definition });
    expect([result?.subStatus, requests.length]).toEqual(['Suspended', 1]);
    return result!.workflowInstanceId;
  }
  const summary = async (id: string) => (await store.instances.findMany({ ids: [id] })).items[0];
  async function advanceUntil(ms: number, isThere: () => Promise<boolean>): Promise<void> {
    await clock.advance(ms);
    for (let step = 0; step < STEPS && !(await isThere()); step++) await clock.advance(10);
  }

  it.each(['Elsa.SendHttpRequest', 'Elsa.FlowSendHttpRequest', 'Elsa.DownloadHttpFile'])(
    'a long retry of %s is waited for in the store, and made by another process',
    async (type) => {
      const id = await begun(sender(type));
      const [bookmark] = await store.bookmarks.findMany({ workflowInstanceIds: [id] });
      expect(bookmark).toMatchObject({ name: 'Waymark.Retry' });
      expect(bookmark!.dueAt!.getTime()).toBeGreaterThanOrEqual(clock.now() + 120 * SECOND);
      await node.close();
      await start();
      await clock.advance(100 * SECOND);
      expect(requests).toHaveLength(1);
      await advanceUntil(20 * SECOND, async () => (await summary(id))?.subStatus === 'Finished');
      expect([requests, node.lines]).toEqual([['the content', 'the content'], ['after it']]);
    },
  );

  it('a long retry counts as one of those that the strategy allows', async () => {
    refusals = 9;
    retryAfter = '60';
    const id = await begun(sender('Elsa.SendHttpRequest'));
    await advanceUntil(60 * SECOND, async () => requests.length === 2);
    await advanceUntil(60 * SECOND, async () => (await summary(id))?.subStatus === 'Finished');
    await clock.advance(600 * SECOND);
    expect([requests.length, node.lines]).toEqual([3, ['after it']]);
  });

  it('a long retry of a request in the background is waited for like the others', async () => {
    const inBackground = { resilienceStrategy: { strategyId: 'twice' }, runAsynchronously: true };
    const definition = `long-retries-${++count}`;
    const root = sequence(
      'Root',
      sender('Elsa.SendHttpRequest', { customProperties: inBackground }),
      line('L', 'after it'),
    );
    await node.deploy(definition, root);
    const { result } = await node.get(IWorkflowStarter).start({ definition });
    await node.settled();
    const names = async () =>
      (await store.bookmarks.findMany({ workflowInstanceId: result!.workflowInstanceId })).map(({ name }) => name);
    await advanceUntil(0, async () => (await names()).includes('Waymark.Retry'));
    expect([await names(), requests.length]).toEqual([['Waymark.Retry'], 1]);
    await advanceUntil(120 * SECOND, async () => node.lines.length > 0);
    expect([requests.length, node.lines]).toEqual([2, ['after it']]);
  });

  it.each([
    ['is waited for in memory where its credential is a part of what the burst was given', 'Input', 'Executing'],
    ['is waited for in the store where its credential is known later', 'Literal', 'Suspended'],
  ])('a long retry %s', async (_, type, subStatus) => {
    const token = 'Bearer of-the-caller-1234';
    const authorization = { typeName: 'String', expression: { type, value: type === 'Input' ? 'Token' : token } };
    const definition = `long-retries-${++count}`;
    await node.deploy(
      definition,
      sequence('Root', sender('Elsa.SendHttpRequest', { authorization }), line('L', 'after it')),
    );
    let isOver = false;
    const starting = node
      .get(IWorkflowStarter)
      .start({ definition, input: { Token: token, Amount: 12 } })
      .finally(() => (isOver = true));
    await advanceUntil(0, async () => requests.length === 1 && (isOver || subStatus === 'Executing'));
    expect([isOver, credentials]).toEqual([subStatus === 'Suspended', [token]]);
    await advanceUntil(120 * SECOND, async () => node.lines.length > 0);
    await starting;
    expect(credentials).toEqual([token, token]);
  });

  it('a short retry does not end the burst', async () => {
    retryAfter = '0';
    const definition = `long-retries-${++count}`;
    await node.deploy(definition, sequence('Root', sender('Elsa.DownloadHttpFile')));
    let isOver = false;
    const starting = node
      .get(IWorkflowStarter)
      .start({ definition })
      .finally(() => (isOver = true));
    await advanceUntil(0, async () => isOver);
    expect([(await starting).result?.subStatus, requests.length]).toEqual(['Finished', 2]);
  });
});
