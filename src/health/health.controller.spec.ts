import {
  BackgroundRuns,
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
  const controller = new HealthController(
    store,
    new RuntimeGate(),
    new UnreadableWork(clock),
    missingCode,
    outages,
    runs,
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

  it('names activities in the background that have not ended although they were aborted', async () => {
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
});
