// Variables (types, scopes, storage, the variables endpoints) and expressions (JavaScript, Liquid, Object, Variable, Input).
import {
  W,
  event,
  fromVar,
  inputDef,
  js,
  liquid,
  lit,
  out,
  runJs,
  seq,
  setVariable,
  variable,
  whileLoop,
  forEach,
  workflow,
} from '../lib/build.mjs';

const wf = (t, activities, o) => workflow(t.id(), seq('Seq', activities), o);
const line = (id, code) => W(id, js(code, 'String'));
/** Runs scripts (WriteLine texts in JavaScript) and compares what they write. */
const scripts = (name, codes, expected, o = {}) => ({
  name,
  ...o,
  async run(t) {
    await t.runAndExpect(
      wf(
        t,
        codes.map((c, i) => (typeof c === 'string' ? line(`L${i}`, c) : c(t, i))),
        { variables: o.variables?.() ?? [] },
      ),
      expected,
    );
  },
});

const E = encodeURIComponent;

export default {
  group: 'variables-expressions',
  description: 'variables, storage, expressions',
  requires: ['javascript'],
  cases: [
    {
      name: 'defaults by type',
      async run(t) {
        const vars = [
          variable('S', 'String', 'text'),
          variable('I', 'Int32', 7),
          variable('B', 'Boolean', true),
          variable('D', 'Double', 1.5),
          variable('N', 'Object'),
          variable('L', 'Int64', 9007199254740991),
        ];
        await t.runAndExpect(
          wf(t, [line('W', '[getS(), getI() + 1, getB() === true, getD() * 2, getN() == null, getL()].join("|")')], {
            variables: vars,
          }),
          ['text|8|true|3|true|9007199254740991'],
        );
      },
    },
    {
      name: 'default of an array variable',
      async run(t) {
        const v = variable('Elements', 'String', ['Element 1', 'Element 2', 'Element 3'], { isArray: true });
        await t.runAndExpect(
          wf(t, [line('W', 'getElements().length + ":" + getElements().map(x => x.toUpperCase()).join(",")')], {
            variables: [v],
          }),
          ['3:ELEMENT 1,ELEMENT 2,ELEMENT 3'],
        );
      },
    },
    {
      name: 'an array variable in ForEach',
      async run(t) {
        const v = variable('Variable1', 'String', undefined, { isArray: true });
        await t.runAndExpect(
          wf(
            t,
            [
              setVariable('S', v, js('["Line 1", "Line 2"]')),
              forEach('Each', fromVar(v), line('W', 'getCurrentValue()')),
            ],
            { variables: [v] },
          ),
          ['Line 1', 'Line 2'],
        );
      },
    },
    {
      name: 'set by id, whatever the name',
      async run(t) {
        const v = variable('Shown', 'String', 'before', { id: 'internal-id' });
        await t.runAndExpect(
          wf(t, [setVariable('S', { ...v, name: 'SomethingElse' }, 'after'), line('W', 'getShown()')], {
            variables: [v],
          }),
          ['after'],
        );
      },
    },
    {
      name: 'values are converted to the type of the variable',
      async run(t) {
        const i = variable('Num', 'Int32', 0),
          s = variable('Txt', 'String', '');
        await t.runAndExpect(
          wf(
            t,
            [
              setVariable('S1', i, '42'),
              setVariable('S2', s, js('7')),
              line('W', '`${typeof getNum()} ${getNum() + 1} ${typeof getTxt()} ${getTxt()}`'),
            ],
            { variables: [i, s] },
          ),
          ['number 43 string 7'],
        );
      },
    },
    {
      name: 'objects can be changed in place and extended',
      async run(t) {
        const v = variable('customer', 'Object');
        await t.runAndExpect(
          wf(
            t,
            [
              runJs(
                'Init',
                'setVariable("customer", { Name: "John Doe", Age: 42, Orders: [{ Id: 1, Product: "Apple" }, { Id: 3, Product: "Orange" }, { Id: 2, Product: "Banana" }] })',
              ),
              runJs(
                'Change',
                "const customer = variables.customer; customer.Name = 'Jane Doe'; customer.Orders.sort((a, b) => a.Product.localeCompare(b.Product)); variables.customer = { ...customer, Email: 'jane.doe@acme.com' };",
              ),
              line('W1', 'variables.customer.Name'),
              line('W2', "variables.customer.Orders.map(x => x.Product).join(', ')"),
              line('W3', 'variables.customer.Email'),
            ],
            { variables: [v] },
          ),
          ['Jane Doe', 'Apple, Banana, Orange', 'jane.doe@acme.com'],
        );
      },
    },
    {
      name: 'lists inside objects behave as arrays',
      async run(t) {
        const r = await t.run(
          wf(
            t,
            [
              line('W1', 'getInput("obj").persons.filter(x => x.age == 12)[0].name'),
              line('W2', 'getInput("obj").persons[0].languages.filter(x => x == "English")[0]'),
              line('W3', '"" + getInput("obj").persons[0].orders[0].magicNumbers[1]'),
            ],
            { inputs: [inputDef('obj', 'Object')] },
          ),
          {
            input: {
              obj: {
                persons: [
                  { name: 'John', age: 12, languages: ['English', 'French'], orders: [{ magicNumbers: [42, 43, 44] }] },
                ],
              },
            },
          },
        );
        await t.finished(r.instanceId);
        await t.expectLines(r.instanceId, ['John', 'English', '43']);
      },
    },
    {
      name: 'an array can be sorted',
      async run(t) {
        const v = variable('Model', 'Object');
        await t.runAndExpect(
          wf(
            t,
            [
              runJs('Init', 'setModel({ Items: [8, 4, 2] })'),
              runJs('Sort', 'const m = variables.Model; m.Items.sort((a, b) => a - b); variables.Model = m;'),
              line('W', 'getModel().Items.join(",")'),
            ],
            { variables: [v] },
          ),
          ['2,4,8'],
        );
      },
    },
    {
      name: 'an array survives suspensions',
      async run(t) {
        const v = variable('Elements', 'String', ['Element 1', 'Element 2', 'Element 3'], { isArray: true });
        const r = await t.run(
          wf(
            t,
            [
              whileLoop(
                'While',
                js('getElements().length > 0'),
                seq('Body', [
                  line('W', '"Top Element: " + getElements()[0]'),
                  setVariable('Pop', v, js('getElements().slice(1)')),
                  event('Step', t.id('step')),
                ]),
              ),
            ],
            { variables: [v] },
          ),
        );
        for (const n of [2, 1, 0]) {
          await t.awaitBookmarks(r.instanceId, 1);
          await t.eventually(async () =>
            t.eq((await t.variables(r.instanceId)).Elements?.length, n, 'Elements while suspended'),
          );
          await t.trigger(t.id('step'), { workflowInstanceId: r.instanceId, workflowExecutionMode: 'Synchronous' });
        }
        await t.finished(r.instanceId);
        await t.expectLines(
          r.instanceId,
          [1, 2, 3].map((n) => `Top Element: Element ${n}`),
        );
      },
    },
    {
      name: 'a variable changed over the API is what the flow sees when it resumes',
      async run(t) {
        const v = variable('Greeting', 'String', 'hello');
        const r = await t.run(wf(t, [event('Ev', t.id('go')), line('W', 'getGreeting()')], { variables: [v] }));
        const list = await t.apiJson('GET', `/workflow-instances/${E(r.instanceId)}/variables`);
        t.eq(
          list.items.map((x) => [x.id, x.name, x.value]),
          [['Greeting-id', 'Greeting', 'hello']],
          'variables',
        );
        const upd = await t.apiJson('POST', `/workflow-instances/${E(r.instanceId)}/variables`, {
          body: { variables: [{ id: 'Greeting-id', value: 'changed' }] },
        });
        t.eq(upd.items.find((x) => x.id === 'Greeting-id')?.value, 'changed', 'answer of the update');
        t.eq((await t.variables(r.instanceId)).Greeting, 'changed', 'after the update');
        await t.trigger(t.id('go'), { workflowInstanceId: r.instanceId });
        await t.finished(r.instanceId);
        await t.expectLines(r.instanceId, ['changed']);
      },
    },
    {
      name: 'a variable without a storage driver is not kept over a suspension',
      async run(t) {
        const a = variable('Kept', 'String', 'default'),
          b = variable('Forgotten', 'String', 'default', { storage: null });
        const r = await t.run(
          wf(
            t,
            [
              setVariable('S1', a, 'set'),
              setVariable('S2', b, 'set'),
              line('W1', '`${getKept()} ${getForgotten()}`'),
              event('Ev', t.id('go')),
              line('W2', '`${getKept()} ${getForgotten()}`'),
            ],
            { variables: [a, b] },
          ),
        );
        await t.expectLines(r.instanceId, ['set set']);
        await t.trigger(t.id('go'), { workflowInstanceId: r.instanceId });
        await t.finished(r.instanceId);
        await t.expectLines(r.instanceId, ['set set', 'set default']);
      },
    },
    {
      name: 'big values survive suspensions',
      slow: true,
      async run(t) {
        const v = variable('Big', 'Object');
        const r = await t.run(
          wf(
            t,
            [
              runJs('Js', 'setBig(Array.from({ length: 2000 }, (_, i) => ({ id: i, text: "x".repeat(100) })))'),
              event('Ev', t.id('go')),
              line('W', '`${getBig().length} ${getBig()[1999].id} ${getBig()[0].text.length}`'),
            ],
            { variables: [v] },
          ),
        );
        await t.trigger(t.id('go'), { workflowInstanceId: r.instanceId });
        await t.finished(r.instanceId, { timeout: 20000 });
        await t.expectLines(r.instanceId, ['2000 1999 100']);
      },
    },
    scripts(
      'expressions, statements, return',
      [
        '1 + 1 + ""',
        'const x = 2; return "" + x * 3;',
        '`${[1, 2, 3].reduce((a, b) => a + b, 0)}`',
        'let s = ""; for (const c of ["a", "b"]) s += c; s',
      ],
      ['2', '6', '6', 'ab'],
      { source: 'JintJavaScriptEvaluatorTests' },
    ),
    scripts(
      'toJson',
      [
        'JSON.stringify(JSON.parse(toJson({ name: "Test", value: 42, nested: { inner: true }, list: [1, null] })))',
        'JSON.parse(toJson({ text: "\\u00e9\\u4f60\\ud83d\\ude00 \\"q\\"" })).text',
      ],
      ['{"name":"Test","value":42,"nested":{"inner":true},"list":[1,null]}', '\u00e9\u4f60\ud83d\ude00 "q"'],
      { source: 'ToJsonTests' },
    ),
    {
      name: 'a script sets the correlation id',
      async run(t) {
        const r = await t.run(
          wf(t, [runJs('Js', `setCorrelationId("${t.id('set')}")`), line('W', 'getCorrelationId()')]),
        );
        await t.expectLines(r.instanceId, [t.id('set')]);
        t.eq((await t.instance(r.instanceId)).correlationId, t.id('set'), 'correlation id of the instance');
      },
    },
    {
      name: 'result of RunJavaScript',
      async run(t) {
        const v = variable('R', 'Object');
        const r = await t.run(
          wf(
            t,
            [
              runJs('J1', 'return 1 + 1;', { result: out(v) }),
              line('W1', '"" + getR()'),
              runJs('J2', "return 'Hello World';", { result: out(v) }),
              line('W2', 'getR()'),
              runJs('J3', 'return { a: [1, 2] };', { result: out(v) }),
              line('W3', '"" + getR().a[1]'),
              runJs('J4', '', { result: out(v) }),
              line('W4', '"" + getR()?.a?.[0]'),
            ],
            { variables: [v] },
          ),
        );
        await t.finished(r.instanceId);
        await t.expectLines(r.instanceId, ['2', 'Hello World', '2', '1']); // a script without text sets nothing
        const rec = await t.recordEventually(r.instanceId, 'J2');
        t.eq(rec.outputs?.Result ?? rec.outputs?.result, 'Hello World', 'output in the record');
      },
    },
    {
      name: 'an output by activity id and by activity name',
      async run(t) {
        await t.runAndExpect(
          wf(t, [
            runJs('J1', 'return { x: 5 };', { name: 'Named' }),
            line('W', '`${getOutputFrom("J1").x} ${getOutputFrom("Named", "Result").x} ${getResultFromNamed().x}`'),
          ]),
          ['5 5 5'],
        );
      },
    },
    {
      name: 'outcomes of a script are in the record',
      async run(t) {
        const r = await t.run(
          wf(t, [runJs('J', "setOutcomes(['Branch1', 'Branch2']);", { outcomes: ['Branch1', 'Branch2'] })]),
        );
        const rec = await t.recordEventually(r.instanceId, 'J', (x) => x.status === 'Completed');
        t.eq(rec.payload?.Outcomes ?? rec.payload?.outcomes, ['Branch1', 'Branch2'], 'Outcomes');
      },
    },
    {
      name: 'a bad input expression faults and names the input',
      async run(t) {
        const r = await t.run(
          wf(t, [W('W1', 'before'), line('W2', 'nope.nope'), W('W3', 'never')], { options: await t.incident('Fault') }),
          {},
          { expect: 500 },
        );
        t.includes(r.state.incidents[0].message, "Failed to evaluate activity input 'Text'", 'incident');
        t.eq(r.state.incidents[0].activityId, 'W2', 'activity');
        await t.expectLines(r.instanceId, ['before']);
      },
    },
    {
      name: 'a literal is taken as it is',
      async run(t) {
        const texts = [
          'Literal Value',
          'Special chars: !@#$%',
          '{{ not liquid }}',
          '${not} `js`',
          '  spaces  ',
          '"quoted"',
          '\u4f60\u597d',
        ];
        await t.runAndExpect(
          wf(
            t,
            texts.map((x, i) => W(`W${i}`, x)),
          ),
          texts,
        );
      },
    },
    {
      name: 'a number or a boolean as text',
      async run(t) {
        await t.runAndExpect(
          wf(t, [W('W1', lit(42, 'String')), W('W2', js('42', 'String')), W('W3', js('1.5', 'String'))]),
          ['42', '42', '1.5'],
        );
      },
    },
    {
      name: 'Liquid: input and correlation id',
      requires: ['liquid'],
      async run(t) {
        const r = await t.run(
          wf(t, [W('W', liquid('{{ Input.Name }} {{ CorrelationId }}'))], { inputs: [inputDef('Name', 'String')] }),
          { input: { Name: 'Ann' }, correlationId: t.id('c') },
        );
        await t.expectLines(r.instanceId, [`Ann ${t.id('c')}`]);
      },
    },
  ],
};
