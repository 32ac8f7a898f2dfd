// What is seen from where: variables, inputs and outputs of workflows used as activities, and of loops whose bodies wait.
import {
  W,
  act,
  breakOut,
  chain,
  event,
  expr,
  fault,
  finish,
  flow,
  forEach,
  forLoop,
  fromInput,
  httpEndpoint,
  httpResponse,
  iff,
  inputDef,
  js,
  jsx,
  liquid,
  list,
  lit,
  out,
  outputDef,
  runJs,
  seq,
  setOutput,
  start,
  subWorkflow,
  switchOn,
  variable,
  whileLoop,
  workflow,
} from '../lib/build.mjs';
import { line, wf, writes } from '../lib/lines.mjs';

const Result = variable('R', 'Object');
const Outer = variable('Outer', 'String', 'parent');

/** A child with these activities, and what is written by a parent that uses it. */
const within = (name, child, parent, lines, o = {}) => ({
  name: `a child: ${name}`,
  async run(t) {
    const model = workflow(t.id('c'), seq('CS', child), { name: t.typeName('Child'), ...o.child });
    const used = await t.deploy({ ...model, options: { usableAsActivity: true } });
    const activities = parent((props, more) => subWorkflow('Use', used, props, more));
    await t.runAndExpect(wf(t, activities, { variables: [Outer, Result], inputs: o.inputs }), lines, o);
  },
});

/** A loop whose body waits for an event that comes as often. */
const waiting = (name, loop, times, lines) => ({
  name: `a body that waits: ${name}`,
  async run(t) {
    const body = (code) => seq('Body', [event('Wait', t.id('go')), line('L', code)]);
    const r = await t.run(wf(t, [loop(body), W('End', 'end')], { variables: [variable('N', 'Int32', 0)] }));
    for (let i = 0; i < times; i++) {
      await t.awaitBookmarks(r.instanceId, 1, 'Wait');
      await t.trigger(t.id('go'), { workflowInstanceId: r.instanceId, workflowExecutionMode: 'Synchronous' });
    }
    await t.finished(r.instanceId);
    await t.expectLines(r.instanceId, [...lines, 'end']);
  },
});

const branch = (code, way) =>
  writes(`${code} is ${way}`, () => [iff('I', js(code, 'Boolean'), W('T', 'true'), W('F', 'false'))], [way]);

export default {
  group: 'scopes-and-loops',
  description: 'scopes, loops that wait, conditions',
  requires: ['javascript', 'liquid'],
  cases: [
    within(
      'sees the variables of its parent',
      [line('A', 'getVariable("Outer")'), W('B', liquid('{{ Variables.Outer }}'))],
      (use) => [use()],
      ['parent', 'parent'],
    ),
    within(
      'its own variables hide those of the parent',
      [runJs('J', 'setVariable("Outer", "changed")'), line('A', 'getVariable("Outer")')],
      (use) => [use(), line('B', 'getOuter()')],
      ['changed', 'parent'],
      { child: { variables: [variable('Outer', 'String', 'child')] } },
    ),
    within(
      'changes a variable of its parent',
      [runJs('J', 'setVariable("Outer", "changed")')],
      (use) => [use(), line('B', 'getOuter()')],
      ['changed'],
    ),
    within(
      'inputs are converted, by name, as variables and in templates',
      [
        line('A', 'typeof getInput("A") + getVariable("A") + " " + getInput("B") + " " + getInput("Far")'),
        W('B', fromInput('A', 'String')),
        W('C', liquid('{{ Input.A }}-{{ Variables.A }}')),
      ],
      (use) => [use({ a: js('"41"', 'Int32') })],
      ['number41 null far', '41', '41-41'],
      {
        child: { inputs: [inputDef('A', 'Int32'), inputDef('B', 'String')] },
        inputs: [inputDef('Far', 'String')],
        body: { input: { Far: 'far', B: 'of the parent' } },
      },
    ),
    within(
      'outputs go to a variable, and are read by name',
      [setOutput('O', 'Out', js('1 + 1')), line('A', '"" + getVariable("Out")')],
      (use) => [
        use({ out: out(Result) }, { name: 'Sub1' }),
        line('B', 'getR() + " " + getOutputFrom("Sub1", "Out") + " " + getOutFromSub1()'),
      ],
      ['2', '2 2 2'],
      { child: { outputs: [outputDef('Out', 'Int32')] } },
    ),
    within('Finish ends the parent too', [finish()], (use) => [use(), W('Z', 'never')], []),
    within(
      'Break leaves the loop of the parent',
      [breakOut(), W('N', 'never')],
      (use) => [forEach('Each', list([1, 2]), seq('Body', [line('V', '"" + getCurrentValue()'), use()])), W('Z', 'z')],
      ['1', 'z'],
    ),
    within('a fault faults the parent', [fault('F', 'boom')], (use) => [use(), W('Z', 'never')], [], {
      subStatus: 'Faulted',
    }),
    waiting(
      'While',
      (body) => whileLoop('Loop', js('getN() < 2', 'Boolean'), body('setN(getN() + 1); "" + getN()')),
      2,
      ['1', '2'],
    ),
    waiting('For', (body) => forLoop('Loop', { start: 0, end: 2 }, body('"" + getVariable("CurrentValue")')), 3, [
      '0',
      '1',
      '2',
    ]),
    waiting(
      'ForEach',
      (body) => forEach('Loop', list(['a', 'b']), body('getCurrentValue() + getVariable("CurrentIndex")')),
      2,
      ['a0', 'b1'],
    ),
    writes(
      'the current value of a loop goes to a variable',
      () => [
        forLoop('F', { start: 1, end: 2, currentValue: out('C-id') }, line('A', '"" + getC()')),
        forEach('E', list([7, 8]), line('B', '"" + getC()'), { currentValue: out('C-id') }),
      ],
      ['1', '2', '7', '8'],
      { definition: { variables: [variable('C', 'Int32')] } },
    ),
    writes(
      'the inner loop hides the values of the outer one',
      () => [
        forEach(
          'F',
          list([1, 2]),
          forEach('G', list(['a', 'b']), line('L', 'getCurrentValue() + getVariable("CurrentIndex")')),
        ),
      ],
      ['a0', 'b1', 'a0', 'b1'],
    ),
    writes(
      'the bounds of For are those of its start',
      () => [
        forLoop(
          'F',
          { start: 0, end: js('getE()', 'Int32') },
          seq('B', [line('L', '"" + getCurrentValue()'), runJs('J', 'setE(9)')]),
        ),
      ],
      ['0', '1', '2'],
      { definition: { variables: [variable('E', 'Int32', 2)] } },
    ),
    branch('1', 'true'),
    branch('0', 'false'),
    branch('"true"', 'true'),
    branch('"yes"', 'false'),
    branch('null', 'false'),
    writes(
      'conditions of Switch in all languages, converted',
      () => [
        switchOn(
          'S',
          [
            ['a', expr('Literal', 'true'), W('A', 'a')],
            ['b', expr('Liquid', '{{ 1 }}'), W('B', 'b')],
            ['c', expr('Liquid', 'true'), W('C', 'c')],
            ['d', jsx('null'), W('D', 'd')],
            ['e', jsx('1'), W('E', 'e')],
          ],
          { mode: 'MatchAny' },
        ),
      ],
      ['a', 'c', 'e'],
    ),
    writes(
      'a case of Switch without an activity keeps from the default',
      () => [switchOn('S', [['a', jsx('true')]], { default: W('D', 'default') }), W('Z', 'z')],
      ['z'],
    ),
    {
      name: 'Switch asks every case, also behind the one that fits',
      async run(t) {
        const cases = [
          ['a', jsx('true'), W('A', 'a')],
          ['b', jsx('nope.x'), W('B', 'b')],
        ];
        await t.runAndExpect(wf(t, [switchOn('S', cases)]), [], { subStatus: 'Faulted' });
      },
    },
    writes(
      'FlowNode runs its body, if it has one',
      () => [act('Elsa.FlowNode', 'N', { body: W('B', 'body') }), act('Elsa.FlowNode', 'M'), W('Z', 'z')],
      ['body', 'z'],
    ),
    writes(
      'a script without a result leaves the variable as it is',
      () => [
        runJs('J', '  ', { result: out('V-id') }),
        runJs('K', 'null', { result: out('V-id') }),
        line('L', 'getV()'),
      ],
      ['old'],
      { definition: { variables: [variable('V', 'String', 'old')] } },
    ),
    writes(
      'members that a script changes are kept, and so are new variables',
      () => [
        runJs('J', 'variables.O.a.b = 5; variables.O.c = [1]; setVariable("New", { x: 1 })'),
        line('L', 'JSON.stringify(getO()) + getVariable("New").x'),
        W('M', liquid('{{ Variables.New.x }}')),
      ],
      ['{"a":{"b":5},"c":[1]}1', '1'],
      { definition: { variables: [variable('O', 'JsonObject', { a: { b: 1 } })] } },
    ),
    {
      name: 'two endpoints of one flow begin at their own places',
      async run(t) {
        const answer = (id) => httpResponse(id, lit(id));
        const endpoints = [
          httpEndpoint('A', t.path('a')),
          httpEndpoint('B', t.path('b')),
          httpEndpoint('P', t.path('b'), { methods: ['POST'] }),
        ];
        await t.deploy(
          workflow(
            t.id(),
            flow('F', [...endpoints, answer('Ra'), answer('Rb'), answer('Rp')], ['A->Ra', 'B->Rb', 'P->Rp']),
          ),
        );
        const texts = [await t.get(t.path('a')), await t.get(t.path('b')), await t.post(t.path('b'), {})].map(
          (r) => r.text,
        );
        t.eq(texts, ['Ra', 'Rb', 'Rp'], 'answers');
      },
    },
    {
      name: 'the path of an endpoint is computed from the defaults of variables',
      async run(t) {
        await t.deploy(
          workflow(
            t.id(),
            chain('F', [httpEndpoint('E', js('"/" + getP() + "/Sub/"', 'String')), httpResponse('R', lit('ok'))]),
            {
              variables: [variable('P', 'String', t.path())],
            },
          ),
        );
        t.eq((await t.get(t.path('sub'))).text, 'ok', 'answer');
      },
    },
    {
      name: 'a script sets several outcomes, the last call wins',
      async run(t) {
        const script = runJs('J', 'setOutcome("C"); setOutcomes(["A", "B"])', { outcomes: ['A', 'B', 'C'] });
        const ends = ['A', 'B', 'C', 'Done'].map((id) => W(id, id));
        const edges = ['Start->J', 'J:A->A', 'J:B->B', 'J:C->C', 'J:Done->Done'];
        await t.runAndExpect(workflow(t.id(), flow('F', [start(), script, ...ends], edges)), ['A', 'B']);
      },
    },
  ],
};
