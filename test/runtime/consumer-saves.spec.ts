import { afterEach, describe, expect, it } from '@jest/globals';
import type { ActivityJson } from '@waymark/core';
import {
  IWorkflowDefinitionPublisher,
  IWorkflowDefinitionService,
  MemoryPersistence,
  type WorkflowPersistence,
} from '@waymark/runtime';
import { line, type RuntimeNode, sequence, startNode } from '../support/runtime-node.js';

// A publish moves the consumers of a workflow along. What a person saves of a consumer at the same moment has to survive that.

const REUSABLE = { name: 'Part', options: { usableAsActivity: true, autoUpdateConsumingWorkflows: true } };

/** Once, before the consumer's new reference reaches the store. */
function interrupted(persistence: WorkflowPersistence, moment: 'read' | 'written', act: () => Promise<void>) {
  let isArmed = false;
  const once = async (): Promise<void> => {
    isArmed = false;
    await act();
  };
  const definitions = new Proxy(persistence.definitions, {
    get(of, member) {
      const value: unknown = Reflect.get(of, member);
      if (typeof value !== 'function') return value;
      return async (...args: unknown[]) => {
        const [change] = args as [{ saved?: { definition: { definitionId: string } }[]; id?: string }];
        const writes = member === 'apply' && change.saved?.[0]?.definition.definitionId === 'whole';
        if (isArmed && moment === 'written' && writes) await once();
        const answer: unknown = await (value as (...given: unknown[]) => unknown).apply(of, args);
        const read = answer as { definitionId?: string } | undefined;
        if (isArmed && moment === 'read' && member === 'find' && read?.definitionId === 'whole') await once();
        return answer;
      };
    },
  });
  return {
    persistence: Object.create(persistence, { definitions: { value: definitions } }) as WorkflowPersistence,
    arm: () => void (isArmed = true),
  };
}

describe('a consumer that a person saves while it is moved along', () => {
  let node: RuntimeNode;
  afterEach(() => node.close());

  const root = (text: string, version: number): ActivityJson =>
    sequence('Root', line('Text', text), {
      type: 'Part',
      id: 'Use',
      version,
      workflowDefinitionId: 'part',
      latestAvailablePublishedVersion: version,
    } as ActivityJson);

  it.each([
    ['read', false],
    ['written', false],
    ['read', true],
    ['written', true],
  ] as const)('keeps what was saved between its being %s, published: %s', async (moment, isPublished) => {
    const { persistence, arm } = interrupted(new MemoryPersistence(), moment, async () => {
      await publisher().saveDraft({ definitionId: 'whole', name: 'whole', root: root('edited by a person', 1) });
    });
    node = await startNode(persistence);
    const publisher = () => node.get(IWorkflowDefinitionPublisher);
    const latest = async () =>
      JSON.stringify(
        (await node.get(IWorkflowDefinitionService).require({ definitionId: 'whole', versionOptions: 'Latest' })).root,
      );
    await node.deploy('part', line('L', 'one'), REUSABLE);
    if (isPublished) await node.deploy('whole', root('first', 1));
    else await publisher().saveDraft({ definitionId: 'whole', name: 'whole', root: root('first', 1) });
    arm();
    await node.deploy('part', line('L', 'two'), REUSABLE);
    expect(await latest()).toContain('edited by a person');
    // And it is moved along all the same.
    expect(await latest()).toContain('"version":2');
  });
});
