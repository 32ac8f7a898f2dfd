import { Logger } from '@nestjs/common';
import type { TestingModule } from '@nestjs/testing';
import { type IWorkflowCancellationService, IWorkflowStarter, type WorkflowPersistence } from '@waymark/runtime';
import { literal, MINUTE, scheduler, schedules, SchedulingNodes } from '../schedules/scheduling-nodes.spec.js';
import { OverlapStarts } from './overlap-starts.js';

const wait = { id: 'E', type: 'Elsa.Event', eventName: literal('String', 'go') };
describe("the overlap policy 'cancelPrevious'", () => {
  let cluster: SchedulingNodes;
  let app: TestingModule;

  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => Logger.overrideLogger(undefined as never));
  beforeEach(async () => {
    cluster = new SchedulingNodes();
    app = await cluster.start();
  });
  afterEach(() => cluster.close());

  const running = async () =>
    (await cluster.instances()).filter(({ status }) => status === 'Running').map(({ version }) => version);

  it('cancels nothing for a start that the activation strategy refuses', async () => {
    await cluster.publish(app, 'w', wait);
    await scheduler(app).scheduleRecurring('beat', MINUTE, { definition: 'w' }, { overlap: 'cancelPrevious' });
    await cluster.clock.advance(MINUTE);
    await app.get(IWorkflowStarter).start({ definition: 'w', name: 'other' });
    await cluster.publish(app, 'w', wait, { activationStrategyType: 'Singleton' });
    await cluster.clock.advance(MINUTE);
    expect(await running()).toEqual([1, 1]);
    expect((await schedules(app).find('beat')).lastFiring).toMatchObject({ result: 'Refused' });
  });

  it('cancels nothing for a start that fails, such as one whose code this node lacks', async () => {
    const cancelled: string[] = [];
    const starts = new OverlapStarts(
      { instances: { findKeyHolder: async () => 'earlier' } } as unknown as WorkflowPersistence,
      { start: () => Promise.reject(new Error('no code')) } as IWorkflowStarter,
      { cancel: async (id: string) => void cancelled.push(id) } as unknown as IWorkflowCancellationService,
    );
    const start = { policy: 'cancelPrevious' as const, key: 'k', request: { definition: 'w' } };
    await expect(starts.start(start, async () => true)).rejects.toThrow('no code');
    expect(cancelled).toEqual([]);
  });
});
