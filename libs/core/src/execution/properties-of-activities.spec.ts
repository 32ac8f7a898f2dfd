import { Activity } from '../activities/decorators.js';
import { ActivityBase } from './activity-base.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import { act, seq, variable, workflow } from './testing/build-definition.js';
import { runWorkflow } from './testing/run-workflow.js';

const kept = { Variables: [1], '\\Variables': 'own', Other: { Variables: 2 } };

@Activity({ isContainer: true })
class Keeps extends ActivityBase {
  execute(ctx: ActivityExecutionContext): void {
    Object.assign(ctx.properties, kept);
    ctx.createBookmark({ callback: this.onGo });
  }
  onGo(ctx: ActivityExecutionContext): unknown {
    ctx.workflow.engine.writeLine?.(JSON.stringify(ctx.properties), ctx);
    return ctx.complete();
  }
}

it.each([
  ['with variables', [{ ...variable('V', 'String', 'x') }]],
  ['without', []],
])('an activity keeps a property of its own called Variables over a wait, %s of its own', async (_, variables) => {
  const keeps = act('App.Keeps', 'K', { variables });
  const run = await runWorkflow(workflow(seq('S', [keeps])), { activities: [Keeps] });
  const { properties } = run.state.activityExecutionContexts.find((c) => c.scheduledActivityNodeId.endsWith('K'))!;
  expect(properties.Variables ?? {}).not.toEqual([1]);
  await run.trigger('K');
  expect(run.lines).toEqual([JSON.stringify(kept)]);
});

it('an activity keeps such a property when its instance moves to another version', async () => {
  const from = workflow(seq('S', [act('App.Keeps', 'K')]));
  const before = await runWorkflow(from, { activities: [Keeps] });
  const { run, report } = before.migrate({ ...from, id: 'v2', version: 2 });
  expect(report.problems).toEqual([]);
  await run.trigger('K');
  expect(run.lines).toEqual([JSON.stringify(kept)]);
});
