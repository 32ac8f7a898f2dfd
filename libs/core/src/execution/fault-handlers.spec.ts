import { describe, expect, it } from '@jest/globals';
import { Activity, Children } from '../activities/decorators.js';
import type { ActivityNode } from '../graph/activity-node.js';
import { ActivityBase } from './activity-base.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import type { IncidentStrategy } from './incident-strategy.js';
import type { Signal, SignalContext } from './signals.js';
import { act, fault, seq, W, workflow } from './testing/build-definition.js';
import { runWorkflow } from './testing/run-workflow.js';

/** Takes over the fault of its child, and fails itself. */
@Activity({ type: 'App.HandlesBadly' })
class HandlesBadly extends ActivityBase {
  @Children() steps: ActivityNode[];

  execute(ctx: ActivityExecutionContext): unknown {
    return ctx.schedule(this.steps[0]);
  }
  override onSignal(signal: Signal, context: SignalContext): unknown {
    if (signal.type !== 'Fault') return undefined;
    context.stopPropagation();
    return this.fail();
  }
  protected fail(): unknown {
    throw new Error('handler');
  }
}

@Activity({ type: 'App.HandlesBadlyLater' })
class HandlesBadlyLater extends HandlesBadly {
  protected override fail(): unknown {
    return Promise.reject(new Error('handler'));
  }
}

@Activity({ type: 'App.RefusesLater' })
class RefusesLater extends HandlesBadly {
  override onSignal(signal: Signal): unknown {
    return signal.type === 'Break' ? Promise.reject(new Error('refused')) : undefined;
  }
}

const activities = [HandlesBadly, HandlesBadlyLater];

describe.each(['App.HandlesBadly', 'App.HandlesBadlyLater'])('a fault whose handler fails itself (%s)', (type) => {
  const failing = seq('B', [act(type, 'H', { steps: [fault('x')] }), W('never')]);
  const warnings = [expect.stringMatching(/^WM4093: onSignal\(\) of activity '.*:H' .* failed: handler\. .*unhandled/)];

  it('is an incident of the activity that failed', async () => {
    const run = await runWorkflow(failing, { activities });
    expect([run.status, run.lines, run.state.incidents.map((i) => `${i.activityId} ${i.message}`)]).toEqual([
      'Faulted',
      [],
      ['x x'],
    ]);
    expect(run.test.warnings).toEqual(warnings);
  });

  it('is caught by a Try around', async () => {
    const run = await runWorkflow(act('Waymark.Try', 'T', { body: failing, catch: W('c') }), { activities });
    expect([run.status, run.lines, run.state.incidents, run.test.warnings]).toEqual(['Finished', ['c'], [], warnings]);
  });
});

it('a container that fails when it answers another signal later fails the activity that sent it', async () => {
  const answering = act('App.RefusesLater', 'H', { steps: [act('Break', 'B')] });
  const run = await runWorkflow(seq('S', [answering, W('never')]), { activities: [RefusesLater] });
  expect([run.status, run.lines, run.state.incidents.map((i) => `${i.activityId} ${i.message}`)]).toEqual([
    'Faulted',
    [],
    ['B refused'],
  ]);
  expect(run.test.warnings).toEqual([expect.stringMatching(/^WM4093: What answers the signal 'Break' .* refused\./)]);
});

it.each<[string, IncidentStrategy]>([
  [
    'throws',
    () => {
      throw new Error('strategy');
    },
  ],
  ['rejects', () => Promise.reject(new Error('strategy'))],
])('an incident strategy that fails ends the instance as faulted, with the incident (it %s)', async (_, strategy) => {
  const options = { incidentStrategyType: 'Mine' };
  for (const root of [
    seq('S', [fault('x'), W('never')]),
    act('Waymark.Compensable', 'K', { body: fault('x'), undo: W('never') }),
  ]) {
    const run = await runWorkflow(workflow(root, { options }), { incidentStrategies: { Mine: strategy } });
    expect([run.status, run.lines, run.state.incidents.map((i) => i.message)]).toEqual(['Faulted', [], ['x']]);
    expect(run.test.warnings).toEqual([expect.stringMatching(/^WM4093: The incident strategy .* failed: strategy\./)]);
  }
});
