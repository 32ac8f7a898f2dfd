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
  const lacking: object[] = [];
  const missingCode = { alarms: lacking } as unknown as MissingCode;
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

  it('counts instances whose state is near the limit of its size, and names them in the log only', async () => {
    const log = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    log.mockClear();
    const grow = (id: string, bytes: number) =>
      states.note({ workflowInstanceId: id, definitionId: 'orders', bytes, maxBytes: 1000 });
    grow('a', 749);
    expect(await controller.check()).toEqual({ status: 'healthy' });
    grow('b', 750);
    for (const id of ['c', 'd', 'e']) grow(id, 999);
    expect(await controller.check()).toEqual({
      status: 'healthy',
      alarms: ['instances whose state is near the limit of its size: 4, see the log of Health'],
    });
    expect(log.mock.calls.map(([text]) => String(text))).toEqual([
      "Instances whose state is near the limit of its size: 4; 'c' of 'orders' 99 %, 'd' of 'orders' 99 %, 'e' of 'orders' 99 %, …",
    ]);
    await controller.check();
    expect(log).toHaveBeenCalledTimes(1);
    grow('f', 900);
    await controller.check();
    expect(log).toHaveBeenCalledTimes(2);
    states.forget('f');
    for (const id of ['b', 'c', 'd', 'e']) states.forget(id);
    expect(await controller.check()).toEqual({ status: 'healthy' });
  });

  it('counts versions whose code is missing, and does not name them to anyone who asks', async () => {
    lacking.push({ definitionId: 'orders', version: 3 });
    expect(await controller.check()).toEqual({ status: 'healthy', missingCode: 1 });
    lacking.pop();
  });
});
