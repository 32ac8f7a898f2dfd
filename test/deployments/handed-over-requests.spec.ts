import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type INestApplication, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import {
  activity,
  EnvironmentKeys,
  inline,
  MemoryPersistence,
  trigger,
  Workflow,
  type WorkflowBuilder,
  type WorkflowDefinitionBuilder,
  WorkflowModule,
  type WorkflowModuleOptions,
} from '@waymark/nestjs';
import { MissingCode } from '@waymark/runtime';
import { Delay } from '@waymark/scheduling';
import { HttpEndpoint, WriteHttpResponse } from '@waymark/http';
import type { HttpEndpointPayload } from '@waymark/http/adapter';
import { VirtualClock, WorkflowTestBed } from '@waymark/testing';

interface Node {
  readonly app: INestApplication;
  readonly bed: WorkflowTestBed;
  readonly url: string;
}

interface Got {
  readonly release: number;
  readonly route: unknown;
  readonly query: unknown;
  readonly headers: Record<string, string>;
  readonly body: unknown;
}

let got: Got[];
let clock: VirtualClock;
let persistence: MemoryPersistence;
let nodes: Node[];

/** Steps behind the second endpoint differ between releases. */
function workflow(release: number): Type<WorkflowBuilder> {
  @Workflow({ id: 'talk' })
  class Talk implements WorkflowBuilder {
    build(w: WorkflowDefinitionBuilder): void {
      const route = w.variable<object>('route');
      const query = w.variable<object>('query');
      const headers = w.variable<Record<string, string | string[]>>('headers');
      const body = w.variable<unknown>('body', { type: 'Object' });
      const outputs = { routeData: route, queryStringData: query, headers, parsedContent: body };
      const step = inline((ctx) => {
        const [r, q, h, b] = [route, query, headers, body].map((variable) => variable.get(ctx));
        got.push({ release, route: r, query: q, headers: { ...(h as object) }, body: b });
      });
      w.root([
        trigger(HttpEndpoint, { path: 'begin', supportedMethods: ['POST'] }, { id: 'begin' }),
        activity(WriteHttpResponse, { content: () => 'begun' }, { id: 'begun' }),
        activity(HttpEndpoint, { path: 'mid/{id}', supportedMethods: ['GET', 'POST'] }, { id: 'mid', outputs }),
        step,
        ...Array.from({ length: release - 1 }, () => inline(() => undefined)),
        activity(WriteHttpResponse, { content: () => 'gone on' }, { id: 'answered' }),
      ]);
    }
  }
  return Talk;
}

/** The client of its second endpoint may ask for the answer later, which a step writes at once or after a delay. */
function asyncWorkflow(release: number): Type<WorkflowBuilder> {
  @Workflow({ id: 'later' })
  class Later implements WorkflowBuilder {
    build(w: WorkflowDefinitionBuilder): void {
      w.root([
        trigger(HttpEndpoint, { path: 'begin-later', supportedMethods: ['POST'] }, { id: 'begin' }),
        activity(WriteHttpResponse, { content: () => 'begun' }, { id: 'begun' }),
        activity(HttpEndpoint, { path: 'pay', supportedMethods: ['POST'], respondAsync: true }, { id: 'pay' }),
        ...Array.from({ length: release }, () => inline(() => undefined)),
        activity(Delay, { timeSpan: () => delayMs }, { id: 'delay' }),
        activity(WriteHttpResponse, { statusCode: 201, content: () => 'paid' }, { id: 'paid' }),
      ]);
    }
  }
  return Later;
}

let delayMs = 0;

async function node(order: number, options: Partial<WorkflowModuleOptions> = {}): Promise<Node> {
  const deployment = { id: `release ${order}`, order };
  @Module({
    imports: [WorkflowModule.forRoot({ persistence, clock, deployment, nodeName: `node ${order}`, ...options })],
    providers: [workflow(order), asyncWorkflow(order)],
  })
  class AppModule {}
  const app = await NestFactory.create(AppModule, new FastifyAdapter(), { logger: false });
  await app.listen(0, '127.0.0.1');
  const made = { app, bed: await WorkflowTestBed.of(app, { patienceMs: 20_000 }), url: await app.getUrl() };
  nodes.push(made);
  return made;
}

/** Lets all nodes do what they can do within that time. */
async function pass(ms: number): Promise<void> {
  for (let at = 0; at < ms; at += 500) {
    await clock.advance(500);
    for (const { bed } of nodes) await bed.runToIdle();
  }
}

async function send({ url }: Node, path: string, init: RequestInit = { method: 'POST' }) {
  const response = await fetch(`${url}/workflows/${path}`, init);
  const text = await response.text();
  return { status: response.status, text, retryAfter: response.headers.get('retry-after') };
}

/** Starts an instance, and lets all nodes come to know for what it waits. */
async function begin(node: Node, path = 'begin'): Promise<void> {
  expect(await send(node, path)).toMatchObject({ status: 200, text: 'begun' });
  await pass(1000);
}

const json = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'Content-Type': 'application/json', ...headers },
});

/** Of the one that waits. */
const idOf = async () => (await persistence.instances.findMany({ statuses: ['Running'] })).items[0]!.id;

function beginFleet(): void {
  nodes = [];
  clock = new VirtualClock();
  persistence = new MemoryPersistence();
}

async function endFleet(): Promise<void> {
  for (const { app } of nodes) await app.close();
}

beforeEach(() => {
  got = [];
});

describe('a request to an endpoint at which an instance waits, on a node that lacks its code', () => {
  describe('beside a node that has it', () => {
    let old: Node;
    let fresh: Node;
    beforeAll(async () => {
      beginFleet();
      old = await node(1);
      fresh = await node(2);
    });
    afterAll(endFleet);

    it('is stored as well when another one before it has become a dead letter, which is kept', async () => {
      await begin(fresh);
      const id = await idOf();
      expect((await send(old, 'mid/A1', json({ n: 1 }))).status).toBe(202);
      // A bookmark for each method.
      const bookmarks = await persistence.bookmarks.findMany({ workflowInstanceId: id });
      const { id: bookmarkId } = bookmarks.find(({ payload }) => (payload as HttpEndpointPayload).method === 'post')!;
      await persistence.outbox.moveToDeadLetters(`http/${bookmarkId}`, 'It could not be decrypted.');
      expect((await send(old, 'mid/A2', json({ n: 2 }))).status).toBe(202);
      // Of those that wait, the first counts.
      expect((await send(old, 'mid/A3', json({ n: 3 }))).status).not.toBe(202);
      await pass(2000);
      expect(got).toMatchObject([{ release: 2, route: { id: 'A2' }, body: { n: 2 } }]);
      expect(await persistence.outbox.count()).toEqual({ waiting: 0, deadLetters: 1 });
      expect(await persistence.outbox.deleteDeadLetters([`http/${bookmarkId}`])).toBe(1);
    });

    it('is stored, and served once by a node that has the code', async () => {
      await begin(fresh);
      const id = await idOf();
      const answer = await send(old, 'mid/A7?x=1&x=2', json({ text: 'žluť', n: 1 }, { 'X-Shop': 'north' }));
      expect([answer.status, JSON.parse(answer.text)]).toEqual([
        202,
        { workflowInstanceId: id, message: expect.stringContaining('is stored') },
      ]);
      await pass(2000);
      expect(got).toMatchObject([
        { release: 2, route: { id: 'A7' }, query: { x: ['1', '2'] }, body: { text: 'žluť', n: 1 } },
      ]);
      expect(got[0]!.headers).toMatchObject({ 'X-Shop': 'north' });
      const { items } = await persistence.instances.findMany({ ids: [id] });
      expect(items).toMatchObject([{ subStatus: 'Finished', incidentCount: 0, version: 2 }]);
      expect(await persistence.outbox.count()).toEqual({ waiting: 0, deadLetters: 0 });
      expect((await send(old, 'mid/A7')).status).toBe(404);
    });

    it.each([0, 5000])(
      'is answered under its status URL by a respondAsync endpoint, %d ms after it was served',
      async (ms) => {
        delayMs = ms;
        await begin(fresh, 'begin-later');
        const accepted = await fetch(`${old.url}/workflows/pay`, json({ amount: 5 }));
        const location = accepted.headers.get('location')!;
        expect([accepted.status, location]).toEqual([202, expect.stringContaining('/workflows/~requests/')]);
        const status = async ({ url }: Node, answer = '') => {
          const response = await fetch(`${url}${new URL(location, url).pathname}${answer}`);
          return [response.status, await response.text()];
        };
        // Before any node has served it.
        for (const at of nodes) {
          expect(await status(at)).toEqual([200, expect.stringContaining('"status":"Running"')]);
          expect(await status(at, '/answer')).toEqual([202, expect.stringContaining(location)]);
        }
        const forged = `${location.slice(0, -1)}${location.endsWith('A') ? 'B' : 'A'}`;
        expect((await fetch(new URL(forged, old.url))).status).toBe(404);
        await pass(2000 + ms);
        expect(await status(old, '/answer')).toEqual([201, 'paid']);
        const { items } = await persistence.instances.findMany({ definitionIds: ['later'] });
        expect(items.map(({ subStatus, incidentCount }) => [subStatus, incidentCount])).toEqual(
          items.map(() => ['Finished', 0]),
        );
      },
    );

    it('is known under its status URL, too, when one before it has become a dead letter', async () => {
      delayMs = 0;
      await begin(fresh, 'begin-later');
      const pay = () => fetch(`${old.url}/workflows/pay`, json({ amount: 5 }));
      expect((await pay()).status).toBe(202);
      const [bookmark] = await persistence.bookmarks.findMany({ workflowInstanceId: await idOf() });
      await persistence.outbox.moveToDeadLetters(`http/${bookmark!.id}`, 'It could not be decrypted.');
      const accepted = await pay();
      expect(accepted.status).toBe(202);
      const answer = `${accepted.headers.get('location')}/answer`;
      expect((await fetch(new URL(answer, old.url))).status).toBe(202);
      await pass(2000);
      expect((await fetch(new URL(answer, old.url))).status).toBe(201);
      expect(await persistence.outbox.deleteDeadLetters([`http/${bookmark!.id}`])).toBe(1);
    });

    it('may have no body', async () => {
      await begin(fresh);
      expect((await send(old, 'mid/1', { method: 'GET' })).status).toBe(202);
      await pass(2000);
      expect(got).toMatchObject([{ release: 2, route: { id: '1' }, body: null }]);
    });

    it('is answered 503 without effect when its body cannot be stored', async () => {
      await begin(fresh);
      const form = new FormData();
      form.set('file', new Blob(['content']), 'a.txt');
      const bodies: RequestInit[] = [
        { method: 'POST', body: form },
        { method: 'POST', body: new Uint8Array([0xff, 0xfe]), headers: { 'Content-Type': 'application/octet-stream' } },
        json('x'.repeat(1024 * 1024)),
      ];
      for (const body of bodies) {
        const answer = await send(old, 'mid/1', body);
        expect([answer.status, answer.retryAfter]).toEqual([503, '1']);
        expect(JSON.parse(answer.text)).toMatchObject({ code: 'WM2040' });
      }
      expect(await persistence.outbox.count()).toEqual({ waiting: 0, deadLetters: 0 });
      expect(await send(fresh, 'mid/1', bodies[0])).toMatchObject({ status: 200, text: 'gone on' });
    });
  });

  describe('in a fleet of its own', () => {
    beforeEach(beginFleet);
    afterEach(endFleet);

    it('is accepted once: a second request gets 409', async () => {
      const old = await node(1);
      const fresh = await node(2);
      await begin(fresh);
      await fresh.app.close();
      nodes = [old];
      expect((await send(old, 'mid/1', json('first'))).status).toBe(202);
      const second = await send(old, 'mid/1', json('second'));
      expect([second.status, JSON.parse(second.text)]).toEqual([409, expect.objectContaining({ code: 'WM7002' })]);
      await node(2);
      await pass(2000);
      expect(got).toMatchObject([{ body: 'first' }]);
    });

    it('waits, with an alarm, until there is a node that has it', async () => {
      const old = await node(1);
      const fresh = await node(2);
      await begin(fresh);
      await fresh.app.close();
      nodes = [old];
      expect((await send(old, 'mid/1')).status).toBe(202);
      await pass(70_000);
      expect(got).toEqual([]);
      expect(old.app.get(MissingCode).alarms).toMatchObject([{ definitionId: 'talk', version: 2 }]);
      await node(2);
      await pass(2000);
      expect(got).toMatchObject([{ release: 2 }]);
      await pass(60_000);
      expect(old.app.get(MissingCode).alarms).toEqual([]);
    });

    describe('with credentials', () => {
      const credentials = json({ a: 1 }, { Authorization: 'Bearer s3cr3t', 'X-Shop': 'north' });

      /** All that the store holds of messages. */
      const stored = async (): Promise<string> => {
        const turns = await persistence.outbox.findWaitingTurns(9);
        const waiting = turns.map((turn) => ({ turn, limit: 9 }));
        const claim = {
          owner: 'reader',
          leaseMs: 1,
          now: new Date(clock.now()),
          limit: 9,
          long: { limit: 9 },
          waiting,
        };
        return JSON.stringify(await persistence.outbox.claim(claim));
      };

      async function handedOver(options: Partial<WorkflowModuleOptions> = {}): Promise<string> {
        const old = await node(1, options);
        const fresh = await node(2, options);
        await begin(fresh);
        await fresh.app.close();
        nodes = [old];
        expect((await send(old, 'mid/1?api_key=s3cr3t&y=2', credentials)).status).toBe(202);
        const text = await stored();
        await node(2, options);
        await pass(3000);
        return text;
      }

      it('is stored without them', async () => {
        const text = await handedOver();
        expect(text).toContain('north');
        expect(text).not.toContain('s3cr3t');
        expect(got).toMatchObject([{ query: { api_key: '(redacted)', y: '2' }, headers: { 'X-Shop': 'north' } }]);
      });

      it('is stored with them when messages are encrypted', async () => {
        const text = await handedOver({
          encryption: { keys: new EnvironmentKeys('K', { K: `k1:${Buffer.alloc(32, 7).toString('base64')}` }) },
        });
        expect(text).not.toContain('s3cr3t');
        expect(text).not.toContain('north');
        expect(got).toMatchObject([{ query: { api_key: 's3cr3t' }, headers: { Authorization: 'Bearer s3cr3t' } }]);
      });
    });
  });
});
