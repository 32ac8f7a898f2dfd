import { describe, expect, it } from '@jest/globals';
import { Activity } from '../activities/decorators.js';
import type { WorkflowState } from '../state/workflow-state.js';
import { ActivityBase } from './activity-base.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import { act, event, fork, seq, W, workflow } from './testing/build-definition.js';
import { type TestInstance, WorkflowTest } from './testing/run-workflow.js';
import type { WorkflowExecutionContext } from './workflow-execution-context.js';

const seen: unknown[] = [];

/** Notes the input of its burst. */
@Activity({ type: 'App.Sees' })
class Sees extends ActivityBase {
  execute(ctx: ActivityExecutionContext): void {
    seen.push([ctx.node.id, { ...ctx.input }]);
  }
}
const sees = (id: string) => act('App.Sees', id);
const declared = { name: 'Order', type: 'Object', isArray: false, storageDriverType: 'WorkflowInstanceStorageDriver' };

/** Branch A is stored half-way, before `A2`, and its node is still at it. */
async function halfwayInA(): Promise<TestInstance> {
  seen.length = 0;
  const branch = (id: string) => seq(`S${id}`, [event(id), W(`${id}1`), sees(`${id}2`), sees(`${id}3`)]);
  const definition = workflow(fork('K', [branch('A'), branch('B')]), { inputs: [declared] });
  const run = await new WorkflowTest({ activities: [Sees] }).start(definition, { input: { Order: 7 } });
  let halfway: WorkflowState | undefined;
  const onCheckpoint = async (wec: WorkflowExecutionContext): Promise<void> => {
    wec.burstId = 'of A';
    wec.keepsInput = true;
    halfway ??= run.test.runner.extract(wec);
  };
  const { id: bookmarkId } = run.bookmarks.find(({ activityId }) => activityId === 'A')!;
  await run.run({ bookmarkId, input: { Payload: 'a', Extra: 1 }, checkpointEvery: 1, onCheckpoint });
  run.edit((state) => Object.assign(state, halfway));
  seen.length = 0;
  return run;
}

describe('a burst beside one that another node has stored half-way', () => {
  it.each([
    ['its own input', { Payload: 'b' }],
    ['none', undefined],
  ])('has nothing of the input of that burst: %s', async (_, input) => {
    const run = await halfwayInA();
    const { input: stored, burstOrigin } = run.state;
    await run.run({ bookmarkId: run.bookmarks.find(({ activityId }) => activityId === 'B')!.id, input });
    const own = { Order: 7, ...input };
    expect(seen).toEqual([
      ['B2', own],
      ['B3', own],
    ]);
    expect(run.state).toMatchObject({ burstId: 'of A', burstOrigin, input: stored });
    await run.run({});
    const others = { Order: 7, Payload: 'a', Extra: 1 };
    expect(seen.slice(2)).toEqual([
      ['A2', others],
      ['A3', others],
    ]);
  });

  it('has nothing of it when it is a repair', async () => {
    const run = await halfwayInA();
    const { runner } = run.test;
    const { state } = run;
    const wec = runner.create({ graph: run.graph, instanceId: 'instance', state, cause: 'repair', isChange: true });
    wec.queue.add({ node: run.graph.findById('B3')[0]!, owner: wec.contexts.values().find((c) => c.node.id === 'SB') });
    await runner.drain(wec);
    expect(seen).toEqual([['B3', { Order: 7 }]]);
    expect(runner.extract(wec)).toMatchObject({ burstId: 'of A', burstOrigin: state.burstOrigin, input: state.input });
  });
});
