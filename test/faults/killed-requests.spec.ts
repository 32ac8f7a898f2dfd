import type { Server } from 'node:http';
import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { Injectable, Logger } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Activity, ActivityBase, type ActivityExecutionContext, type ActivityJson } from '@waymark/core';
import { WorkflowPersistence } from '@waymark/runtime';
import { RuntimeMaintenance } from '@waymark/runtime/adapter';
import { type Fault, type FaultPoint, FaultPoints, withFaultPoints } from '@waymark/testing';
import { testBackends } from '../support/backends.js';
import { drawnSampleOf } from '../support/depth.js';
import { describeInTurnOn } from '../support/describe-on.js';
import { endpoint, flag, type HttpNode, methods, respond, startHttpNode } from '../http/http-node.js';

// The node that serves a request with an Idempotency-Key dies, or loses the store's answer, at each write of the store. The client
// repeats the request on another node.

const FAULTS: readonly Fault[] = ['dies before', 'dies after', 'loses the answer', 'fails'];
const SPEC_MS = 600_000;
const MINUTE_MS = 60_000;
/** Writes of a quick run. */
const SHARE = 12;
const REPETITIONS = 5;

/** By key: how often another system was asked to pay. */
let payments: Map<string, number>;

/** Of a node that is dead, so that closing it would wait: else it listens beside all later files of the worker. */
function endListening(server: Server): void {
  server.close();
  server.closeAllConnections();
}

@Injectable()
@Activity({ namespace: 'Test' })
class Pay extends ActivityBase {
  execute(ctx: ActivityExecutionContext): void {
    payments.set(ctx.idempotencyKey, (payments.get(ctx.idempotencyKey) ?? 0) + 1);
    ctx.complete();
  }
}

const pay = (id: string): ActivityJson => ({ type: 'Test.Pay', id });
const send = { body: '{"n":1}', headers: { 'content-type': 'application/json', 'Idempotency-Key': 'k-1' } };
const KINDS = {
  'which answers at its end': (path: string): ActivityJson[] => [order(path), pay('A'), pay('B'), respond('created')],
  'which pays before and after its answer': (path: string): ActivityJson[] => [
    order(path),
    pay('A'),
    respond('created'),
    pay('B'),
  ],
};
const STRATEGIES = [undefined, 'ActivityExecuted', 'WorkflowExecuting'];
const order = (path: string) => endpoint(path, { ...methods('POST'), idempotencyKeys: flag(true) });
const isSignOfLife = (call: string): boolean => call.startsWith('nodes.');

let plays = 0;

describeInTurnOn(
  await testBackends('sqlite', 'mysql', 'postgres'),
  'requests with a key whose node dies, on $name',
  (backend) => {
    let healthy: HttpNode;

    const start = async (Adapter: typeof FastifyAdapter | typeof ExpressAdapter, store: WorkflowPersistence) =>
      startHttpNode(new Adapter() as FastifyAdapter, store, { pollIntervalMs: 3_600_000 }, [Pay]);

    beforeEach(async () => {
      Logger.overrideLogger(false);
      healthy = await start(ExpressAdapter, await backend.create());
    });
    afterEach(async () => {
      await healthy.app.close();
      Logger.overrideLogger(undefined as never);
    });
    afterAll(() => backend.drop());

    async function recover(): Promise<void> {
      await healthy.clock.advance(2 * MINUTE_MS);
      for (let round = 0; round < REPETITIONS; round++) await healthy.get(RuntimeMaintenance).runOnce();
    }

    /** One request on a node with that fault, and its repetitions on another one. */
    async function play(
      kind: keyof typeof KINDS,
      strategy: string | undefined,
      fault?: { at: FaultPoint; fault: Fault },
    ) {
      const path = `killed-${++plays}`;
      payments = new Map();
      const options = strategy === undefined ? {} : { commitStrategyName: strategy };
      await healthy.publish(path, KINDS[kind](path), { options });
      const counting = new FaultPoints(fault);
      let isAtRisk = false;
      const points = Object.assign(Object.create(counting) as FaultPoints, {
        around: <T>(call: string, task: () => Promise<T>) =>
          (isAtRisk && !isSignOfLife(call)) || counting.isDead ? counting.around(call, task) : task(),
      });
      const shared = Object.assign(Object.create(healthy.get(WorkflowPersistence)) as WorkflowPersistence, {
        close: async () => {},
      });
      const risky = await start(FastifyAdapter, withFaultPoints(shared, points));
      isAtRisk = true;
      const dies = new AbortController();
      const first = risky.call('POST', path, { ...send, signal: dies.signal }).catch(() => undefined);
      const answer = await Promise.race([first, counting.died.then(() => undefined)]);
      dies.abort();
      isAtRisk = false;
      let again = await healthy.call('POST', path, send);
      for (let times = 0; again.status === 409 && times < REPETITIONS; times++) {
        expect(again.json.code).toBe('WM5045');
        await recover();
        again = await healthy.call('POST', path, send);
      }
      // The heartbeat of a burst that was stored half-way may have come after the first of these.
      for (let times = 0; times < 3; times++) await recover();
      expect({ status: again.status, text: again.text }).toEqual({ status: 200, text: 'created' });
      // What the first client has got is what all get.
      if (answer?.status === 200) expect(answer.text).toBe('created');
      expect(payments.size).toBe(2);
      const { instances } = healthy.get(WorkflowPersistence);
      const ids = await instances.findIds({ definitionIds: [path] });
      const ends = await Promise.all(ids.map(async (id) => (await instances.load(id))?.subStatus));
      expect(ends).toEqual(['Finished']);
      const last = await healthy.call('POST', path, send);
      expect([last.status, last.text, last.headers.get('idempotent-replayed')]).toEqual([200, 'created', 'true']);
      if (counting.isDead) endListening(risky.app.getHttpServer() as Server);
      else await risky.app.close();
      return counting;
    }

    it.each(Object.keys(KINDS) as (keyof typeof KINDS)[])(
      'W2, W8, W9: a workflow %s runs once, pays under one key each, and gives one answer',
      async (kind) => {
        for (const strategy of STRATEGIES) {
          const { reached } = await play(kind, strategy);
          const writes = reached.filter((point) => FaultPoints.isWrite(point));
          expect(writes.length).toBeGreaterThan(1);
          // A quick run has two of the four, in CI in turn.
          for (const fault of drawnSampleOf(FAULTS, 2, `${kind} ${strategy}`))
            for (const at of drawnSampleOf(writes, SHARE, `${kind} ${strategy} ${fault}`))
              try {
                const { isMet } = await play(kind, strategy, { at, fault });
                expect(isMet).toBe(true);
              } catch (error) {
                throw new Error(`${strategy}: the node ${fault} ${at}: ${String(error)}`, { cause: error });
              }
        }
      },
      SPEC_MS,
    );
  },
);
