import type { RuntimeNode } from '@waymark/runtime/adapter';
import { aBookmark, aBurst, after, anInstance, aResume, aSchedule, finished, T0, uid } from '../builders.js';
import type { ContractContext } from './contract-context.js';

/** `StatisticsStore` and `NodeStore`. */
export function operationsContract(context: ContractContext): void {
  const { describe, it, expect } = context.framework;

  describe('statistics', () => {
    it('count the running instances of a definition where they wait, version by version', async () => {
      const definitionId = uid('definition');
      const of = (version: number) => ({ definitionId, definitionVersionId: `${definitionId}-v${version}`, version });
      const waiting = async (version: number, ...places: readonly [nodeId: string | undefined, at: number][]) => {
        const instance = anInstance(of(version));
        const addedBookmarks = places.map(([activityNodeId, at]) =>
          aBookmark(instance.id, { activityNodeId, createdAt: after(at) }),
        );
        await context.store.commit(aBurst(instance, { addedBookmarks }));
        return { instance, addedBookmarks };
      };
      // Two bookmarks of one instance at one place are one instance that waits there.
      await waiting(1, ['Flow:A', 30], ['Flow:A', 20], ['Flow:B', 40]);
      await waiting(1, ['Flow:A', 10]);
      await waiting(2, ['Flow:A', 50], [undefined, 60]);
      const { instance, addedBookmarks } = await waiting(2, ['Flow:A', 1]);
      await context.store.commit(aResume(finished(instance), 1, addedBookmarks[0]!.id));
      const { statistics } = context.otherNode;
      const [first, second] = [1, 2].map((version) => of(version).definitionVersionId);
      const whole = await statistics.standing(definitionId, 100);
      expect(whole.versions).toEqual([
        { definitionVersionId: second, version: 2, running: 1 },
        { definitionVersionId: first, version: 1, running: 2 },
      ]);
      expect(whole.nodes.length).toBe(4);
      const at = (definitionVersionId: string | undefined, activityNodeId: string | undefined) =>
        whole.nodes.find(
          (node) => node.definitionVersionId === definitionVersionId && node.activityNodeId === activityNodeId,
        );
      expect(at(first, 'Flow:A')).toMatchObject({ instances: 2, since: after(10) });
      expect(at(first, 'Flow:B')).toMatchObject({ instances: 1, since: after(40) });
      expect(at(second, 'Flow:A')).toMatchObject({ instances: 1, since: after(50) });
      expect(at(second, undefined)).toMatchObject({ instances: 1, since: after(60) });
      expect(whole.isComplete).toBe(true);
      const part = await statistics.standing(definitionId, 2);
      expect(part.isComplete).toBe(false);
      expect(part.versions.reduce((sum, { running }) => sum + running, 0)).toBe(2);
      expect(await statistics.standing(uid('none'), 10)).toEqual({ versions: [], nodes: [], isComplete: true });
    });

    it('store every bookmark, whatever the name of its activity', async () => {
      const instance = anInstance({ definitionId: uid('definition') });
      const addedBookmarks = ['a'.repeat(5_000), 'with \0', 'half \ud83d'].map((activityNodeId) =>
        aBookmark(instance.id, { activityNodeId }),
      );
      await context.store.commit(aBurst(instance, { addedBookmarks }));
      const { nodes } = await context.otherNode.statistics.standing(instance.definitionId, 10);
      expect(Math.max(...nodes.map(({ instances }) => instances))).toBe(1);
    });

    it('name the definitions whose newest instances failed most', async () => {
      const [often, once] = [uid('often'), uid('once')];
      // Newer than what other suites have left.
      const at = (ms: number) => new Date(Date.UTC(2200, 0, 1) + ms);
      const failed = (definitionId: string, ms: number) =>
        context.store.commit(
          aBurst({
            ...finished(anInstance({ definitionId, createdAt: at(ms) })),
            subStatus: 'Faulted',
          }),
        );
      await failed(often, 1);
      await failed(once, 3);
      await failed(often, 2);
      await context.store.commit(aBurst(finished(anInstance({ definitionId: once, createdAt: at(4) }))));
      const { statistics } = context.otherNode;
      expect(await statistics.failures(2, 3)).toEqual([
        { definitionId: often, instances: 2, newestAt: at(2) },
        { definitionId: once, instances: 1, newestAt: at(3) },
      ]);
      expect(await statistics.failures(1, 1)).toEqual([{ definitionId: once, instances: 1, newestAt: at(3) }]);
    });

    it('count what started and ended in intervals of time, and report their start', async () => {
      const start = Date.UTC(2300, 0, 1);
      const at = (ms: number) => new Date(start + ms);
      const ended = (createdAt: Date, finishedAt: Date, subStatus: 'Finished' | 'Faulted') =>
        context.store.commit(aBurst({ ...finished(anInstance({ createdAt })), finishedAt, subStatus }));
      await ended(at(0), at(1_500), 'Finished');
      await ended(at(999), at(1_000), 'Faulted');
      await context.store.commit(aBurst(anInstance({ createdAt: at(2_000) })));
      const { statistics } = context.otherNode;
      expect(await statistics.throughput(at(0), 1_000, 10)).toEqual({
        slots: [
          { from: at(0), started: 2, finished: 0, faulted: 0 },
          { from: at(1_000), started: 0, finished: 1, faulted: 1 },
          { from: at(2_000), started: 1, finished: 0, faulted: 0 },
        ],
        countedFrom: at(0),
      });
      const newest = await statistics.throughput(at(0), 1_000, 2);
      expect(newest.countedFrom).toEqual(at(1_000));
      expect(await statistics.throughput(at(3_000), 1_000, 10)).toEqual({ slots: [], countedFrom: at(3_000) });
    });

    it('count pending work, up to a limit', async () => {
      const { statistics } = context.otherNode;
      const before = await statistics.depths(T0, 1_000_000);
      const message = (ms: number) => ({
        id: uid('message'),
        kind: uid('kind'),
        payload: {},
        createdAt: after(ms),
        availableAt: after(ms),
        attempts: 0,
      });
      const instance = anInstance();
      const addedBookmarks = [aBookmark(instance.id, { dueAt: T0 }), aBookmark(instance.id, { dueAt: after(1) })];
      await context.store.commit(aBurst(instance, { outbox: [message(0), message(5)], addedBookmarks }));
      const schedules = [aSchedule(), aSchedule()];
      for (const schedule of schedules) await context.store.schedules.put(schedule);
      const now = await statistics.depths(T0, 1_000_000);
      expect(now.outbox - before.outbox).toBe(2);
      expect(now.dueTimers - before.dueTimers).toBe(1);
      expect(now.outboxOldestAt!.getTime()).toBeLessThanOrEqual(T0.getTime());
      expect(now.schedules - before.schedules).toBe(2);
      expect(await statistics.depths(T0, 1)).toMatchObject({ outbox: 1, dueTimers: 1, schedules: 1 });
      for (const { id } of schedules) await context.store.schedules.delete(id);
    });
  });

  describe('nodes', () => {
    const aNode = (given: Partial<RuntimeNode> = {}): RuntimeNode => ({
      name: uid('node'),
      version: '0.1.0',
      platform: 'v22.0.0',
      startedAt: T0,
      seenAt: after(1),
      state: 'Running',
      activeBursts: 0,
      ...given,
    });
    const namesOf = async () => (await context.otherNode.nodes.list(1_000)).map(({ name }) => name);

    it('are as last reported, until they leave or are removed', async () => {
      const [one, two] = [aNode(), aNode({ state: 'Paused', activeBursts: 3 })];
      const { nodes } = context.store;
      await nodes.announce(one);
      await nodes.announce(two);
      const later = { ...one, seenAt: after(20), state: 'Draining' as const };
      await nodes.announce(later);
      const listed = await context.otherNode.nodes.list(1_000);
      expect(listed.filter(({ name }) => name === one.name || name === two.name)).toEqual([later, two]);
      expect((await context.otherNode.nodes.list(1)).length).toBe(1);
      expect(await nodes.purge(after(10))).toBeGreaterThanOrEqual(1);
      expect(await namesOf()).toContain(one.name);
      expect(await namesOf()).not.toContain(two.name);
      await nodes.remove(one.name);
      expect(await namesOf()).not.toContain(one.name);
    });
  });
}
