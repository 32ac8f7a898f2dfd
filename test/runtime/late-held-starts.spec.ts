import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { Activity, ActivityBase, type ActivityExecutionContext } from '@waymark/core';
import { IWorkflowDefinitionService, type WorkflowPersistence } from '@waymark/runtime';
import { HeldStarts } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { type RuntimeNode, sequence, startedBy, startNode, waitFor } from '../support/runtime-node.js';

const SECOND = 1000;

let executions = 0;
let counter = 0;
let release: () => void;
let released: Promise<void>;

/** Takes until the test says so. */
@Activity({ type: 'Test.Slow' })
class Slow extends ActivityBase {
  async execute(ctx: ActivityExecutionContext): Promise<void> {
    executions++;
    await released;
    await ctx.complete();
  }
}

describeOn(await testBackends(), 'a start that waits on its node for a place, on $name', (backend) => {
  let clock: VirtualClock;
  let store: WorkflowPersistence;
  let node: RuntimeNode;
  let other: RuntimeNode;
  let workflow: string;
  afterAll(() => backend.drop());
  beforeEach(async () => {
    executions = 0;
    workflow = `slow-${++counter}`;
    released = new Promise((resolve) => (release = resolve));
    clock = new VirtualClock(new Date().toISOString());
    store = await backend.create();
    node = await startNode(store, { clock, nodeName: 'one', providers: [Slow] });
    other = await startNode(store, { clock, nodeName: 'other', pollIntervalMs: SECOND / 4, providers: [Slow] });
    await node.deploy(workflow, sequence('S', waitFor('A', 'go', startedBy), { type: 'Test.Slow', id: 'L' }));
  });
  afterEach(async () => {
    release();
    await Promise.all([node.close(), other.close()]);
  });

  async function stored() {
    const { id: definitionVersionId } = await node.get(IWorkflowDefinitionService).require(workflow);
    const start = await node.get(HeldStarts).prepare({ definitionVersionId, triggerActivityId: 'A', input: {} });
    await store.outbox.add([start!.message]);
    return start!;
  }
  const finished = () => store.instances.count({ definitionIds: [workflow], subStatuses: ['Finished'] });
  async function pass(ms: number): Promise<void> {
    for (let at = 0; at < ms; at += SECOND / 4) await clock.advance(SECOND / 4);
  }

  it('runs on one node, however little is left of its head start', async () => {
    const start = await stored();
    await pass(4.75 * SECOND);
    const served = node.get(HeldStarts).serve(start);
    await pass(10 * SECOND);
    expect(executions).toBe(1);
    release();
    await served;
    await other.settled();
    expect([executions, await finished()]).toEqual([1, 1]);
  });

  it('is left to the one that has it by then', async () => {
    const start = await stored();
    await pass(7 * SECOND);
    expect(executions).toBe(1);
    await node.get(HeldStarts).serve(start);
    release();
    await other.settled();
    expect([executions, await finished()]).toEqual([1, 1]);
  });
});
