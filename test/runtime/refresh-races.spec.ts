import { afterEach, describe, expect, it } from '@jest/globals';
import type { ActivityJson } from '@waymark/core';
import {
  IWorkflowDefinitionPublisher,
  MemoryPersistence,
  type StoredTrigger,
  type WorkflowPersistence,
} from '@waymark/runtime';
import { line, type RuntimeNode, sequence, startedBy, startNode, waitFor } from '../support/runtime-node.js';

// A refresh works out triggers of what it has read. What is published, retracted or refreshed meanwhile decides.

const NONE = { saved: [], deletedIds: [], addedTriggers: [], removedTriggerIds: [] };

describe('triggers that are refreshed', () => {
  let node: RuntimeNode;
  let store: MemoryPersistence;
  /** Once, when triggers have been read and nothing is written yet. */
  let meanwhile: (() => Promise<unknown>) | undefined;
  afterEach(() => node.close());

  const start = async (): Promise<void> => {
    store = new MemoryPersistence();
    const triggersOfNode = new Proxy(store.triggers, {
      get(of, member) {
        const value: unknown = Reflect.get(of, member);
        if (typeof value !== 'function') return value;
        return async (...args: unknown[]) => {
          const answer: unknown = await (value as (...given: unknown[]) => unknown).apply(of, args);
          if (member !== 'findMany') return answer;
          const act = meanwhile;
          meanwhile = undefined;
          await act?.();
          return answer;
        };
      },
    });
    node = await startNode(Object.create(store, { triggers: { value: triggersOfNode } }) as WorkflowPersistence);
  };
  const root = (event: string): ActivityJson => sequence('S', waitFor('E', event, startedBy), line('L', 'x'));
  const publisher = () => node.get(IWorkflowDefinitionPublisher);
  const triggers = (): Promise<StoredTrigger[]> => store.triggers.findMany({ workflowDefinitionIds: ['w'] });
  const events = async () => (await triggers()).map(({ payload }) => (payload as { eventName: string }).eventName);
  const withoutRows = async () =>
    store.definitions.apply({ ...NONE, removedTriggerIds: (await triggers()).map(({ id }) => id) });

  describe.each(['complete', 'missing'])('which are %s', (stored) => {
    const prepare = async () => {
      await start();
      await node.deploy('w', root('one'));
      if (stored === 'missing') await withoutRows();
    };

    it('triggers that are refreshed do not come back when the workflow is retracted meanwhile', async () => {
      await prepare();
      meanwhile = () => publisher().retract('w');
      await publisher().refresh(['w']);
      expect(await events()).toEqual([]);
    });

    it('triggers that are refreshed do not come back when the workflow is deleted meanwhile', async () => {
      await prepare();
      meanwhile = () => publisher().delete(['w']);
      expect(await publisher().refresh(['w'])).toMatchObject({ failed: [] });
      expect(await events()).toEqual([]);
    });

    it('triggers that are refreshed are those of the version that is published meanwhile', async () => {
      await prepare();
      meanwhile = () => node.deploy('w', root('two'));
      await publisher().refresh(['w']);
      expect(await events()).toEqual(['two']);
    });
  });

  it('triggers that are refreshed are those of the version that was about to be published', async () => {
    await start();
    await node.deploy('w', root('one'));
    await withoutRows();
    meanwhile = () => publisher().refresh(['w']);
    await node.deploy('w', root('two'));
    expect(await events()).toEqual(['two']);
  });

  it('triggers that are refreshed are there once, when two nodes refresh them at the same time', async () => {
    await start();
    await node.deploy('w', root('one'));
    await withoutRows();
    meanwhile = () => publisher().refresh(['w']);
    expect(await publisher().refresh(['w'])).toEqual({ refreshed: ['w'], notFound: [], failed: [] });
    expect(await events()).toEqual(['one']);
  });

  it('triggers that are refreshed leave the revision of their definition alone where nothing changes', async () => {
    await start();
    await node.deploy('w', root('one'));
    const revision = async () => (await store.definitions.find({ definitionId: 'w' }))!.revision;
    const unrefreshed = await revision();
    await publisher().refresh(['w']);
    expect(await revision()).toBe(unrefreshed);
  });
});
