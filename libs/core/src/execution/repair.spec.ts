import type { ActivityJson } from '../definitions/workflow-definition.js';
import { act, event, flow, fork, seq, W } from './testing/build-definition.js';
import { type TestInstance, WorkflowTest } from './testing/run-workflow.js';
import { recoverFromFault } from './activity-invoker.js';

/** Fails until it is mended. */
function breaking(mended: { yes: boolean }): ActivityJson {
  const run = () => {
    if (!mended.yes) throw new Error('out of coal');
  };
  return act('Inline', 'fails', { run });
}

/** As an alteration does: from what was stored, the failed execution runs again. */
async function retry(run: TestInstance): Promise<TestInstance> {
  const { runner } = run.test;
  const wec = runner.create({ graph: run.graph, instanceId: 'instance', state: run.state });
  wec.reopen();
  for (const ctx of wec.faultedContexts()) {
    recoverFromFault(ctx);
    wec.queue.add({ node: ctx.node, existing: ctx });
  }
  await runner.drain(wec);
  run.context = wec;
  return run;
}

describe('an instance that was faulted while others had work to do, once it is repaired', () => {
  const cases: [string, (mended: { yes: boolean }) => ActivityJson, string[]][] = [
    [
      'goes on with all branches of a fork',
      (mended) => seq('S', [fork('F', [breaking(mended), seq('B', [W('b1'), W('b2')])], 'WaitAll'), W('after')]),
      ['b1', 'b2', 'after'],
    ],
    [
      'goes on with all branches of a flowchart',
      (mended) =>
        flow(
          'F',
          [W('St'), breaking(mended), W('B'), W('C'), W('J')],
          ['St->fails', 'St->B', 'B->C', 'fails->J', 'C->J'],
        ),
      ['St', 'B', 'C', 'J'],
    ],
  ];

  it.each(cases)('%s', async (_what, definition, lines) => {
    const mended = { yes: false };
    const run = await new WorkflowTest().start(definition(mended));
    expect([run.status, run.state.incidents.length]).toEqual(['Faulted', 1]);
    mended.yes = true;
    await retry(run);
    expect([run.status, run.lines.toSorted()]).toEqual(['Finished', lines.toSorted()]);
  });
});

describe('work that is dropped with its owner', () => {
  it('is skipped, but not work that others scheduled', async () => {
    const branch = (id: string) => seq(id, [W(`${id}1`), W(`${id}2`)]);
    const run = await new WorkflowTest().start(
      seq('S', [
        fork('F', [seq('first', [W('w')]), branch('a'), branch('b'), seq('c', [W('c1'), event('E')])], 'WaitAny'),
        W('after'),
      ]),
    );
    expect([run.status, run.lines]).toEqual(['Finished', ['w', 'after']]);
    expect([run.context.queue.size, run.context.contexts.size]).toEqual([0, 0]);
  });
});
