import { describe, expect, it } from '@jest/globals';
import { readDefinitionModel } from '@waymark/core/adapter';
import {
  W,
  act,
  correlate,
  event,
  forEach,
  fromInput,
  fromVar,
  inputDef,
  js,
  list,
  liquid,
  lit,
  obj,
  out,
  runJs,
  seq,
  setOutput,
  variable,
  workflow,
} from '../conformance/lib/build.mjs';
import { type Members, uniqueId, useApplication } from '../support/use-application.js';

const test = useApplication();
const setting = (value: unknown) => act('Elsa.SetOutput', 'O', { outputName: lit('Out'), outputValue: value });
const evaluated = async (value: unknown, members: Members = {}) => {
  const run = await test.run(seq('S', [setting(value)]), members);
  expect([run.status, ...run.incidents]).toEqual(['Finished']);
  return run.output.Out;
};
const wrapped = (type: string | null | undefined, value?: unknown) => ({
  typeName: 'Object',
  expression: { type, value },
});

describe('forms of an input', () => {
  it.each<[string, unknown, unknown]>([
    ['a literal text', wrapped('Literal', 'x'), 'x'],
    ['a literal number', wrapped('Literal', 42), 42],
    ['a literal boolean', wrapped('Literal', false), false],
    ['a literal null', wrapped('Literal', null), null],
    ['a literal without a value', wrapped('Literal'), null],
    ['a literal object: its JSON text', wrapped('Literal', { a: 1 }), '{"a":1}'],
    ['a literal list: its JSON text', wrapped('Literal', [1, 2]), '[1,2]'],
    ['no type of expression: a literal', wrapped(null, 'x'), 'x'],
    ['a raw text', 'x', 'x'],
    ['a raw number', 5, 5],
    ['a raw boolean', true, true],
    ['null: no input', null, null],
    ['no expression', { typeName: 'Object' }, null],
    ['a null expression', { typeName: 'Object', expression: null }, null],
    ['a wrapper without typeName: no input', { expression: { type: 'Literal', value: 'x' } }, null],
    ['a null typeName', { typeName: null, expression: { type: 'Literal', value: 'x' } }, 'x'],
    ['an unknown typeName', { typeName: 'Acme.Nope, Acme', expression: { type: 'Literal', value: 'x' } }, 'x'],
    ['a memory reference besides', { ...wrapped('Literal', 'x'), memoryReference: { id: 'O:input-1' } }, 'x'],
    ['a null memory reference', { ...wrapped('Literal', 'x'), memoryReference: null }, 'x'],
    ['PascalCase members', { TypeName: 'Object', Expression: { Type: 'Literal', Value: 'x' } }, 'x'],
    ['an Object expression: its text', obj({ a: 1 }), '{"a":1}'],
    ['a Json expression: its text', wrapped('Json', '{"a":1}'), '{"a":1}'],
    ['a blank Object expression: null', wrapped('Object', ' '), null],
  ])('%s', async (_, value, expected) => expect(await evaluated(value)).toEqual(expected));

  it.each<[string, unknown, unknown]>([
    ['list of text', obj(['GET', 'POST']), ['a:GET', 'a:POST']],
    ['literal JSON text', lit('["GET"]'), ['a:GET']],
    ['text is one element', lit('GET,POST'), ['a:GET,POST']],
    ['a script', js('["x", 1]'), ['a:x', 'a:1']],
    ['null', lit(null), ['a:Done']],
  ])('an Object expression for an input with a type is parsed: %s', async (_, branches, expected) => {
    const run = await test.run(act('Elsa.FlowFork', 'Fk', { branches }));
    expect((run.outcomes('Fk')[0] as string[]).map((o) => `a:${o}`)).toEqual(expected);
  });

  it('a dictionary holds expressions of its own', async () => {
    const payload = obj(
      { plain: 1, text: { type: 'JavaScript', value: '"a" + "b"' }, lit: { type: 'Literal', value: 'x' } },
      'ObjectDictionary',
    );
    const run = await test.run(act('Elsa.RunTask', 'T', { taskName: lit('x'), payload }));
    expect(run.record('T').activityState?.Payload).toEqual({ plain: 1, text: 'ab', lit: 'x' });
  });
});

describe('Variable and Input expressions', () => {
  const v = variable('V', 'Object', undefined, { id: 'v-id' });
  const members = {
    variables: [{ ...v, value: 'value' }],
    inputs: [inputDef('In')],
    request: { input: { In: { a: 1 } } },
  };
  it.each<[string, unknown, unknown]>([
    ['a variable', fromVar(v), 'value'],
    ['a variable as text', wrapped('Variable', JSON.stringify(v)), 'value'],
    ['a variable by id alone', wrapped('Variable', { id: 'v-id' }), 'value'],
    ['a variable whose name changed', wrapped('Variable', { id: 'v-id', name: 'Old' }), 'value'],
    ['an unknown variable: null', wrapped('Variable', { id: 'nope', name: 'V' }), null],
    ['nothing: null', wrapped('Variable', null), null],
    ['an input', fromInput('In'), { a: 1 }],
    ['an input as text', wrapped('Input', '{"name":"In","type":"Object"}'), { a: 1 }],
    ['an unknown input: null', fromInput('Nope'), null],
  ])('%s', async (_, value, expected) => expect(await evaluated(value, members)).toEqual(expected));
});

describe('JavaScript', () => {
  it.each<[string, unknown]>([
    ['1 + 1', 2],
    ['return 1 + 1;', 2],
    ['const x = 2; x * 3', 6],
    ['let s = ""; for (const c of "ab") s += c; s', 'ab'],
    ['if (true) { "yes" } else { "no" }', 'yes'],
    ['(() => 5)()', 5],
    ['({ a: 1 })', { a: 1 }],
    ['[1, [2], { a: null }]', [1, [2], { a: null }]],
    ['undefined', null],
    ['null', null],
    ['', null],
    ['Promise.resolve(7)', 7],
    ['return await Promise.resolve(8)', 8],
    ['isNullOrWhiteSpace("  ") && !isNullOrEmpty(" ")', true],
    ['isNullOrEmpty(null) && isNullOrWhiteSpace(undefined)', true],
    ['toJson({ a: [1, "x"] })', '{"a":[1,"x"]}'],
    ['bytesToString(bytesFromString("é"))', 'é'],
    ['stringToBase64("abc")', 'YWJj'],
    ['stringFromBase64("YWJj")', 'abc'],
    ['bytesToBase64(bytesFromBase64("YWJj"))', 'YWJj'],
    ['newGuidString().length', 36],
    ['newGuidString() !== newGuidString()', true],
    ['typeof newShortGuid()', 'string'],
    ['getGuidString().length', 36],
    ['String(parseGuid("3F2504E0-4F89-11D3-9A0C-0305E82C3301"))', '3f2504e0-4f89-11d3-9a0c-0305e82c3301'],
    ['typeof console + typeof fetch + typeof setTimeout + typeof require', 'undefined'.repeat(4)],
    ['getWorkflowDefinitionVersion()', 1],
    ['({ wait: TimeSpan.FromMinutes(5), id: Guid.Empty.ToString("N").length })', { wait: '00:05:00', id: 32 }],
    ['DateTime.Parse("2026-01-31").AddMonths(1).ToString("yyyy-MM-dd")', '2026-02-28'],
    ['DateTime.UtcNow.getTime() === Date.now()', true],
    ['getVariable("Nope")', null],
    ['getInput("Nope")', null],
    ['getLastResult()', null],
  ])('%s', async (source, expected) => expect(await evaluated(js(source))).toEqual(expected));

  it('knows its workflow', async () => {
    const run = await test.run(
      setOutput(
        'O',
        'Facts',
        js('[getWorkflowDefinitionId(), getWorkflowDefinitionVersionId(), getWorkflowInstanceId()]'),
      ),
    );
    expect(run.output.Facts).toEqual([run.stored.definitionId, run.stored.definitionVersionId, run.id]);
  });

  it('sets correlation id and name', async () => {
    const run = await test.run(
      seq('S', [
        runJs('J', 'setCorrelationId("c"); setWorkflowInstanceName("n")'),
        W('w', js('getCorrelationId() + getWorkflowInstanceName()')),
      ]),
    );
    expect([run.lines, run.stored.correlationId, run.stored.name]).toEqual([['cn'], 'c', 'n']);
  });

  it('changes inside of a variable are copied back', async () => {
    const v = variable('Order', 'JsonObject', { lines: [1] });
    const root = seq('S', [
      runJs('J', 'variables.Order.lines.push(2); variables.Order.total = 3;'),
      W('w', js('JSON.stringify(getOrder())')),
    ]);
    expect(await test.lines(root, { variables: [v] })).toEqual(['{"lines":[1,2],"total":3}']);
  });

  it('a getter gives a copy', async () => {
    const v = variable('Order', 'JsonObject', { lines: [1] });
    const root = seq('S', [runJs('J', 'getOrder().lines.push(2)'), W('w', js('JSON.stringify(getOrder())'))]);
    expect(await test.lines(root, { variables: [v] })).toEqual(['{"lines":[1]}']);
  });

  it('reads inputs by function and name, in any case of the request', async () => {
    const members = { inputs: [inputDef('CustomerId', 'String')], request: { input: { customerId: 'c1' } } };
    expect(await test.lines(W('w', js('getCustomerId() + getInput("CustomerId")')), members)).toEqual(['c1c1']);
  });

  it('an error faults the activity and names the input', async () => {
    const run = await test.run(W('w', js('throw new Error("scripted")')));
    expect([run.status, run.incidents[0], run.record('w').status]).toEqual([
      'Faulted',
      expect.stringMatching(/Text.*|scripted/s),
      'Faulted',
    ]);
    expect(JSON.stringify(run.state.incidents)).toContain('scripted');
  });
});

describe('an expression of a type that is not registered', () => {
  const model = () => workflow(uniqueId(), W('w', wrapped('Klingon', 'nuqneH')));

  it('is not published, and the problem names the type', async () => {
    const { succeeded, problems } = await test.app.publish(model());
    expect(succeeded).toBe(false);
    expect(problems).toEqual([
      expect.objectContaining({
        activityId: 'w',
        message: expect.stringContaining("an expression of type 'Klingon', which this server does not have"),
      }),
    ]);
  });

  it('survives being read and written', () => {
    const { root } = readDefinitionModel(model(), test.app.context);
    expect(root).toMatchObject({ text: { expression: { type: 'Klingon', value: 'nuqneH' } } });
  });
});

describe('RunJavaScript', () => {
  it.each<[string, string, string[]]>([
    ['no outcome', '1', ['Done']],
    ['one', 'setOutcome("A")', ['A']],
    ['several', 'setOutcomes(["A", "B"])', ['A', 'B']],
    ['the last call wins', 'setOutcomes(["A", "B"]); setOutcome("C")', ['C']],
  ])('outcomes: %s', async (_, script, expected) => {
    const run = await test.run(runJs('J', script));
    expect([run.status, run.outcomes('J')]).toEqual(['Finished', [expected]]);
  });

  it('null and undefined leave the result as it was', async () => {
    const v = variable('R', 'Object');
    const js1 = (id: string, script: string) => runJs(id, script, { result: out(v) });
    const root = seq('S', [
      js1('1', '"first"'),
      js1('2', 'null'),
      js1('3', 'undefined'),
      js1('4', ' '),
      W('w', js('getR()')),
    ]);
    expect(await test.lines(root, { variables: [v] })).toEqual(['first']);
  });

  it('a script in a JavaScript expression is evaluated first, and its result is run', async () => {
    const run = await test.run({ ...runJs('J', ''), script: js('"return 1 + 2"', 'String') });
    expect(run.record('J').outputs).toEqual({ Result: 3 });
  });
});

describe('Liquid', () => {
  const variables = [variable('Order', 'JsonObject', { total: 5, lines: ['a', 'b'] }), variable('Text', 'String', 'x')];
  const members = {
    variables,
    inputs: [inputDef('Name', 'String')],
    request: { input: { Name: 'Ann' }, correlationId: 'c1' },
  };
  it.each<[string, unknown]>([
    ['Hello {{ Input.Name }}', 'Hello Ann'],
    ['{{ Variables.Order.total | plus: 1 }}', '6'],
    ['{% for l in Variables.Order.lines %}{{ l }};{% endfor %}', 'a;b;'],
    ['{{ CorrelationId }} {{ WorkflowDefinitionVersion }}', 'c1 1'],
    ['{{ Variables.Text | upcase }}', 'X'],
    ['{{ Variables.Text | base64 }}', 'eA=='],
    ['{{ Variables.Order.total | format_number: "N2" }}', '5.00'],
    ['{{ "2026-01-31" | format_date: "d MMMM yyyy" }}', '31 January 2026'],
    ['{{ Variables.Order | keys | join: "," }}', 'total,lines'],
    ['{{ Variables.Order.lines | json }}', '["a","b"]'],
    ['{{ Variables.Nope }}', ''],
    ['{{ variables.Text }}', ''],
    ['<b>{{ "<i>" }}</b>', '<b><i></b>'],
    ['  ', null],
    ['{% if Variables.Order.total > 3 %}big{% else %}small{% endif %}', 'big'],
  ])('%s', async (template, expected) => expect(await evaluated(liquid(template), members)).toEqual(expected));

  it('a template that cannot be parsed renders its error', async () => {
    const text = await evaluated(liquid('{% nope %}'));
    expect(String(text)).toMatch(/nope/);
  });

  it('sees loop variables and is converted to the type of the input', async () => {
    const body = act('Elsa.If', 'If', {
      condition: liquid('{{ Variables.CurrentValue }}', 'Boolean'),
      then: W('t', 't'),
      else: W('e', 'e'),
    });
    expect(await test.lines(forEach('L', list([true, false]), body))).toEqual(['t', 'e']);
  });
});

it('expressions see the correlation id that was set a step before, and after a suspension', async () => {
  let run = await test.run(seq('S', [correlate('C', 'abc'), event('E', 'go'), W('w', liquid('{{ CorrelationId }}'))]));
  run = await run.event('go');
  expect(run.lines).toEqual(['abc']);
});
