import {
  BackgroundRuns,
  LargeStates,
  MemoryPersistence,
  MissingCode,
  RuntimeGate,
  StoreHealth,
  StoreUnavailableError,
  UnreadableWork,
} from '@waymark/runtime';
import { StoreOutages } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { Logger } from '@nestjs/common';
import { HealthController } from './health.controller.js';

describe('health', () => {
  const clock = new VirtualClock();
  const store = new StoreHealth(new MemoryPersistence(), clock);
  const outages = new StoreOutages(store, clock);
  const missingCode = { alarms: [] } as unknown as MissingCode;
  const runs = new BackgroundRuns(clock);
  const states = new LargeStates();
  const controller = new HealthController(
    store,
    new RuntimeGate(),
    new UnreadableWork(clock),
    missingCode,
    outages,
    runs,
    states,
  );

  it('reports unhealthy while the database answers probes but fails other statements', async () => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    expect(await controller.check()).toEqual({ status: 'healthy' });
    // One table is locked: the probe gets through.
    for (let n = 0; n < 10; n++) {
      outages.report(new StoreUnavailableError('The table is locked.'));
      await clock.advance(1000);
      expect(await controller.check()).toEqual({
        status: 'healthy',
        alarms: ['the database fails some of the work, see the log of WorkflowStore'],
      });
    }
    await clock.advance(30_000);
    expect(await controller.check()).toEqual({ status: 'healthy' });
  });

  it('counts activities in the background that have not returned after their signal was aborted', async () => {
    const job = { workflowInstanceId: 'one', activityInstanceId: 'it', bookmarkId: 'here' };
    const run = runs.begin(job as Parameters<BackgroundRuns['begin']>[0]);
    runs.giveUp(run);
    expect(await controller.check()).toEqual({
      status: 'healthy',
      alarms: ['background activities that have not returned although their signal was aborted: 1'],
    });
    runs.end(run);
    expect(await controller.check()).toEqual({ status: 'healthy' });
  });

  it('names instances whose state is near the limit of its size', async () => {
    const grow = (id: string, bytes: number) =>
      states.note({ workflowInstanceId: id, definitionId: 'orders', bytes, maxBytes: 1000 });
    grow('a', 749);
    expect(await controller.check()).toEqual({ status: 'healthy' });
    grow('b', 750);
    for (const id of ['c', 'd', 'e']) grow(id, 999);
    expect(await controller.check()).toEqual({
      status: 'healthy',
      alarms: [
        "instances whose state is near the limit of its size: 4; 'c' of 'orders' 99 %, 'd' of 'orders' 99 %, 'e' of 'orders' 99 %, …",
      ],
    });
    for (const id of ['b', 'c', 'd', 'e']) states.forget(id);
    expect(await controller.check()).toEqual({ status: 'healthy' });
  });
});
