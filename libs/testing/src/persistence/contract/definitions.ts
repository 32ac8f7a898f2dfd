import type { VersionOptions, WorkflowDefinition } from '@waymark/core';
import { aChange, aDefinition, after, aMessage, aTrigger, uid } from '../builders.js';
import type { DefinitionChange, DefinitionFilter, DefinitionPosition } from '@waymark/runtime/adapter';
import { type ContractContext, outcomes } from './contract-context.js';

/** `DefinitionStore`: changes as a whole, filters, order, paging, the change counter. */
export function definitionsContract(context: ContractContext): void {
  const { describe, it, expect } = context.framework;

  const insert = (...definitions: WorkflowDefinition[]) =>
    context.store.definitions.apply(
      aChange({ saved: definitions.map((definition) => ({ definition, expectedRevision: undefined })) }),
    );
  const idsOf = async (filter: DefinitionFilter) =>
    (await context.store.definitions.findMany(filter)).items.map((row) => row.id).sort();

  describe('definitions', () => {
    it('are returned as they were saved, with the number of their writes', async () => {
      const { store } = context;
      const definition = aDefinition({
        description: 'Sends an order',
        toolVersion: '3.5.0',
        providerName: 'Code',
        variables: [{ id: 'v1', name: 'Order', typeName: 'Object', isArray: false, value: '{}' }],
        outcomes: ['Done'],
        customProperties: { when: after(5), nested: { list: [1, 'two', null] } },
        options: { usableAsActivity: true, activationStrategyType: 'Singleton' },
        root: { type: 'Elsa.WriteLine', id: 'a', text: { typeName: 'String', expression: null } },
      });
      await insert(definition);
      expect(await store.definitions.find({ id: definition.id })).toEqual({ ...definition, revision: 1 });
      const renamed = { ...definition, name: 'Other' };
      await store.definitions.apply(aChange({ saved: [{ definition: renamed, expectedRevision: 1 }] }));
      expect(await store.definitions.find({ id: definition.id })).toEqual({ ...renamed, revision: 2 });
      expect(await context.otherNode.definitions.find({ id: definition.id })).toEqual({ ...renamed, revision: 2 });
    });

    it('are published together with their triggers', async () => {
      const { store } = context;
      const old = aDefinition();
      const oldTrigger = aTrigger(old);
      await store.definitions.apply(
        aChange({ saved: [{ definition: old, expectedRevision: undefined }], addedTriggers: [oldTrigger] }),
      );
      const next = aDefinition({ definitionId: old.definitionId, version: 2 });
      const nextTrigger = aTrigger(next, { payload: { path: 'x' }, dueAt: after(1), exclusiveKey: uid('GET') });
      await store.definitions.apply(
        aChange({
          saved: [
            { definition: { ...old, isLatest: false, isPublished: false }, expectedRevision: 1 },
            { definition: next, expectedRevision: undefined },
          ],
          addedTriggers: [nextTrigger],
          removedTriggerIds: [oldTrigger.id, uid('absent')],
        }),
      );
      expect(await store.triggers.findMany({ workflowDefinitionIds: [old.definitionId] })).toEqual([nextTrigger]);
      expect(await store.definitions.count({ definitionId: old.definitionId, versionOptions: 'Published' })).toBe(1);
      await store.definitions.apply(
        aChange({ deletedIds: [old.id, next.id, uid('absent')], removedTriggerIds: [nextTrigger.id] }),
      );
      expect(await store.definitions.count({ definitionId: old.definitionId })).toBe(0);
    });

    it('are unchanged when any part of a change conflicts', async () => {
      const { store } = context;
      const [stored, doomed, fresh] = [aDefinition(), aDefinition(), aDefinition()];
      const trigger = aTrigger(stored);
      await insert(stored, doomed);
      await store.definitions.apply(aChange({ addedTriggers: [trigger] }));
      const counter = await store.definitions.changeCounter();
      const good: DefinitionChange = aChange({
        saved: [
          { definition: { ...stored, name: 'changed' }, expectedRevision: 1 },
          { definition: fresh, expectedRevision: undefined },
        ],
        deletedIds: [doomed.id],
        addedTriggers: [aTrigger(stored)],
        removedTriggerIds: [trigger.id],
      });
      const conflicts: [WorkflowDefinition, number | undefined][] = [
        [{ ...stored }, 2],
        [aDefinition(), 1],
        [aDefinition({ id: stored.id }), undefined],
        [aDefinition({ id: uid('version'), definitionId: stored.definitionId, version: stored.version }), undefined],
      ];
      for (const [definition, expectedRevision] of conflicts) {
        const spoiled = { ...good, saved: [...good.saved.slice(1), { definition, expectedRevision }] };
        await expect(store.definitions.apply(spoiled)).rejects.toMatchObject({
          code: 'WM7001',
          subject: 'definition',
          id: definition.id,
        });
      }
      expect(await store.definitions.find({ id: stored.id })).toEqual({ ...stored, revision: 1 });
      expect(await store.definitions.count({ ids: [doomed.id, fresh.id] })).toBe(1);
      expect(await store.triggers.findMany({ workflowDefinitionIds: [stored.definitionId] })).toEqual([trigger]);
      expect(await store.definitions.changeCounter()).toBe(counter);
      await store.definitions.apply(good);
      expect(await store.definitions.changeCounter()).toBeGreaterThan(counter);
    });

    it('are not changed if a trigger that is to be replaced has fired meanwhile', async () => {
      const { store, otherNode } = context;
      const definition = aDefinition();
      await insert(definition);
      const [due, fired] = [after(1), after(2)];
      const trigger = aTrigger(definition, { dueAt: due });
      const successor = aTrigger(definition, { dueAt: due, payload: { other: 'properties' } });
      await store.definitions.apply(aChange({ addedTriggers: [trigger] }));
      const replaced = (dueAt: Date) =>
        store.definitions.apply(
          aChange({
            addedTriggers: [successor],
            removedTriggerIds: [trigger.id],
            unfired: [{ id: trigger.id, dueAt }],
          }),
        );
      const conflict = { code: 'WM7001', subject: 'trigger', id: trigger.id };
      await otherNode.triggers.advance({ triggerId: trigger.id, dueAt: due, nextDueAt: fired });
      await expect(replaced(due)).rejects.toMatchObject(conflict);
      expect(await store.triggers.findMany({ workflowDefinitionIds: [definition.definitionId] })).toEqual([
        { ...trigger, dueAt: fired },
      ]);
      await replaced(fired);
      expect(await store.triggers.findMany({ workflowDefinitionIds: [definition.definitionId] })).toEqual([successor]);
      await expect(replaced(fired)).rejects.toMatchObject(conflict);
    });

    it('are deleted only as they were read', async () => {
      const { store, otherNode } = context;
      const [first, second] = [aDefinition(), aDefinition()];
      const next = aDefinition({ definitionId: first.definitionId, version: 2 });
      const trigger = aTrigger(first);
      await insert(first, second);
      await store.definitions.apply(aChange({ addedTriggers: [trigger] }));
      const deletion = (versions: WorkflowDefinition[], revision = 1): DefinitionChange =>
        aChange({
          deletedIds: versions.map(({ id }) => id),
          deletedAs: versions.map(({ id }) => ({ id, revision })),
          emptied: versions.map(({ definitionId }) => definitionId),
          removedTriggerIds: [trigger.id],
        });
      const refusal = (id: string) => ({ code: 'WM7001', subject: 'definition', id });
      await expect(store.definitions.apply(deletion([second, first], 2))).rejects.toMatchObject(refusal(second.id));
      await otherNode.definitions.apply(aChange({ saved: [{ definition: next, expectedRevision: undefined }] }));
      await expect(store.definitions.apply(deletion([first]))).rejects.toMatchObject(refusal(next.id));
      expect(await store.definitions.count({ definitionIds: [first.definitionId, second.definitionId] })).toBe(3);
      expect(await store.triggers.findMany({ workflowDefinitionIds: [first.definitionId] })).toEqual([trigger]);
      await store.definitions.apply(deletion([first, second, next]));
      expect(await store.definitions.count({ definitionIds: [first.definitionId, second.definitionId] })).toBe(0);
      await expect(store.definitions.apply(deletion([second]))).rejects.toMatchObject(refusal(second.id));
      // Saved in its place, where it is deleted in the same change.
      await insert(first);
      const moved = { saved: [{ definition: first, expectedRevision: undefined }], deletedIds: [first.id] };
      const as = [{ id: first.id, revision: 1 }];
      await store.definitions.apply(aChange({ ...moved, deletedAs: as }));
      expect(await store.definitions.count({ definitionId: first.definitionId })).toBe(1);
    });

    it('begin with the revision that they are given', async () => {
      const { store } = context;
      const definition = aDefinition();
      const saved = [{ definition, expectedRevision: undefined, firstRevision: 70 }];
      await store.definitions.apply(aChange({ saved }));
      expect((await store.definitions.find({ id: definition.id }))?.revision).toBe(70);
      await store.definitions.apply(aChange({ saved: [{ definition, expectedRevision: 70 }] }));
      expect((await store.definitions.find({ id: definition.id }))?.revision).toBe(71);
    });

    it('let one of two nodes save a version', async () => {
      const definition = aDefinition();
      await insert(definition);
      const counts = await outcomes(
        Array.from({ length: 20 }, (_, n) =>
          (n % 2 ? context.store : context.otherNode).definitions.apply(
            aChange({ saved: [{ definition: { ...definition, name: `by ${n}` }, expectedRevision: 1 }] }),
          ),
        ),
      );
      expect(counts).toEqual({ fulfilled: 1, WM7001: 19 });
    });

    it('are counted on every node when they change', async () => {
      const before = await context.otherNode.definitions.changeCounter();
      await insert(aDefinition());
      const after1 = await context.otherNode.definitions.changeCounter();
      expect(after1).toBeGreaterThan(before);
      await context.store.definitions.apply(aChange({}));
      expect(await context.otherNode.definitions.changeCounter()).toBeGreaterThan(after1);
    });

    it('are named on every node when they change', async () => {
      const { store, otherNode } = context;
      const position = async () => (await otherNode.definitions.findChanges(undefined)).position;
      const changedSince = async (since: DefinitionPosition) => {
        const { definitionIds, position: now } = await otherNode.definitions.findChanges(since);
        expect(now.counter).toBe(await store.definitions.changeCounter());
        expect(now.unnamed).toBe(since.unnamed);
        return definitionIds?.toSorted();
      };
      const [saved, deleted, triggered, untriggered, later] = Array.from({ length: 5 }, () => aDefinition());
      const trigger = aTrigger(untriggered!);
      await insert(saved!, deleted!, triggered!, untriggered!);
      await store.definitions.apply(aChange({ addedTriggers: [trigger] }));
      const before = await position();
      expect(await changedSince(before)).toEqual([]);
      await store.definitions.apply(aChange({ saved: [{ definition: saved!, expectedRevision: 1 }] }));
      await store.definitions.apply(aChange({ saved: [{ definition: saved!, expectedRevision: 2 }] }));
      expect(await changedSince(before)).toEqual([saved!.definitionId]);
      const between = await position();
      await store.definitions.apply(
        aChange({
          deletedIds: [deleted!.id, uid('absent')],
          addedTriggers: [aTrigger(triggered!), aTrigger(triggered!)],
          removedTriggerIds: [trigger.id, uid('absent')],
        }),
      );
      const second = [deleted, triggered, untriggered].map((d) => d!.definitionId).sort();
      expect(await changedSince(between)).toEqual(second);
      expect(await changedSince(before)).toEqual([...second, saved!.definitionId].sort());
      // What is refused is no change, and one of nothing names nothing.
      const refused = aChange({ saved: [{ definition: later!, expectedRevision: 7 }] });
      const beforeRefusal = await position();
      await expect(store.definitions.apply(refused)).rejects.toMatchObject({ code: 'WM7001' });
      await store.definitions.apply(aChange({}));
      expect(await changedSince(beforeRefusal)).toEqual([]);
      expect((await otherNode.definitions.findChanges(undefined)).definitionIds).toBeUndefined();
    });

    it('may be any where the position is from before the store was restored', async () => {
      const { otherNode } = context;
      await insert(aDefinition());
      const { position } = await otherNode.definitions.findChanges(undefined);
      const { counter } = position;
      const ahead = { ...position, counter: counter + 1 };
      expect(await otherNode.definitions.findChanges(ahead)).toEqual({ position, definitionIds: undefined });
      expect((await otherNode.definitions.findChanges(position)).definitionIds).toEqual([]);
    });

    it('are each named when many nodes change them at once', async () => {
      const { store, otherNode } = context;
      const { position } = await store.definitions.findChanges(undefined);
      const definitions = Array.from({ length: 30 }, () => aDefinition());
      const seen = new Set<string>();
      let since = position;
      const look = async () => {
        const { position: now, definitionIds } = await otherNode.definitions.findChanges(since);
        since = now;
        for (const id of definitionIds ?? []) seen.add(id);
      };
      const isDone = Promise.all(
        definitions.map((definition, n) =>
          (n % 2 ? store : otherNode).definitions.apply(
            aChange({ saved: [{ definition, expectedRevision: undefined }], addedTriggers: [aTrigger(definition)] }),
          ),
        ),
      );
      for (let n = 0; n < 10; n++) await look();
      await isDone;
      await look();
      expect(definitions.filter((d) => !seen.has(d.definitionId))).toEqual([]);
    });

    it('are listed without their content', async () => {
      const { definitions } = context.store;
      const definitionId = uid('definition');
      const v2 = aDefinition({ definitionId, version: 2, isReadonly: true, options: { usableAsActivity: true } });
      const v1 = aDefinition({ definitionId, version: 1, isLatest: false, isPublished: false });
      const other = aDefinition({ definitionId: `${definitionId} other` });
      await insert(v2, v1, other);
      const row = (d: WorkflowDefinition) => {
        const { id, version, name, isLatest, isPublished, isReadonly } = d;
        return { id, definitionId: d.definitionId, version, name, isLatest, isPublished, isReadonly, revision: 1 };
      };
      expect(await definitions.findVersions({ definitionId })).toEqual([row(v1), row(v2)]);
      const definitionIds = [other.definitionId, definitionId];
      expect(await definitions.findVersions({ definitionIds })).toEqual([row(v1), row(v2), row(other)]);
      expect(await definitions.findVersions({ definitionId, usableAsActivity: true })).toEqual([row(v2)]);
      expect(await definitions.findVersions({ ids: [v1.id], versionOptions: 'Latest' })).toEqual([]);
    });

    it('are found by what their latest versions use as activities', async () => {
      const { store } = context;
      const used = uid('used');
      const using = (...definitionIds: unknown[]) => ({
        type: 'Elsa.Sequence',
        activities: definitionIds.map((workflowDefinitionId) => ({ type: 'Used', workflowDefinitionId })),
      });
      const consumers = async (id = used) =>
        (await context.otherNode.definitions.findConsumers(id)).map((d) => `${d.definitionId} ${d.version}`);
      const b = aDefinition({ name: 'B', root: using(used, uid('another'), used) });
      const a = aDefinition({ name: 'A', isReadonly: true, root: { type: 'If', then: using(used) } });
      const itself = aDefinition({ definitionId: used, root: using(used) });
      // Nothing has such ids, so nothing is used by them; a draft may name them all the same.
      const odd = aDefinition({ root: using('x'.repeat(300), 'a\0b', '\ud800', 7, '') });
      await insert(b, a, itself, odd, aDefinition());
      expect(await consumers()).toEqual([`${a.definitionId} 1`, `${b.definitionId} 1`]);
      expect((await store.definitions.findConsumers(used))[0]).toMatchObject({
        id: a.id,
        isReadonly: true,
        revision: 1,
      });
      expect(await consumers(uid('unused'))).toEqual([]);
      // The next version uses something else.
      const next = aDefinition({ definitionId: b.definitionId, version: 2, root: using('something else') });
      await store.definitions.apply(
        aChange({
          saved: [
            { definition: { ...b, isLatest: false }, expectedRevision: 1 },
            { definition: next, expectedRevision: undefined },
          ],
        }),
      );
      expect(await consumers()).toEqual([`${a.definitionId} 1`]);
      // It is deleted, and the one before is the latest again.
      await store.definitions.apply(
        aChange({ saved: [{ definition: b, expectedRevision: 2 }], deletedIds: [next.id] }),
      );
      expect(await consumers()).toEqual([`${a.definitionId} 1`, `${b.definitionId} 1`]);
      await store.definitions.apply(aChange({ deletedIds: [a.id, b.id] }));
      expect(await consumers()).toEqual([]);
    });

    it('are found with what they use, for many at once', async () => {
      const used = [uid('used'), uid('used'), uid('unused')] as const;
      const using = (...definitionIds: string[]) => ({
        type: 'Elsa.Sequence',
        activities: definitionIds.map((workflowDefinitionId) => ({ type: 'Used', workflowDefinitionId })),
      });
      const b = aDefinition({ name: 'B', root: using(used[0], used[1]) });
      const a = aDefinition({ name: 'A', root: using(used[0]) });
      const old = aDefinition({ isLatest: false, root: using(used[0]) });
      await insert(b, a, old, aDefinition({ definitionId: used[1], root: using(used[1]) }));
      const { definitions } = context.otherNode;
      const uses = await definitions.findUses([...used, used[0]]);
      const of = (id: string) => uses.filter((use) => use.usedDefinitionId === id).map((use) => use.definitionId);
      expect(used.map(of)).toEqual([[a.definitionId, b.definitionId], [b.definitionId], []]);
      expect(await definitions.findUses([])).toEqual([]);
      const many = Array.from({ length: 1200 }, (_, n) => `${used[0]} ${n}`);
      expect(await definitions.findUses([...many, used[1]])).toEqual([
        { usedDefinitionId: used[1], definitionId: b.definitionId },
      ]);
    });

    it('are stored together with the messages of what follows from a change, or neither is', async () => {
      const { store } = context;
      const definition = aDefinition();
      const [first, second] = [aMessage({ availableAt: after(1e12) }), aMessage({ availableAt: after(1e12) })];
      const saved = (expectedRevision: number | undefined) => [{ definition, expectedRevision }];
      const before = (await store.outbox.count()).waiting;
      await store.definitions.apply(aChange({ saved: saved(undefined), messages: [first] }));
      await expect(store.definitions.apply(aChange({ saved: saved(7), messages: [second] }))).rejects.toMatchObject({
        code: 'WM7001',
      });
      expect((await store.outbox.count()).waiting).toBe(before + 1);
      await store.outbox.delete(first.id);
    });

    it('are found by version options', async () => {
      const definitionId = uid('definition');
      const version = (n: number, isLatest: boolean, isPublished: boolean) =>
        aDefinition({ definitionId, version: n, isLatest, isPublished });
      // 1 was published once, 2 is published now, 3 is a draft.
      await insert(version(1, false, false), version(2, false, true), version(3, true, false));
      const versions = async (versionOptions?: VersionOptions) =>
        (await context.store.definitions.findMany({ definitionId, versionOptions })).items
          .map((row) => row.version)
          .sort((left, right) => left - right);
      expect(await versions('Latest')).toEqual([3]);
      expect(await versions('Published')).toEqual([2]);
      expect(await versions('LatestOrPublished')).toEqual([2, 3]);
      expect(await versions('LatestAndPublished')).toEqual([]);
      expect(await versions('Draft')).toEqual([1, 3]);
      expect(await versions('AllVersions')).toEqual([1, 2, 3]);
      expect(await versions()).toEqual([1, 2, 3]);
      expect(await versions(2)).toEqual([2]);
      // A number that no column holds is that of no version.
      for (const tooLarge of [2 ** 31, -(2 ** 31) - 1, 1e20]) expect(await versions(tooLarge)).toEqual([]);
      expect((await context.store.definitions.find({ definitionId }))?.version).toBe(3);
      expect((await context.store.definitions.find({ definitionId, versionOptions: 'Draft' }))?.version).toBe(3);
      expect(await context.store.definitions.find({ definitionId, versionOptions: 9 })).toBeUndefined();
    });

    it('are found by every member of the filter', async () => {
      const name = uid('name');
      const a = aDefinition({ name, isSystem: true, materializerName: 'CLR', options: { usableAsActivity: true } });
      const b = aDefinition({ name, isReadonly: true, options: { usableAsActivity: false } });
      await insert(a, b);
      const both = [a.id, b.id].sort();
      const cases: [DefinitionFilter, string[]][] = [
        [{ ids: both }, both],
        [{ ids: [] }, []],
        [{ id: a.id }, [a.id]],
        [{ definitionId: a.definitionId }, [a.id]],
        [{ definitionIds: [a.definitionId, b.definitionId, uid('absent')] }, both],
        [{ name }, both],
        [{ name: name.toUpperCase() }, []],
        [{ name, isSystem: true }, [a.id]],
        [{ name, isSystem: false }, [b.id]],
        [{ name, isReadonly: true }, [b.id]],
        [{ name, materializerName: 'CLR' }, [a.id]],
        [{ name, usableAsActivity: true }, [a.id]],
        [{ name, usableAsActivity: false }, [b.id]],
        [{ name, id: a.id, isReadonly: true }, []],
        [{ name, ids: undefined }, both],
      ];
      for (const [filter, expected] of cases) {
        expect([filter, await idsOf(filter)]).toEqual([filter, expected]);
        expect(await context.store.definitions.count(filter)).toBe(expected.length);
      }
      expect(await context.store.definitions.count({})).toBeGreaterThanOrEqual(2);
    });

    it('are searched in id, definition id, name and description, ignoring case', async () => {
      const word = uid('Große_100%').replaceAll('-', '');
      const rows = [
        aDefinition({ id: uid(`x${word}y`) }),
        aDefinition({ definitionId: uid(word.toUpperCase().replace('SS', 'ß')) }),
        aDefinition({ name: `The ${word.toLowerCase()}` }),
        aDefinition({ name: undefined, description: `ÉTÉ ${word}` }),
      ];
      await insert(
        ...rows,
        aDefinition({ name: word.replace('%', 'x') }),
        aDefinition({ name: word.replace('_', 'x') }),
      );
      expect(await idsOf({ searchTerm: word })).toEqual(rows.map((row) => row.id).sort());
      expect(await idsOf({ searchTerm: `été ${word}` })).toEqual([rows[3]!.id]);
      expect(await idsOf({ searchTerm: `\\${word}` })).toEqual([]);
    });

    it('are found by the same terms whatever their length: in SQLite, longer ones are not looked for with LIKE', async () => {
      const own = uid('').replaceAll('-', '').slice(-6).toLowerCase();
      for (const length of [16, 17, 40])
        for (const start of ['große ', 'Éa%b', 'x_y', 'c\\d', "e!f'", '😀g']) {
          const term = `${start}${own}`.padEnd(length, 'h');
          const row = aDefinition({ name: `1 ${term.toUpperCase().replace('SSE', 'ßE')} 2` });
          // It would be found if signs of patterns were not taken as letters.
          const other = aDefinition({ name: /[%_]/.test(term) ? term.replace(/[%_]/, 'k') : own });
          await insert(row, other);
          expect([term, await idsOf({ searchTerm: term })]).toEqual([term, [row.id]]);
          expect(await idsOf({ searchTerm: `${term}i` })).toEqual([]);
        }
    });

    it('are ordered and paged', async () => {
      const ids = [uid('a'), uid('b'), uid('c')];
      const rows = ids.map((id, n) =>
        aDefinition({ id, name: ['Gamma', undefined, 'Alpha'][n], createdAt: after([5, 9, 7][n]!), version: n + 1 }),
      );
      await insert(...rows);
      const order = async (by: 'Name' | 'Created' | 'Version', direction: 'Ascending' | 'Descending') =>
        (await context.store.definitions.findMany({ ids }, { by, direction })).items.map((row) => ids.indexOf(row.id));
      expect(await order('Name', 'Ascending')).toEqual([1, 2, 0]);
      expect(await order('Name', 'Descending')).toEqual([0, 2, 1]);
      expect(await order('Created', 'Ascending')).toEqual([0, 2, 1]);
      expect(await order('Version', 'Descending')).toEqual([2, 1, 0]);
      const byDefault = await context.store.definitions.findMany({ ids }, undefined, { skip: 1, take: 1 });
      expect(byDefault.items.map((row) => row.id)).toEqual([ids[2]]);
      expect(byDefault.totalCount).toBe(3);
      const beyond = await context.store.definitions.findMany({ ids }, undefined, { skip: 5, take: 2 });
      expect(beyond).toEqual({ items: [], totalCount: 3 });
      const { definitions } = context.store;
      expect((await definitions.findIds({ ids }, { by: 'Created', direction: 'Ascending' })).items).toEqual([
        ids[0],
        ids[2],
        ids[1],
      ]);
      const second = await definitions.findIds({ ids }, undefined, { skip: 1, take: 1 });
      expect(second).toEqual({ items: [ids[2]], totalCount: 3 });
    });
  });
}
