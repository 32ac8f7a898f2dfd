import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { IWorkflowRuntime, MemoryPersistence, StoreUnavailableError } from '@waymark/runtime';
import { FaultPoints, VirtualClock, withFaultPoints } from '@waymark/testing';
import { line, type RuntimeNode, sequence, startNode, waitFor } from '../support/runtime-node.js';

describe('an outage of the store', () => {
  let memory: MemoryPersistence;
  let points: FaultPoints;
  let node: RuntimeNode;
  let warnings: jest.Spied<Logger['warn']>;

  beforeEach(async () => {
    warnings = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    memory = new MemoryPersistence();
    points = new FaultPoints();
    node = await startNode(withFaultPoints(memory, points), { clock: new VirtualClock(), pollIntervalMs: 1000 });
  });
  afterEach(async () => {
    points.heal();
    await node.close();
    warnings.mockRestore();
  });

  it('is met by one of those that wait for each other at an instance, who all learn of it', async () => {
    await node.deploy('wait', sequence('S', waitFor('E', 'go'), line('W', 'gone')));
    const client = await node.get(IWorkflowRuntime).createClient();
    const { bookmarks } = await client.createAndRunInstance({ definition: 'wait' });
    const calls = (resumes: number, cancellations: number) => [
      ...Array.from({ length: resumes }, () => client.runInstance({ bookmarkId: bookmarks[0]!.id })),
      ...Array.from({ length: cancellations }, () => client.cancel()),
    ];
    const codesOf = async (all: readonly Promise<unknown>[]) =>
      (await Promise.allSettled(all)).map((end) => (end.status === 'rejected' ? end.reason.code : 'done'));
    for (const [resumes, cancellations] of [
      [0, 5],
      [2, 3],
    ] as const) {
      points.refuse('everything');
      const before = points.reached.length;
      expect(await codesOf(calls(resumes, cancellations))).toEqual(Array.from({ length: 5 }, () => 'WM7014'));
      expect(points.reached.slice(before).filter((point) => point.startsWith('instances.'))).toHaveLength(1);
      points.heal();
    }
    await client.cancel();
    expect(await memory.instances.count({ subStatuses: ['Cancelled'] })).toBe(1);
  });

  it('is not met by those who wait behind a call that took the store too long', async () => {
    await node.deploy('wait', sequence('S', waitFor('E', 'go'), line('W', 'gone')));
    const client = await node.get(IWorkflowRuntime).createClient();
    const { bookmarks } = await client.createAndRunInstance({ definition: 'wait' });
    const around = points.around.bind(points);
    let isFirst = true;
    points.around = (call, task) => {
      if (call !== 'commit' || !isFirst) return around(call, task);
      isFirst = false;
      throw new StoreUnavailableError('canceling statement due to statement timeout', { isOfCall: true });
    };
    const calls = [client.runInstance({ bookmarkId: bookmarks[0]!.id }), client.cancel()];
    expect(await Promise.allSettled(calls)).toMatchObject([
      { status: 'rejected', reason: { code: 'WM7014' } },
      { status: 'fulfilled', value: true },
    ]);
  });

  it('is met by one of the starts that wait for each other at one id, who all learn of it', async () => {
    await node.deploy('greet', line('L', 'hello'));
    const client = await node.get(IWorkflowRuntime).createClient('i');
    const startAll = async (count: number) => {
      const starts = Array.from({ length: count }, () => client.createAndRunInstance({ definition: 'greet' }));
      return (await Promise.allSettled(starts)).map((end) => (end.status === 'rejected' ? end.reason.code : 'done'));
    };
    points.refuse('everything');
    const before = points.reached.length;
    expect(await startAll(5)).toEqual(Array.from({ length: 5 }, () => 'WM7014'));
    expect(points.reached.slice(before)).toHaveLength(1);
    points.heal();
    expect(await startAll(2)).toEqual(['done', 'WM3002']);
  });
});
