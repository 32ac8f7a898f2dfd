import 'reflect-metadata';
import assert from 'node:assert/strict';
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { WorkflowTestBed } from '@waymark/testing';
import { AppModule } from './app.module';
import { Accounts } from './book-payment.activity';

describe('a payment that is reported', () => {
  const secret = randomBytes(32).toString('hex');
  let app: INestApplication;
  let bed: WorkflowTestBed;

  before(() => void (process.env.WAYMARK_SECRET_PAYMENT_HOOK = secret));
  after(() => void delete process.env.WAYMARK_SECRET_PAYMENT_HOOK);
  beforeEach(async () => {
    const module = await WorkflowTestBed.prepare(Test.createTestingModule({ imports: [AppModule] })).compile();
    app = module.createNestApplication({ forceCloseConnections: true, logger: false });
    await app.listen(0, '127.0.0.1');
    bed = await WorkflowTestBed.of(app);
  });
  afterEach(() => bed.close());

  const deliver = async (body: object, key: string, signedWith = secret) => {
    const text = JSON.stringify(body);
    return fetch(`${await app.getUrl()}/workflows/payments`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-github-delivery': key,
        'x-hub-signature-256': `sha256=${createHmac('sha256', signedWith).update(text).digest('hex')}`,
      },
      body: text,
    });
  };

  it('is booked once, however often it is delivered', async () => {
    const key = randomUUID();
    const first = await deliver({ invoice: '2026-7', cents: 1999 }, key);
    assert.deepEqual(await first.json(), { booking: 1 });
    const again = await deliver({ invoice: '2026-7', cents: 1999 }, key);
    assert.deepEqual(await again.json(), { booking: 1 });
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assert.equal(bed.get(Accounts).paid('2026-7'), 1999);
  });

  it('is booked once when it is delivered several times at the same moment', async () => {
    const key = randomUUID();
    const answers = await Promise.all([1, 2, 3, 4].map(() => deliver({ invoice: '2026-8', cents: 500 }, key)));
    const statuses = answers.map(({ status }) => status);
    assert.ok(statuses.includes(200));
    assert.ok(statuses.every((status) => status === 200 || status === 409));
    assert.equal(bed.get(Accounts).paid('2026-8'), 500);
  });

  it('is a second one with a second key', async () => {
    await deliver({ invoice: '2026-9', cents: 100 }, randomUUID());
    await deliver({ invoice: '2026-9', cents: 100 }, randomUUID());
    assert.equal(bed.get(Accounts).paid('2026-9'), 200);
  });

  it('is refused with the key of another one', async () => {
    const key = randomUUID();
    await deliver({ invoice: '2026-10', cents: 100 }, key);
    assert.equal((await deliver({ invoice: '2026-10', cents: 900 }, key)).status, 422);
    assert.equal(bed.get(Accounts).paid('2026-10'), 100);
  });

  it('is refused when another secret has signed it', async () => {
    assert.equal((await deliver({ invoice: '2026-11', cents: 1 }, randomUUID(), 'guessed')).status, 401);
    assert.equal(bed.get(Accounts).paid('2026-11'), 0);
  });
});
