import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import type { ActivityJson } from '@waymark/core';
import {
  IEventPublisher,
  ITriggerIndexer,
  IWorkflowDefinitionService,
  type StoredTrigger,
  WorkflowPersistence,
} from '@waymark/runtime';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { line, type RuntimeNode, sequence, startedBy, startNode, waitFor } from '../support/runtime-node.js';

const branch = (id: string, activityId = 'E'): ActivityJson =>
  sequence(id, waitFor(activityId, `event ${id}`, startedBy), line(`L${id}`, `from ${id}`));
const branches = (...activities: ActivityJson[]): ActivityJson => ({ type: 'Elsa.Parallel', id: 'P', activities });

describeOn(await testBackends(), 'triggers with one id on $name', (backend) => {
  let node: RuntimeNode;
  let definition: string;
  let run = 0;

  beforeEach(async () => {
    definition = `same-${++run}`;
    node = await startNode(await backend.create());
  });
  afterEach(() => node.close());
  afterAll(() => backend.drop());

  const rows = async () => {
    const found = await node.get(WorkflowPersistence).triggers.findMany({ workflowDefinitionIds: [definition] });
    return found.toSorted((a, b) => JSON.stringify(a.payload).localeCompare(JSON.stringify(b.payload)));
  };
  const names = async () => (await rows()).map(({ activityId }) => activityId);
  const replaceBy = async (changed: readonly StoredTrigger[]) => {
    const { revision, ...saved } = await node.get(IWorkflowDefinitionService).require(definition);
    await node.get(WorkflowPersistence).definitions.apply({
      saved: [{ definition: saved, expectedRevision: revision }],
      deletedIds: [],
      addedTriggers: changed,
      removedTriggerIds: (await rows()).map(({ id }) => id),
    });
  };

  it('start the workflow each at its own place', async () => {
    await node.deploy(definition, branches(branch('A'), branch('B')));
    expect(await names()).toEqual(['P:A:E', 'P:B:E']);
    await node.get(IEventPublisher).dispatch('event B');
    await node.settled();
    expect(node.lines).toEqual(['from B']);
  });

  it('take over the rows that a node of before has written, when they are refreshed', async () => {
    await node.deploy(definition, branches(branch('A'), branch('B')));
    const dueAt = new Date('2099-01-01T00:00:00Z');
    const before = (await rows()).map((row) => ({ ...row, id: `before-${row.id}`, activityId: 'E', dueAt }));
    await replaceBy(before);
    expect(await names()).toEqual(['E', 'E']);
    const { added, removed } = await node.get(ITriggerIndexer).indexTriggers(definition);
    expect([added, removed]).toEqual([[], []]);
    const after = await rows();
    expect(after.map(({ id, activityId }) => [id, activityId])).toEqual([
      [before[0]!.id, 'P:A:E'],
      [before[1]!.id, 'P:B:E'],
    ]);
    expect(after.map((row) => row.dueAt)).toEqual([dueAt, dueAt]);
  });

  it('keep their rows when another one with the id comes or goes, and alone one has its id only', async () => {
    await node.deploy(definition, branches(branch('A')));
    const [alone] = await rows();
    expect(alone!.activityId).toBe('E');
    await node.deploy(definition, branches(branch('A'), branch('B')));
    expect((await rows()).map(({ id, activityId }) => [id === alone!.id, activityId])).toEqual([
      [true, 'P:A:E'],
      [false, 'P:B:E'],
    ]);
    await node.deploy(definition, branches(branch('A')));
    expect((await rows()).map(({ id, activityId }) => [id === alone!.id, activityId])).toEqual([[true, 'E']]);
  });
});
