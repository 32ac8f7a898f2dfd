import type { AlterationJob, AlterationPlan, OutboxMessage } from '@waymark/runtime';
import { after, aMessage, T0, uid } from '../builders.js';
import { type ContractContext, outcomes } from './contract-context.js';

/** `AlterationStore`. */
export function alterationsContract(context: ContractContext): void {
  const { describe, it, expect } = context.framework;

  const aPlan = (given: Partial<AlterationPlan> = {}): AlterationPlan => ({
    id: uid('plan'),
    alterations: [
      { type: 'ModifyVariable', variableId: 'v', value: { at: T0, text: 'žluťoučký' } },
      { type: 'Cancel' },
    ],
    submitted: [{ Type: 'ModifyVariable' }, { type: 'Cancel' }],
    workflowInstanceFilter: {
      names: ['n'],
      timestampFilters: [{ column: 'CreatedAt', operator: 'LessThan', timestamp: T0 }],
    },
    status: 'Pending',
    createdAt: T0,
    ...given,
  });
  const aJob = (planId: string): AlterationJob => ({
    id: uid('job'),
    planId,
    workflowInstanceId: uid('instance'),
    status: 'Pending',
    createdAt: T0,
  });
  const log = [{ message: 'Cancel succeeded', logLevel: 'Information' as const, timestamp: T0, eventName: 'Done' }];
  const isThere = (message: OutboxMessage) => context.otherNode.outbox.delete(message.id);

  async function started(count: number, now = after(1)): Promise<{ plan: AlterationPlan; jobs: AlterationJob[] }> {
    const { alterations } = context.store;
    const [plan, message] = [aPlan(), aMessage()];
    await alterations.submit(plan, message);
    const jobs = Array.from({ length: count }, () => aJob(plan.id));
    await alterations.start(plan.id, jobs, [], message.id, now);
    return { plan, jobs };
  }

  describe('plans of alterations', () => {
    it('are stored with their message, once', async () => {
      const { alterations } = context.store;
      const [plan, message, other] = [aPlan(), aMessage(), aMessage()];
      expect(await alterations.submit(plan, message)).toBe(true);
      expect(await context.otherNode.alterations.submit({ ...plan, createdAt: after(5) }, other)).toBe(false);
      expect(await context.otherNode.alterations.find(plan.id)).toEqual({ plan, jobs: [] });
      expect(await alterations.findPlan(plan.id)).toEqual(plan);
      expect([await isThere(message), await isThere(other)]).toEqual([true, false]);
      expect(await alterations.find(uid('absent'))).toBeUndefined();
    });

    it('become jobs together with their messages, once', async () => {
      const { alterations } = context.store;
      const [plan, message, served] = [aPlan(), aMessage(), aMessage()];
      await alterations.submit(plan, message);
      const jobs = [aJob(plan.id), aJob(plan.id), aJob(plan.id)];
      await alterations.start(plan.id, jobs, [served], message.id, after(1));
      const again = context.otherNode.alterations.start(plan.id, [aJob(plan.id)], [], message.id, after(2));
      await expect(again).rejects.toMatchObject({ code: 'WM7004', messageId: message.id });
      const running = { ...plan, status: 'Running', startedAt: after(1) };
      expect(await context.otherNode.alterations.find(plan.id)).toEqual({ plan: running, jobs });
      expect([await isThere(message), await isThere(served)]).toEqual([false, true]);
    });

    it('without jobs are completed at once', async () => {
      const { plan } = await started(0);
      const completed = { ...plan, status: 'Completed', startedAt: after(1), completedAt: after(1) };
      expect(await context.store.alterations.findPlan(plan.id)).toEqual(completed);
    });

    it('end with their last job, however many end at once', async () => {
      const { alterations } = context.store;
      const { plan, jobs } = await started(20);
      const [first, ...others] = jobs;
      await alterations.startJob(first!.id, after(2));
      expect(await alterations.findJob(first!.id)).toEqual({ ...first, status: 'Running', startedAt: after(2) });
      const nodes = [context.store, context.otherNode];
      const counts = await outcomes(
        [...others, ...others].map(async ({ id }, n) => {
          const { alterations: seen } = nodes[n % 2]!;
          if (!(await seen.finishJob(id, { status: 'Failed', log }, after(3)))) throw new Error('ended already');
        }),
      );
      expect(counts).toEqual({ fulfilled: 19, 'ended already': 19 });
      expect(await alterations.findPlan(plan.id)).toEqual({ ...plan, status: 'Running', startedAt: after(1) });
      expect(await alterations.finishJob(first!.id, { status: 'Completed', log }, after(4))).toBe(true);
      await alterations.startJob(first!.id, after(5));
      const found = await context.otherNode.alterations.find(plan.id);
      expect(found?.plan).toMatchObject({ status: 'Completed', startedAt: after(1), completedAt: after(4) });
      expect(found?.jobs.map(({ id }) => id)).toEqual(jobs.map(({ id }) => id));
      const completed = { ...first, status: 'Completed', log, startedAt: after(2), completedAt: after(4) };
      expect(found?.jobs[0]).toEqual(completed);
      expect(await alterations.finishJob(uid('absent'), { status: 'Failed', log }, after(4))).toBe(false);
    });

    it('fail while they have not been started, and only then', async () => {
      const { alterations } = context.store;
      const [plan, message] = [aPlan(), aMessage()];
      await alterations.submit(plan, message);
      await alterations.fail(plan.id, after(2));
      expect(await alterations.findPlan(plan.id)).toEqual({ ...plan, status: 'Failed', completedAt: after(2) });
      const { plan: running } = await started(1);
      await alterations.fail(running.id, after(2));
      expect(await alterations.findPlan(running.id)).toMatchObject({ status: 'Running' });
      await isThere(message);
    });

    it('are removed with their jobs once they ended before a time', async () => {
      const { alterations } = context.store;
      // Long before any other plan in this store ended.
      const at = (ms: number) => new Date(86_400_000 + ms);
      const old = [await started(0, at(0)), await started(0, at(1)), await started(1, at(2))];
      const [job] = old[2]!.jobs;
      expect(await alterations.purge(at(9), 1)).toBe(1);
      expect(await alterations.purge(at(9), 5)).toBe(1);
      expect(await alterations.purge(at(9), 5)).toBe(0);
      await alterations.finishJob(job!.id, { status: 'Completed', log }, at(3));
      expect(await alterations.purge(at(3), 5)).toBe(0);
      // The job, and the plan.
      expect(await alterations.purge(at(4), 5)).toBe(2);
      expect(await alterations.findJob(job!.id)).toBeUndefined();
      for (const { plan } of old) expect(await alterations.findPlan(plan.id)).toBeUndefined();
    });

    it('are removed in batches of rows, however many jobs they had, and last of all the plan', async () => {
      const { alterations } = context.store;
      const at = (ms: number) => new Date(86_400_000 + ms);
      const { plan, jobs } = await started(5);
      for (const { id } of jobs) await alterations.finishJob(id, { status: 'Completed', log }, at(0));
      expect(await alterations.purge(at(1), 3)).toBe(3);
      expect((await alterations.find(plan.id))!.jobs).toHaveLength(2);
      expect(await alterations.purge(at(1), 3)).toBe(3);
      expect([await alterations.find(plan.id), await alterations.purge(at(1), 3)]).toEqual([undefined, 0]);
    });

    it('are removed once when several nodes do it', async () => {
      const at = (ms: number) => new Date(86_400_000 + ms);
      const plans = [await started(20), await started(20), await started(20)];
      for (const { id } of plans.flatMap(({ jobs }) => jobs))
        await context.store.alterations.finishJob(id, { status: 'Completed', log }, at(0));
      const purge = (n: number) => (n % 2 ? context.store : context.otherNode).alterations.purge(at(1), 10);
      const counts = await Promise.all(Array.from({ length: 8 }, (_, n) => purge(n)));
      let removed = counts.reduce((sum, count) => sum + count, 0);
      for (let count = -1; count !== 0; removed += count) count = await purge(0);
      expect(removed).toBe(63);
    });
  });
}
