import type { BulkPlan } from '@waymark/runtime';
import type { NodeOfProcess, RuntimeNode } from '@waymark/runtime/adapter';
import { aBookmark, aBurst, after, aMessage, anInstance, T0, uid } from '../builders.js';
import type { ContractContext } from './contract-context.js';

const LEASE = 3_600_000;
/** As a node whose process the operating system names. */
type KnownNode = RuntimeNode & { readonly process: NodeOfProcess['process'] };

/** What `NodeStore` and `InstanceStore` do about nodes whose process has ended. */
export function deadNodesContract(context: ContractContext): void {
  const { describe, it, expect } = context.framework;

  const aNode = (machine: string, given: Partial<RuntimeNode> = {}): KnownNode => ({
    name: uid('node'),
    version: '0.1.0',
    platform: 'v22.0.0',
    startedAt: T0,
    seenAt: after(1),
    state: 'Running',
    activeBursts: 0,
    process: { machine, id: '17 4711' },
    ...given,
  });
  const known = ({ name, startedAt, process }: KnownNode): NodeOfProcess => ({ name, startedAt, process });
  const listed = async (machine: string) =>
    (await context.otherNode.nodes.findOn(machine, 100)).map(({ name }) => name);
  const at = (ms: number) => ({ now: after(ms) });
  const lease = (owner: string) => ({ owner, leaseMs: LEASE, now: T0 });

  const aPlan = (): BulkPlan => ({
    id: uid('plan'),
    action: 'CancelInstances',
    selection: [{ ids: [uid('instance')] }],
    status: 'Pending',
    selected: 0,
    isSelected: false,
    visited: 0,
    changed: 0,
    failed: 0,
    failures: [],
    createdAt: T0,
  });

  async function announced(machine = uid('boot pid:[1]'), seenAt = after(1)): Promise<KnownNode> {
    const node = aNode(machine, { seenAt });
    await context.store.nodes.announce(node);
    return node;
  }

  describe('nodes of a machine', () => {
    it('are found by it as long as their row names a process', async () => {
      const { store, otherNode } = context;
      const [here, there] = [uid('boot pid:[1]'), uid('boot pid:[1]')];
      const [first, second, other] = [await announced(here), await announced(here, after(2)), await announced(there)];
      await store.nodes.announce(aNode(here, { process: undefined }));
      expect(await otherNode.nodes.findOn(here, 100)).toEqual([known(second), known(first)]);
      expect(await otherNode.nodes.findOn(here, 1)).toEqual([known(second)]);
      expect(await listed(there)).toEqual([other.name]);
      await store.nodes.announce({ ...first, seenAt: after(20), process: undefined });
      await store.nodes.remove(other.name);
      expect([await listed(here), await listed(there)]).toEqual([[second.name], []]);
      await otherNode.nodes.forgetProcess(known(second));
      expect(await listed(here)).toEqual([]);
      const rows = await store.nodes.list(1_000);
      expect(rows.find(({ name }) => name === second.name)).toEqual({ ...second, process: undefined });
    });

    it('keep their claims when another process has their name by now', async () => {
      const { nodes } = context.store;
      const node = await announced();
      const { process, startedAt } = node;
      const later = { ...node, startedAt: after(5), process: { ...process, id: '18 4712' } };
      await nodes.announce(later);
      for (const other of [
        known(node),
        { ...known(later), startedAt },
        { ...known(later), process },
        { ...known(later), process: { ...later.process, machine: uid('boot') } },
        { ...known(later), name: uid('node') },
      ]) {
        expect(await nodes.endClaims(other, at(1))).toBeUndefined();
        await nodes.forgetProcess(other);
      }
      expect(await listed(process.machine)).toEqual([node.name]);
      expect(await nodes.endClaims(known(later), at(1))).toEqual({ ended: 0, isComplete: true });
    });
  });

  describe('claims of a dead node', () => {
    it('on messages end, which counts as an attempt, as does the head start of those that it has written, which does not', async () => {
      const { store, otherNode } = context;
      const [dead, other] = [await announced(), uid('node')];
      const to = (kind: string, availableAt = T0) => aMessage({ kind, createdAt: T0, availableAt });
      const hour = after(LEASE);
      const [claimed, held, others, paused, postponed, mine] = [
        to('claimed'),
        { ...to('held', hour), writtenBy: dead.name },
        { ...to('others', hour), writtenBy: other },
        { ...to('paused'), writtenBy: dead.name },
        { ...to('postponed'), writtenBy: dead.name },
        { ...to('mine', hour), writtenBy: dead.name },
      ];
      const messages = [claimed, held, others, paused, postponed, mine];
      await store.outbox.add(messages);
      expect((await store.outbox.renew([claimed.id], lease(dead.name))).renewed).toEqual([claimed.id]);
      expect((await store.outbox.renew([mine.id], lease(other))).renewed).toEqual([mine.id]);
      await store.outbox.release(paused.id, 'It failed.', hour);
      await store.outbox.postpone(postponed.id, hour);
      expect(await otherNode.nodes.endClaims(known(dead), at(10))).toEqual({ ended: 2, isComplete: true });
      expect(await otherNode.nodes.endClaims(known(dead), at(10))).toEqual({ ended: 0, isComplete: true });
      const found = await otherNode.outbox.claim({ ...lease(uid('node')), now: after(10), limit: 10_000 });
      const ids = messages.map(({ id }) => id);
      expect(found.filter(({ id }) => ids.includes(id)).map(({ kind, attempts }) => [kind, attempts])).toEqual([
        ['claimed', 1],
        ['held', 0],
      ]);
      for (const id of ids) await store.outbox.delete(id);
    });

    it('on messages that were tried before do not end: a process that ends again and again would use up their attempts', async () => {
      const { store, otherNode } = context;
      const dead = await announced();
      const [failed, fresh] = [aMessage({ availableAt: T0 }), aMessage({ availableAt: T0 })];
      await store.outbox.add([failed, fresh]);
      await store.outbox.release(failed.id, 'It failed.', T0);
      expect((await store.outbox.renew([failed.id, fresh.id], lease(dead.name))).renewed).toHaveLength(2);
      expect(await otherNode.nodes.endClaims(known(dead), at(10))).toEqual({ ended: 1, isComplete: true });
      const claim = async (ms: number) =>
        (await otherNode.outbox.claim({ ...lease(uid('node')), now: after(ms), limit: 10_000 }))
          .filter(({ id }) => id === failed.id || id === fresh.id)
          .map(({ id, attempts }) => [id, attempts]);
      expect(await claim(10)).toEqual([[fresh.id, 1]]);
      expect(await claim(LEASE)).toEqual([[failed.id, 2]]);
      for (const { id } of [failed, fresh]) await store.outbox.delete(id);
    });

    it('on due bookmarks end, and those of others do not', async () => {
      const { store, otherNode } = context;
      const [dead, other] = [await announced(), uid('node')];
      // Long before anything else in this store is due: claims are over all bookmarks.
      const due = (ms: number) => new Date(86_400_000 + ms);
      const instances = [0, 1, 2].map(() => anInstance());
      const rows = instances.map(({ id }, index) => aBookmark(id, { dueAt: due(index) }));
      for (const [index, instance] of instances.entries())
        await store.commit(aBurst(instance, { addedBookmarks: [rows[index]!] }));
      const claim = async (owner: string, now: number, limit: number) => {
        const options = { owner, limit, leaseMs: LEASE, now: due(now), lookAheadMs: 1 };
        return (await otherNode.bookmarks.claimDue(options)).bookmarks.map(({ id }) => id);
      };
      expect(await claim(dead.name, 2, 1)).toEqual([rows[0]!.id]);
      expect(await claim(other, 2, 1)).toEqual([rows[1]!.id]);
      expect(await claim(dead.name, 2, 1)).toEqual([rows[2]!.id]);
      expect(await claim(other, 3, 10)).toEqual([]);
      expect(await otherNode.nodes.endClaims(known(dead), { now: due(3) })).toEqual({ ended: 2, isComplete: true });
      expect(await claim(other, 3, 10)).toEqual([rows[0]!.id, rows[2]!.id]);
      await store.instances.delete(instances.map(({ id }) => id));
    });

    it('on batches of bulk plans end', async () => {
      const { store, otherNode } = context;
      const dead = await announced();
      const plan = aPlan();
      expect(await store.bulkPlans.submit(plan)).toBe(true);
      const cut = { batchId: uid('batch'), ids: [uid('instance')], next: undefined };
      const batch = await store.bulkPlans.cut({ plan, cursor: undefined }, cut, lease(dead.name));
      expect(batch).toMatchObject({ id: cut.batchId });
      const takes = { ...lease(uid('node')), now: after(10) };
      expect(await otherNode.bulkPlans.claim(takes)).toBeUndefined();
      expect(await otherNode.nodes.endClaims(known(dead), at(10))).toEqual({ ended: 1, isComplete: true });
      const taken = await otherNode.bulkPlans.claim(takes);
      expect(taken).toMatchObject({ id: cut.batchId, attempts: 1 });
      expect(await store.bulkPlans.finish(taken!, dead.name, { changed: 1, failures: [] }, after(11))).toBe(false);
      expect(await otherNode.bulkPlans.finish(taken!, takes.owner, { changed: 1, failures: [] }, after(11))).toBe(true);
    });

    it('on batches that were tried before do not end: a process that ends again and again would use up their attempts', async () => {
      const { store, otherNode } = context;
      const [first, second] = [await announced(), await announced()];
      const cutOff = aPlan();
      await store.bulkPlans.submit(cutOff);
      const cut = { batchId: uid('batch'), ids: [uid('instance')], next: undefined };
      await store.bulkPlans.cut({ plan: cutOff, cursor: undefined }, cut, lease(first.name));
      const batches = [{ id: uid('batch'), ids: [uid('instance')] }];
      const named = { ...aPlan(), selected: 1, isSelected: true };
      await store.bulkPlans.submit(named, { batches });
      expect(await store.bulkPlans.claim(lease(first.name))).toMatchObject({ ...batches[0], attempts: 0 });
      expect(await otherNode.nodes.endClaims(known(first), at(10))).toEqual({ ended: 2, isComplete: true });
      const takes = (owner: string, ms: number) => otherNode.bulkPlans.claim({ ...lease(owner), now: after(ms) });
      const taken = [await takes(second.name, 10), await takes(second.name, 10)];
      expect(taken.map((batch) => batch?.attempts)).toEqual([1, 1]);
      expect(await otherNode.nodes.endClaims(known(second), at(20))).toEqual({ ended: 0, isComplete: true });
      const third = uid('node');
      expect(await takes(third, 20)).toBeUndefined();
      const later = [await takes(third, 10 + LEASE), await takes(third, 10 + LEASE)];
      expect(later.map((batch) => batch?.attempts)).toEqual([2, 2]);
      for (const batch of later)
        await store.bulkPlans.finish(batch!, third, { changed: 1, failures: [] }, after(LEASE + 11));
    });

    it('are ended once when several nodes see it at the same time', async () => {
      const { store, otherNode } = context;
      const dead = await announced();
      const messages = Array.from({ length: 20 }, () => aMessage({ createdAt: T0, availableAt: T0 }));
      await store.outbox.add(messages);
      const ids = messages.map(({ id }) => id);
      await store.outbox.renew(ids, lease(dead.name));
      const results = await Promise.all(
        [store, otherNode, store, otherNode].map((node) => node.nodes.endClaims(known(dead), at(10))),
      );
      expect(results.reduce((sum, result) => sum + result!.ended, 0)).toBe(20);
      for (const id of ids) await store.outbox.delete(id);
    });
  });

  describe('bursts of a dead node', () => {
    it('are those that it stored half-way and no other commit has stored since, however recent their sign of life', async () => {
      const { store, otherNode } = context;
      const [dead, other] = [uid('node'), uid('node')];
      const isExecuting = true;
      const instances = [dead, other, undefined, dead, dead, dead].map((executedBy) => ({
        instance: anInstance({ isExecuting, updatedAt: T0 }),
        executedBy,
      }));
      for (const { instance, executedBy } of instances) await store.commit(aBurst(instance, { executedBy }));
      const [stayed, , , moved, ended, changed] = instances.map(({ instance }) => instance);
      const again = (instance: typeof stayed, executedBy?: string) =>
        store.commit(aBurst(instance!, { expectedRevision: 1, executedBy }));
      await again(moved, other);
      await again({ ...ended!, isExecuting: false }, dead);
      await again(changed);
      await otherNode.instances.touch([stayed!.id], after(5));
      const find = (executedBy: string, unlessMessage?: string) =>
        otherNode.instances.findInterrupted({ quietMs: 1_000, limit: 10_000, ...at(6), executedBy, unlessMessage });
      expect((await find(dead)).ids).toEqual([stayed!.id]);
      expect((await find(other)).ids.toSorted()).toEqual([instances[1]!.instance.id, moved!.id].toSorted());
      expect((await find(uid('node'))).ids).toEqual([]);
      await store.outbox.add([aMessage({ id: `ask/${stayed!.id}` })]);
      expect((await find(dead, 'ask/')).ids).toEqual([]);
      await store.instances.delete(instances.map(({ instance }) => instance.id));
    });
  });
}
