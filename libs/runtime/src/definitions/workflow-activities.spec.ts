import { Activity, type WorkflowDefinition } from '@waymark/core';
import { ActivityRegistry } from '@waymark/core/adapter';
import { MemoryPersistence } from '../persistence/memory/memory-persistence.js';
import { WorkflowActivities } from './workflow-activities.js';

/** With what the registry and the store look at. */
function reusable(definitionId: string, given: Partial<WorkflowDefinition> = {}): WorkflowDefinition {
  const version = given.version ?? 1;
  return {
    id: `${definitionId} v${version}`,
    definitionId,
    version,
    name: definitionId,
    materializerName: 'Json',
    inputs: [],
    outputs: [],
    outcomes: [],
    isPublished: true,
    options: { usableAsActivity: true },
    root: { type: 'Elsa.Sequence' },
    ...given,
  } as WorkflowDefinition;
}

function setUp() {
  const store = new MemoryPersistence();
  const registry = new ActivityRegistry();
  const activities = new WorkflowActivities(
    store,
    { activities: registry } as never,
    { note: () => undefined } as never,
  );
  const apply = (saved: WorkflowDefinition[], expectedRevision?: number, deletedIds: string[] = []) =>
    store.definitions.apply({
      saved: saved.map((definition) => ({ definition, expectedRevision })),
      deletedIds,
      addedTriggers: [],
      removedTriggerIds: [],
    });
  const registered = () =>
    registry
      .list()
      .map(
        (r) => `${r.descriptor.typeName} ${String(r.descriptor.constructionProperties.WorkflowDefinitionVersionId)}`,
      );
  return { store, registry, activities, apply, registered };
}

describe('WorkflowActivities', () => {
  it('follows versions that come, change, and are usable no more', async () => {
    const { activities, apply, registered } = setUp();
    await apply([reusable('A'), reusable('A', { version: 2 }), reusable('B')]);
    await activities.refreshAll();
    expect(registered()).toEqual(['A A v2', 'A A v1', 'B B v1']);
    await apply([reusable('A', { name: 'Renamed' })], 1, ['A v2']);
    await apply([reusable('B', { options: {} })], 1);
    await activities.refresh(['A']);
    expect(registered()).toEqual(['B B v1', 'Renamed A v1']);
    await activities.refreshAll();
    expect(registered()).toEqual(['Renamed A v1']);
  });

  it('leaves the registry alone where nothing has changed', async () => {
    const { activities, apply, registry, store } = setUp();
    await apply([reusable('A'), reusable('B')]);
    await activities.refreshAll();
    const { version } = registry;
    const findMany = jest.spyOn(store.definitions, 'findMany');
    await activities.refreshAll();
    await activities.refresh(['A', 'B', 'unknown']);
    expect([registry.version, findMany.mock.calls.length]).toEqual([version, 0]);
  });

  it('assigns a name that several workflows use to the same one in any order, and to the next one when it is removed', async () => {
    const wanted = (definitionId: string) => reusable(definitionId, { name: 'same name' });
    for (const order of [
      ['A', 'B'],
      ['B', 'A'],
    ]) {
      const { activities, apply, registered } = setUp();
      for (const definitionId of order) {
        await apply([wanted(definitionId)]);
        await activities.refresh([definitionId]);
      }
      expect(registered()).toEqual(['SameName B v1']);
      await apply([], undefined, ['B v1']);
      await activities.refresh(['B']);
      expect(registered()).toEqual(['SameName A v1']);
    }
  });

  it('leaves a class in its place when a workflow that was called like it is saved, renamed or deleted', async () => {
    const { activities, apply, registry, registered } = setUp();
    @Activity({ type: 'App.Charge' })
    class Charge {}
    const charge = registry.registerClass(Charge, {});
    const found = () => registry.find('App.Charge', 1);
    await apply([reusable('A', { name: 'App.Charge' }), reusable('B', { name: 'App.Charge', version: 2 })]);
    await activities.refreshAll();
    expect([found(), registry.find('App.Charge'), registry.list()]).toEqual([charge, charge, [charge]]);
    await apply([reusable('A', { name: 'Renamed' })], 1);
    await activities.refresh(['A']);
    expect([found(), registered()]).toEqual([charge, ['App.Charge undefined', 'Renamed A v1']]);
    await apply([], undefined, ['A v1', 'B v2']);
    await activities.refresh(['A', 'B']);
    expect([found(), registered()]).toEqual([charge, ['App.Charge undefined']]);
  });

  it('does not let an older answer overwrite a newer one', async () => {
    const { activities, apply, registered, store } = setUp();
    await apply([reusable('A')]);
    const stale = await store.definitions.findVersions({ definitionId: 'A' });
    let answer!: (given: typeof stale) => void;
    const asked = new Promise<void>((resolve) => {
      jest.spyOn(store.definitions, 'findVersions').mockImplementationOnce(() => {
        resolve();
        return new Promise((give) => (answer = give));
      });
    });
    const older = activities.refresh(['A']);
    await asked;
    await apply([], undefined, ['A v1']);
    const newer = activities.refresh(['A']);
    answer(stale);
    await Promise.all([older, newer]);
    expect(registered()).toEqual([]);
  });
});
