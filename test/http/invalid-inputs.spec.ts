import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Activity, ActivityBase, type ActivityJson, Input } from '@waymark/core';
import { MemoryPersistence, WorkflowPersistence } from '@waymark/runtime';
import { IsString, MinLength } from 'class-validator';
import { pairsOf } from '../support/pairs.js';
import { endpoint, flag, type HttpNode, respond, startHttpNode } from './http-node.js';

@Activity({ type: 'Test.Order', category: 'Test' })
class Order extends ActivityBase {
  @Input()
  @IsString()
  @MinLength(2)
  item!: string;

  @Input({ type: 'Int32' })
  count!: number;

  execute(): void {
    if (this.item === 'fails') throw new Error('the shop is closed');
  }
}

const query = (member: string, type: string) => ({
  typeName: type,
  expression: { type: 'JavaScript', value: `getQuery()?.${member}` },
});
const order: ActivityJson = {
  type: 'Test.Order',
  id: 'Order it',
  item: query('item', 'String'),
  count: query('count', 'Int32'),
};
const REJECTS = { rejectInvalidInputs: flag(true) };

describe.each(pairsOf([FastifyAdapter, ExpressAdapter], FastifyAdapter))(
  'requests whose values break the rules of an activity (%p)',
  (Adapter) => {
    let node: HttpNode;
    afterEach(() => node.app.close());
    const boot = async (more: object) => {
      node = await startHttpNode(new Adapter(), new MemoryPersistence(), { strictConversions: true }, [Order]);
      const variables = [{ id: 'q', name: 'Query', typeName: 'Object', isArray: false }];
      const queryStringData = { typeName: 'Object', memoryReference: { id: 'q' } };
      await node.publish('orders', [endpoint('orders', { queryStringData, ...more }), order, respond('ordered')], {
        variables,
      });
    };

    it('requests whose values break the rules of an activity are answered 500 without content where the endpoint does not say otherwise', async () => {
      await boot({});
      const answer = await node.call('GET', 'orders?item=x&count=1');
      expect([answer.status, answer.text]).toEqual([500, '']);
    });

    it('requests whose values break the rules of an activity are answered 400 with the rule that was broken where the endpoint rejects invalid inputs', async () => {
      await boot(REJECTS);
      const answer = await node.call('GET', 'orders?item=x&count=1');
      expect(answer.status).toBe(400);
      expect(answer.json).toEqual({
        code: 'WM2005',
        message:
          "Inputs of activity 'Order it' (Test.Order) are not valid: item must be longer than or equal to 2 characters.",
      });
      const { items } = await node.get(WorkflowPersistence).instances.findMany({ definitionIds: ['orders'] });
      expect(items).toMatchObject([{ subStatus: 'Faulted', incidentCount: 1 }]);
    });

    it('requests whose values break the rules of an activity are answered 400 with the value that does not fit its type', async () => {
      await boot(REJECTS);
      const answer = await node.call('GET', 'orders?item=tea&count=many');
      expect([answer.status, answer.json.code]).toEqual([400, 'WM2001']);
      expect(answer.json.message).toMatch(
        /'Count' of 'Order it': Cannot convert "many" to a whole number \(Int32\): write/,
      );
    });

    it('requests whose values break the rules of an activity are not logged as errors if the client is answered 400', async () => {
      await boot(REJECTS);
      const spies = (['error', 'warn', 'debug'] as const).map((level) => jest.spyOn(Logger.prototype, level));
      try {
        await node.call('GET', 'orders?item=x&count=1');
        const [error, warn, debug] = spies.map(({ mock }) => mock.calls);
        expect([error, warn]).toEqual([[], []]);
        expect(debug).toEqual([[expect.stringMatching(/the answer to the request says why: .*item must be longer/)]]);
        await node.call('GET', 'orders?item=fails&count=2');
        expect(spies[0]!.mock.calls).toEqual([[expect.stringContaining('the shop is closed'), expect.any(String)]]);
      } finally {
        for (const spy of spies) spy.mockRestore();
      }
    });

    it('requests whose values break the rules of an activity are answered the same when they are repeated with their Idempotency-Key', async () => {
      await boot({ ...REJECTS, idempotencyKeys: flag(true) });
      const ask = () => node.call('GET', 'orders?item=x&count=1', { headers: { 'Idempotency-Key': 'k-1' } });
      const [first, again] = [await ask(), await ask()];
      expect([again.status, again.json]).toEqual([400, first.json]);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
    });

    it('requests whose values break the rules of an activity are answered as before when they are valid, or when something else failed', async () => {
      await boot(REJECTS);
      expect((await node.call('GET', 'orders?item=tea&count=2')).text).toBe('ordered');
      const failed = await node.call('GET', 'orders?item=fails&count=2');
      expect([failed.status, failed.text]).toEqual([500, '']);
    });
  },
);
