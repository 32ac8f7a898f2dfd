import { afterEach, describe, expect, it } from '@jest/globals';
import type { ActivityJson } from '@waymark/core';
import {
  BulkPlans,
  DefinitionDeletions,
  type DefinitionsDeleted,
  IWorkflowDefinitionPublisher,
  IWorkflowDefinitionService,
  IWorkflowRuntime,
  MemoryPersistence,
  WorkflowEvent,
  type WorkflowPersistence,
} from '@waymark/runtime';
import { BulkPlanWorker, StoreFollower, WorkflowEventEmitter } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { line, type RuntimeNode, sequence, startedBy, startNode, waitFor } from '../support/runtime-node.js';

// A deletion reads what it deletes, and cancels instances, which takes its time. What is saved, published or refreshed meanwhile is of
// a definition that goes as a whole, or stays as a whole.

type Stores = 'definitions' | 'triggers' | 'bulkPlans';

describe('a deletion', () => {
  const nodes: RuntimeNode[] = [];
  let store: MemoryPersistence;
  let clock: VirtualClock;
  afterEach(async () => {
    for (const node of nodes.splice(0)) await node.close();
  });

  /** A node; and what is done once, when it has called a method of its store for the nth time. */
  const start = async () => {
    const hooks: { at?: string; times?: number; act?: () => Promise<unknown> } = {};
    const hooked = (name: Stores) =>
      new Proxy(store[name], {
        get(of, member) {
          const value: unknown = Reflect.get(of, member);
          if (typeof value !== 'function') return value;
          return async (...args: unknown[]) => {
            const answer: unknown = await (value as (...given: unknown[]) => unknown).apply(of, args);
            if (hooks.at !== `${name}.${String(member)}` || (hooks.times = (hooks.times ?? 1) - 1) > 0) return answer;
            const { act } = hooks;
            hooks.at = undefined;
            await act?.();
            return answer;
          };
        },
      });
    const persistence = Object.create(store, {
      definitions: { value: hooked('definitions') },
      triggers: { value: hooked('triggers') },
      bulkPlans: { value: hooked('bulkPlans') },
    }) as WorkflowPersistence;
    const node = await startNode(persistence, { clock });
    nodes.push(node);
    const after = (at: string, act: () => Promise<unknown>, times = 1) => Object.assign(hooks, { at, act, times });
    return { node, after, publisher: node.get(IWorkflowDefinitionPublisher), hooks };
  };
  const prepare = async () => {
    store = new MemoryPersistence();
    clock = new VirtualClock('2026-03-01T00:00:00Z');
    return start();
  };
  const root = (event: string): ActivityJson => sequence('S', waitFor('E', event, startedBy), line('L', event));
  const events = async () =>
    (await store.triggers.findMany({ workflowDefinitionIds: ['w'] })).map(
      ({ payload }) => (payload as { eventName: string }).eventName,
    );
  const versions = async () =>
    (await store.definitions.findVersions({ definitionId: 'w' })).map(({ version }) => version);
  const idOf = async (version: number) =>
    (await store.definitions.find({ definitionId: 'w', versionOptions: version }))!.id;

  it('takes what is published meanwhile with it, rather than its triggers alone', async () => {
    const { node, after, publisher } = await prepare();
    await node.deploy('w', root('one'));
    after('definitions.findVersions', () => node.deploy('w', root('two')));
    await publisher.delete(['w']);
    expect([await versions(), await events()]).toEqual([[], []]);
  });

  it('takes the draft of a new version that is saved meanwhile with it', async () => {
    const { node, after, publisher } = await prepare();
    await node.deploy('w', root('one'));
    after('triggers.findMany', () => publisher.saveDraft({ definitionId: 'w', root: root('two') }));
    await publisher.delete(['w']);
    expect([await versions(), await events()]).toEqual([[], []]);
  });

  it('leaves no trigger that is refreshed meanwhile', async () => {
    const { node, after, publisher } = await prepare();
    await node.deploy('w', root('one'));
    const removedTriggerIds = (await store.triggers.findMany({})).map(({ id }) => id);
    await store.definitions.apply({ saved: [], deletedIds: [], addedTriggers: [], removedTriggerIds });
    after('triggers.findMany', () => publisher.refresh(['w']));
    await publisher.delete(['w']);
    expect([await versions(), await events()]).toEqual([[], []]);
  });

  it('a deletion of a draft that is published meanwhile takes its triggers', async () => {
    const { after, publisher } = await prepare();
    await publisher.saveDraft({ definitionId: 'w', root: root('one') });
    after('definitions.findVersions', () => publisher.publish('w'));
    expect(await publisher.deleteVersions([await idOf(1)])).toBe(1);
    expect([await versions(), await events()]).toEqual([[], []]);
  });

  it('a deletion of the published version leaves the triggers of the one that is published meanwhile', async () => {
    const { node, after, publisher } = await prepare();
    await node.deploy('w', root('one'));
    const id = await idOf(1);
    after('definitions.findVersions', () => node.deploy('w', root('two')));
    expect(await publisher.deleteVersions([id])).toBe(1);
    expect([await versions(), await events()]).toEqual([[2], ['two']]);
  });

  it('announces what it deleted, also where another one of the request fails', async () => {
    const { node, after, publisher } = await prepare();
    await node.deploy('w', root('one'));
    await node.deploy('x', root('two'));
    // The lot of all, then one by one: the second of these.
    const fails = () => Promise.reject(new Error('the store is out'));
    after('triggers.findMany', () => {
      after('triggers.findMany', fails, 2);
      return fails();
    });
    const deleted: DefinitionsDeleted[] = [];
    node.get(WorkflowEventEmitter).listen<DefinitionsDeleted>(WorkflowEvent.DefinitionsDeleted, (event) => {
      deleted.push(event);
    });
    await expect(publisher.delete(['absent', 'w', 'x'])).rejects.toThrow('the store is out');
    expect([deleted, await versions()]).toEqual([[{ definitionIds: ['w'] }], []]);
  });

  it('a deletion by a plan that has ended meanwhile, on another node, leaves what was imported since', async () => {
    const slow = await prepare();
    const quick = await start();
    await quick.node.deploy('w', root('one'));
    const file = (await store.definitions.find({ definitionId: 'w' }))!;
    const starting = async () => {
      const client = await quick.node.get(IWorkflowRuntime).createClient();
      await client.createInstance({ definition: 'w' });
    };
    await starting();
    // The slow node has found the plan. Before it continues, the other node carries the plan out, and the workflow is imported again.
    const importing = async () => {
      quick.node.get(BulkPlanWorker).wake();
      await quick.node.get(BulkPlanWorker).settled();
      await clock.advance(1000);
      await quick.publisher.saveAndPublish({ ...file, root: root('two') }, { keepId: true });
      await starting();
      await clock.advance(1000);
    };
    slow.after('bulkPlans.findDeletion', importing);
    const { planId } = await slow.node.get(DefinitionDeletions).run({ definitionIds: ['w'] }, 0);
    await slow.node.get(BulkPlanWorker).settled();
    expect(await quick.node.get(BulkPlans).find(planId!)).toMatchObject({ status: 'Completed' });
    expect([await versions(), await events(), await store.instances.count({ definitionIds: ['w'] })]).toEqual([
      [1],
      ['two'],
      1,
    ]);
  });

  it('leaves instances of what was imported under the same ids before it looks for late ones', async () => {
    const slow = await prepare();
    const quick = await start();
    await quick.node.deploy('w', root('one'));
    const file = (await store.definitions.find({ definitionId: 'w' }))!;
    slow.after('definitions.apply', async () => {
      await clock.advance(1000);
      await quick.publisher.saveAndPublish({ ...file, root: root('two') }, { keepId: true });
      const client = await quick.node.get(IWorkflowRuntime).createClient();
      await client.createInstance({ definition: 'w' });
      await clock.advance(1000);
    });
    expect(await slow.publisher.delete(['w'])).toBe(1);
    expect([await events(), await store.instances.count({ definitionIds: ['w'] })]).toEqual([['two'], 1]);
  });

  it('a deletion that is followed by an import under the same ids is noticed by a node that sees both at once', async () => {
    const here = await prepare();
    const there = await start();
    await here.node.deploy('w', root('one'), { options: { usableAsActivity: true } });
    const { id, revision, ...file } = (await store.definitions.find({ definitionId: 'w' }))!;
    await there.node.get(StoreFollower).follow();
    const graphs = there.node.get(IWorkflowDefinitionService);
    await graphs.graph(id);
    await here.publisher.delete(['w']);
    await here.publisher.saveAndPublish({ ...file, id, root: root('two') }, { keepId: true });
    await there.node.get(StoreFollower).follow();
    expect(JSON.stringify((await graphs.graph(id)).definition.root)).toContain('two');
    const stored = (await store.definitions.find({ id }))!;
    expect(stored.revision).toBeGreaterThan(revision);
    // And what was read before the deletion is not what is saved over after it.
    const over = [{ id, revision }];
    await expect(here.publisher.saveDraft({ ...file, root: root('three') }, { over })).rejects.toMatchObject({
      code: 'WM7043',
    });
  });
});
