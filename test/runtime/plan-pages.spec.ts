import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { type BulkPlan, BulkPlans, IWorkflowDefinitionPublisher, WorkflowPersistence } from '@waymark/runtime';
import { DefinitionPlans } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { line, type RuntimeNode, startNode } from '../support/runtime-node.js';

describeOn(await testBackends(), 'plans of definitions on $name', (backend) => {
  let clock: VirtualClock;
  let node: RuntimeNode;

  beforeEach(async () => {
    clock = new VirtualClock('2026-03-01T00:00:00Z');
    node = await startNode(await backend.create(), { clock });
  });
  afterEach(() => node.close());
  afterAll(() => backend.drop());

  const save = async (ids: readonly string[]) => {
    for (const definitionId of ids)
      await node.get(IWorkflowDefinitionPublisher).saveDraft({ definitionId, root: line('L', definitionId) });
  };
  const publishedOf = async (definitionIds: readonly string[]) =>
    node.get(WorkflowPersistence).definitions.count({ definitionIds, versionOptions: 'Published' });
  const ended = async (planId: string): Promise<BulkPlan> => {
    await clock.advance(5000);
    await node.settled();
    return (await node.get(BulkPlans).find(planId))!;
  };

  it('a plan that a node of the version before has stored, with all of its ids, is carried out', async () => {
    const ids = Array.from({ length: 23 }, (_, n) => `old-${n}`);
    await save(ids);
    const counts = { selected: ids.length, visited: 0, changed: 0, failed: 0, failures: [] };
    const plan: BulkPlan = {
      id: 'old-plan',
      action: 'PublishDefinitions',
      selection: [{ ids }],
      status: 'Pending',
      isSelected: true,
      createdAt: new Date(clock.now()),
      ...counts,
    };
    const now = new Date(clock.now());
    const payload = { planId: plan.id, from: 0 };
    const messages = [
      { id: `${plan.id}-0`, kind: 'plan-step', payload, createdAt: now, availableAt: now, attempts: 0 },
    ];
    await node.get(WorkflowPersistence).bulkPlans.submit(plan, { messages });
    expect(await ended(plan.id)).toMatchObject({ status: 'Completed', visited: 23, changed: 23, failed: 0 });
    expect(await publishedOf(ids)).toBe(23);
  });

  it('a plan of today holds the number of its ids only, and publishes and retracts all of them', async () => {
    const ids = Array.from({ length: 41 }, (_, n) => `new-${n}`);
    await save(ids);
    for (const [action, left] of [
      ['PublishDefinitions', 41],
      ['RetractDefinitions', 0],
    ] as const) {
      const planId = await node.get(DefinitionPlans).submit(action, ids);
      const done = { status: 'Completed', visited: 41, changed: 41, failed: 0, selection: [{ idCount: 41 }] };
      expect(await ended(planId)).toMatchObject(done);
      expect(await publishedOf(ids)).toBe(left);
    }
  });
});
