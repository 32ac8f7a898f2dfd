import type { AlterationJob, AlterationPlan } from '@waymark/runtime';
import type { OutboxMessage } from '@waymark/runtime/adapter';
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
      timestampFilters: [
        { column: 'CreatedAt', operator: 'LessThan', timestamp: T0 },
        { column: 'UpdatedAt', operator: 'IsNot', timestamp: T0, until: after(1) },
      ],
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
    const plan = aPlan();
    await alterations.submit(plan);
    const jobs = Array.from({ length: count }, () => aJob(plan.id));
    await alterations.cut({ plan, cursor: undefined }, { jobs, messages: [], next: undefined }, now);
    return { plan, jobs };
  }

  describe('plans of alterations', () => {
    it('are stored once, and stay open until all of their instances are selected', async () => {
      const { alterations } = context.store;
      const plan = aPlan({ createdAt: new Date(0) });
      expect(await alterations.submit(plan)).toBe(true);
      expect(await context.otherNode.alterations.submit({ ...plan, createdAt: after(5) })).toBe(false);
      expect(await context.otherNode.alterations.find(plan.id)).toEqual({ plan, jobs: [] });
      expect(await alterations.findPlan(plan.id)).toEqual(plan);
      expect(await alterations.find(uid('absent'))).toBeUndefined();
      expect(await context.otherNode.alterations.findOpen(1)).toEqual([{ plan, cursor: undefined }]);
      await alterations.cut({ plan, cursor: undefined }, { jobs: [], messages: [], next: 'a' }, after(1));
      const running = { ...plan, status: 'Running' as const, startedAt: after(1) };
      expect(await alterations.findOpen(1)).toEqual([{ plan: running, cursor: 'a' }]);
      await alterations.cut({ plan, cursor: 'a' }, { jobs: [], messages: [], next: undefined }, after(2));
      expect((await alterations.findOpen(99)).map((open) => open.plan.id)).not.toContain(plan.id);
    });

    it('become jobs together with their messages, batch by batch, each batch once', async () => {
      const { alterations } = context.store;
      const [plan, first, second] = [aPlan(), aMessage(), aMessage()];
      await alterations.submit(plan);
      const jobs = Array.from({ length: 5 }, () => aJob(plan.id));
      const begin = { plan, cursor: undefined };
      const cut = { jobs: jobs.slice(0, 3), messages: [first], next: 'c' };
      expect(await alterations.cut(begin, cut, after(1))).toBe(true);
      expect(await context.otherNode.alterations.cut(begin, { ...cut, jobs: [aJob(plan.id)] }, after(2))).toBe(false);
      // All that were made have ended, but not all were made.
      for (const { id } of jobs.slice(0, 3)) await alterations.finishJob(id, { status: 'Completed', log }, after(3));
      expect(await alterations.findPlan(plan.id)).toEqual({ ...plan, status: 'Running', startedAt: after(1) });
      const last = { jobs: jobs.slice(3), messages: [second], next: undefined };
      const [one, other] = await Promise.all(
        [context.store, context.otherNode].map((node) => node.alterations.cut({ plan, cursor: 'c' }, last, after(4))),
      );
      expect([one, other].filter(Boolean)).toHaveLength(1);
      expect([await isThere(first), await isThere(second)]).toEqual([true, true]);
      const found = await context.otherNode.alterations.find(plan.id);
      expect(found?.jobs.map(({ id }) => id)).toEqual(jobs.map(({ id }) => id));
      const page = await alterations.findJobs(plan.id, 2);
      const rest = await context.otherNode.alterations.findJobs(plan.id, 9, page.next);
      expect([...page.jobs, ...rest.jobs]).toEqual(found?.jobs);
      expect([page.jobs.length, rest.next]).toEqual([2, undefined]);
      expect(await alterations.findJobs(uid('absent'), 2)).toEqual({ jobs: [], next: undefined });
      for (const { id } of jobs.slice(3)) await alterations.finishJob(id, { status: 'Failed', log }, after(5));
      expect(await alterations.findPlan(plan.id)).toMatchObject({ status: 'Completed', completedAt: after(5) });
      expect(await alterations.cut({ plan, cursor: undefined }, last, after(6))).toBe(false);
    });

    it('complete when the last instance is selected, if all of their jobs have ended by then', async () => {
      const { alterations } = context.store;
      const plan = aPlan();
      await alterations.submit(plan);
      const job = aJob(plan.id);
      await alterations.cut({ plan, cursor: undefined }, { jobs: [job], messages: [], next: 'a' }, after(1));
      await alterations.finishJob(job.id, { status: 'Completed', log }, after(2));
      await alterations.cut({ plan, cursor: 'a' }, { jobs: [], messages: [], next: undefined }, after(3));
      const completed = { ...plan, status: 'Completed', startedAt: after(1), completedAt: after(3) };
      expect(await context.otherNode.alterations.findPlan(plan.id)).toEqual(completed);
    });

    it('of older nodes are adopted once, with the message that would have carried them out', async () => {
      const { alterations, outbox } = context.store;
      const [{ plan }, pending, message] = [await started(1), aPlan(), aMessage()];
      await alterations.submit(pending);
      await outbox.add([message]);
      await alterations.adopt(pending.id, message.id);
      const again = context.otherNode.alterations.adopt(pending.id, message.id);
      await expect(again).rejects.toMatchObject({ code: 'WM7004', messageId: message.id });
      const cut = { jobs: [], messages: [], next: undefined };
      expect(await alterations.cut({ plan: pending, cursor: undefined }, cut, after(1))).toBe(true);
      const late = aMessage();
      await outbox.add([late]);
      await alterations.adopt(plan.id, late.id);
      expect(await alterations.cut({ plan, cursor: undefined }, cut, after(1))).toBe(false);
    });

    it('are found but for those that the caller leaves alone', async () => {
      const { alterations } = context.store;
      const [first, second] = [aPlan(), aPlan()];
      for (const plan of [first, second]) await alterations.submit(plan);
      const open = async (...except: string[]) => (await alterations.findOpen(999, except)).map(({ plan }) => plan.id);
      const all = await open();
      expect([all.includes(first.id), all.includes(second.id)]).toEqual([true, true]);
      const others = await open(first.id, uid('absent'));
      expect([others.includes(first.id), others.includes(second.id)]).toEqual([false, true]);
    });

    it('can be cancelled, after which no jobs are made, and the last job does not complete them', async () => {
      const { alterations } = context.store;
      const half = aPlan();
      await alterations.submit(half);
      const [begun, waiting] = [aJob(half.id), aJob(half.id)];
      const cut = { jobs: [begun, waiting], messages: [], next: 'a' };
      await alterations.cut({ plan: half, cursor: undefined }, cut, after(1));
      const { plan: whole, jobs } = await started(2);
      for (const { id } of [half, whole]) {
        expect(await context.otherNode.alterations.cancel(id, after(2))).toBe(true);
        expect(await alterations.cancel(id, after(3))).toBe(false);
        const ended = { status: 'Failed', isCancelled: true, completedAt: after(2), startedAt: after(1) };
        expect(await alterations.findPlan(id)).toMatchObject(ended);
      }
      expect(await alterations.cancel(uid('absent'), after(3))).toBe(false);
      const more = { jobs: [aJob(half.id)], messages: [], next: undefined };
      expect(await alterations.cut({ plan: half, cursor: 'a' }, more, after(3))).toBe(false);
      const open = (await alterations.findOpen(999)).map(({ plan }) => plan.id);
      expect(open).not.toContain(half.id);
      for (const { id } of [begun, waiting, ...jobs])
        expect(await alterations.finishJob(id, { status: 'Failed', log }, after(4))).toBe(true);
      for (const { id } of [half, whole])
        expect(await alterations.find(id)).toMatchObject({ plan: { status: 'Failed', isCancelled: true } });
    });

    it('that failed are not taken for cancelled', async () => {
      const { alterations } = context.store;
      const plan = aPlan();
      await alterations.submit(plan);
      await alterations.fail(plan.id, after(1));
      expect(await alterations.findPlan(plan.id)).toEqual({ ...plan, status: 'Failed', completedAt: after(1) });
      expect(await alterations.cancel(plan.id, after(2))).toBe(false);
    });

    it('without jobs are completed at once', async () => {
      const { plan } = await started(0);
      const completed = { ...plan, status: 'Completed', startedAt: after(1), completedAt: after(1) };
      expect(await context.store.alterations.findPlan(plan.id)).toEqual(completed);
    });

    it('end with their last job, even when several jobs end at once', async () => {
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

    it('can fail only while not all of their instances are selected', async () => {
      const { alterations } = context.store;
      const [plan, begun] = [aPlan(), aPlan()];
      await alterations.submit(plan);
      await alterations.fail(plan.id, after(2));
      expect(await alterations.findPlan(plan.id)).toEqual({ ...plan, status: 'Failed', completedAt: after(2) });
      await alterations.submit(begun);
      const job = aJob(begun.id);
      await alterations.cut({ plan: begun, cursor: undefined }, { jobs: [job], messages: [], next: 'a' }, after(1));
      await alterations.fail(begun.id, after(2));
      await alterations.finishJob(job.id, { status: 'Completed', log }, after(3));
      expect(await alterations.findPlan(begun.id)).toMatchObject({ status: 'Failed', completedAt: after(2) });
      expect((await alterations.findOpen(99)).map((open) => open.plan.id)).not.toContain(begun.id);
      const { plan: running } = await started(1);
      await alterations.fail(running.id, after(2));
      expect(await alterations.findPlan(running.id)).toMatchObject({ status: 'Running' });
    });

    it('are removed with their jobs when they ended before a given time', async () => {
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

    it('are removed in batches of rows, the plan itself last', async () => {
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
