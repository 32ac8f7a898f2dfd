import 'reflect-metadata';
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { WorkflowEvent } from '@waymark/nestjs';
import { WorkflowTestBed } from '@waymark/testing';
import { AppModule } from './app.module.js';

const DAY = 24 * 3_600_000;

describe('an expense', () => {
  let app: NestFastifyApplication;
  let bed: WorkflowTestBed;

  beforeEach(async () => {
    const module = await WorkflowTestBed.prepare(Test.createTestingModule({ imports: [AppModule] })).compile();
    app = module.createNestApplication<NestFastifyApplication>(new FastifyAdapter({ forceCloseConnections: true }), {
      logger: false,
    });
    await app.listen(0, '127.0.0.1');
    bed = await WorkflowTestBed.of(app);
    const accepted = await send('ann', 'POST', '/workflows/expenses', { employee: 'Mia', amount: 80 });
    assert.equal(accepted.status, 202);
    await bed.runToIdle();
  });
  afterEach(() => bed.close());

  const send = async (user: string, method: string, path: string, body?: object) =>
    fetch(`${await app.getUrl()}${path}`, {
      method,
      headers: { 'x-user': user, ...(body ? { 'content-type': 'application/json' } : {}) },
      body: body && JSON.stringify(body),
    });
  const listOf = async (user: string) =>
    (await (await send(user, 'GET', '/tasks')).json()) as { id: string; title: string }[];
  const answer = async () => {
    const { workflowInstanceId } = await bed.waitForEvent(WorkflowEvent.WorkflowFinished);
    return (await bed.waitForStatus(workflowInstanceId, 'Finished')).state.output;
  };

  it('is approved by the one who claims it', async () => {
    const [task] = await listOf('ann');
    assert.equal(task!.title, 'Mia spent 80');
    assert.equal((await send('ann', 'POST', `/tasks/${task!.id}/claim`)).status, 204);
    assert.deepEqual(await listOf('bob'), []);
    assert.equal((await send('bob', 'POST', `/tasks/${task!.id}/complete`, { outcome: 'Reject' })).status, 409);

    const values = { costCentre: 4711 };
    const done = await send('ann', 'POST', `/tasks/${task!.id}/complete`, { outcome: 'Approve', values });
    assert.equal(done.status, 204);
    assert.deepEqual(await answer(), { answer: 'approved for 4711' });
    assert.equal((await send('ann', 'POST', `/tasks/${task!.id}/complete`, { outcome: 'Reject' })).status, 409);
  });

  it('stays as it is when the form is filled in wrongly', async () => {
    const [task] = await listOf('ann');
    const wrong = { outcome: 'Approve', values: { costCentre: 12 } };
    assert.equal((await send('ann', 'POST', `/tasks/${task!.id}/complete`, wrong)).status, 400);
    assert.equal((await listOf('ann')).length, 1);
  });

  it('goes to the heads when accounting has not decided for two days', async () => {
    assert.deepEqual(await listOf('eve'), []);
    await bed.advance(2 * DAY);
    const [task] = await listOf('eve');
    assert.equal((await send('eve', 'POST', `/tasks/${task!.id}/complete`, { outcome: 'Reject' })).status, 204);
    assert.deepEqual(await answer(), { answer: 'rejected' });
  });

  it('is shown to people of the company only', async () => {
    const [task] = await listOf('ann');
    for (const user of ['stranger', 'constructor', 'toString', '__proto__']) {
      assert.equal((await send(user, 'GET', '/tasks')).status, 401);
      assert.equal((await send(user, 'POST', `/tasks/${task!.id}/complete`, { outcome: 'Approve' })).status, 401);
    }
  });
});
