import { WorkflowPersistence } from '@waymark/runtime';
import { pairsOf } from '../../../../test/support/pairs.js';
import { ADAPTERS, line, useServer } from '../module/api-harness.spec.js';

describe.each(pairsOf(ADAPTERS, 'express'))('outbox dead letters on %s', (adapter) => {
  const { call, deploy, settled, app } = useServer(adapter);

  /** A start whose attempts are used up. */
  async function spend(workflowInstanceId: string, definition: string): Promise<void> {
    const now = new Date();
    const payload = { definition, workflowInstanceId };
    const message = { id: `m-${workflowInstanceId}`, kind: 'start', payload, attempts: 10 };
    await app()
      .get(WorkflowPersistence)
      .outbox.add([{ ...message, createdAt: now, availableAt: now, writtenBy: 'a-node' }]);
    await settled();
  }

  it('outbox dead letters are listed, replayed and deleted', async () => {
    await spend('first', 'missing');
    await spend('second', 'absent');
    const { items, totalCount } = (await call('GET', '/outbox/dead-letters?pageSize=1')).json;
    expect([items.length, totalCount]).toEqual([1, 2]);
    expect((await call('POST', '/outbox/dead-letters', { kind: 'resume' })).json).toEqual({ items: [], totalCount: 0 });
    expect((await call('GET', '/outbox/dead-letters/m-first')).json).toMatchObject({
      id: 'm-first',
      kind: 'start',
      payload: { definition: 'missing', workflowInstanceId: 'first' },
      lastError: 'Every node that processed it died.',
    });
    expect((await call('DELETE', '/outbox/dead-letters/m-second')).status).toBe(204);
    expect((await call('DELETE', '/outbox/dead-letters/m-second')).status).toBe(404);

    await deploy('missing', line('Here'));
    expect((await call('POST', '/outbox/dead-letters/m-first/replay')).status).toBe(200);
    await settled();
    expect((await call('GET', '/workflow-instances/first')).json.subStatus).toBe('Finished');
    expect((await call('POST', '/outbox/dead-letters/m-first/replay')).status).toBe(404);
    expect((await call('GET', '/outbox/dead-letters/m-first')).status).toBe(404);
  });

  it('outbox dead letters do not include a start that can become a faulted instance, which is retried', async () => {
    await deploy('heavy', line('Lift'));
    await spend('parked', 'heavy');
    const parked = (await call('GET', '/workflow-instances/parked')).json;
    expect([parked.subStatus, parked.incidentCount]).toEqual(['Faulted', 1]);
    expect((await call('GET', '/outbox/dead-letters')).json.totalCount).toBe(0);
    await call('POST', '/alterations/workflows/retry', { workflowInstanceIds: ['parked'] });
    await settled();
    expect((await call('GET', '/workflow-instances/parked')).json.subStatus).toBe('Finished');
  });
});
