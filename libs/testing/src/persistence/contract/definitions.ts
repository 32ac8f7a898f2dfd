import type { VersionOptions, WorkflowDefinition } from '@waymark/core';
import { aDefinition, after, aTrigger, uid } from '../builders.js';
import type { DefinitionChange, DefinitionFilter } from '@waymark/runtime';
import { type ContractContext, outcomes } from './contract-context.js';

/** `DefinitionStore`: changes as a whole, filters, order, paging, the change counter. */
export function definitionsContract(context: ContractContext): void {
  const { describe, it, expect } = context.framework;

  const change = (given: Partial<DefinitionChange>): DefinitionChange => ({
    saved: [],
    deletedIds: [],
    addedTriggers: [],
    removedTriggerIds: [],
    ...given,
  });
  const insert = (...definitions: WorkflowDefinition[]) =>
    context.store.definitions.apply(
      change({ saved: definitions.map((definition) => ({ definition, expectedRevision: undefined })) }),
    );
  const idsOf = async (filter: DefinitionFilter) =>
    (await context.store.definitions.findMany(filter)).items.map((row) => row.id).sort();

  describe('definitions', () => {
    it('come back as they were saved, with the number of their writes', async () => {
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
      await store.definitions.apply(change({ saved: [{ definition: renamed, expectedRevision: 1 }] }));
      expect(await store.definitions.find({ id: definition.id })).toEqual({ ...renamed, revision: 2 });
      expect(await context.otherNode.definitions.find({ id: definition.id })).toEqual({ ...renamed, revision: 2 });
    });

    it('are published together with their triggers', async () => {
      const { store } = context;
      const old = aDefinition();
      const oldTrigger = aTrigger(old);
      await store.definitions.apply(
        change({ saved: [{ definition: old, expectedRevision: undefined }], addedTriggers: [oldTrigger] }),
      );
      const next = aDefinition({ definitionId: old.definitionId, version: 2 });
      const nextTrigger = aTrigger(next, { payload: { path: 'x' }, dueAt: after(1), exclusiveKey: uid('GET') });
      await store.definitions.apply(
        change({
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
        change({ deletedIds: [old.id, next.id, uid('absent')], removedTriggerIds: [nextTrigger.id] }),
      );
      expect(await store.definitions.count({ definitionId: old.definitionId })).toBe(0);
    });

    it('are left alone when any part of a change conflicts', async () => {
      const { store } = context;
      const [stored, doomed, fresh] = [aDefinition(), aDefinition(), aDefinition()];
      const trigger = aTrigger(stored);
      await insert(stored, doomed);
      await store.definitions.apply(change({ addedTriggers: [trigger] }));
      const counter = await store.definitions.changeCounter();
      const good: DefinitionChange = change({
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

    it('let one of two nodes save a version', async () => {
      const definition = aDefinition();
      await insert(definition);
      const counts = await outcomes(
        Array.from({ length: 20 }, (_, n) =>
          (n % 2 ? context.store : context.otherNode).definitions.apply(
            change({ saved: [{ definition: { ...definition, name: `by ${n}` }, expectedRevision: 1 }] }),
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
      await context.store.definitions.apply(change({}));
      expect(await context.otherNode.definitions.changeCounter()).toBeGreaterThan(after1);
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

    it('are searched in id, definition id, name and description, whatever the case', async () => {
      const word = uid('Große_100%').replaceAll('-', '');
      const rows = [
        aDefinition({ id: uid(`x${word}y`) }),
        aDefinition({ definitionId: uid(word.toUpperCase().replaceAll('SS', 'ß')) }),
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
    });
  });

  describe('exclusive triggers', () => {
    it('belong to one definition, which the refusal names', async () => {
      const { store } = context;
      const exclusiveKey = uid('http GET orders/{}');
      const [holder, other] = [aDefinition(), aDefinition()];
      const held = aTrigger(holder, { exclusiveKey });
      await store.definitions.apply(
        change({ saved: [{ definition: holder, expectedRevision: undefined }], addedTriggers: [held] }),
      );
      const second = change({
        saved: [{ definition: other, expectedRevision: undefined }],
        addedTriggers: [aTrigger(other), aTrigger(other, { exclusiveKey })],
      });
      await expect(store.definitions.apply(second)).rejects.toMatchObject({
        code: 'WM7006',
        exclusiveKey,
        definitionId: other.definitionId,
        heldByDefinitionId: holder.definitionId,
      });
      expect(await store.definitions.count({ id: other.id })).toBe(0);
      expect(await store.triggers.findMany({ workflowDefinitionIds: [other.definitionId] })).toEqual([]);
      // The same definition may use it twice, and a change that frees it may give it to another one.
      await store.definitions.apply(change({ addedTriggers: [aTrigger(holder, { exclusiveKey })] }));
      const ids = (await store.triggers.findMany({ workflowDefinitionIds: [holder.definitionId] })).map(
        (row) => row.id,
      );
      await store.definitions.apply({ ...second, removedTriggerIds: ids });
      expect(await store.triggers.findMany({ workflowDefinitionIds: [other.definitionId] })).toHaveLength(2);
    });

    it('are refused within one change as well', async () => {
      const exclusiveKey = uid('http GET');
      const [one, two] = [aDefinition(), aDefinition()];
      const both = change({ addedTriggers: [aTrigger(one, { exclusiveKey }), aTrigger(two, { exclusiveKey })] });
      await expect(context.store.definitions.apply(both)).rejects.toMatchObject({ code: 'WM7006', exclusiveKey });
    });

    it('go to one of many nodes', async () => {
      const exclusiveKey = uid('http POST');
      const counts = await outcomes(
        Array.from({ length: 20 }, (_, n) =>
          (n % 2 ? context.store : context.otherNode).definitions.apply(
            change({ addedTriggers: [aTrigger(aDefinition(), { exclusiveKey })] }),
          ),
        ),
      );
      expect(counts).toEqual({ fulfilled: 1, WM7006: 19 });
    });
  });
}
