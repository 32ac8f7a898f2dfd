import { describe, expect, it } from '@jest/globals';
import { AlterationRunner, IEventPublisher } from '@waymark/runtime';
import {
  type Activity,
  W,
  act,
  bulkDispatch,
  correlate,
  dispatchWorkflow,
  event,
  executeWorkflow,
  fault,
  fromInput,
  inputDef,
  js,
  list,
  lit,
  obj,
  out,
  outputDef,
  runJs,
  seq,
  setOutput,
  setVariable,
  variable,
  workflow,
} from '../conformance/lib/build.mjs';
import { uniqueId, useApplication } from '../support/use-application.js';

const test = useApplication();
const publish = async (name: string, options: object = {}) => {
  await test.app.get(IEventPublisher).publish(name, options);
  await test.app.settled();
};
const deployed = async (root: Activity, members: object = {}) => {
  const model = workflow(uniqueId('child'), root, members as Record<string, unknown>);
  await test.deploy(model);
  return model.definitionId;
};
const answer = (value: unknown = 42) => setOutput('Out', 'Answer', value);
const result = variable('Res', 'Object');
const show = (id = 'w') => W(id, js('JSON.stringify(getRes())'));

describe.each([
  ['ExecuteWorkflow', executeWorkflow],
  ['DispatchWorkflow', dispatchWorkflow],
] as const)('%s', (name, make) => {
  it('waits for the end of the other workflow', async () => {
    const go = uniqueId('go');
    const child = await deployed(seq('S', [event('E', go), W('w', 'child')]));
    const parent = await test.run(seq('S', [make('C', child, { wait: true }), W('w', 'parent')]));
    expect([parent.status, parent.waitingAt]).toEqual(['Suspended', ['C']]);
    await publish(go);
    expect([(await parent.again()).status, (await parent.again()).lines]).toEqual(['Finished', ['parent']]);
  });

  it('a parent that does not wait continues at once', async () => {
    const child = await deployed(seq('S', [event('E', uniqueId('never'))]));
    const parent = await test.run(seq('S', [make('C', child, { wait: false }), W('w', 'parent')]));
    const [run] = await test.app.instancesOf(child);
    expect([parent.status, run?.status]).toEqual(['Finished', 'Suspended']);
  });

  it('passes on input and correlation id, and names the parent', async () => {
    const child = await deployed(
      W('w', js('`${getMessage()} ${getInput("N")} ${getInput("ParentInstanceId")} ${getCorrelationId()}`')),
      { inputs: [inputDef('Message', 'String')] },
    );
    const parent = await test.run(
      make('C', child, { wait: true, correlationId: 'corr', input: { Message: 'hello', N: 5 } }),
    );
    const [run] = await test.app.instancesOf(child);
    expect(run?.lines).toEqual([`hello 5 ${parent.id} corr`]);
    expect([run?.stored.parentWorkflowInstanceId, run?.stored.correlationId]).toEqual([parent.id, 'corr']);
    expect(run?.state.properties).toMatchObject({ ParentInstanceId: parent.id, WaitForCompletion: true });
  });

  it('continues the call stack of the parent', async () => {
    const child = await deployed(W('w', 'w'));
    const parent = await test.run(seq('S', [make('C', child, { wait: true })]));
    const [run] = await test.app.instancesOf(child);
    const { id, callStackDepth } = parent.record('C');
    expect(run?.record('Workflow1')).toMatchObject({
      schedulingActivityExecutionId: id,
      schedulingWorkflowInstanceId: parent.id,
      callStackDepth: callStackDepth + 1,
    });
    expect(run?.record('w').callStackDepth).toBe(callStackDepth + 2);
  });

  it('an empty correlation id does not count', async () => {
    const child = await deployed(W('w', 'w'));
    await test.run(make('C', child, { wait: true, correlationId: '' }));
    expect((await test.app.instancesOf(child))[0]?.stored.correlationId).toBeUndefined();
  });

  it('does not inherit the correlation id of the parent', async () => {
    const child = await deployed(W('w', 'w'));
    await test.run(seq('S', [correlate('Co', 'parent'), make('C', child, { wait: true })]));
    expect((await test.app.instancesOf(child))[0]?.stored.correlationId).toBeUndefined();
  });

  it('starting a workflow that is not published faults', async () => {
    const parent = await test.run(make('C', 'nobody', { wait: true }));
    expect([parent.status, parent.incidents[0]]).toEqual([
      'Faulted',
      expect.stringMatching(/^No published version of workflow definition with ID nobody found/),
    ]);
  });

  it.each<[string, Activity, string]>([
    ['that faults', fault('F', 'boom'), 'Faulted'],
    ['that ends with Finish', seq('X', [act('Elsa.Finish', 'Fi')]), 'Finished'],
  ])('%s lets the parent continue', async (_, root, status) => {
    const child = await deployed(root);
    const parent = await test.run(seq('S', [make('C', child, { wait: true }), W('w', 'parent')]));
    expect([(await test.app.instancesOf(child))[0]?.status, parent.status, parent.lines]).toEqual([
      status,
      'Finished',
      ['parent'],
    ]);
  });

  it('lets the parent continue when the child is cancelled', async () => {
    const child = await deployed(event('E', uniqueId('never')));
    const parent = await test.run(seq('S', [make('C', child, { wait: true }), W('w', 'parent')]));
    await (await test.app.instancesOf(child))[0]!.cancel();
    expect((await parent.again()).lines).toEqual(['parent']);
  });

  it('runs the published version, not a newer draft', async () => {
    const child = await deployed(W('w', 'published'));
    await test.app.saveDraft(workflow(child, W('w', 'draft')));
    await test.run(make('C', child, { wait: true }));
    expect((await test.app.instancesOf(child)).map((r) => r.lines)).toEqual([['published']]);
  });

  it('in parallel, each answer goes to its own activity', async () => {
    const child = await deployed(
      seq('S', [event('E', js('"go" + getInput("N")', 'String')), answer(js('getInput("N")'))]),
      // Without a storage driver the input would not outlive the wait.
      { inputs: [inputDef('N', 'Int32')] },
    );
    const [a, b] = [variable('A', 'Object'), variable('B', 'Object')];
    const root = {
      ...seq('P', [
        make('C1', child, { wait: true, input: { N: 1 }, result: out(a) }),
        make('C2', child, { wait: true, input: { N: 2 }, result: out(b) }),
      ]),
      type: 'Elsa.Parallel',
    };
    const text = js('[getA(), getB()].map(r => (r.Output ?? r.output ?? r).Answer).join()');
    const parent = await test.run(seq('S', [root, W('w', text)]), { variables: [a, b] });
    const runs = await test.app.instancesOf(child);
    for (const run of [...runs].reverse()) for (const n of [1, 2]) await run.event(`go${n}`).catch(() => undefined);
    expect((await parent.again()).lines).toEqual(['1,2']);
  });

  it(`three levels of ${name}`, async () => {
    const go = uniqueId('go');
    const inner = await deployed(seq('S', [event('E', go), answer('deep')]));
    const middle = await deployed(
      seq('S', [
        make('C', inner, { wait: true, result: out(result) }),
        setOutput('O', 'Answer', js('const r = getRes(); return (r.Output ?? r.output ?? r).Answer')),
      ]),
      { variables: [result] },
    );
    const outer = await test.run(seq('S', [make('C', middle, { wait: true, result: out(result) }), show()]), {
      variables: [result],
    });
    await publish(go);
    const done = await outer.again();
    expect([done.status, done.lines[0]]).toEqual(['Finished', expect.stringContaining('"Answer":"deep"')]);
  });
});

describe('results', () => {
  it('ExecuteWorkflow gives id, status and output of a child that ended at once', async () => {
    const child = await deployed(answer());
    const parent = await test.run(executeWorkflow('C', child, { wait: true, result: out('Out') }), {
      outputs: [outputDef('Out')],
    });
    const [run] = await test.app.instancesOf(child);
    expect(parent.output.Out).toMatchObject({
      workflowInstanceId: run?.id,
      status: 'Finished',
      subStatus: 'Finished',
      output: { Answer: 42 },
    });
  });

  it('ExecuteWorkflow gives them without waiting, too', async () => {
    const child = await deployed(event('E', uniqueId('never')));
    const parent = await test.run(executeWorkflow('C', child, { wait: false, result: out('Out') }), {
      outputs: [outputDef('Out')],
    });
    expect(parent.output.Out).toMatchObject({ status: 'Running', subStatus: 'Suspended' });
  });

  it('scripts of Elsa read the result of ExecuteWorkflow by its names, also after a wait', async () => {
    const go = uniqueId('go');
    const child = await deployed(answer());
    const read = js(
      '[getRes().Output.Answer, getRes().Status, getRes().SubStatus, !!getRes().WorkflowInstanceId].join()',
    );
    const steps = [
      executeWorkflow('C', child, { wait: true, result: out(result) }),
      W('a', read),
      event('E', go),
      W('b', read),
    ];
    const parent = await test.run(seq('S', steps), { variables: [result] });
    await publish(go);
    const expected = '42,Finished,Finished,true';
    expect((await parent.again()).lines).toEqual([expected, expected]);
  });

  it('DispatchWorkflow gives the output', async () => {
    const child = await deployed(answer());
    const parent = await test.run(
      seq('S', [dispatchWorkflow('C', child, { wait: true, result: out(result) }), show()]),
      { variables: [result] },
    );
    expect(parent.lines).toEqual(['{"Answer":42}']);
  });

  it('a channel that does not exist faults', async () => {
    const child = await deployed(W('w', 'w'));
    const parent = await test.run({ ...dispatchWorkflow('C', child), channelName: lit('Nope') });
    expect([parent.status, parent.incidents[0]]).toEqual(['Faulted', expect.stringContaining("'Nope'")]);
  });

  it('input may be an Object expression with expressions inside', async () => {
    const child = await deployed(W('w', js('getInput("A") + getInput("B")')));
    const input = obj({ A: 'a', B: { type: 'JavaScript', value: '"b" + 1' } }, 'ObjectDictionary');
    await test.run(dispatchWorkflow('C', child, { wait: true, input }));
    expect((await test.app.instancesOf(child))[0]?.lines).toEqual(['ab1']);
  });
});

describe('BulkDispatchWorkflows', () => {
  const lines = async (child: string) => (await test.app.instancesOf(child)).flatMap((r) => r.lines.map(String)).sort();
  const item = W('w', js('JSON.stringify(getInput("Item"))'));

  it.each<[string, ReturnType<typeof list>, string[]]>([
    ['texts', list(['a', 'b']), ['"a"', '"b"']],
    ['numbers', list([1, 2]), ['1', '2']],
    ['JSON text', lit('["a"]', 'Object'), ['"a"']],
    ['an Object expression', obj(['a', 'b']), ['"a"', '"b"']],
    ['lists', list([[1], [2]]), ['[1]', '[2]']],
    ['nothing', list([]), []],
    ['null', js('null'), []],
  ])('starts one child for each of %s', async (_, items, expected) => {
    const child = await deployed(item);
    const parent = await test.run(seq('S', [bulkDispatch('B', child, items), W('z', 'z')]));
    expect([parent.status, parent.lines, await lines(child)]).toEqual(['Finished', ['z'], expected]);
    expect(parent.outcomes('B')).toEqual([expected.length ? ['Completed', 'Done'] : ['Done']]);
  });

  it('an item that is a dictionary is merged into the input, over it', async () => {
    const child = await deployed(W('w', js('`${getInput("A")} ${getInput("B")} ${getInput("Item")}`')));
    await test.run(bulkDispatch('B', child, list([{ A: 1 }, { A: 2, B: 'own' }]), { input: { B: 'all' } }));
    expect(await lines(child)).toEqual(['1 all null', '2 own null']);
  });

  it('an item that is a map is a dictionary, and one that is of bytes or a set is not', async () => {
    const child = await deployed(W('w', js('`${getInput("A")} ${getInput("Item") === null}`')));
    const Items = [new Map([['A', 'mapped']]), Uint8Array.of(1, 2), new Set(['A'])];
    await test.run(bulkDispatch('B', child, fromInput('Items')), { request: { input: { Items } } });
    expect(await lines(child)).toEqual(['mapped true', 'null false', 'null false']);
  });

  it('the key of an item can be chosen', async () => {
    const child = await deployed(W('w', js('getInput("Fruit")')));
    await test.run(bulkDispatch('B', child, list(['pear']), { itemKey: 'Fruit' }));
    expect(await lines(child)).toEqual(['pear']);
  });

  it('BulkDispatchWorkflows without waiting ends with Done', async () => {
    const child = await deployed(event('E', uniqueId('never')));
    const parent = await test.run(bulkDispatch('B', child, list([1, 2]), { wait: false }));
    expect([parent.status, parent.outcomes('B')]).toEqual(['Finished', [['Done']]]);
    expect((await test.app.instancesOf(child)).map((r) => r.state.properties.WaitForCompletion)).toEqual([
      undefined,
      undefined,
    ]);
  });

  it.each(['BulkDispatchWorkflows', 'DispatchWorkflow', 'ExecuteWorkflow'])(
    '%s does not wait when an expression says neither true nor false',
    async (type) => {
      const child = await deployed(event('E', uniqueId('never')));
      const members = { workflowDefinitionId: lit(child), items: list([1]), waitForCompletion: js('null', 'Boolean') };
      const { status, lines: written } = await test.run(seq('S', [act(`Elsa.${type}`, 'B', members), W('z', 'z')]));
      expect([status, written]).toEqual(['Finished', ['z']]);
      expect(await test.app.instancesOf(child)).toHaveLength(1);
    },
  );

  it('gives each child the correlation id that a function makes of its item', async () => {
    const child = await deployed(W('w', js('getCorrelationId()')));
    await test.run(
      bulkDispatch('B', child, list([{ id: 1 }, { id: 2 }]), {
        correlationIdFunction: js('`order-${args.item.id}`', 'String'),
      }),
    );
    expect(await lines(child)).toEqual(['order-1', 'order-2']);
  });

  it('the item has the name of its input key in the correlation function', async () => {
    const child = await deployed(W('w', js('getCorrelationId()')));
    await test.run({
      ...bulkDispatch('B', child, list(['a', 'b']), { correlationIdFunction: js('getOrder() + getItem()', 'String') }),
      defaultItemInputKey: lit('Order', 'String'),
    });
    expect(await lines(child)).toEqual(['aa', 'bb']);
  });

  it('runs a port for each child that ended, with what it reports', async () => {
    const child = await deployed(
      seq('S', [runJs('J', 'if (getInput("Item") == 2) throw new Error("x")'), answer(js('getInput("Item") * 10'))]),
    );
    const port = (id: string) => W(id, js(`\`${id} \${typeof getChildInstanceId()}\``));
    const parent = await test.run(
      seq('S', [
        bulkDispatch('B', child, list([1, 2, 3]), { childCompleted: port('completed'), childFaulted: port('faulted') }),
        W('z', 'z'),
      ]),
    );
    expect([parent.status, parent.lines.map(String).sort()]).toEqual([
      'Finished',
      ['completed string', 'completed string', 'faulted string', 'z'],
    ]);
  });

  it('distinguishes cancelled children from faulted ones: no port runs, and the outcome is Canceled', async () => {
    const go = uniqueId('go');
    const child = await deployed(event('E', go));
    const parent = await test.run(
      seq('S', [
        bulkDispatch('B', child, list([1, 2]), {
          childCompleted: W('c', 'completed'),
          childFaulted: W('f', 'faulted'),
        }),
        W('z', 'z'),
      ]),
    );
    await (await test.app.instancesOf(child))[0]!.cancel();
    await test.app.settled();
    expect([(await parent.again()).status, (await parent.again()).lines]).toEqual(['Suspended', []]);
    await publish(go);
    const ended = await parent.again();
    expect([ended.status, ended.lines]).toEqual(['Finished', ['completed', 'z']]);
    expect(ended.outcomes('B')).toEqual([['Completed', 'Canceled', 'Done']]);
  });

  it('continues when the last child is cancelled', async () => {
    const child = await deployed(event('E', uniqueId('never')));
    const parent = await test.run(
      seq('S', [bulkDispatch('B', child, list([1]), { childFaulted: W('f', 'faulted') }), W('z', 'z')]),
    );
    await (await test.app.instancesOf(child))[0]!.cancel();
    await test.app.settled();
    expect([(await parent.again()).status, (await parent.again()).lines]).toEqual(['Finished', ['z']]);
  });

  it('waits for all, also when the ports wait', async () => {
    const go = uniqueId('go');
    const child = await deployed(W('w', 'w'));
    const parent = await test.run(
      seq('S', [bulkDispatch('B', child, list([1, 2]), { childCompleted: event('E', go) }), W('z', 'z')]),
    );
    expect([parent.status, parent.waitingAt.filter((id) => id === 'E')]).toEqual(['Suspended', ['E', 'E']]);
    await publish(go);
    expect([(await parent.again()).status, (await parent.again()).lines]).toEqual(['Finished', ['z']]);
  });

  it('continues when the last activity of a port is cancelled', async () => {
    const child = await deployed(W('w', 'w'));
    const ports = { childCompleted: event('E', uniqueId('never')) };
    const parent = await test.run(seq('S', [bulkDispatch('B', child, list([1, 2]), ports), W('z', 'z')]));
    expect(parent.waitingAt.filter((id) => id === 'E')).toEqual(['E', 'E']);
    await test.app.get(AlterationRunner).run(parent.id, [{ type: 'CancelActivity', activityId: 'E' }]);
    expect([(await parent.again()).status, (await parent.again()).lines]).toEqual(['Finished', ['z']]);
  });

  it('counts in a variable of the parent', async () => {
    const n = variable('N', 'Int32', 0);
    const child = await deployed(W('w', 'w'));
    const parent = await test.run(
      seq('S', [
        bulkDispatch('B', child, list([1, 2, 3]), { childCompleted: setVariable('Inc', n, js('getN() + 1')) }),
        W('z', js('"" + getN()')),
      ]),
      { variables: [n] },
    );
    expect(parent.lines).toEqual(['3']);
  });

  it('faults for a workflow that is not published', async () => {
    expect((await test.run(bulkDispatch('B', 'nobody', list([1])))).incidents).toEqual([
      expect.stringMatching(/^No published version/),
    ]);
  });

  it.each([
    ['too many', JSON.stringify(Array(100_001).fill(1)), {}],
    ['too much input', JSON.stringify(Array(200).fill(1)), { All: 'x'.repeat(600_000) }],
  ])('%s of them are not started', async (_, items, input) => {
    const child = await deployed(item);
    const parent = await test.run(bulkDispatch('B', child, lit(items, 'Object'), { input }));
    expect(parent.incidents).toEqual([expect.stringMatching(/^Cannot start \d+ workflows at once/)]);
    expect(await lines(child)).toEqual([]);
  });

  it('children end with their parent', async () => {
    const child = await deployed(event('E', uniqueId('never')));
    const parent = await test.run(bulkDispatch('B', child, list([1, 2])));
    await parent.cancel();
    expect((await test.app.instancesOf(child)).map((r) => r.status)).toEqual(['Cancelled', 'Cancelled']);
  });
});
