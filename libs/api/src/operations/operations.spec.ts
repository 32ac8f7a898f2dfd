import { expect, it } from '@jest/globals';
import { WorkflowPersistence } from '@waymark/runtime';
import { pairsOf } from '../../../../test/support/pairs.js';
import { LiveOperations } from '../live/live-operations.js';
import { ADAPTERS, event, sequence, useServer } from '../module/api-harness.spec.js';

const waits = event('Wait', 'go');
const breaks = { id: 'Break', type: 'Test.Broken' };

describe.each(pairsOf(ADAPTERS, 'fastify'))('operations over %s', (adapter) => {
  const { call, deploy, execute, settled, app } = useServer(adapter);

  it('operations show where instances wait and failed, by version and node', async () => {
    await deploy('stands', sequence(waits));
    await execute('stands');
    await deploy('stands', sequence(waits, breaks));
    await execute('stands');
    // That of the first version ends well.
    await call('POST', '/events/go/trigger', {});
    await settled();
    await execute('stands');
    const { json } = await call('GET', '/operations/standing/stands');
    expect(json).toMatchObject({ definitionId: 'stands', isWaitingComplete: true, isFaultedComplete: true });
    expect(json.versions).toEqual([
      {
        definitionVersionId: expect.any(String),
        version: 2,
        running: 1,
        faulted: 1,
        nodes: [
          {
            activityNodeId: expect.stringMatching(/Seq:Wait$/),
            waiting: 1,
            waitingSince: expect.any(String),
            faulted: 0,
          },
          {
            activityNodeId: expect.stringMatching(/Seq:Break$/),
            waiting: 0,
            faulted: 1,
            newestFaultAt: expect.any(String),
          },
        ],
      },
    ]);
  });

  it('distinguish a definition without instances from a missing one', async () => {
    await deploy('rests', sequence(waits));
    expect((await call('GET', '/operations/standing/rests')).json.versions).toEqual([]);
    const { status, json } = await call('GET', '/operations/standing/unknown');
    expect([status, json]).toEqual([
      404,
      expect.objectContaining({ code: 'WM8003', message: expect.stringContaining('unknown') }),
    ]);
  });

  it('operations give an overview of failures, queues and nodes', async () => {
    await deploy('fails', sequence(breaks));
    await execute('fails');
    const { json } = await call('GET', '/operations/overview');
    expect(json.failures).toContainEqual({ definitionId: 'fails', instances: 1, newestAt: expect.any(String) });
    const slots = json.throughput.slots as { started: number; faulted: number }[];
    expect(slots.reduce((sum, { started }) => sum + started, 0)).toBeGreaterThanOrEqual(1);
    expect(slots.reduce((sum, { faulted }) => sum + faulted, 0)).toBeGreaterThanOrEqual(1);
    expect(json.depths).toMatchObject({ outboxDeadLetters: 0, queueDeadLetters: 0, openTasks: 0 });
    expect(json.nodes).toMatchObject([{ state: 'Running', isThis: true }]);
  });

  it('operations show a paused node as paused at once, and one without heartbeats as lost', async () => {
    const seenAt = new Date(0);
    const gone = { name: 'gone', version: '0.0.9', platform: 'v20.19.0', startedAt: seenAt, seenAt, activeBursts: 2 };
    await app()
      .get(WorkflowPersistence)
      .nodes.announce({ ...gone, state: 'Running' });
    const live = app().get(LiveOperations);
    expect([await live.haveChanged(), await live.haveChanged()]).toEqual([false, false]);
    await call('POST', '/admin/workflow-runtime/pause', {});
    expect(await live.haveChanged()).toBe(true);
    const { items } = (await call('GET', '/operations/nodes')).json;
    expect(items).toHaveLength(2);
    expect(items).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'gone', state: 'Lost', isThis: false, version: '0.0.9' }),
        expect.objectContaining({ state: 'Paused', isThis: true }),
      ]),
    );
    await call('POST', '/admin/workflow-runtime/resume', {});
  });
});
