import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Activity, ActivityBase, type ActivityExecutionContext, type ActivityJson } from '@waymark/core';
import type { HttpWorkflowsOptions } from '@waymark/http';
import {
  IEventPublisher,
  IWorkflowRuntime,
  MemoryPersistence,
  WorkflowEncryption,
  WorkflowPersistence,
} from '@waymark/runtime';
import { pairsOf } from '../support/pairs.js';
import { literal, waitFor } from '../support/runtime-node.js';
import { endpoint, flag, type HttpNode, methods, respond, startHttpNode } from './http-node.js';

let ran = 0;
/** Under which the payments were made. */
let payments: string[];
let count = 0;
/** Of the test: its definition, and the path of its endpoint. */
let orders: string;
/** Set: an activity waits for it. */
let gate: Promise<void> | undefined;

@Injectable()
@Activity({ namespace: 'Test' })
class Pay extends ActivityBase {
  async execute(ctx: ActivityExecutionContext): Promise<void> {
    ran++;
    payments.push(ctx.idempotencyKey);
    await gate;
    ctx.complete();
  }
}

const pay: ActivityJson = { type: 'Test.Pay', id: 'Pay' };
const order = (more: object = {}) => endpoint(orders, { ...methods('POST'), idempotencyKeys: flag(true), ...more });
const send = (key: string | undefined, body = '{"n":1}', more: Record<string, string> = {}) => ({
  body,
  headers: { 'content-type': 'application/json', ...(key !== undefined && { 'Idempotency-Key': key }), ...more },
});
const headerMap = (value: string) => ({ typeName: 'HttpHeaders', expression: { type: 'Object', value } });
const countOf = (node: HttpNode) => node.get(WorkflowPersistence).instances.count({ definitionIds: [orders] });
const start = (Adapter: new () => FastifyAdapter | ExpressAdapter, persistence: WorkflowPersistence, http = {}) =>
  startHttpNode(new Adapter() as FastifyAdapter, persistence, { http, pollIntervalMs: 3_600_000 }, [Pay]);

beforeEach(() => {
  orders = `orders-${++count}`;
  ran = 0;
  payments = [];
  gate = undefined;
});

describe.each(pairsOf([FastifyAdapter, ExpressAdapter], ExpressAdapter))(
  'starts by requests with an Idempotency-Key (%p)',
  (Adapter) => {
    /** Of all tests that want nothing special. */
    let shared: HttpNode;
    let node: HttpNode;
    beforeAll(async () => void (shared = await start(Adapter, new MemoryPersistence())));
    afterAll(() => shared.app.close());
    afterEach(async () => {
      (node.app.getHttpServer() as Server).off('request', setUser);
      if (node !== shared) await node.app.close();
    });
    const boot = async (activities: readonly ActivityJson[], http?: HttpWorkflowsOptions) => {
      node = http ? await start(Adapter, new MemoryPersistence(), http) : shared;
      await node.publish(orders, activities);
    };
    const post = (...args: Parameters<typeof send>) => node.call('POST', orders, send(...args));

    it('starts by requests with an Idempotency-Key happen once, and get the same answer again', async () => {
      const created = {
        statusCode: literal('201', 'HttpStatusCode'),
        responseHeaders: headerMap('{"X-Order":"7","Set-Cookie":"s=1"}'),
      };
      await boot([order(), pay, respond('created', created)]);
      const first = await post('k-1');
      const again = await post('"k-1"');
      const seen = ({ status, text, headers }: typeof first) => [status, text, headers.get('x-order')];
      expect(seen(first)).toEqual([201, 'created', '7']);
      expect(seen(again)).toEqual(seen(first));
      expect([first, again].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
      // A credential is not stored.
      expect([first, again].map(({ headers }) => headers.get('set-cookie'))).toEqual(['s=1', null]);
      expect([ran, await countOf(node)]).toEqual([1, 1]);
      await post('k-2');
      await post(undefined);
      await post(undefined);
      expect([ran, await countOf(node)]).toEqual([4, 4]);
    });

    it('starts once for each delivery of a sender that has a header of its own', async () => {
      await boot([order(), pay, respond('delivered')], {
        idempotencyKeySelectors: [(request) => request.header('x-github-delivery')],
      });
      const deliver = (id: string) => post(undefined, '{"n":1}', { 'X-GitHub-Delivery': id });
      expect((await deliver('d1')).status).toBe(200);
      expect((await deliver('d1')).headers.get('idempotent-replayed')).toBe('true');
      expect((await deliver('d2')).status).toBe(200);
      expect((await post('key')).status).toBe(200);
      expect((await post('key')).status).toBe(200);
      expect(await countOf(node)).toBe(4);
      expect((await deliver('a b')).status).toBe(400);
    });

    it('starts by requests with an Idempotency-Key recognise the same form with another boundary, and no other form', async () => {
      await boot([order(), pay, respond('created')]);
      const upload = (boundary: string, content: string) =>
        post(
          'k-1',
          `--${boundary}\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\n${content}\r\n--${boundary}--\r\n`,
          { 'content-type': `multipart/form-data; boundary=${boundary}` },
        );
      expect((await upload('first', 'some text')).status).toBe(200);
      const again = await upload('second', 'some text');
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
      expect((await upload('third', 'another text')).status).toBe(422);
      expect(ran).toBe(1);
    });

    it('starts by requests with an Idempotency-Key do not show the answer to a caller with other credentials, whose id is not known', async () => {
      await boot([order(), pay, respond('of ann')]);
      const as = (authorization: string, body?: string) => post('k-1', body, { authorization });
      expect((await as('Bearer ann')).text).toBe('of ann');
      for (const other of [await as('Bearer bob'), await post('k-1')]) {
        expect([other.status, other.json]).toEqual([
          409,
          { code: 'WM5046', reason: 'other-caller', message: expect.stringContaining('other credentials') },
        ]);
        expect(other.text).not.toContain('of ann');
      }
      expect((await as('Bearer ann')).text).toBe('of ann');
      expect((await as('Bearer bob', '{"n":2}')).status).toBe(422);
      expect(ran).toBe(1);
    });

    const document = (text: string) => ({ _id: { toString: () => text } });
    it.each<[string, unknown, unknown]>([
      ['a document of MongoDB', document('a1'), document('b2')],
      ['a number that is too long', { id: 12345678901234567890n }, { id: 12345678901234567891n }],
      ['an object as id, and another member', { id: {}, uid: 'ann' }, { id: {}, uid: 'bob' }],
      ['a name', { username: 'ann', _id: 1 }, { username: 'bob', _id: 1 }],
      ['an id, where both have one name', { name: 'Ann', ...document('a1') }, { name: 'Ann', ...document('b2') }],
    ])(
      'starts by requests with an Idempotency-Key tell users of an endpoint for them apart by %s',
      async (_what, ann, bob) => {
        await boot([order({ authorize: flag(true) }), pay, respond('of ann')]);
        const as = withUser();
        expect((await as(ann)).text).toBe('of ann');
        expect((await as(bob)).json).toMatchObject({ code: 'WM5046', reason: 'other-caller' });
        expect((await as(ann)).text).toBe('of ann');
        expect(ran).toBe(1);
      },
    );

    it('starts by requests with an Idempotency-Key tell users apart who share an API key', async () => {
      await boot([order({ authorize: flag(true) }), pay, respond('of ann')]);
      const as = withUser({ 'x-api-key': 'of-the-page' });
      expect((await as(document('a1'))).text).toBe('of ann');
      expect((await as(document('b2'))).json).toMatchObject({ code: 'WM5046', reason: 'other-caller' });
      expect((await as(document('a1'))).text).toBe('of ann');
      expect(ran).toBe(1);
    });

    it.each<[string, unknown, unknown]>([
      ['nothing', { roles: ['a'] }, { roles: ['b'] }],
      ['objects without a text', { id: {} }, { id: {} }],
      ['an id, one of them', { roles: ['a'] }, { uid: 'bob' }],
    ])(
      'starts by requests with an Idempotency-Key show users of an endpoint for them no answer where %s identifies them',
      async (_what, ann, bob) => {
        await boot([order({ authorize: flag(true) }), pay, respond('of ann')]);
        const as = withUser();
        expect((await as(ann)).text).toBe('of ann');
        const [other, again] = [await as(bob), await as(ann)];
        expect([other.status, again.status, other.json.reason]).toEqual([409, 409, 'other-caller']);
        expect(ran).toBe(1);
      },
    );

    it('starts by requests with an Idempotency-Key show the answer again to everybody where no user is asked for', async () => {
      await boot([order(), pay, respond('of ann')]);
      const as = withUser();
      expect([(await as({ roles: ['a'] })).text, (await as({ roles: ['b'] })).text, ran]).toEqual([
        'of ann',
        'of ann',
        1,
      ]);
    });

    it('starts by requests with an Idempotency-Key tell users of two issuers apart, and share nothing by an empty id', async () => {
      await boot([order(), pay, respond('of ann')]);
      const as = withUser();
      expect((await as({ sub: '7', iss: 'a' })).text).toBe('of ann');
      expect((await as({ sub: '7', iss: 'a' })).text).toBe('of ann');
      expect((await as({ sub: '7', iss: 'b' })).status).toBe(409);
      expect((await as({ sub: '7', iss: 'a', tid: 'x' })).status).toBe(409);
      expect(ran).toBe(1);
      expect((await as({ id: '', email: 'ann@a' })).text).toBe('of ann');
      expect((await as({ id: '', email: 'bob@a' })).status).toBe(409);
      expect(ran).toBe(2);
    });

    /** Of the requests that come, as a guard of the application leaves it. */
    let user: unknown;
    const setUser = (request: IncomingMessage) => Object.assign(request, { user });
    function withUser(headers?: Record<string, string>) {
      (node.app.getHttpServer() as Server).prependListener('request', setUser);
      return (by: unknown) => {
        user = by;
        return post('k-1', undefined, headers);
      };
    }

    it('starts by requests with an Idempotency-Key are repeated with a renewed token, and with a new signature', async () => {
      await boot([order(), pay, respond('of ann')]);
      const token = (claims: object) => `Bearer e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.AA`;
      const as = (key: string, authorization: string) => post(key, undefined, { authorization });
      const ann = { iss: 'us', sub: 'ann' };
      expect((await as('k-1', token({ ...ann, exp: 1 }))).text).toBe('of ann');
      expect((await as('k-1', token({ ...ann, exp: 2 }))).text).toBe('of ann');
      expect((await as('k-1', token({ ...ann, sub: 'bob' }))).status).toBe(409);
      expect((await as('k-1', token({ ...ann, iss: 'them' }))).status).toBe(409);
      const signed = (signature: string) =>
        as('k-2', `AWS4-HMAC-SHA256 Credential=ann/20261130, Signature=${signature}`);
      expect((await signed('01')).status).toBe(200);
      expect((await signed('02')).status).toBe(200);
      expect(ran).toBe(2);
    });

    it('starts by requests with an Idempotency-Key follow a caller whose id is known to other credentials', async () => {
      await boot([order(), pay, respond('of ann')], { idempotencyScope: () => 'ann' });
      expect((await post('k-1', undefined, { authorization: 'Bearer old' })).text).toBe('of ann');
      expect((await post('k-1', undefined, { authorization: 'Bearer new' })).text).toBe('of ann');
      expect(ran).toBe(1);
    });

    it('starts by requests with an Idempotency-Key leave nothing in the instance by which credentials could be guessed', async () => {
      await boot([order(), pay, respond('of ann')]);
      const authorization = 'Basic YW5uOnNlY3JldA==';
      await post('k-1', undefined, { authorization });
      const { instances } = node.get(WorkflowPersistence);
      const [id] = await instances.findIds({ definitionIds: [orders] });
      const kept = (await instances.load(id!))!.state.properties['Waymark.HttpRequests'] as {
        start: { salt: string; caller: string };
      }[];
      const { salt, caller } = kept[0]!.start;
      const guess = createHmac('sha256', salt).update(JSON.stringify([['authorization', authorization]]));
      expect(caller).toEqual(expect.stringMatching(/^[\w-]{43}$/));
      expect(caller).not.toBe(guess.digest('base64url'));
    });

    const TOKEN = { content: literal('{"order":7,"token":"abc-123-def"}') };
    const stored = async () => {
      const { instances } = node.get(WorkflowPersistence);
      const [id] = await instances.findIds({ definitionIds: [orders] });
      return JSON.stringify(await instances.load(id!));
    };

    it.each([
      [
        'a credential in its content',
        'credential',
        { ...TOKEN, responseHeaders: headerMap('{"Location":"/orders/7"}') },
      ],
      [
        'a wish not to be stored',
        'no-store',
        { ...TOKEN, responseHeaders: headerMap('{"Cache-Control":"private, no-store","Location":"/orders/7"}') },
      ],
    ])(
      'starts by requests with an Idempotency-Key are answered once if the answer has %s, and then say that it was not kept',
      async (_what, reason, more) => {
        await boot([order(), pay, respond('created', { ...more, statusCode: literal('201', 'HttpStatusCode') })]);
        expect((await post('k-1')).text).toContain('abc-123-def');
        const again = await post('k-1');
        expect([again.status, again.json, ran]).toEqual([
          409,
          {
            code: 'WM5046',
            message: expect.stringMatching(/answered with 201.*not kept: .*Look up the result of the first one/),
            reason,
            status: 201,
            location: '/orders/7',
          },
          1,
        ]);
        expect(await stored()).not.toContain('abc-123');
      },
    );

    it('starts by requests with an Idempotency-Key keep an answer with a credential encrypted, where the host has keys', async () => {
      const key = { id: 'k1', key: randomBytes(32) };
      node = await startHttpNode(
        new Adapter() as FastifyAdapter,
        new MemoryPersistence(),
        { pollIntervalMs: 3_600_000, encryption: { keys: { keys: () => [key] } } },
        [Pay],
      );
      await node.publish(orders, [order(), pay, respond('created', TOKEN)]);
      const [first, again] = [await post('k-1'), await post('k-1')];
      expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([200, first.text, 'true']);
      expect([await stored(), ran]).toEqual([expect.not.stringContaining('abc-123'), 1]);
    });

    it('starts by requests with an Idempotency-Key keep such an answer when its key is replaced and then given up', async () => {
      const [old, next] = [
        { id: 'k1', key: randomBytes(32) },
        { id: 'k2', key: randomBytes(32) },
      ];
      let keys = [old];
      node = await startHttpNode(
        new Adapter() as FastifyAdapter,
        new MemoryPersistence(),
        { pollIntervalMs: 3_600_000, encryption: { keys: { keys: () => keys } } },
        [Pay],
      );
      await node.publish(orders, [order(), pay, respond('created', TOKEN)]);
      const first = await post('k-1');
      const encryption = node.get(WorkflowEncryption);
      keys = [next, old];
      await encryption.reloadKeys();
      expect(await encryption.reencrypt()).toMatchObject({ rewritten: 1, failed: [] });
      expect(await encryption.reencrypt()).toMatchObject({ rewritten: 0, failed: [] });
      keys = [next];
      await encryption.reloadKeys();
      const again = await post('k-1');
      expect([again.status, again.text, ran]).toEqual([200, first.text, 1]);
    });

    it('starts by requests with an Idempotency-Key are refused for another request under the same key, and for a malformed key', async () => {
      await boot([order(), pay, respond('created')]);
      await post('k-1');
      for (const other of [post('k-1', '{"n":2}'), node.call('POST', `${orders}?x=1`, send('k-1'))]) {
        const refused = await other;
        expect([refused.status, refused.json.code]).toEqual([422, 'WM5044']);
      }
      for (const key of ['', 'a b', 'x'.repeat(256)]) {
        const refused = await post(key);
        expect([refused.status, refused.json.code]).toEqual([400, 'WM5043']);
      }
      expect(ran).toBe(1);
    });

    it('starts by requests with an Idempotency-Key ignore keys if neither endpoint nor host enables them, or the endpoint disables them', async () => {
      await boot([order({ idempotencyKeys: flag(false) }), pay, respond('created')], { idempotencyKeys: true });
      await post('k-1');
      await post('k-1');
      expect(ran).toBe(2);
    });

    it('starts by requests with an Idempotency-Key belong to their callers', async () => {
      await boot([order({ idempotencyKeys: literal(null, 'Boolean') }), pay, respond('created')], {
        idempotencyKeys: true,
        idempotencyScope: (request) => request.header('x-tenant'),
      });
      await post('k-1', '{"n":1}', { 'X-Tenant': 'a' });
      await post('k-1', '{"n":1}', { 'X-Tenant': 'b' });
      await post('k-1', '{"n":1}', { 'X-Tenant': 'a' });
      expect(ran).toBe(2);
    });

    it('starts by requests with an Idempotency-Key say that the first request is still being served', async () => {
      let open!: () => void;
      gate = new Promise((resolve) => (open = resolve));
      await boot([order(), pay, respond('created')]);
      const first = post('k-1');
      while (ran === 0) await new Promise((resolve) => setImmediate(resolve));
      const second = await post('k-1');
      expect([second.status, second.json.code, second.headers.get('retry-after')]).toEqual([409, 'WM5045', '1']);
      open();
      expect((await first).text).toBe('created');
      expect((await post('k-1')).text).toBe('created');
      expect(ran).toBe(1);
    });

    it('starts by requests with an Idempotency-Key get what became of an answer with a credential that was written while they waited', async () => {
      let open = (): void => {};
      gate = new Promise((resolve) => (open = resolve));
      await boot([order({ respondAsync: flag(true) }), pay, respond('{"apiKey":"4711"}')]);
      const first = post('k-1');
      while (ran === 0) await new Promise((resolve) => setImmediate(resolve));
      const held = post('k-1', undefined, { Prefer: 'wait=20' });
      await node.holdsRequest();
      open();
      expect(await first).toMatchObject({ status: 200, text: '{"apiKey":"4711"}' });
      expect([(await held).status, (await held).json]).toMatchObject([409, { code: 'WM5046', reason: 'credential' }]);
    });

    it('starts by requests with an Idempotency-Key get the same status URL, and the answer that comes later', async () => {
      await boot([order({ respondAsync: flag(true) }), waitFor('Wait', 'go'), respond('later')]);
      const first = await post('k-1');
      const again = await post('k-1');
      expect([first.status, again.status]).toEqual([202, 202]);
      expect(again.json).toEqual(first.json);
      await node.get(IEventPublisher).publish('go');
      expect((await post('k-1')).text).toBe('later');
      expect((await node.call('GET', `${first.json.location}/answer`)).text).toBe('later');
    });

    it('starts by requests with an Idempotency-Key get the same as a first request that the workflow has not answered', async () => {
      await boot([order(), waitFor('Wait', 'go'), { type: 'Elsa.Fault', id: 'F', message: literal('no') }]);
      expect(await post('k-1')).toMatchObject({ status: 200, text: '' });
      expect(await post('k-1')).toMatchObject({ status: 200, text: '' });
      await node.get(IEventPublisher).publish('go');
      expect(await post('k-1')).toMatchObject({ status: 500, text: '' });
      expect(await countOf(node)).toBe(1);
    });

    it('starts by requests with an Idempotency-Key are recognised by the key, also where a request names its instance', async () => {
      await boot([order(), pay, respond('created')]);
      const named = (key: string, id: string) => post(key, '{"n":1}', { 'X-Workflow-Instance-ID': id });
      expect((await named('k-1', 'mine')).text).toBe('created');
      expect((await named('k-1', 'mine')).headers.get('idempotent-replayed')).toBe('true');
      expect((await named('k-1', 'other')).text).toBe('created');
      expect((await post('k-1')).headers.get('idempotent-replayed')).toBe('true');
      expect((await named('k-2', 'mine')).status).toBe(409);
      expect([ran, await countOf(node)]).toEqual([1, 1]);
    });

    it('starts by requests with an Idempotency-Key report that an answer was not kept because it was too large, or the instance was deleted', async () => {
      await boot([order(), pay, respond('12345678901')], { maxKeptAnswerBytes: 10 });
      expect((await post('k-1')).text).toBe('12345678901');
      const lost = await post('k-1');
      expect([lost.status, lost.json.code]).toEqual([409, 'WM5046']);
      const { instances } = node.get(WorkflowPersistence);
      await instances.delete(await instances.findIds({ definitionIds: [orders] }));
      const gone = await post('k-1');
      expect([gone.status, gone.json.code]).toEqual([409, 'WM5046']);
      expect(ran).toBe(1);
    });

    it('starts by requests with an Idempotency-Key serve a repeated request when the node of the first one died before serving it', async () => {
      await boot([
        order({ parsedContent: { typeName: 'Object', memoryReference: { id: 'x' } } }),
        pay,
        respond('created'),
      ]);
      await post('k-1');
      const { instances } = node.get(WorkflowPersistence);
      const [id] = await instances.findIds({ definitionIds: [orders] });
      const { state } = (await instances.load(id!))!;
      const { properties } = state;
      const [kept] = properties['Waymark.HttpRequests'] as [Record<string, unknown>];
      const { answer: _answer, isTaken: _isTaken, ...claimed } = kept;
      await instances.delete([id!]);
      // What is left of it: the claim, run by a message on another node, where there is no request.
      const client = await node.get(IWorkflowRuntime).createClient(id);
      await client.createAndRunInstance({
        definition: orders,
        triggerActivityId: `In ${orders}`,
        properties: { 'Waymark.HttpRequests': [claimed] },
      });
      expect((await client.exportState()).bookmarks).toHaveLength(1);
      expect(await post('k-1')).toMatchObject({ status: 200, text: 'created' });
      expect((await post('k-1')).headers.get('idempotent-replayed')).toBe('true');
      expect([ran, await countOf(node)]).toEqual([2, 1]);
      // W9: that the first one was lost shows in its effects alone, and they are known again.
      expect(payments[1]).toBe(payments[0]);
    });
  },
);
