import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ActivityJson } from '@waymark/core';
import { IWorkflowDefinitionPublisher, IWorkflowDefinitionService, MemoryPersistence } from '@waymark/runtime';
import { FaultPoints, withFaultPoints } from '@waymark/testing';
import { line, type RuntimeNode, sequence, startNode, waitFor } from '../support/runtime-node.js';

/** How often a publish asks the store. */
describe('a publish', () => {
  let store: MemoryPersistence;
  let calls: FaultPoints;
  let node: RuntimeNode;

  beforeEach(async () => {
    calls = new FaultPoints();
    store = new MemoryPersistence();
    node = await startNode(withFaultPoints(store, calls));
  });
  afterEach(() => node.close());

  const publisher = () => node.get(IWorkflowDefinitionPublisher);
  const draft = (definitionId: string, ...activities: ActivityJson[]) => ({
    definitionId,
    name: definitionId,
    root: sequence('Root', ...activities),
  });
  const callsOf = async (task: () => Promise<unknown>): Promise<string[]> => {
    const before = calls.reached.length;
    await task();
    return calls.reached.slice(before).map((point) => point.split('#')[0]!);
  };

  const publishing = ['bulkPlans.findDeletions', 'definitions.apply', 'definitions.findVersions', 'definitions.find'];

  it.each([1, 200])('reads the draft once among %i other definitions, and no other definition', async (others) => {
    for (let i = 0; i < others; i++) await node.deploy(`other${i}`, sequence('Root', waitFor('In', `event${i}`)));
    const publishNew = () => publisher().saveAndPublish(draft('mine', line('Say', 'one')));
    expect(await callsOf(publishNew)).toEqual(['definitions.find', 'triggers.findMany', ...publishing]);
    await publisher().saveDraft(draft('mine', line('Say', 'two')));
    expect(await callsOf(() => publisher().publish('mine'))).toEqual([
      'definitions.find',
      'triggers.findMany',
      // What was published before: not the draft again.
      'definitions.findMany',
      ...publishing,
    ]);
    const publishNext = () => publisher().saveAndPublish(draft('mine', line('Say', 'three')));
    expect(await callsOf(publishNext)).toEqual(['definitions.find', 'triggers.findMany', ...publishing]);
    const versions = await store.definitions.findVersions({ definitionId: 'mine' });
    expect(versions.map((v) => [v.version, v.isLatest, v.isPublished])).toEqual([
      [1, false, false],
      [2, false, false],
      [3, true, true],
    ]);
  });

  it('evicts what it has written, and no other version', async () => {
    const definitions = node.get(IWorkflowDefinitionService);
    const publishedGraph = async () => definitions.graph((await definitions.require('mine')).id);
    await publisher().saveAndPublish(draft('mine', line('Say', 'one')));
    await publisher().saveDraft(draft('mine', line('Say', 'two')));
    const graph = await publishedGraph();
    const save = () => publisher().saveDraft(draft('mine', line('Say', 'three')));
    expect(await callsOf(save)).toEqual(['definitions.find', ...publishing]);
    let same: unknown;
    expect(await callsOf(async () => (same = await publishedGraph()))).toEqual([]);
    expect(same).toBe(graph);
    const latest = await definitions.require({ definitionId: 'mine', versionOptions: 'Latest' });
    await publisher().publish('mine');
    expect((await publishedGraph()).definition).toMatchObject({ id: latest.id, isPublished: true });
    await publisher().deleteVersions([latest.id]);
    expect(await definitions.find('mine')).toBeUndefined();
  });
});
