import { AuditActorKind, AuditOutcome, type AuditTrail } from '@waymark/runtime';
import { ShutdownTasks } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { resolveApiOptions } from '../module/api-options.js';
import { RefusalBudget } from './refusal-budget.js';

describe('the budget of refused requests', () => {
  it('sums up what it has omitted at shutdown, and leaves no timer, also for requests that are refused later', async () => {
    const clock = new VirtualClock();
    const shutdown = new ShutdownTasks();
    const recorded: unknown[] = [];
    const trail = { record: async (record: unknown) => recorded.push(record) > 0 } as unknown as AuditTrail;
    const options = resolveApiOptions({ allowAnonymous: true, audit: { refusalsPerHour: 1 } });
    const budget = new RefusalBudget(trail, clock, shutdown, options);
    budget.onModuleInit();
    const isRecorded = () =>
      budget.allows({ action: 'a', actorKind: AuditActorKind.Anonymous, outcome: AuditOutcome.Refused });
    expect([isRecorded(), isRecorded(), isRecorded()]).toEqual([true, false, false]);
    expect(clock.pending).toHaveLength(1);
    await shutdown.run();
    expect(recorded).toEqual([{ action: 'audit.omit-refusals', outcome: 'Refused', details: { omitted: 2 } }]);
    expect(isRecorded()).toBe(false);
    expect(clock.pending).toEqual([]);
  });

  it('is one for each link: who follows one without end does not keep the requests by others from the trail', () => {
    const options = resolveApiOptions({ allowAnonymous: true });
    const budget = new RefusalBudget({} as AuditTrail, new VirtualClock(), new ShutdownTasks(), options);
    const isRecorded = (id: string) => budget.allows({ action: 'a', actorKind: AuditActorKind.Link, targetIds: [id] });
    const flood = Array.from({ length: 2000 }, () => isRecorded('newsletter'));
    expect(flood.filter(Boolean).length).toBe(100);
    expect(isRecorded('approval')).toBe(true);
  });
});
