import type { BulkPlan } from '@waymark/runtime';
import type { PlanStep } from '@waymark/runtime/adapter';
import { after, aMessage, T0, uid } from '../builders.js';
import type { ContractContext } from './contract-context.js';

/** `BulkPlanStore`: plans that go step by step, each led to by a message. */
export function planStepsContract(context: ContractContext): void {
  const { describe, it, expect } = context.framework;

  const aPlan = (given: Partial<BulkPlan> = {}): BulkPlan => ({
    id: uid('plan'),
    action: 'RetryInstances',
    selection: [{ ids: ['a', 'b', 'žluť'] }],
    status: 'Pending',
    selected: 3,
    isSelected: true,
    visited: 0,
    changed: 0,
    failed: 0,
    failures: [],
    createdAt: T0,
    ...given,
  });
  /** Not due: no claim of another test takes it. */
  const message = () => aMessage({ kind: 'plan-step', availableAt: after(1e12) });
  const waiting = async () => (await context.store.outbox.count()).waiting;

  describe('bulk plans that go step by step', () => {
    it('are stored with the message of their first step, once, and no batch is cut off them', async () => {
      const { bulkPlans } = context.store;
      const plan = aPlan();
      const before = await waiting();
      expect(await bulkPlans.submit(plan, { messages: [message()] })).toBe(true);
      expect(await context.otherNode.bulkPlans.submit(plan, { messages: [message()] })).toBe(false);
      expect([await context.otherNode.bulkPlans.find(plan.id), await waiting()]).toEqual([plan, before + 1]);
      // Nodes of the version before look for work in these ways, and would take what they find for done.
      expect((await bulkPlans.findOpen())?.plan.id).not.toBe(plan.id);
      expect((await bulkPlans.findDeletion())?.id).not.toBe(plan.id);
      await bulkPlans.cancel(plan.id, T0);
    });

    it('note a step once, with its message consumed and that of the next one stored, and end with the last', async () => {
      const { bulkPlans } = context.store;
      const plan = aPlan();
      const [first, second] = [message(), message()];
      const before = await waiting();
      await bulkPlans.submit(plan, { messages: [first] });
      const failures = [{ id: 'b', code: 'WM3001', message: 'gone' }];
      const step: PlanStep = {
        planId: plan.id,
        from: undefined,
        to: '2',
        visited: 2,
        changed: 1,
        failures,
        consumedMessageId: first.id,
        messages: [second],
      };
      const both = [context.store, context.otherNode].map((node) => node.bulkPlans.advance(step, after(1)));
      expect((await Promise.all(both)).filter((isNoted) => isNoted)).toEqual([true]);
      const running = { ...plan, status: 'Running', startedAt: after(1), visited: 2, changed: 1, failed: 1, failures };
      expect([await bulkPlans.find(plan.id), await waiting()]).toEqual([running, before + 1]);
      const last: PlanStep = {
        ...step,
        from: '2',
        to: undefined,
        visited: 1,
        failures: [],
        consumedMessageId: second.id,
        messages: [],
      };
      expect(await bulkPlans.advance({ ...last, from: '1' }, after(2))).toBe(false);
      expect(await bulkPlans.advance({ ...last, consumedMessageId: uid('absent') }, after(2))).toBe(false);
      expect(await bulkPlans.find(plan.id)).toEqual(running);
      expect(await bulkPlans.advance(last, after(2))).toBe(true);
      const completed = { ...running, status: 'Completed', completedAt: after(2), visited: 3, changed: 2 };
      expect([await bulkPlans.find(plan.id), await waiting()]).toEqual([completed, before]);
    });

    it('keep the ids of each step on a page of its own, until they have ended', async () => {
      const { bulkPlans } = context.store;
      const pages = [
        { from: 0, ids: ['a', 'b'] },
        { from: 2, ids: ['žluť'] },
      ];
      const [ending, cancelled] = [aPlan({ selection: [{ idCount: 3 }] }), aPlan({ selection: [{ idCount: 3 }] })];
      const first = message();
      await bulkPlans.submit(ending, { messages: [first], pages });
      await bulkPlans.submit(cancelled, { pages });
      const seen = async ({ id }: BulkPlan) => [
        await context.otherNode.bulkPlans.findPage(id, 0),
        await context.otherNode.bulkPlans.findPage(id, 2),
        await context.otherNode.bulkPlans.findPage(id, 1),
        await context.otherNode.bulkPlans.findPageIds(id),
      ];
      for (const plan of [ending, cancelled])
        expect(await seen(plan)).toEqual([...pages, undefined, ['a', 'b', 'žluť']]);
      expect(await bulkPlans.find(ending.id)).toEqual(ending);
      expect(await bulkPlans.findStatus(ending.id)).toBe('Pending');
      // Nodes of the version before take pages for batches of living nodes.
      const lease = { owner: 'a', leaseMs: 1000, now: after(1e9) };
      expect((await bulkPlans.claim(lease))?.planId).not.toBe(ending.id);
      const step = { planId: ending.id, from: undefined, to: undefined, visited: 3, changed: 3, failures: [] };
      expect(await bulkPlans.advance({ ...step, consumedMessageId: first.id, messages: [] }, after(1))).toBe(true);
      await bulkPlans.cancel(cancelled.id, after(1));
      for (const plan of [ending, cancelled]) expect(await seen(plan)).toEqual([undefined, undefined, undefined, []]);
      expect([await bulkPlans.findStatus(ending.id), await bulkPlans.findStatus(uid('absent'))]).toEqual([
        'Completed',
        undefined,
      ]);
    });

    it('remember who asked for them', async () => {
      const { bulkPlans } = context.store;
      const plan = aPlan({ requestedBy: { actorKind: 'User', actor: 'žofie', isAudited: true } });
      await bulkPlans.submit(plan);
      expect(await context.otherNode.bulkPlans.find(plan.id)).toEqual(plan);
      await bulkPlans.cancel(plan.id, T0);
    });

    it('are not continued once they are cancelled', async () => {
      const { bulkPlans } = context.store;
      const plan = aPlan();
      const first = message();
      await bulkPlans.submit(plan, { messages: [first] });
      expect(await context.otherNode.bulkPlans.cancel(plan.id, after(3))).toBe(true);
      const step = { planId: plan.id, from: undefined, to: '1', visited: 1, changed: 1, failures: [] };
      expect(await bulkPlans.advance({ ...step, consumedMessageId: first.id, messages: [message()] }, after(4))).toBe(
        false,
      );
      expect(await bulkPlans.find(plan.id)).toEqual({ ...plan, status: 'Cancelled', completedAt: after(3) });
      await context.store.outbox.delete(first.id);
    });
  });
}
