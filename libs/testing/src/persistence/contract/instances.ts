import { aBookmark, aBurst, after, aLogEntry, aMessage, anInstance, anItem, finished, uid } from '../builders.js';
import type { WorkflowInstanceRecord } from '@waymark/runtime/adapter';
import type { InstanceFilter } from '@waymark/runtime';
import type { ContractContext } from './contract-context.js';

/** `InstanceStore`: filters, order, paging, removal with everything that belongs to an instance. */
export function instancesContract(context: ContractContext): void {
  const { describe, it, expect } = context.framework;

  const start = async (...instances: WorkflowInstanceRecord[]) => {
    for (const instance of instances) await context.store.commit(aBurst(instance));
  };

  describe('instances', () => {
    it('are undefined when they do not exist', async () => {
      expect(await context.store.instances.load(uid('absent'))).toBeUndefined();
      expect(await context.store.instances.readRevision(uid('absent'))).toBeUndefined();
    });

    it('report their revisions without loading their states, for many at once', async () => {
      const instances = [anInstance(), anInstance(), finished(anInstance())];
      await start(...instances);
      const { id } = instances[1]!;
      const before = (await context.store.instances.load(id))!.revision;
      await context.store.commit(aBurst(instances[1]!, { expectedRevision: before }));
      const ids = instances.map((instance) => instance.id);
      const loaded = await Promise.all(ids.map((each) => context.store.instances.load(each)));
      const told = await Promise.all([...ids, uid('absent')].map((each) => context.store.instances.readRevision(each)));
      expect(told).toEqual([...loaded.map((each) => each!.revision), undefined]);
      expect(told[1]).not.toBe(before);
      await context.store.instances.delete([id]);
      expect(await context.store.instances.readRevision(id)).toBeUndefined();
    });

    it('are listed without their state', async () => {
      const instance = anInstance({ name: 'Order 1', correlationId: uid('c'), updatedAt: after(7) });
      await start(instance);
      const { state: _state, ...summary } = instance;
      const { items, totalCount } = await context.store.instances.findMany({ ids: [instance.id] });
      expect(items).toEqual([summary]);
      expect(items[0]).not.toHaveProperty('state');
      expect(totalCount).toBe(1);
    });

    it('are found by every member of the filter', async () => {
      const definitionId = uid('definition');
      const a = anInstance({
        definitionId,
        definitionVersionId: uid('version'),
        version: 1,
        correlationId: uid('correlation'),
        name: uid('Name'),
        parentWorkflowInstanceId: uid('parent'),
        isExecuting: true,
        subStatus: 'Executing',
        createdAt: after(1),
        updatedAt: after(10),
      });
      const b = finished(
        anInstance({
          definitionId,
          version: 2,
          incidentCount: 3,
          isSystem: true,
          createdAt: after(2),
          updatedAt: after(20),
        }),
      );
      await start(a, b);
      const [onlyA, onlyB, both] = [[a.id], [b.id], [a.id, b.id].sort()];
      const time = (
        column: 'CreatedAt' | 'UpdatedAt' | 'FinishedAt',
        operator: 'Is' | 'IsNot' | 'LessThan' | 'GreaterThan' | 'LessThanOrEqual' | 'GreaterThanOrEqual',
        ms: number,
      ) => ({ timestamps: [{ column, operator, timestamp: after(ms) }] });
      const cases: [InstanceFilter, string[]][] = [
        [{}, both],
        [{ ids: both }, both],
        [{ ids: onlyA }, onlyA],
        [{ ids: [] }, []],
        [{ exceptDefinitionIds: [] }, both],
        [{ exceptDefinitionIds: [uid('absent')] }, both],
        [{ exceptDefinitionIds: [uid('absent'), definitionId] }, []],
        [{ exceptDefinitionIds: [definitionId] }, []],
        [{ definitionVersionIds: [a.definitionVersionId] }, onlyA],
        [{ version: 2 }, onlyB],
        // A number that no column holds.
        [{ version: 2 ** 31 }, []],
        [{ parentWorkflowInstanceIds: [a.parentWorkflowInstanceId!] }, onlyA],
        [{ correlationIds: [a.correlationId!, uid('absent')] }, onlyA],
        [{ names: [a.name!] }, onlyA],
        [{ names: [a.name!.toUpperCase()] }, []],
        [{ names: [] }, []],
        [{ nameContains: a.name!.slice(1, -1).toUpperCase() }, onlyA],
        [{ nameContains: uid('absent') }, []],
        [{ nameContains: a.id }, []],
        [{ nameContains: a.name!, searchTerm: a.id }, onlyA],
        [{ statuses: ['Finished'] }, onlyB],
        [{ statuses: ['Finished', 'Running'] }, both],
        [{ subStatuses: ['Executing', 'Suspended'] }, onlyA],
        [{ hasIncidents: true }, onlyB],
        [{ hasIncidents: false }, onlyA],
        [{ isSystem: true }, onlyB],
        [{ isSystem: false }, onlyA],
        [{ isExecuting: true }, onlyA],
        [{ isExecuting: false }, onlyB],
        [{ searchTerm: a.name!.toUpperCase() }, onlyA],
        [{ searchTerm: b.id.slice(3) }, onlyB],
        [{ searchTerm: a.correlationId }, onlyA],
        [{ searchTerm: a.definitionVersionId.toUpperCase() }, onlyA],
        [{ searchTerm: definitionId }, both],
        [{ searchTerm: '100%' }, []],
        [time('CreatedAt', 'Is', 1), onlyA],
        [time('CreatedAt', 'IsNot', 1), onlyB],
        [time('UpdatedAt', 'LessThan', 20), onlyA],
        [time('UpdatedAt', 'LessThanOrEqual', 20), both],
        [time('UpdatedAt', 'GreaterThan', 10), onlyB],
        [time('UpdatedAt', 'GreaterThanOrEqual', 10), both],
        [time('FinishedAt', 'LessThan', 99_999), onlyB],
        [time('FinishedAt', 'Is', 1000), onlyB],
        [time('FinishedAt', 'IsNot', 1000), onlyA],
        ...(
          [
            [0, 1, both],
            [1, 2, onlyB],
            [1, 3, []],
            [3, 9, both],
          ] as const
        ).map(([from, to, expected]): [InstanceFilter, string[]] => [
          { timestamps: [{ column: 'CreatedAt', operator: 'IsNot', timestamp: after(from), until: after(to) }] },
          [...expected],
        ]),
        [
          { timestamps: [{ column: 'FinishedAt', operator: 'IsNot', timestamp: after(999), until: after(1001) }] },
          onlyA,
        ],
        [
          {
            timestamps: [
              ...time('CreatedAt', 'GreaterThan', 0).timestamps,
              ...time('UpdatedAt', 'LessThan', 15).timestamps,
            ],
          },
          onlyA,
        ],
        [{ statuses: ['Finished'], isExecuting: true }, []],
      ];
      for (const [member, expected] of cases) {
        const filter = { definitionIds: [definitionId], ...member };
        expect([member, await context.store.instances.findIds(filter)]).toEqual([member, expected]);
        expect(await context.store.instances.count(filter)).toBe(expected.length);
        expect((await context.store.instances.findMany(filter)).totalCount).toBe(expected.length);
      }
      expect(await context.store.instances.findIds({ definitionIds: [] })).toEqual([]);
    });

    it('are ordered and paged, newest first by default', async () => {
      const ids = [uid('a'), uid('b'), uid('c')];
      const made = ids.map((id, n) =>
        anInstance({
          id,
          name: ['Gamma', undefined, 'Alpha'][n],
          createdAt: after([5, 9, 7][n]!),
          updatedAt: after(-n),
        }),
      );
      await start(made[0]!, finished(made[1]!), made[2]!);
      const order = async (by: 'Created' | 'UpdatedAt' | 'Finished' | 'Name', direction: 'Ascending' | 'Descending') =>
        (await context.store.instances.findMany({ ids }, { by, direction })).items.map((row) => ids.indexOf(row.id));
      expect(await order('Created', 'Ascending')).toEqual([0, 2, 1]);
      expect(await order('UpdatedAt', 'Ascending')).toEqual([2, 1, 0]);
      expect(await order('UpdatedAt', 'Descending')).toEqual([0, 1, 2]);
      expect(await order('Finished', 'Ascending')).toEqual([0, 2, 1]);
      expect(await order('Finished', 'Descending')).toEqual([1, 2, 0]);
      expect(await order('Name', 'Ascending')).toEqual([1, 2, 0]);
      const { items, totalCount } = await context.store.instances.findMany({ ids }, undefined, { skip: 0, take: 2 });
      expect([items.map((row) => ids.indexOf(row.id)), totalCount]).toEqual([[1, 2], 3]);
      const upTo = async (countUpTo: number, take: number) => {
        const {
          items,
          next: _,
          ...total
        } = await context.store.instances.findMany({ ids }, undefined, {
          skip: 0,
          take,
          countUpTo,
        });
        return [items.length, total];
      };
      expect(await upTo(2, 0)).toEqual([0, { totalCount: 2, isTotalLowerBound: true }]);
      expect(await upTo(3, 0)).toEqual([0, { totalCount: 3 }]);
      // The pages that come next are counted in any case, so that they can be asked for.
      expect(await upTo(0, 1)).toEqual([1, { totalCount: 3 }]);
      const last = await context.store.instances.findMany({ ids }, undefined, { skip: 2, take: 2 });
      expect(last.items.map((row) => ids.indexOf(row.id))).toEqual([0]);
      expect((await context.store.instances.findMany({ ids }, undefined, { skip: 0, take: 0 })).items).toEqual([]);
    });

    it('are read page by page, each of which begins where the previous one ended', async () => {
      const { instances } = context.store;
      const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((letter) => uid(letter));
      const made = ids.map((id, n) => {
        const instance = anInstance({ id, name: n % 3 ? `name ${n % 3}` : undefined, createdAt: after(n >> 1) });
        return n % 2 ? finished(instance) : instance;
      });
      await start(...made);
      for (const by of ['Created', 'UpdatedAt', 'Finished', 'Name'] as const)
        for (const direction of ['Ascending', 'Descending'] as const) {
          const order = { by, direction };
          const all = (await instances.findMany({ ids }, order)).items.map(({ id }) => id);
          const read: string[] = [];
          let next: string | undefined;
          do {
            const page = await instances.findMany({ ids }, order, { skip: 0, take: 2, after: next, countUpTo: 100 });
            expect(page.totalCount).toBe(7);
            read.push(...page.items.map(({ id }) => id));
            next = page.next;
          } while (next !== undefined);
          expect([order, read]).toEqual([order, all]);
        }
      const { next } = await instances.findMany({ ids }, undefined, { skip: 0, take: 2 });
      const other = instances.findMany(
        { ids },
        { by: 'Name', direction: 'Ascending' },
        { skip: 0, take: 2, after: next },
      );
      await expect(other).rejects.toMatchObject({ code: 'WM1065' });
      for (const wrong of ['', 'x', 'bnVsbA', 'WzFd'])
        await expect(instances.findMany({}, undefined, { skip: 0, take: 1, after: wrong })).rejects.toMatchObject({
          code: 'WM1065',
        });
    });

    it('are searched among the latest ones, and found by their ids among all', async () => {
      const { instances } = context.store;
      const definitionId = uid('definition');
      const ids = ['old', 'older', 'new', 'newer'].map((name) => uid(name));
      const common = uid('Part');
      const made = ids.map((id, n) =>
        anInstance({
          id,
          definitionId,
          name: `the ${common}`,
          correlationId: `c-${id}`,
          createdAt: after([2, 1, 3, 4][n]!),
        }),
      );
      await start(...made);
      const find = async (filter: InstanceFilter, searchAmong?: number) => {
        const page = { skip: 0, take: 10, searchAmong };
        const { items, totalCount, searchedSince } = await instances.findMany(
          { definitionIds: [definitionId], ...filter },
          undefined,
          page,
        );
        expect(totalCount).toBe(items.length);
        return [items.map(({ id }) => ids.indexOf(id)), searchedSince];
      };
      const search = (searchTerm: string, searchAmong?: number) => find({ searchTerm }, searchAmong);
      expect(await search(common.toLowerCase())).toEqual([[3, 2, 0, 1], undefined]);
      expect(await search(common.toLowerCase(), 4)).toEqual([[3, 2, 0, 1], undefined]);
      expect(await search(common.toLowerCase(), 1)).toEqual([[3, 2], after(3)]);
      expect(await search(ids[1]!, 1)).toEqual([[1], after(3)]);
      expect(await search(`c-${ids[0]}`, 1)).toEqual([[0], after(3)]);
      expect(await search(uid('nothing'), 1)).toEqual([[], after(3)]);
      // Of older ones, those with that very name.
      expect(await find({ nameContains: common.toLowerCase() }, 1)).toEqual([[3, 2], after(3)]);
      expect(await find({ nameContains: `the ${common}` }, 1)).toEqual([[3, 2, 0, 1], after(3)]);
      expect(await find({ nameContains: common, searchTerm: ids[1] }, 1)).toEqual([[1], after(3)]);
      expect(await find({ nameContains: uid('nothing'), searchTerm: ids[1] }, 1)).toEqual([[], after(3)]);
    });

    it('are sorted by a column without an index among the latest matches, or the oldest', async () => {
      const { instances } = context.store;
      const definitionId = uid('definition');
      const ids = ['first', 'second', 'third', 'fourth'].map((name) => uid(name));
      // None has finished: the id decides.
      const byId = (left: number, right: number) => (ids[left]! < ids[right]! ? 1 : -1);
      // The one that was created first has changed last.
      const made = ids.map((id, n) =>
        anInstance({ id, definitionId, name: `Name ${n}`, createdAt: after(n), updatedAt: after([9, 8, 6, 7][n]!) }),
      );
      await start(...made);
      const sorted = async (
        by: 'UpdatedAt' | 'Created' | 'Name' | 'Finished',
        direction: 'Ascending' | 'Descending',
        searchAmong?: number,
      ) => {
        const page = { skip: 0, take: 10, searchAmong };
        const { items, totalCount, ...bounds } = await instances.findMany(
          { definitionIds: [definitionId] },
          { by, direction },
          page,
        );
        expect(totalCount).toBe(items.length);
        return [items.map(({ id }) => ids.indexOf(id)), bounds];
      };
      expect(await sorted('UpdatedAt', 'Descending')).toEqual([[0, 1, 3, 2], {}]);
      expect(await sorted('UpdatedAt', 'Descending', 4)).toEqual([[0, 1, 3, 2], {}]);
      expect(await sorted('UpdatedAt', 'Descending', 1)).toEqual([[3, 2], { searchedSince: after(2) }]);
      expect(await sorted('UpdatedAt', 'Ascending', 4)).toEqual([[2, 3, 1, 0], {}]);
      expect(await sorted('UpdatedAt', 'Ascending', 1)).toEqual([[1, 0], { searchedUntil: after(1) }]);
      expect(await sorted('Name', 'Ascending', 1)).toEqual([[2, 3], { searchedSince: after(2) }]);
      expect(await sorted('Finished', 'Descending', 1)).toEqual([[3, 2].sort(byId), { searchedSince: after(2) }]);
      expect(await sorted('Finished', 'Ascending', 1)).toEqual([
        [0, 1].sort(byId).reverse(),
        { searchedUntil: after(1) },
      ]);
      // What has an index reads no more than it shows.
      expect(await sorted('Created', 'Descending', 1)).toEqual([[3, 2, 1, 0], {}]);
    });

    it('are deleted with everything that belongs to them, and with nothing else', async () => {
      const { store } = context;
      const [gone, kept] = [anInstance(), anInstance()];
      const parts = await Promise.all(
        [gone, kept].map(async (instance) => {
          const bookmark = aBookmark(instance.id);
          const message = aMessage({ workflowInstanceId: instance.id });
          const item = anItem({ workflowInstanceId: instance.id });
          await store.commit(
            aBurst(instance, {
              addedBookmarks: [bookmark],
              journal: { log: [aLogEntry(1)], records: [] },
              outbox: [message],
              queue: [item],
            }),
          );
          return { message, item };
        }),
      );
      expect(await store.instances.delete([gone.id, uid('absent')])).toBe(1);
      expect(await store.instances.load(gone.id)).toBeUndefined();
      expect(await store.bookmarks.findMany({ workflowInstanceIds: [gone.id, kept.id] })).toHaveLength(1);
      expect(await store.journal.readLog(gone.id)).toEqual([]);
      expect(await store.journal.readLog(kept.id)).toHaveLength(1);
      expect(await store.queue.find(parts[0]!.item.id)).toBeUndefined();
      expect(await store.queue.find(parts[1]!.item.id)).toBeDefined();
      expect(await store.outbox.delete(parts[0]!.message.id)).toBe(false);
      expect(await store.outbox.delete(parts[1]!.message.id)).toBe(true);
      await expect(store.commit(aBurst(gone, { expectedRevision: 1 }))).rejects.toMatchObject({ code: 'WM7001' });
      expect(await store.instances.delete([])).toBe(0);
    });

    it('are deleted and found by the thousand', async () => {
      const definitionId = uid('definition');
      const instances = Array.from({ length: 1200 }, () => anInstance({ definitionId }));
      await Promise.all(instances.map((instance) => context.store.commit(aBurst(instance))));
      const ids = await context.store.instances.findIds({ ids: instances.map((instance) => instance.id) });
      expect(ids).toHaveLength(1200);
      expect(await context.store.instances.delete(ids)).toBe(1200);
      expect(await context.store.instances.count({ definitionIds: [definitionId] })).toBe(0);
    }, 60_000);

    it('are found part by part in order of id', async () => {
      const definitionId = uid('definition');
      const instances = Array.from({ length: 5 }, () => anInstance({ definitionId }));
      await start(...instances, finished(anInstance({ definitionId })));
      const ids = instances.map(({ id }) => id).toSorted();
      const filter: InstanceFilter = { definitionIds: [definitionId], statuses: ['Running'] };
      const { instances: found } = context.store;
      expect(await found.findIds(filter, { limit: 2 })).toEqual(ids.slice(0, 2));
      expect(await found.findIds(filter, { after: ids[1], limit: 2 })).toEqual(ids.slice(2, 4));
      expect(await found.findIds(filter, { after: ids[3], limit: 2 })).toEqual(ids.slice(4));
      expect(await found.findIds(filter, { after: ids[4], limit: 2 })).toEqual([]);
    });

    describe('purged when they have ended', () => {
      const ended = (definitionId: string, ms: number) =>
        anInstance({ definitionId, status: 'Finished', subStatus: 'Finished', finishedAt: after(ms) });

      it('are deleted with everything that belongs to them, those that finished first before the others', async () => {
        const { store } = context;
        const definitionId = uid('definition');
        const [second, first, third] = [ended(definitionId, 2), ended(definitionId, 1), ended(definitionId, 30)];
        const running = anInstance({ definitionId });
        for (const instance of [second!, first!, third!, running])
          await store.commit(aBurst(instance, { journal: { log: [aLogEntry(1)], records: [] } }));
        const timestamps = [{ column: 'FinishedAt', operator: 'LessThan', timestamp: after(30) } as const];
        const purge = (limit: number) => store.instances.purge({ definitionIds: [definitionId], timestamps }, limit);
        expect([await purge(1), await purge(9), await purge(9)]).toEqual([[first!.id], [second!.id], []]);
        expect(await store.instances.findIds({ definitionIds: [definitionId] })).toEqual(
          [third!.id, running.id].sort(),
        );
        expect(await store.journal.readLog(second!.id)).toEqual([]);
      });

      it('stay while they are faulted and one of their children is running', async () => {
        const { store } = context;
        const definitionId = uid('definition');
        const parents = ['Faulted', 'Faulted', 'Finished'].map((subStatus) =>
          anInstance({ definitionId, status: 'Finished', subStatus: subStatus as 'Faulted', finishedAt: after(1) }),
        );
        const [repairable, childless, wellEnded] = parents;
        const children = [repairable!, wellEnded!].map(({ id }) => anInstance({ parentWorkflowInstanceId: id }));
        const [child] = children;
        for (const instance of [
          ...parents,
          ...children,
          finished(anInstance({ parentWorkflowInstanceId: childless!.id })),
        ])
          await store.commit(aBurst(instance));
        const purge = () => store.instances.purge({ definitionIds: [definitionId] }, 9);
        expect((await purge()).toSorted()).toEqual([childless!.id, wellEnded!.id].toSorted());
        await store.instances.delete([child!.id]);
        expect(await purge()).toEqual([repairable!.id]);
      });

      it('leave the starts of children behind that were not served yet, and nothing else that they have sent', async () => {
        const { store, otherNode } = context;
        const definitionId = uid('definition');
        const parents = ['Finished', 'Finished', 'Faulted'].map((subStatus, n) =>
          anInstance({ definitionId, status: 'Finished', subStatus: subStatus as 'Faulted', finishedAt: after(n) }),
        );
        const [purged, deleted, faulted] = parents;
        const sent = parents.map(({ id: workflowInstanceId }) => [
          aMessage({ kind: 'start', workflowInstanceId }),
          aMessage({ kind: 'encrypted-start', workflowInstanceId }),
          aMessage({ kind: 'background-activity', workflowInstanceId }),
        ]);
        for (const parent of parents) await store.commit(aBurst(parent));
        await store.outbox.add(sent.flat());
        expect(await store.instances.purge({ definitionIds: [definitionId] }, 1)).toEqual([purged!.id]);
        expect(await store.instances.delete([deleted!.id, faulted!.id])).toBe(2);
        const left = await Promise.all(
          sent.map((messages) => Promise.all(messages.map(({ id }) => otherNode.outbox.find(id)))),
        );
        const started = [
          expect.objectContaining({ kind: 'start' }),
          expect.objectContaining({ kind: 'encrypted-start' }),
        ];
        expect(left).toEqual([
          [...started, undefined],
          [...started, undefined],
          // An operator has deleted it, and its children are cancelled.
          [undefined, undefined, undefined],
        ]);
        expect(left.flat().map((message) => message?.workflowInstanceId)).toEqual(left.flat().map(() => undefined));
        for (const { id } of sent.flat()) await store.outbox.delete(id);
      });

      it('are deleted in batches, and each only once when several nodes do it', async () => {
        const definitionId = uid('definition');
        const all = Array.from({ length: 60 }, (_, n) => ended(definitionId, n));
        await Promise.all(all.map((instance) => context.store.commit(aBurst(instance))));
        const purge = (n: number) =>
          (n % 2 ? context.store : context.otherNode).instances.purge({ definitionIds: [definitionId] }, 7);
        const purged = (await Promise.all(Array.from({ length: 8 }, (_, n) => purge(n)))).flat();
        for (let ids = ['']; ids.length > 0; purged.push(...ids)) ids = await purge(0);
        expect(purged.sort()).toEqual(all.map(({ id }) => id).sort());
      });
    });

    it('touches what is executing, without a commit', async () => {
      const { store, otherNode } = context;
      const [executing, waiting] = [anInstance({ isExecuting: true }), anInstance({ isExecuting: false })];
      for (const instance of [executing, waiting]) await store.commit(aBurst(instance));
      await otherNode.instances.touch([executing.id, waiting.id, uid('absent')], after(5000));
      await otherNode.instances.touch([], after(9000));
      const [touched, still] = [await store.instances.load(executing.id), await store.instances.load(waiting.id)];
      expect([touched!.updatedAt, touched!.revision, still!.updatedAt]).toEqual([after(5000), 1, waiting.updatedAt]);
      const timestamps = [{ column: 'UpdatedAt', operator: 'LessThan', timestamp: after(5000) } as const];
      expect(await store.instances.findIds({ ids: [executing.id], timestamps })).toEqual([]);
    });
  });
}
