import 'reflect-metadata';
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { WorkflowTestBed } from '@waymark/testing';
import { AppModule } from './app.module.js';
import { Bank, Carrier, Warehouse } from './services.js';

describe('an order', () => {
  let app: INestApplication;
  let bed: WorkflowTestBed;

  beforeEach(async () => {
    const module = await WorkflowTestBed.prepare(Test.createTestingModule({ imports: [AppModule] })).compile();
    app = module.createNestApplication({ forceCloseConnections: true, logger: false });
    await app.listen(0, '127.0.0.1');
    bed = await WorkflowTestBed.of(app);
  });
  afterEach(() => bed.close());

  async function order(body: object): Promise<unknown> {
    const answer = await fetch(`${await app.getUrl()}/workflows/orders`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return answer.json();
  }

  const logs = () => [bed.get(Warehouse).log, bed.get(Bank).log, bed.get(Carrier).log];

  it('is shipped', async () => {
    assert.deepEqual(await order({ item: 'tea', count: 2, card: '4111' }), { status: 'shipped' });
    assert.deepEqual(logs(), [['took 2 tea'], ['took 500 cents'], ['took tea']]);
  });

  it('is undone as a whole when its last step cannot be done', async () => {
    assert.deepEqual(await order({ item: 'anvil', count: 1, card: '4111' }), {
      status: 'undone: no carrier takes an anvil',
    });
    assert.deepEqual(logs(), [['took 1 anvil', 'gave back 1 anvil'], ['took 250 cents', 'gave back 250 cents'], []]);
    assert.deepEqual([bed.get(Warehouse).held.size, bed.get(Bank).held.size], [0, 0]);
  });

  it('gives its reservation back when the card is declined', async () => {
    assert.deepEqual(await order({ item: 'tea', count: 3, card: '0000' }), { status: 'undone: the card is declined' });
    assert.deepEqual(logs(), [['took 3 tea', 'gave back 3 tea'], [], []]);
  });

  it('ends at once when there is not enough', async () => {
    assert.deepEqual(await order({ item: 'anvil', count: 2, card: '4111' }), {
      status: 'undone: there are not 2 of anvil',
    });
    assert.deepEqual(logs(), [[], [], []]);
  });
});
