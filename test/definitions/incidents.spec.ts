import { describe, expect, it } from '@jest/globals';
import {
  type Activity,
  W,
  act,
  event,
  fault,
  flow,
  forEach,
  fork,
  js,
  list,
  parallel,
  runJs,
  seq,
  workflow,
} from '../conformance/lib/build.mjs';
import { uniqueId, useApplication } from '../support/use-application.js';

const test = useApplication({
  incidentStrategies: { FinishQuietly: (ctx) => ctx.workflow.finishNow(ctx) },
});
const strategy = (incidentStrategyType: string | null) => ({ options: { incidentStrategyType } });
const CONTINUE = 'ContinueWithIncidentsStrategy';

describe('incident strategies', () => {
  it.each<[string, string | null, string]>([
    ['none: that of the application', null, 'Faulted'],
    ['FaultStrategy', 'FaultStrategy', 'Faulted'],
    ['with its old name', 'Elsa.Workflows.IncidentStrategies.FaultStrategy, Elsa.Workflows.Core', 'Faulted'],
    ['ContinueWithIncidentsStrategy', CONTINUE, 'Suspended'],
    [
      'that with its old name',
      'Elsa.Workflows.IncidentStrategies.ContinueWithIncidentsStrategy, Elsa.Workflows.Core',
      'Suspended',
    ],
    ['one of the host', 'FinishQuietly', 'Finished'],
    ['one of the host, as a class of .NET', 'Acme.Workflows.FinishQuietlyStrategy, Acme', 'Finished'],
  ])('%s', async (_, name, status) => {
    const run = await test.run(seq('S', [W('a', 'a'), fault('F', 'boom'), W('b', 'b')]), strategy(name));
    expect([run.status, run.lines, run.incidents]).toEqual([status, ['a'], ['boom']]);
  });

  it.each([
    [
      'incidentStrategyType',
      'Acme.NopeStrategy, Acme',
      /incident strategy 'Acme.NopeStrategy, Acme' is unknown.*FinishQuietly/,
    ],
    [
      'activationStrategyType',
      'SingeltonStrategy',
      /activation strategy 'SingeltonStrategy' is unknown.* SingletonStrategy/,
    ],
  ])('an unknown %s is not published, and can be saved', async (option, name, message) => {
    const model = workflow(uniqueId(), W('a', 'a'), { options: { [option]: name } });
    expect(await test.app.publish(model)).toMatchObject({
      succeeded: false,
      problems: [{ message: expect.stringMatching(message) }],
    });
    await test.app.saveDraft(model);
    expect((await test.latest(model.definitionId)).options).toMatchObject({ [option]: name });
  });

  it.each([
    'AllowAlways',
    'Elsa.Workflows.ActivationValidators.AllowAlwaysStrategy, Elsa.Workflows.Core',
    'Elsa.Workflows.Runtime.ActivationValidators.CorrelatedSingletonStrategy, Elsa.Workflows.Runtime',
    'Elsa.Workflows.Core.ActivationValidators.SingletonStrategy, Elsa.Workflows.Core, Version=3.1.0.0, Culture=neutral',
    'correlation',
    '',
    null,
  ])('an activation strategy is known by its class, whatever the spelling: %s', async (activationStrategyType) => {
    const model = workflow(uniqueId(), W('a', 'a'), { options: { activationStrategyType } });
    expect((await test.app.publish(model)).problems).toEqual([]);
  });

  it('Fault ends waiting branches', async () => {
    const run = await test.run(parallel('P', [event('E', 'never'), fault('F', 'boom')]));
    expect([run.status, run.waitingAt, run.stored.finishedAt instanceof Date]).toEqual([
      'Faulted',
      expect.anything(),
      true,
    ]);
  });

  it('with ContinueWithIncidents, other branches continue, also later', async () => {
    const root = fork('F', [
      seq('A', [event('E', 'go'), W('a', 'a')]),
      seq('B', [fault('X', 'boom'), W('b', 'b')]),
      W('c', 'c'),
    ]);
    let run = await test.run(seq('S', [root, W('z', 'z')]), strategy(CONTINUE));
    expect([run.status, run.lines, run.waitingAt]).toEqual(['Suspended', ['c'], ['E']]);
    run = await run.event('go');
    expect([run.status, run.lines]).toEqual(['Suspended', ['c', 'a']]);
  });

  it('every fault is an incident, and counted up to the root', async () => {
    const run = await test.run(
      seq('S', [parallel('P', [fault('A', 'one'), fault('B', 'two'), W('c', 'c')])]),
      strategy(CONTINUE),
    );
    expect([run.incidents, run.lines]).toEqual([['one', 'two'], ['c']]);
    expect(['A', 'P', 'S', 'Workflow1'].map((id) => run.record(id).aggregateFaultCount)).toEqual([1, 2, 2, 2]);
    expect(run.stored.incidentCount).toBe(2);
  });

  it('a fault in one iteration stops a loop', async () => {
    const body = seq('B', [
      W('w', js('getCurrentValue()')),
      runJs('J', 'if (getCurrentValue() == "b") throw new Error("bad")'),
    ]);
    const run = await test.run(forEach('L', list(['a', 'b', 'c']), body), strategy(CONTINUE));
    expect([run.status, run.lines]).toEqual(['Suspended', ['a', 'b']]);
  });
});

describe('incidents', () => {
  it('incidents say where and why', async () => {
    const root = seq('S', [fault('F', 'No stock', { code: 'E42', category: 'Sales', faultType: 'Business' })]);
    const [incident] = (await test.run(root)).state.incidents;
    expect(incident).toMatchObject({
      activityId: 'F',
      activityNodeId: 'Workflow1:S:F',
      activityType: 'Elsa.Fault',
      message: 'No stock',
      exception: { message: 'No stock' },
      timestamp: expect.any(Date),
    });
    expect(JSON.stringify(incident?.exception)).toMatch(/E42.*Sales.*Business/);
  });

  it('Fault without inputs has defaults', async () => {
    const run = await test.run(act('Elsa.Fault', 'F'));
    expect(run.status).toBe('Faulted');
    expect(JSON.stringify(run.state.incidents[0]?.exception)).toMatch(/"0".*General.*System/);
  });

  it.each<[string, Activity]>([
    ['an input that cannot be evaluated', W('X', js('nope.nope'))],
    ['a script with an error of syntax', runJs('X', 'let = ;')],
    ['an input that cannot be converted', act('Elsa.FlowFork', 'X', { branches: js("'[1,'") })],
    ['a callback that fails', { ...seq('X', []), type: 'Elsa.ForEach', items: js('5') }],
  ])('%s', async (_, activity) => {
    const run = await test.run(seq('S', [activity, W('z', 'z')]));
    expect([run.status, run.lines, run.record('X').status]).toEqual(['Faulted', [], 'Faulted']);
    expect([run.state.incidents[0]?.activityId, run.events('Faulted')]).toEqual(['X', ['X']]);
  });

  it('what comes after an incident in a flowchart does not run', async () => {
    const run = await test.run(flow('F', [fault('X', 'boom'), W('a', 'a')], ['X->a']), strategy(CONTINUE));
    expect([run.status, run.lines, run.record('F').status]).toEqual(['Suspended', [], 'Running']);
  });
});
