import { afterAll, beforeEach, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Activity, ActivityBase, type ActivityJson } from '@waymark/core';
import { WorkflowPersistence } from '@waymark/runtime';
import { OutboxProcessor } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { endpoint, flag, type HttpNode, methods, respond, startHttpNode } from './http-node.js';

let ran = 0;
let count = 0;
/** Of the test: its definition, and the path of its endpoint. */
let orders: string;

@Injectable()
@Activity({ namespace: 'Test' })
class Pay extends ActivityBase {
  execute(): void {
    ran++;
  }
}

const pay: ActivityJson = { type: 'Test.Pay', id: 'Pay' };
const order = () => endpoint(orders, { ...methods('POST'), idempotencyKeys: flag(true) });
const send = (key: string) => ({
  body: '{"n":1}',
  headers: { 'content-type': 'application/json', 'Idempotency-Key': key },
});
const countOf = (node: HttpNode) => node.get(WorkflowPersistence).instances.count({ definitionIds: [orders] });
const start = (Adapter: new () => FastifyAdapter | ExpressAdapter, persistence: WorkflowPersistence) =>
  startHttpNode(new Adapter() as FastifyAdapter, persistence, { pollIntervalMs: 3_600_000 }, [Pay]);

beforeEach(() => {
  orders = `orders-of-two-${++count}`;
  ran = 0;
});

/** Its time has passed without anything else that it does. */
class LateClock extends VirtualClock {
  byMs = 0;
  override now(): number {
    return super.now() + this.byMs;
  }
}

/** Resolves when a node knows what another one has published: it refuses a key that is too long, and starts nothing. */
async function served(node: HttpNode, at: string): Promise<void> {
  do await node.clock.advance(60_000);
  while ((await node.call('POST', at, send('k'.repeat(300)))).status === 404);
}

describeOn(await testBackends(), 'requests with one Idempotency-Key on two nodes, on $name', ({ create, drop }) => {
  afterAll(() => drop());

  it('requests with one Idempotency-Key on two nodes run one instance, whichever request comes first', async () => {
    const here = await start(FastifyAdapter, await create());
    const there = await start(ExpressAdapter, await create());
    try {
      await here.publish(orders, [order(), pay, respond('created')]);
      await served(there, orders);
      const all = await Promise.all([here, there, here, there].map((node) => node.call('POST', orders, send('k-1'))));
      expect(ran).toBe(1);
      for (const answer of all)
        if (answer.status === 200) expect(answer.text).toBe('created');
        else expect([answer.status, answer.json.code]).toEqual([409, 'WM5045']);
      expect(all.some(({ status }) => status === 200)).toBe(true);
      expect(await there.call('POST', orders, send('k-1'))).toMatchObject({ status: 200, text: 'created' });
      expect([ran, await countOf(here)]).toEqual([1, 1]);
    } finally {
      await here.app.close();
      await there.app.close();
    }
  });

  it('requests with one Idempotency-Key on two nodes run it once when the store keeps the claim for so long that the other node takes it over', async () => {
    const store = await create();
    let isSlow = false;
    const commit = store.commit.bind(store);
    store.commit = async (burst) => {
      await commit(burst);
      if (!isSlow) return;
      isSlow = false;
      late.byMs = 6000;
      // It runs the instance up to where the request is missing.
      expect(await there.get(OutboxProcessor).poll()).toBe(1);
      await there.get(OutboxProcessor).settled();
    };
    const late = new LateClock();
    const here = await startHttpNode(new FastifyAdapter(), store, { clock: late, pollIntervalMs: 3_600_000 }, [Pay]);
    const there = await start(ExpressAdapter, await create());
    try {
      await here.publish(orders, [order(), pay, respond('created')]);
      await served(there, orders);
      isSlow = true;
      const first = await here.call('POST', orders, send('k-1'));
      expect([first.status, first.json.code, first.headers.get('retry-after')]).toEqual([409, 'WM5045', '1']);
      expect(ran).toBe(0);
      expect(await here.call('POST', orders, send('k-1'))).toMatchObject({ status: 200, text: 'created' });
      expect([ran, await countOf(here)]).toEqual([1, 1]);
    } finally {
      await here.app.close();
      await there.app.close();
    }
  });

  it('requests with one Idempotency-Key on two nodes run one instance for each of many keys, of which several come at the same time to both', async () => {
    const KEYS = 40;
    const here = await start(FastifyAdapter, await create());
    const there = await start(ExpressAdapter, await create());
    try {
      await here.publish(orders, [order(), pay, respond('created')]);
      await served(there, orders);
      const before = await countOf(here);
      const keys = Array.from({ length: KEYS }, (_, n) => `many-${n}`);
      const post = (node: HttpNode, key: string) => node.call('POST', orders, send(key));
      const all = await Promise.all(
        [here, there, here, there].flatMap((node) => keys.map(async (key) => ({ key, answer: await post(node, key) }))),
      );
      const outcomes = new Set(
        all.map(({ answer: { status, text } }) => (status === 200 ? text : `${status} ${text}`)),
      );
      expect([...outcomes].filter((outcome) => !/^(created$|409 .*WM5045)/s.test(outcome))).toEqual([]);
      expect(new Set(all.flatMap(({ key, answer }) => (answer.status === 200 ? key : [])))).toEqual(new Set(keys));
      expect([ran, (await countOf(here)) - before]).toEqual([KEYS, KEYS]);
      for (const key of keys) expect(await post(there, key)).toMatchObject({ status: 200, text: 'created' });
      expect(ran).toBe(KEYS);
    } finally {
      await here.app.close();
      await there.app.close();
    }
  });
});
