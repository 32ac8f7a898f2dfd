import { afterAll, describe, expect, it } from '@jest/globals';
import { IStimulusDispatcher, IWorkflowRuntime, IWorkflowStarter, WorkflowPersistence } from '@waymark/runtime';
import { resolveRuntimeOptions, RuntimeMaintenance } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { line, sequence, startedBy, startNode, waitFor } from '../support/runtime-node.js';

const DAY = 24 * 3_600_000;
/** What is not urgent is done every so many rounds. */
const ROUNDS = 60;

describeOn(await testBackends(), 'request keys on $name', (backend) => {
  afterAll(() => backend.drop());

  it.each([
    ['the key when its instance is gone already', { retentionMs: DAY, requestKeyRetentionMs: 2 * DAY }],
    ['the instance when its key is forgotten already', { retentionMs: 2 * DAY, requestKeyRetentionMs: DAY }],
  ])('starts a request again once it has forgotten %s', async (_, options) => {
    const clock = new VirtualClock('2026-03-01T00:00:00Z');
    const node = await startNode(await backend.create(), { clock, ...options });
    const after = async (ms: number): Promise<void> => {
      await clock.setTime(clock.now() + ms);
      for (let round = 0; round < ROUNDS; round++) await node.get(RuntimeMaintenance).runOnce();
    };
    const requestKey = `order ${options.retentionMs}`;
    const start = async () =>
      (await node.get(IWorkflowRuntime).createClient()).createAndRunInstance({ definition: 'd', requestKey });
    const kept = () => node.get(WorkflowPersistence).instances.count({ definitionIds: ['d'] });
    try {
      await node.deploy('d', line('L', 'x'));
      await start();
      await after(DAY + 1);
      expect(await kept()).toBe(options.retentionMs === DAY ? 0 : 1);
      await expect(start()).rejects.toMatchObject({ code: 'WM7007' });
      await after(DAY);
      expect(await kept()).toBe(0);
      await start();
      expect(await kept()).toBe(1);
    } finally {
      await node
        .get(WorkflowPersistence)
        .instances.delete(await node.get(WorkflowPersistence).instances.findIds({ definitionIds: ['d'] }));
      await node.close();
    }
  });

  it('runs no activity of a start that is refused since its key or its id is in use', async () => {
    const node = await startNode(await backend.create());
    const store = node.get(WorkflowPersistence);
    const runtime = node.get(IWorkflowRuntime);
    const start = async (more: object, id?: string) =>
      (await runtime.createClient(id)).createAndRunInstance({ definition: 'ordered', ...more });
    try {
      await node.deploy('ordered', line('L', 'charged'));
      const { workflowInstanceId } = await start({ requestKey: 'order 1' });
      const inUse = { code: 'WM7007', workflowInstanceId };
      await expect(start({ requestKey: 'order 1' })).rejects.toMatchObject(inUse);
      await expect(start({ requestKey: 'order 1' }, 'another')).rejects.toMatchObject(inUse);
      await expect(start({}, workflowInstanceId)).rejects.toMatchObject({ code: 'WM3002' });
      await expect(start({ requestKey: 'order 2' }, workflowInstanceId)).rejects.toMatchObject({ code: 'WM3002' });
      await store.instances.purgeRequestKeys(new Date(Date.now() + DAY), 100);
      await expect(start({ requestKey: 'order 1' })).rejects.toMatchObject(inUse);
      expect(node.lines).toEqual(['charged']);
      // Neither is free again while its instance is there; the key of one that was removed is not, either.
      const kept = await start({ requestKey: 'order 3' });
      await store.instances.delete([kept.workflowInstanceId]);
      await expect(start({ requestKey: 'order 3' })).rejects.toMatchObject({ code: 'WM7007' });
      expect(node.lines).toEqual(['charged', 'charged']);
    } finally {
      await store.instances.delete(await store.instances.findIds({ definitionIds: ['ordered'] }));
      await node.close();
    }
  });

  it('says of a repeated start which instance it has started, also while that one keeps others from starting', async () => {
    const node = await startNode(await backend.create());
    const store = node.get(WorkflowPersistence);
    const runtime = node.get(IWorkflowRuntime);
    const start = async (more: object, id?: string) =>
      (await runtime.createClient(id)).createAndRunInstance({ definition: 'single', ...more });
    try {
      const options = { activationStrategyType: 'Singleton' };
      await node.deploy('single', sequence('S', waitFor('W', 'go'), line('L', 'went on')), { options });
      const { workflowInstanceId } = await start({ requestKey: 'only 1' });
      const inUse = { code: 'WM7007', workflowInstanceId };
      await expect(start({ requestKey: 'only 1' })).rejects.toMatchObject(inUse);
      await expect(start({ requestKey: 'only 1', claimsFirst: true })).rejects.toMatchObject(inUse);
      await expect(
        node.get(IWorkflowStarter).start({ definition: 'single', requestKey: 'only 1' }),
      ).rejects.toMatchObject(inUse);
      await expect(start({}, workflowInstanceId)).rejects.toMatchObject({ code: 'WM3002' });
      await expect(start({ requestKey: 'only 2' })).rejects.toMatchObject({ code: 'WM7005' });
      await expect(start({})).rejects.toMatchObject({ code: 'WM7005' });
    } finally {
      await store.instances.delete(await store.instances.findIds({ definitionIds: ['single'] }));
      await node.close();
    }
  });

  it('starts nothing by a stimulus that is dispatched again when its key is forgotten, and its instance is kept', async () => {
    const node = await startNode(await backend.create());
    const store = node.get(WorkflowPersistence);
    const ping = () =>
      node.get(IStimulusDispatcher).dispatch('Elsa.Event', { eventName: 'ping' }, { idempotencyKey: 'ping 1' });
    try {
      await node.deploy('pinged', sequence('S', waitFor('Start', 'ping', startedBy), line('L', 'started')));
      await ping();
      await node.settled();
      await store.instances.purgeRequestKeys(new Date(Date.now() + DAY), 100);
      await ping();
      await node.settled();
      expect([node.lines, await store.outbox.count()]).toEqual([['started'], { waiting: 0, deadLetters: 0 }]);
    } finally {
      await store.instances.delete(await store.instances.findIds({ definitionIds: ['pinged'] }));
      await node.close();
    }
  });
});

describe('how long request keys are kept', () => {
  it.each([
    [{}, 30 * DAY],
    [{ retentionMs: DAY }, DAY],
    [{ retentionMs: false as const }, 30 * DAY],
    [{ retentionMs: DAY, requestKeyRetentionMs: false as const }, false],
    [{ requestKeyRetentionMs: 5 }, 5],
  ])('%j: %s', (options, expected) => {
    expect(resolveRuntimeOptions(options).requestKeyRetentionMs).toBe(expected);
  });

  it('must be a time', () => {
    expect(() => resolveRuntimeOptions({ requestKeyRetentionMs: 0 })).toThrow(
      "WorkflowModule option 'requestKeyRetentionMs' must be a finite number greater than 0, or false, not 0.",
    );
  });
});
