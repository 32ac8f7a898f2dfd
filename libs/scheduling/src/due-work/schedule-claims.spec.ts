import { Logger } from '@nestjs/common';
import { IWorkflowDefinitionPublisher } from '@waymark/runtime';
import { MINUTE, scheduler, schedules, SchedulingNodes, SECOND } from '../schedules/scheduling-nodes.spec.js';

describe('schedules that are due at the same time', () => {
  let cluster: SchedulingNodes;

  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => Logger.overrideLogger(undefined as never));
  beforeEach(() => {
    cluster = new SchedulingNodes();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await cluster.close();
  });

  it('W4: schedules that are due together are claimed together, each once, by any number of nodes', async () => {
    const app = await cluster.start();
    await cluster.start();
    await cluster.start();
    await cluster.publish(app, 'w');
    for (let n = 0; n < 100; n++)
      await scheduler(app).scheduleCron(`s${n}`, '0 * * * * *', { definition: 'w', name: `s${n}` });
    const [claim, fire] = [jest.spyOn(cluster.store.schedules, 'claim'), jest.spyOn(cluster.store.schedules, 'fire')];
    await cluster.clock.advance(2 * MINUTE + SECOND);
    const names = (await cluster.instances()).map(({ name }) => name);
    expect([names.length, new Set(names).size]).toEqual([200, 100]);
    expect(fire).not.toHaveBeenCalled();
    expect(claim.mock.calls.length).toBeLessThanOrEqual(2 * 3 * 2);
    expect((await schedules(app).find('s7')).lastFiring).toMatchObject({ result: 'Sent' });
  });

  it('schedules do not wait for one that fails, which is counted and is not prepared with each look', async () => {
    const app = await cluster.start();
    await cluster.publish(app, 'w');
    await cluster.publish(app, 'away');
    await scheduler(app).scheduleRecurring('away', MINUTE, { definition: 'away' });
    await scheduler(app).scheduleRecurring('here', MINUTE, { definition: 'w' });
    await scheduler(app).scheduleRecurring('often', SECOND, { definition: 'w' });
    await app.get(IWorkflowDefinitionPublisher).retract('away');
    await cluster.clock.advance(MINUTE + 10 * SECOND);
    const of = async (definitionId: string) =>
      (await cluster.instances()).filter((each) => each.definitionId === definitionId).length;
    expect(await of('w')).toBe(71);
    const failure = (await schedules(app).find('away')).failure!;
    expect(failure.lastError).toContain('away');
    expect(failure.attempts).toBeLessThan(8);
    await app.get(IWorkflowDefinitionPublisher).publish('away');
    await cluster.clock.advance(MINUTE);
    expect(await of('away')).toBeGreaterThan(0);
  });
});
