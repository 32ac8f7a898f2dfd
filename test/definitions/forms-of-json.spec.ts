import { describe, expect, it } from '@jest/globals';
import { IEventPublisher, IWorkflowStarter, WorkflowPersistence } from '@waymark/runtime';
import { STORAGE, W, act, event, flow, inputDef, js, lit, seq, variable, workflow } from '../conformance/lib/build.mjs';
import { uniqueId, useApplication } from '../support/use-application.js';

const test = useApplication();

describe('forms of a node', () => {
  it.each<[string, object, boolean]>([
    ['a custom property', { customProperties: { canStartWorkflow: true } }, true],
    ['a custom property in PascalCase', { customProperties: { CanStartWorkflow: true } }, true],
    ['a member', { canStartWorkflow: true, customProperties: {} }, true],
    ['a member in PascalCase', { CanStartWorkflow: true, customProperties: undefined }, true],
    ['false', { customProperties: { canStartWorkflow: false } }, false],
    ['nothing', { customProperties: undefined }, false],
    ['null', { customProperties: null }, false],
  ])('can start a workflow: %s', async (_, members, expected) => {
    const name = uniqueId('event');
    const model = workflow(uniqueId(), seq('S', [{ ...event('E', name), ...members }]));
    await test.deploy(model);
    const triggers = await test.app
      .get(WorkflowPersistence)
      .triggers.findMany({ workflowDefinitionIds: [model.definitionId] });
    expect(triggers.length).toBe(expected ? 1 : 0);
  });

  it('names of members differ only by their letters', async () => {
    const root = {
      Type: 'Elsa.Sequence',
      ID: 'S',
      Activities: [
        { TYPE: 'Elsa.WriteLine', Id: 'w', Text: { TypeName: 'String', Expression: { Type: 'Literal', Value: 'x' } } },
      ],
    };
    expect(await test.lines(root as never)).toEqual(['x']);
  });

  it('ids, versions and metadata may be missing', async () => {
    const line = { type: 'Elsa.WriteLine', text: 'x' };
    const run = await test.run({
      type: 'Elsa.Sequence',
      activities: [line, line, { ...line, id: 'WriteLine1' }],
    } as never);
    expect([run.lines, run.started]).toEqual([
      ['x', 'x', 'x'],
      ['Workflow1', 'Sequence1', 'WriteLine2', 'WriteLine3', 'WriteLine1'],
    ]);
  });

  it('a stored node id is computed again', async () => {
    const run = await test.run({ ...W('w', 'x'), nodeId: 'Somewhere:Else:w' });
    expect(run.record('w').activityNodeId).toBe('Workflow1:w');
  });

  it('type markers are taken off', async () => {
    const root = {
      ...seq('S', []),
      _type: 'Sequence',
      activities: { _type: 'List', items: [{ ...W('a', 'a'), _type: 'X' }] },
    };
    expect(await test.lines(root as never)).toEqual(['a']);
    const values = { ...seq('S', []), activities: { _type: 'List', values: [W('b', 'b')] } };
    expect(await test.lines(values as never)).toEqual(['b']);
  });

  it.each<[string, unknown]>([
    ['text', 'WaitAll'],
    ['text in lower case', 'waitall'],
    ['a number', 1],
    ['a number as text', '1'],
    [
      'with its old type name',
      {
        typeName: 'Elsa.Workflows.Core.Activities.Flowchart.Models.FlowJoinMode, Elsa.Workflows.Core',
        expression: { type: 'Literal', value: 'WaitAll' },
      },
    ],
  ])('an enumeration as %s', async (_, mode) => {
    const join = act('Elsa.FlowJoin', 'J', { mode });
    const run = await test.run(
      flow(
        'F',
        [W('s', 's'), event('E', 'never'), W('a', 'a'), join, W('z', 'z')],
        ['s->E', 's->a', 'E->J', 'a->J', 'J->z'],
      ),
    );
    // WaitAny would have run z.
    expect([run.status, run.lines]).toEqual(['Suspended', ['s', 'a']]);
  });

  it.each<[string, unknown, string]>([
    ['text', '00:05:00', '2026-01-01T00:05:00.000Z'],
    ['with days', '1.00:00:00', '2026-01-02T00:00:00.000Z'],
    ['with fractions', '00:00:00.500', '2026-01-01T00:00:00.500Z'],
    ['a script', js('"00:00:10"'), '2026-01-01T00:00:10.000Z'],
    ['an old strategy besides', lit('00:00:10', 'TimeSpan'), '2026-01-01T00:00:10.000Z'],
    ['nothing: its default', undefined, '2026-01-01T00:01:00.000Z'],
  ])('a time span as %s', async (_, timeSpan, expected) => {
    const strategy = { typeName: 'DelayBlockingStrategy', expression: { type: 'Literal', value: 'Blocking' } };
    const run = await test.run(act('Elsa.Delay', 'D', { timeSpan, strategy }));
    expect((run.bookmarks[0]!.payload as { resumeAt: Date }).resumeAt.toISOString()).toBe(expected);
  });
});

describe('forms of a definition', () => {
  it('a root that is missing or null is an empty sequence', async () => {
    for (const root of [undefined, null]) {
      const run = await test.run(root as never);
      expect([run.status, run.started.length]).toEqual(['Finished', 2]);
    }
  });

  it('everything but the root is optional', async () => {
    await test.app.deploy({ definitionId: 'minimal', root: { type: 'Elsa.WriteLine', text: 'hi' } });
    expect((await test.app.execute('minimal')).lines).toEqual(['hi']);
  });

  it('names and descriptions are trimmed', async () => {
    const id = uniqueId();
    await test.deploy(workflow(id, W('w', 'x'), { name: '  Hello ', description: ' world ' }));
    const { name, description } = await test.definition(id);
    expect([name, description]).toEqual(['Hello', 'world']);
  });

  it('usableAsActivity may stand at the top', async () => {
    const id = uniqueId();
    const { options: _, ...model } = workflow(id, W('w', 'x'));
    await test.deploy({ ...model, usableAsActivity: true });
    expect((await test.definition(id)).options.usableAsActivity).toBe(true);
  });

  it.each<[string | null, boolean]>([
    [null, false],
    ['Elsa.Workflows.ActivationValidators.AllowAlwaysStrategy, Elsa.Workflows.Core', false],
    ['Elsa.Workflows.Runtime.ActivationValidators.SingletonStrategy, Elsa.Workflows.Runtime', true],
    ['Elsa.Workflows.Core.ActivationValidators.SingletonStrategy, Elsa.Workflows.Core', true],
    ['SingletonStrategy', true],
    ['Elsa.Workflows.Runtime.ActivationValidators.CorrelatedSingletonStrategy, Elsa.Workflows.Runtime', true],
    ['Elsa.Workflows.Runtime.ActivationValidators.CorrelationStrategy, Elsa.Workflows.Runtime', true],
  ])('activation strategy %s', async (activationStrategyType, refuses) => {
    const id = uniqueId();
    await test.deploy(workflow(id, event('E', 'never'), { options: { activationStrategyType } }));
    const starter = test.app.get(IWorkflowStarter);
    const start = (correlationId: string) => starter.start({ definition: id, correlationId });
    expect((await start(`${id}-a`)).cannotStart).toBe(false);
    expect((await start(`${id}-a`)).cannotStart).toBe(refuses);
    expect((await start(`${id}-b`)).cannotStart).toBe(refuses && !/Correl/.test(activationStrategyType!));
  });

  it('inputs with a storage driver are there after a suspension, others are not', async () => {
    const inputs = [inputDef('Kept', 'String', { storage: STORAGE }), inputDef('Lost', 'String', { storage: null })];
    const run = await test.run(
      seq('S', [event('E', 'go'), W('w', js('`${getInput("Kept")} ${getInput("Lost")} ${getInput("Free")}`'))]),
      {
        inputs,
        request: { input: { Kept: 'kept', Lost: 'lost', Free: 'free' } },
      },
    );
    expect(run.state.input).toEqual({ Kept: 'kept' });
    expect((await run.event('go')).lines).toEqual(['kept null null']);
  });

  it('user data may look like markers', async () => {
    const data = { $id: '1', $ref: '2', _type: 'X', $schema: 's', items: [{ $values: [1] }] };
    const v = variable('V', 'JsonObject', data);
    let run = await test.run(seq('S', [event('E', 'go'), W('w', js('JSON.stringify(getV())'))]), { variables: [v] });
    run = await run.event('go');
    expect(JSON.parse(String(run.lines[0]))).toEqual(data);
  });

  it('outputs of every type keep their values', async () => {
    const set = (name: string, source: string) =>
      act('Elsa.SetOutput', name, { outputName: lit(name), outputValue: js(source) });
    const run = await test.run(
      seq('S', [set('A', '[1, { b: 2 }]'), set('D', 'new Date(0)'), set('N', 'null'), set('T', '"x"'), set('Z', '0')]),
    );
    expect(run.output).toEqual({ A: [1, { b: 2 }], D: new Date(0), N: null, T: 'x', Z: 0 });
  });
});

it('an event does not resume what waits in another definition under another name', async () => {
  const run = await test.run(event('E', uniqueId('event')));
  await test.app.get(IEventPublisher).publish(uniqueId('event'));
  expect((await run.again()).status).toBe('Suspended');
});
