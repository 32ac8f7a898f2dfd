import { describe, expect, it } from '@jest/globals';
import { Activity } from '../activities/decorators.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import { act, flow, flowSwitch, forEach, seq, W } from '../execution/testing/build-definition.js';
import { runWorkflow } from '../execution/testing/run-workflow.js';

@Activity({ type: 'Test.Approve', outcomes: ['Yes', 'No'] })
class Approve extends ActivityBase {
  static outcome: string;
  execute(ctx: ActivityExecutionContext): unknown {
    return ctx.completeWithOutcomes(Approve.outcome);
  }
}

const approve = act('Test.Approve', 'A');

describe.each(['counter', 'token'] as const)('an outcome without a connection, in %s mode', (flowchartMode) => {
  const run = async (outcome: string, connections = ['A:Yes->y']) => {
    Approve.outcome = outcome;
    const root = flow('F', [approve, W('y'), W('n')], connections);
    const { status, lines, test } = await runWorkflow(root, { flowchartMode, activities: [Approve] });
    return [status, lines.join(''), test.warnings];
  };

  it('is warned of when the type does not declare it', async () => {
    const message =
      /^WM1052: activity 'A' \(Test\.Approve\) of instance '.*' completed with the outcome 'Yess', .* Its outcomes: Yes, No, Done\. /;
    expect(await run('Yess')).toEqual(['Finished', '', [expect.stringMatching(message)]]);
  });

  it.each<[what: string, outcome: string, connections: string[]]>([
    ['is declared', 'No', ['A:Yes->y']],
    ['has a connection', 'Maybe', ['A:Yes->y', 'A:Maybe->n']],
    ['is the default', 'Done', ['A:Yes->y']],
    ['leads nowhere, as all others of the activity', 'Yess', ['y->A']],
  ])('is not warned of when it %s', async (_, outcome, connections) => {
    expect((await run(outcome, connections)).at(-1)).toEqual([]);
  });

  it('is not warned of when it follows from the values of the activity', async () => {
    const cases = flowSwitch('X', [['One', true]]);
    const root = flow('F', [cases, W('a'), W('b')], ['X:Two->a', 'X:Default->b']);
    expect((await runWorkflow(root, { flowchartMode })).test.warnings).toEqual([]);
  });
});

it('is said once for an activity that a loop repeats', async () => {
  Approve.outcome = 'Yess';
  const root = forEach('E', [1, 2, 3], flow('F', [approve, W('y')], ['A:Yes->y']));
  const { test, lines } = await runWorkflow(seq('S', [root, W('end')]), { activities: [Approve] });
  expect([test.warnings.length, lines]).toEqual([1, ['end']]);
});
