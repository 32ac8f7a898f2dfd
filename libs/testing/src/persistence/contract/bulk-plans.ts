import type { BulkPlan } from '@waymark/runtime';
import { type BulkBatch, type BulkCut, MAX_FAILURES, type OpenSelection } from '@waymark/runtime/adapter';
import { after, T0, uid } from '../builders.js';
import { type ContractContext, outcomes } from './contract-context.js';

const LEASE = 30_000;

/** `BulkPlanStore`. */
export function bulkPlansContract(context: ContractContext): void {
  const { describe, it, expect } = context.framework;

  const aPlan = (given: Partial<BulkPlan> = {}): BulkPlan => ({
    id: uid('plan'),
    action: 'CancelInstances',
    selection: [
      { definitionIds: ['žluťoučký'], timestamps: [{ column: 'CreatedAt', operator: 'LessThan', timestamp: T0 }] },
    ],
    status: 'Pending',
    selected: 0,
    isSelected: false,
    visited: 0,
    changed: 0,
    failed: 0,
    failures: [],
    createdAt: T0,
    ...given,
  });
  const lease = (owner: string, ms = 0) => ({ owner, leaseMs: LEASE, now: after(ms) });
  const aCut = (count: number, next?: string): BulkCut => ({
    batchId: uid('batch'),
    ids: Array.from({ length: count }, () => uid('instance')),
    next,
  });
  const done = (changed: number) => ({ changed, failures: [] });

  async function submitted(given: Partial<BulkPlan> = {}): Promise<BulkPlan> {
    const plan = aPlan(given);
    expect(await context.store.bulkPlans.submit(plan)).toBe(true);
    return plan;
  }
  const cutFrom = (open: OpenSelection, cut: BulkCut, owner = 'a', ms = 0) =>
    context.store.bulkPlans.cut(open, cut, lease(owner, ms)) as Promise<BulkBatch>;
  /** Plans of other tests would be found as well. */
  async function endAll(): Promise<void> {
    for (let open = await context.store.bulkPlans.findOpen(); open; open = await context.store.bulkPlans.findOpen())
      await context.store.bulkPlans.cancel(open.plan.id, T0);
  }

  describe('bulk plans', () => {
    it('are stored once, and listed with the newest first', async () => {
      const { bulkPlans } = context.store;
      const [first, second] = [
        await submitted({ createdAt: after(1e9) }),
        await submitted({ createdAt: after(1e9 + 1) }),
      ];
      expect(await context.otherNode.bulkPlans.submit({ ...first, createdAt: after(9) })).toBe(false);
      expect(await context.otherNode.bulkPlans.find(first.id)).toEqual(first);
      expect(await bulkPlans.find(uid('absent'))).toBeUndefined();
      const { items, totalCount } = await bulkPlans.findMany({ skip: 0, take: 2 });
      expect([items, totalCount >= 2]).toEqual([[second, first], true]);
      const counted = await bulkPlans.findMany({ skip: 0, take: 0, countUpTo: 1 });
      expect(counted).toEqual({ items: [], totalCount: 1, isTotalLowerBound: true });
    });

    it('whose batches are stored with them are done batch by batch, the first ones of all plans first', async () => {
      const { bulkPlans } = context.store;
      const other = context.otherNode.bulkPlans;
      const submit = async () => {
        const batches = [1, 2].map((count) => ({ id: uid('batch'), ids: aCut(count).ids }));
        const plan = aPlan({ status: 'Running', selected: 3, isSelected: true, selection: [{ ids: undefined }] });
        expect(await bulkPlans.submit(plan, { batches })).toBe(true);
        return { plan, batches };
      };
      const both = [await submit(), await submit()];
      const claimed: BulkBatch[] = [];
      for (let n = 0; n < 4; n++) claimed.push((await other.claim(lease('b')))!);
      expect(new Set(claimed.slice(0, 2).map(({ id }) => id))).toEqual(
        new Set(both.map(({ batches }) => batches[0]!.id)),
      );
      for (const { plan, batches } of both) {
        const ofPlan = claimed.filter(({ planId }) => planId === plan.id);
        expect(ofPlan).toEqual(batches.map((b) => ({ ...b, planId: plan.id, action: plan.action, attempts: 0 })));
        for (const batch of ofPlan) expect(await other.finish(batch, 'b', done(1), after(1))).toBe(true);
        expect(await bulkPlans.find(plan.id)).toMatchObject({ status: 'Completed', visited: 3, changed: 2 });
      }
    });

    it('that delete definitions at the end run until that has succeeded or failed', async () => {
      const { bulkPlans } = context.store;
      const other = context.otherNode.bulkPlans;
      const plans = [
        await submitted({ action: 'DeleteInstances', deletes: { definitionIds: ['a', 'b'] } }),
        await submitted({ action: 'DeleteInstances', deletes: { definitionVersionIds: ['v'] } }),
        await submitted({ action: 'DeleteInstances', deletes: { definitionIds: ['c'] } }),
      ];
      const [empty, full, cancelled] = plans as [BulkPlan, BulkPlan, BulkPlan];
      expect([await other.find(empty.id), await bulkPlans.findDeletion()]).toEqual([empty, undefined]);
      const underWay = await other.findDeletions();
      for (const { deletes } of [empty, full, cancelled]) expect(underWay).toContainEqual(deletes);
      await cutFrom({ plan: empty, cursor: undefined }, { ...aCut(0) }, 'a', 1);
      const batch = await cutFrom({ plan: full, cursor: undefined }, aCut(1), 'a', 1);
      expect(await bulkPlans.cancel(cancelled.id, after(1))).toBe(true);
      const deleting = { ...empty, status: 'Running', startedAt: after(1), isSelected: true };
      expect(await other.findDeletion()).toEqual(deleting);
      expect(await other.findDeletion([full.id, empty.id])).toBeUndefined();
      expect([await other.find(empty.id), await other.cancel(empty.id, after(2))]).toEqual([deleting, false]);
      const failures = [{ id: 'a', code: 'WM3001', message: 'no' }];
      // However long ago its instances went: what it has yet to delete would stay.
      const purged = await other.purge(after(1e9), 1000);
      expect([await bulkPlans.findStatus(empty.id), purged >= 1]).toEqual(['Running', true]);
      const both = [bulkPlans.endDeletion(empty.id, failures), other.endDeletion(empty.id, failures)];
      expect((await Promise.all(both)).filter((hasEnded) => hasEnded)).toEqual([true]);
      expect(await other.find(empty.id)).toEqual({
        ...deleting,
        ...{ status: 'Completed', completedAt: after(1), failed: 1, failures },
      });
      expect(await other.findDeletion()).toBeUndefined();
      const stillThere = await bulkPlans.findDeletions();
      expect(stillThere).toContainEqual(full.deletes);
      expect(stillThere).not.toContainEqual(cancelled.deletes);
      expect(stillThere).not.toContainEqual(empty.deletes);
      await bulkPlans.finish(batch, 'a', done(1), after(3));
      expect(await other.findDeletion()).toMatchObject({ id: full.id, status: 'Running', visited: 1 });
      expect([await other.endDeletion(full.id, []), await other.endDeletion(full.id, [])]).toEqual([true, false]);
      expect(await other.endDeletion(cancelled.id, failures)).toBe(false);
      expect(await bulkPlans.find(full.id)).toMatchObject({ status: 'Completed', completedAt: after(3), failures: [] });
      // It ended in a cancellation: nothing is left that it deletes.
      expect(await bulkPlans.find(cancelled.id)).toBeUndefined();
    });

    it('are cut into batches, each for one node, and end with the last of them', async () => {
      await endAll();
      const { bulkPlans } = context.store;
      const plan = await submitted();
      const open = { plan, cursor: undefined };
      expect(await context.otherNode.bulkPlans.findOpen()).toEqual(open);
      const cut = aCut(3, '0:x');
      const batch = await cutFrom(open, cut, 'a', 1);
      expect(batch).toEqual({ id: cut.batchId, planId: plan.id, action: plan.action, ids: cut.ids, attempts: 0 });
      expect(await context.otherNode.bulkPlans.cut(open, aCut(1), lease('b'))).toBe(false);
      const running = { ...plan, status: 'Running', selected: 3, startedAt: after(1) };
      expect(await context.otherNode.bulkPlans.findOpen()).toEqual({ plan: running, cursor: '0:x' });
      const last = await cutFrom({ plan, cursor: '0:x' }, aCut(2), 'b', 2);
      expect(await bulkPlans.findOpen()).toBeUndefined();
      expect(await bulkPlans.finish(last, 'b', done(1), after(3))).toBe(true);
      const selected = { ...running, isSelected: true, selected: 5 };
      expect(await bulkPlans.find(plan.id)).toEqual({ ...selected, visited: 2, changed: 1 });
      expect(await bulkPlans.finish(batch, 'a', done(3), after(4))).toBe(true);
      const completed = { ...selected, status: 'Completed', visited: 5, changed: 4, completedAt: after(4) };
      expect(await bulkPlans.find(plan.id)).toEqual(completed);
      expect(await bulkPlans.finish(batch, 'a', done(3), after(5))).toBe(false);
      expect(await bulkPlans.find(plan.id)).toEqual(completed);
    });

    it('end with their selection when nothing is left', async () => {
      await endAll();
      const { bulkPlans } = context.store;
      const plan = await submitted();
      expect(await cutFrom({ plan, cursor: undefined }, aCut(0, '1:'))).toBeUndefined();
      expect(await bulkPlans.find(plan.id)).toMatchObject({ status: 'Running', isSelected: false });
      const batch = await cutFrom({ plan, cursor: '1:' }, aCut(1, '2:'));
      expect(await cutFrom({ plan, cursor: '2:' }, aCut(0))).toBeUndefined();
      expect(await bulkPlans.find(plan.id)).toMatchObject({ status: 'Running', isSelected: true });
      await bulkPlans.finish(batch, 'a', done(1), after(1));
      expect(await bulkPlans.find(plan.id)).toMatchObject({ status: 'Completed', completedAt: after(1) });
      const empty = await submitted();
      await cutFrom({ plan: empty, cursor: undefined }, aCut(0), 'a', 7);
      expect(await bulkPlans.find(empty.id)).toMatchObject({ status: 'Completed', completedAt: after(7), selected: 0 });
    });

    it('let a small plan overtake the rest of a large one', async () => {
      await endAll();
      const large = await submitted();
      await cutFrom({ plan: large, cursor: undefined }, aCut(2, '0:x'));
      const small = await submitted({ createdAt: after(5) });
      expect((await context.store.bulkPlans.findOpen())?.plan.id).toBe(small.id);
    });

    it('are found without those that a node leaves alone', async () => {
      await endAll();
      const { bulkPlans } = context.store;
      const [first, second] = [await submitted(), await submitted({ createdAt: after(5) })];
      expect((await bulkPlans.findOpen([]))?.plan.id).toBe(first.id);
      expect((await bulkPlans.findOpen([first.id]))?.plan.id).toBe(second.id);
      expect(await bulkPlans.findOpen([second.id, first.id])).toBeUndefined();
    });

    it('have the batches of dead nodes taken over, and ignore late reports of those nodes', async () => {
      await endAll();
      const { bulkPlans } = context.store;
      for (let left = await bulkPlans.claim(lease('z', 1e12)); left; left = await bulkPlans.claim(lease('z', 1e12)))
        await bulkPlans.finish(left, 'z', done(0), T0);
      const plan = await submitted();
      const batch = await cutFrom({ plan, cursor: undefined }, aCut(2));
      expect(await bulkPlans.claim(lease('b', LEASE - 1))).toBeUndefined();
      expect(await bulkPlans.renew(batch, lease('a', 1))).toBe(true);
      expect(await bulkPlans.claim(lease('b', LEASE))).toBeUndefined();
      const taken = await context.otherNode.bulkPlans.claim(lease('b', LEASE + 1));
      expect(taken).toEqual({ ...batch, attempts: 1 });
      expect(await bulkPlans.renew(batch, lease('a', LEASE + 2))).toBe(false);
      expect(await bulkPlans.finish(batch, 'a', done(2), after(1))).toBe(false);
      expect(await bulkPlans.finish(taken!, 'b', done(1), after(2))).toBe(true);
      expect(await bulkPlans.find(plan.id)).toMatchObject({ status: 'Completed', visited: 2, changed: 1 });
    });

    it('give a node the batch again of which it has not heard, without counting an attempt', async () => {
      await endAll();
      const { bulkPlans } = context.store;
      const plan = await submitted();
      const abandoned = await cutFrom({ plan, cursor: undefined }, aCut(1, '0:a'));
      const lost = await cutFrom({ plan, cursor: '0:a' }, aCut(1, '0:b'), 'b', LEASE * 2);
      expect(await bulkPlans.claim(lease('b', LEASE - 1), { isLost: false })).toBeUndefined();
      expect(await bulkPlans.claim(lease('b', LEASE * 2), { isLost: true })).toEqual(lost);
      expect(await bulkPlans.renew(lost, lease('b', LEASE * 2))).toBe(true);
      await bulkPlans.finish(lost, 'b', done(1), after(1));
      const next = await bulkPlans.claim(lease('b', LEASE * 2), { isLost: true });
      expect(next).toEqual({ ...abandoned, attempts: 1 });
      await bulkPlans.cancel(plan.id, T0);
    });

    it('do not count the claim of a batch that its node has given up, and hand it out no earlier', async () => {
      await endAll();
      const { bulkPlans } = context.store;
      const plan = await submitted();
      const batch = await cutFrom({ plan, cursor: undefined }, aCut(1, '0:a'));
      await bulkPlans.giveUpClaim!(batch, 'b');
      expect(await bulkPlans.renew(batch, lease('a'))).toBe(true);
      await context.otherNode.bulkPlans.giveUpClaim!(batch, 'a');
      await bulkPlans.giveUpClaim!(batch, 'a');
      expect(await bulkPlans.renew(batch, lease('a'))).toBe(false);
      expect(await bulkPlans.finish(batch, 'a', done(1), after(1))).toBe(false);
      expect(await bulkPlans.claim(lease('b', LEASE - 1))).toBeUndefined();
      expect(await bulkPlans.claim(lease('b', LEASE))).toEqual(batch);
      expect(await bulkPlans.claim(lease('c', LEASE * 2))).toEqual({ ...batch, attempts: 1 });
      await bulkPlans.cancel(plan.id, T0);
    });

    it('keep batches of actions that a node does not know for others, uncounted', async () => {
      await endAll();
      const { bulkPlans } = context.store;
      const action = 'FromALaterVersion' as BulkPlan['action'];
      const [plan, known] = [await submitted({ action }), await submitted()];
      const later = await cutFrom({ plan, cursor: undefined }, aCut(1, '0:a'));
      const first = await cutFrom({ plan: known, cursor: undefined }, aCut(1, '0:a'), 'a', 1);
      const actions = [known.action];
      expect(await bulkPlans.claim(lease('b', LEASE * 3), { actions })).toEqual({ ...first, attempts: 1 });
      expect(await bulkPlans.claim(lease('b', LEASE * 3), { actions })).toBeUndefined();
      expect(await bulkPlans.claim(lease('b', LEASE * 3))).toEqual({ ...later, attempts: 1 });
      for (const { id } of [plan, known]) await bulkPlans.cancel(id, T0);
    });

    it('give each abandoned batch to only one of several nodes', async () => {
      await endAll();
      const plan = await submitted();
      const first = await cutFrom({ plan, cursor: undefined }, aCut(1, '0:a'));
      const second = await cutFrom({ plan, cursor: '0:a' }, aCut(1, '0:b'));
      const nodes = [context.store, context.otherNode];
      const claimed = await Promise.all(
        Array.from({ length: 8 }, (_, n) => nodes[n % 2]!.bulkPlans.claim(lease(`node-${n}`, LEASE * 2))),
      );
      const ids = claimed.flatMap((batch) => (batch?.planId === plan.id ? [batch.id] : []));
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.toSorted()).toEqual([first.id, second.id].toSorted());
      await context.store.bulkPlans.cancel(plan.id, T0);
    });

    it('count each batch once, even when several end at once, and remember the first failures', async () => {
      await endAll();
      const { bulkPlans } = context.store;
      const plan = await submitted();
      const batches: BulkBatch[] = [];
      for (let n = 0; n < 12; n++)
        batches.push(
          await cutFrom({ plan, cursor: n === 0 ? undefined : `0:${n}` }, aCut(3, n < 11 ? `0:${n + 1}` : undefined)),
        );
      const nodes = [context.store, context.otherNode];
      const counts = await outcomes(
        [...batches, ...batches].map(async (batch, n) => {
          const failures = batch.ids.slice(1).map((id) => ({ id, code: 'WM3001', message: 'žluť' }));
          const result = { changed: 1, failures };
          if (!(await nodes[n % 2]!.bulkPlans.finish(batch, 'a', result, after(1)))) throw new Error('ended already');
        }),
      );
      expect(counts).toEqual({ fulfilled: 12, 'ended already': 12 });
      const found = (await bulkPlans.find(plan.id))!;
      expect(found).toMatchObject({ status: 'Completed', visited: 36, changed: 12, failed: 24 });
      expect(found.failures).toHaveLength(MAX_FAILURES);
      expect(found.failures[0]).toMatchObject({ code: 'WM3001', message: 'žluť' });
    });

    it('can be cancelled, after which no further batch is started', async () => {
      await endAll();
      const { bulkPlans } = context.store;
      const plan = await submitted();
      const batch = await cutFrom({ plan, cursor: undefined }, aCut(2, '0:x'));
      expect(await context.otherNode.bulkPlans.cancel(plan.id, after(3))).toBe(true);
      expect(await bulkPlans.cancel(plan.id, after(4))).toBe(false);
      expect(await bulkPlans.cancel(uid('absent'), after(4))).toBe(false);
      expect(await bulkPlans.renew(batch, lease('a'))).toBe(false);
      expect(await bulkPlans.finish(batch, 'a', done(2), after(5))).toBe(false);
      expect(await bulkPlans.cut({ plan, cursor: '0:x' }, aCut(1), lease('a'))).toBe(false);
      expect(await bulkPlans.findOpen()).toBeUndefined();
      const cancelled = { status: 'Cancelled', completedAt: after(3), visited: 0, selected: 2 };
      expect(await bulkPlans.find(plan.id)).toMatchObject(cancelled);
    });

    it('are removed when they ended before a given time', async () => {
      const { bulkPlans } = context.store;
      // Long before any other plan in this store ended.
      const at = (ms: number) => new Date(86_400_000 + ms);
      const old = [await submitted(), await submitted()];
      for (const [n, { id }] of old.entries()) await bulkPlans.cancel(id, at(n));
      const running = await submitted();
      expect(await bulkPlans.purge(at(9), 1)).toBe(1);
      expect(await bulkPlans.find(old[0]!.id)).toBeUndefined();
      expect(await bulkPlans.purge(at(9), 5)).toBe(1);
      expect(await bulkPlans.purge(at(9), 5)).toBe(0);
      expect(await bulkPlans.find(running.id)).toEqual(running);
    });
  });
}
