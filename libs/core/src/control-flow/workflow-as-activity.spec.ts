import { workflowActivityDescriptor } from './workflow-activity.js';
import {
  W,
  code,
  complete,
  event,
  flow,
  forEach,
  forLoop,
  get,
  iff,
  lit,
  out,
  parallel,
  seq,
  setOutput,
  setVar,
  sub,
  variable,
  workflow,
} from '../execution/testing/build-definition.js';
import { runWorkflow, WorkflowTest } from '../execution/testing/run-workflow.js';

const input = (name: string, type = 'String') => ({ name, type, isArray: false });
const child = (definitionId: string, root: ReturnType<typeof W>, o: Parameters<typeof workflow>[1] = {}) =>
  workflow(root, { definitionId, options: { usableAsActivity: true }, ...o });

describe('a workflow used as an activity', () => {
  it('receives inputs and returns outputs', async () => {
    const c = child(
      'Echo',
      setOutput('o', 'Echo', (s) => `<${String(s.getVariable('Text'))}|${String(s.getInput('Text'))}>`),
      { inputs: [input('Text')], outputs: [input('Echo')] },
    );
    const root = seq('S', [
      sub('S1', c, { text: lit('one'), echo: out('A-id') }),
      sub('S2', c, { text: lit('two'), echo: out('B-id') }),
      W('w', (s) => `${String(s.getVariable('A'))}${String(s.getVariable('B'))}`),
    ]);
    const run = await runWorkflow(workflow(root, { variables: [variable('A'), variable('B')] }), { children: [c] });
    expect(run.lines).toEqual(['<one|one><two|two>']);
    expect(run.status).toBe('Finished');
  });

  it('does not store inputs that it declares for memory', async () => {
    const show = (id: string) => W(id, (s) => `${String(s.getInput('Doc'))} ${String(s.getInput('Kept'))}`);
    const c = child('Passing', seq('Q', [show('a'), event('E'), show('b')]), {
      inputs: [{ ...input('Doc'), storageDriverType: 'MemoryStorageDriver' }, input('Kept')],
    });
    const run = await runWorkflow(sub('S1', c, { doc: code(() => 'personal'), kept: lit('kept') }), { children: [c] });
    const state = JSON.stringify(run.state);
    expect([state.includes('personal'), state.includes('"kept"')]).toEqual([false, true]);
    await run.trigger('E');
    expect([run.status, run.lines]).toEqual(['Finished', ['personal kept', 'null kept']]);
  });

  it('finds its inputs in any case, as when it is started by itself', async () => {
    const c = child(
      'Any',
      W('w', (s) => String(s.getInput('orderid'))),
      { inputs: [input('OrderId')] },
    );
    const run = await runWorkflow(sub('S1', c, { orderId: lit('one') }), { children: [c] });
    expect(run.lines).toEqual(['one']);
  });

  it('has an output beside a variable of that name, also after a wait', async () => {
    const c = child(
      'Count',
      seq('Q', [setOutput('o', 'Total', 'EUR 12'), event('E'), W('w', (s) => String(s.getVariable('Total')))]),
      { outputs: [input('Total')], variables: [variable('Total', 'Int32', '1')] },
    );
    const shown = W('x', (s) => `${String(s.getVariable('A'))} ${String(s.getOutputFrom('S1', 'Total'))}`);
    const root = seq('S', [sub('S1', c, { total: out('A-id') }), shown]);
    const run = await runWorkflow(workflow(root, { variables: [variable('A')] }), { children: [c] });
    await run.trigger('E');
    expect([run.status, run.lines]).toEqual(['Finished', ['1', 'EUR 12 EUR 12']]);
  });

  it('has the same node ids inside as its own definition, whatever its place', async () => {
    const c = child('Inner', W('w', 'x'));
    const root = seq('S', [sub('S1', c), sub('S2', c)]);
    const run = await runWorkflow(workflow(root), { children: [c] });
    expect(run.graph.findById('w').map((node) => node.nodeId)).toEqual([
      'Workflow3:S:S1:Workflow1:w',
      'Workflow3:S:S2:Workflow1:w',
    ]);
  });

  it('keeps its data over suspensions, separately for each use', async () => {
    const body = seq('S', [
      setOutput('o', 'Out', (s) => `${String(s.getVariable('In'))}!`),
      setVar('v', 'Own', (s) => s.getInput('In') as string),
      event('E'),
      W('w', (s) => `${String(s.getInput('In'))} ${String(s.getVariable('Own'))}`),
    ]);
    const c = child('Child', body, { inputs: [input('In')], outputs: [input('Out')], variables: [variable('Own')] });
    const root = seq('S', [
      parallel('P', [
        sub('S1', c, { in: lit('1'), out: out('A-id') }),
        sub('S2', c, { in: lit('2'), out: out('B-id') }),
      ]),
      W('w', (s) => `${String(s.getVariable('A'))}${String(s.getVariable('B'))}`),
    ]);
    const run = await runWorkflow(workflow(root, { variables: [variable('A'), variable('B')] }), { children: [c] });
    await run.trigger('E');
    expect(run.lines).toEqual(['1 1', '2 2', '1!2!']);
    expect(run.status).toBe('Finished');
  });

  it('hands on an output that only a variable of that name holds', async () => {
    const c = child(
      'Child',
      W('w', (s) => (s.setVariable('Out', 'set'), 'x')),
      { outputs: [input('Out')] },
    );
    const run = await runWorkflow(
      workflow(seq('S', [sub('Sub', c, { out: out('Out') }), event('E')]), { outputs: [input('Out')] }),
      { children: [c] },
    );
    expect(run.state.output).toEqual({ Out: 'set' });
  });

  it('binds an output to a variable whose id is the name of the output', async () => {
    const c = child('Child', setOutput('o', 'X', 'value'), { outputs: [input('X')] });
    const x = { ...variable('Y'), id: 'X' };
    const run = await runWorkflow(
      workflow(seq('S', [sub('Sub', c, { x: out('X') }), W('w', get('Y'))]), { variables: [x] }),
      { children: [c] },
    );
    expect(run.lines).toEqual(['value']);
  });

  it('completes with the outcomes that Complete names', async () => {
    const c = child('Child', seq('S', [complete('C', 'X'), W('never')]), { outcomes: ['X', 'Y'] });
    const run = await runWorkflow(flow('F', [sub('Sub', c), W('x'), W('y')], ['Sub:X->x', 'Sub:Y->y']), {
      children: [c],
    });
    expect(run.lines).toEqual(['x']);
  });

  it('completes with the default outcomes otherwise', async () => {
    const c = child('Child', W('w'));
    expect((await runWorkflow(flow('F', [sub('Sub', c), W('x')], ['Sub->x']), { children: [c] })).lines).toEqual([
      'w',
      'x',
    ]);
  });

  it('Complete in a grandchild ends the grandchild only', async () => {
    const inner = child('Inner', seq('S', [W('i1'), complete('C', 'X'), W('never')]), { outcomes: ['X'] });
    const outer = child('Outer', flow('OF', [sub('SubI', inner), W('o1')], ['SubI:X->o1']));
    const run = await runWorkflow(seq('S', [W('p1'), sub('SubO', outer), W('p2')]), { children: [inner, outer] });
    expect(run.lines).toEqual(['p1', 'i1', 'o1', 'p2']);
  });

  it('runs in a loop', async () => {
    const c = child(
      'Child',
      W('c', (s) => `item ${String(s.getVariable('Item'))}`),
      { inputs: [input('Item')] },
    );
    const run = await runWorkflow(forEach('E', ['a', 'b'], sub('Sub', c, { item: get('CurrentValue') })), {
      children: [c],
    });
    expect(run.lines).toEqual(['item a', 'item b']);
  });

  it('takes an input that has the name of a loop variable', async () => {
    const c = child(
      'Child',
      seq('S', [
        event('E'),
        W('c', (s) => `${String(s.getInput('CurrentValue'))} ${String(s.getVariable('CurrentValue'))}`),
      ]),
      { inputs: [input('CurrentValue')] },
    );
    const run = await runWorkflow(forLoop('L', 1, 1, sub('Sub', c, { currentValue: lit('own') })), { children: [c] });
    await run.trigger('E');
    expect(run.lines).toEqual(['own own']);
  });

  it.each([true, false])(
    'has no value of a loop for an input of that name which is empty (stored in between: %s)',
    async (isStored) => {
      const c = child('Child', seq('S', [event('E'), W('c', (s) => String(s.getInput('CurrentValue')))]), {
        inputs: [input('CurrentValue')],
      });
      const run = await new WorkflowTest({ children: [c], isStored }).start(forLoop('L', 1, 1, sub('Sub', c, {})));
      await run.trigger('E');
      expect(run.lines).toEqual(['null']);
    },
  );

  it.each(['Name', 'Root', 'Execute', 'execute', 'Id', 'onRootCompleted', 'Constructor'])(
    'takes an input called %s',
    async (name) => {
      const c = child(
        'Child',
        W('c', (s) => `${String(s.getVariable(name))} ${String(s.getInput(name))}`),
        { inputs: [input(name)] },
      );
      const descriptor = workflowActivityDescriptor(c).inputs[0]!;
      const isTaken = ['Name', 'Root', 'Id'].includes(name);
      expect([descriptor.name, descriptor.displayName]).toEqual([isTaken ? `_${name}` : name, name]);
      const key = isTaken ? `_${name}` : name.charAt(0).toLowerCase() + name.slice(1);
      const run = await runWorkflow(sub('Sub', c, { [key]: lit('given') }), { children: [c] });
      expect(run.lines).toEqual(['given given']);
    },
  );

  it('does not expose its variables', async () => {
    const c = child(
      'Child',
      W('c', (s) => (s.setVariable('Leak', 1), 'c')),
    );
    const run = await runWorkflow(seq('S', [sub('Sub', c), W('w', (s) => String(s.hasVariable('Leak')))]), {
      children: [c],
    });
    expect(run.lines).toEqual(['c', 'false']);
  });

  it('is described as tools expect', () => {
    const d = workflowActivityDescriptor(
      workflow(W('w'), {
        definitionId: 'tax',
        id: 'tax-v1',
        name: 'Sample Tax',
        inputs: [input('Amount', 'Double')],
        outputs: [input('Tax', 'Double')],
        outcomes: ['Taxed', 'Exempt'],
        options: { usableAsActivity: true, activityCategory: 'Sample Finance' },
      }),
    );
    expect(d).toMatchObject({
      typeName: 'SampleTax',
      displayName: 'Sample Tax',
      category: 'Sample Finance',
      isBrowsable: true,
      inputs: [{ name: 'Amount', typeName: 'Double', uiHint: 'singleline', isSynthetic: true }],
      outputs: [{ name: 'Tax', typeName: 'Double' }],
      customProperties: {
        RootType: 'WorkflowDefinitionActivity',
        WorkflowDefinitionId: 'tax',
        WorkflowDefinitionVersionId: 'tax-v1',
      },
      constructionProperties: { WorkflowDefinitionId: 'tax', WorkflowDefinitionVersionId: 'tax-v1', Version: 1 },
    });
    expect(d.ports.map((p) => [p.name, p.type, p.isBrowsable])).toEqual([
      ['Root', 'Embedded', false],
      ['Taxed', 'Flow', true],
      ['Exempt', 'Flow', true],
    ]);
    expect(workflowActivityDescriptor(child('x', W('w'))).ports.map((p) => p.name)).toEqual(['Root', 'Done']);
  });

  it('reads workflow inputs that it does not declare itself', async () => {
    const c = child(
      'Child',
      W('c', (s) => `${String(s.getInput('Outer'))}`),
      { inputs: [input('Own')] },
    );
    const run = await runWorkflow(sub('Sub', c, { own: code(() => 'x') }), {
      children: [c],
      request: { input: { Outer: 'o' } },
    });
    expect(run.lines).toEqual(['o']);
  });

  it('sets an output of the workflow itself, declared or not', async () => {
    const run = await runWorkflow(seq('S', [setOutput('1', 'A', 'a'), setOutput('2', 'B', 30)]));
    expect(run.state.output).toEqual({ A: 'a', B: 30 });
  });

  it('sets an output called Result past activities that have one of their own', async () => {
    const c = child('Child', seq('S', [iff('If', true, seq('T', [setOutput('o', 'Result', 1)]))]), {
      outputs: [input('Result')],
    });
    const root = seq('R', [
      sub('Sub', c, { result: out('A-id') }),
      iff('If2', true, seq('T2', [setOutput('o2', 'Result', get('A'))])),
    ]);
    const run = await runWorkflow(workflow(root, { variables: [variable('A')] }), { children: [c] });
    expect(run.state.output).toEqual({ Result: 1 });
  });
});
