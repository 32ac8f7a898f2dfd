import { describe, expect, it } from '@jest/globals';
import {
  type VariableModel,
  W,
  act,
  event,
  flow,
  forEach,
  fromVar,
  js,
  list,
  liquid,
  lit,
  out,
  parallel,
  runJs,
  seq,
  setVariable,
  variable,
} from '../conformance/lib/build.mjs';
import { useApplication } from '../support/use-application.js';

const test = useApplication();
const AQN = 'Elsa.Workflows.WorkflowInstanceStorageDriver, Elsa.Workflows.Core';

/** What a script sees of a variable with that type and default. */
async function initial(typeName: string, value: unknown, more: object = {}): Promise<unknown> {
  const v = { ...variable('V', typeName), value, ...more };
  const run = await test.run(
    seq('S', [
      W(
        'w',
        js(
          'const v = getV(); return `${v instanceof Date ? "date" : Array.isArray(v) ? "array" : typeof v} ${v instanceof Date ? v.toISOString() : JSON.stringify(v)}`',
        ),
      ),
    ]),
    { variables: [v] },
  );
  expect(run.status).toBe('Finished');
  return run.lines[0];
}

describe('defaults of variables', () => {
  it.each<[string, unknown, string]>([
    ['String', 'text', 'string "text"'],
    ['String', '', 'string ""'],
    ['String', undefined, 'object null'],
    ['String', '42', 'string "42"'],
    ['Int32', '42', 'number 42'],
    ['Int32', 42, 'number 42'],
    ['Int64', '9007199254740991', 'number 9007199254740991'],
    ['Long', '5', 'number 5'],
    ['Double', '1.5', 'number 1.5'],
    ['Double', 1.5, 'number 1.5'],
    ['Decimal', '12.50', 'number 12.5'],
    ['Boolean', 'true', 'boolean true'],
    ['Boolean', 'False', 'boolean false'],
    ['Boolean', true, 'boolean true'],
    ['DateTime', '2026-08-01T09:00:00Z', 'date "2026-08-01T09:00:00.000Z"'],
    ['DateTimeOffset', '2026-08-01T09:00:00+02:00', 'date "2026-08-01T07:00:00.000Z"'],
    ['Object', '{"a":1}', 'string "{\\"a\\":1}"'],
    ['JsonObject', '{"a":1}', 'object {"a":1}'],
    ['JSON', '{"a":{"b":[1,2]}}', 'object {"a":{"b":[1,2]}}'],
    ['JsonArray', '[1,"x"]', 'array [1,"x"]'],
    ['ObjectDictionary', '{"a":1}', 'object {"a":1}'],
    ['StringDictionary', '{"a":"b"}', 'object {"a":"b"}'],
    ['String[]', '["a","b"]', 'array ["a","b"]'],
    ['List<Int32>', '[1,2]', 'array [1,2]'],
    ['int32', '7', 'number 7'],
  ])('%s %j', async (typeName, value, expected) => {
    const seen = await initial(typeName, value);
    expect(String(seen).replace(/^date .*$/, (text) => text.replace(/^date (\S+)$/, 'date "$1"'))).toBe(expected);
  });

  it('isArray makes a list of the type', async () => {
    expect(await initial('Int32', '["1","2"]', { isArray: true })).toBe('array [1,2]');
    expect(await initial('String', '["a"]', { isArray: true })).toBe('array ["a"]');
  });

  it('an unknown type: the variable is dropped', async () => {
    const run = await test.run(seq('S', [W('w', js('String(getVariable("V"))'))]), {
      variables: [{ ...variable('V', 'Acme.Nope'), value: 'x' }],
    });
    expect([run.status, run.lines]).toEqual(['Finished', ['null']]);
  });

  it('variables of containers have defaults of every primitive type, else of Object', async () => {
    const variables = [
      { id: 'a', name: 'A', typeName: 'Int32', value: 5 },
      { id: 'b', name: 'B', typeName: 'Boolean', value: true },
      { id: 'c', name: 'C', typeName: 'Acme.Nope', value: 'kept' },
      { id: 'd', name: 'D', typeName: 'String[]', value: '["x"]' },
    ] as unknown as VariableModel[];
    const text = js('[getA() + 1, getB() === true, getC(), getD().length].join("|")');
    expect(await test.lines(seq('S', [W('w', text)], { variables }))).toEqual(['6|true|kept|1']);
  });
});

describe('scopes', () => {
  const show = (id: string) => W(id, js('String(getVariable("V"))'));
  const inner = (value: string) => ({ ...variable('V', 'String', value), id: `${value}-id` });

  it('an inner variable hides an outer one, and is gone with its container', async () => {
    const root = seq('S', [
      show('1'),
      seq('I', [show('2'), runJs('J', 'setV("changed")'), show('3')], { variables: [inner('in')] }),
      show('4'),
    ]);
    expect(await test.lines(root, { variables: [inner('out')] })).toEqual(['out', 'in', 'changed', 'out']);
  });

  it('a variable is found by id through one that hides its name', async () => {
    const outer = inner('out');
    const root = seq('S', [
      seq('I', [setVariable('Set', outer, 'set'), W('1', fromVar(outer)), show('2')], { variables: [inner('in')] }),
      show('3'),
    ]);
    expect(await test.lines(root, { variables: [outer] })).toEqual(['set', 'in', 'set']);
  });

  it('a container gives every execution fresh variables', async () => {
    const body = seq('B', [runJs('J', 'setV(getV() + "x")'), show('w')], { variables: [inner('')] });
    expect(await test.lines(forEach('L', list([1, 2]), body))).toEqual(['x', 'x']);
  });

  it('a script declares a variable that is not there in the nearest container', async () => {
    const root = seq('S', [seq('I', [runJs('J', 'setVariable("V", "new")'), show('1')]), show('2')]);
    expect(await test.lines(root)).toEqual(['new', 'null']);
  });

  it('variables given with the request hide declared ones by name', async () => {
    const root = seq('S', [show('1'), W('2', fromVar(inner('out')))]);
    expect(await test.lines(root, { variables: [inner('out')], request: { variables: { V: 'given' } } })).toEqual([
      'given',
      'out',
    ]);
  });

  it('variables without ids, as old files have them, are found by name', async () => {
    const set = act('Elsa.SetVariable', 'Set', { variable: { name: 'V' }, value: lit('set') });
    const variables = [{ name: 'V', typeName: 'String', value: 'default' }];
    expect(await test.lines(seq('S', [set, show('w')]), { variables })).toEqual(['set']);
  });

  it('two variables with one id are two variables', async () => {
    const variables = ['A', 'B'].map((name) => ({ id: 'same', name, typeName: 'String', value: name }));
    expect(await test.lines(W('w', js('getA() + getB()')), { variables })).toEqual(['AB']);
  });

  it('names are case-sensitive', async () => {
    const variables = [variable('total', 'String', 'small'), { ...variable('Total', 'String', 'big'), id: 'big-id' }];
    expect(await test.lines(W('w', js('variables.total + variables.Total')), { variables })).toEqual(['smallbig']);
  });
});

describe('storage', () => {
  const kept = async (storage: string | null | undefined, more: object = {}) => {
    const v = { ...variable('V', 'String', 'default'), storageDriverTypeName: storage, ...more };
    const run = await test.run(
      seq('S', [setVariable('Set', v as VariableModel, 'set'), event('E', 'go'), W('w', js('getV()'))]),
      { variables: [v] },
    );
    expect(run.status).toBe('Suspended');
    return (await run.event('go')).lines[0];
  };

  it.each<[string | null | undefined, string]>([
    ['WorkflowInstanceStorageDriver', 'set'],
    [AQN, 'set'],
    ['Elsa.Workflows.Services.WorkflowStorageDriver, Elsa.Workflows.Core', 'set'],
    ['Elsa.Workflows.Core.Services.WorkflowStorageDriver, Elsa.Workflows.Core', 'set'],
    ['WorkflowStorageDriver', 'set'],
    ['MemoryStorageDriver', 'default'],
    ['Elsa.Workflows.MemoryStorageDriver, Elsa.Workflows.Core', 'default'],
    ['Acme.NopeDriver', 'default'],
    [null, 'default'],
    [undefined, 'default'],
  ])('%s', async (storage, expected) => expect(await kept(storage)).toBe(expected));

  it('`storageDriverType`, as in old files, is read as well', async () => {
    expect(await kept(undefined, { storageDriverType: AQN })).toBe('set');
  });

  it.each<[string, string]>([
    ['a date', 'new Date("2026-08-01T09:00:00Z")'],
    ['an object', '({ a: [1, { b: null }], c: "x" })'],
    ['text', '"text"'],
    ['a list', '[1, 2, [3]]'],
    ['a boolean', 'false'],
    ['zero', '0'],
    ['empty text', '""'],
  ])('%s is the same after a suspension', async (_, source) => {
    const v = variable('V', 'Object');
    const show = (id: string) => W(id, js('`${typeof getV()} ${JSON.stringify(getV())}`'));
    const run = await test.run(seq('S', [setVariable('Set', v, js(source)), show('1'), event('E', 'go'), show('2')]), {
      variables: [v],
    });
    const [before, after] = (await run.event('go')).lines;
    expect(after).toBe(before);
  });

  it('the state shows variables under their ids, with the execution that owns them', async () => {
    const outer = variable('A', 'Int32', 1, { id: 'a' });
    const inner = variable('B', 'Int32', 2, { id: 'b' });
    const run = await test.run(seq('S', [seq('I', [event('E', 'go')], { variables: [inner] })]), {
      variables: [outer],
    });
    const values = Object.fromEntries(
      run.state.activityExecutionContexts.map((c) => [c.scheduledActivityNodeId, c.properties.Variables]),
    );
    expect([values.Workflow1, values['Workflow1:S:I']]).toEqual([{ a: 1 }, { b: 2 }]);
    expect(values).toHaveProperty('Workflow1:S', undefined);
  });

  it('the state shows none where none are declared, and no values where they are null', async () => {
    const root = async (variables: object[]) =>
      (await test.run(event('E', 'go'), { variables })).state.activityExecutionContexts.at(-1)!.properties;
    expect(await root([])).toEqual({});
    expect(await root([variable('A')])).toEqual({ Variables: {} });
  });

  it('parallel branches keep theirs apart', async () => {
    const branch = (name: string) => {
      const v = { ...variable('V', 'String'), id: `${name}-id` };
      return seq(name, [setVariable(`${name}s`, v, name), event(`${name}e`, name), W(`${name}w`, js('getV()'))], {
        variables: [v],
      });
    };
    let run = await test.run(parallel('P', [branch('a'), branch('b')]));
    run = await run.event('b');
    run = await run.event('a');
    expect(run.lines).toEqual(['b', 'a']);
  });
});

describe('conversion into variables', () => {
  it.each<[string, string, string]>([
    ['Int32', '"42"', '42'],
    ['Int32', '2.5', '2'],
    ['Int32', '3.5', '4'],
    ['Int32', 'true', '1'],
    ['Int32', '"nonsense"', '0'],
    ['Double', '"1.5"', '1.5'],
    ['String', '42', '"42"'],
    ['String', '1.5', '"1.5"'],
    ['String', 'true', '"True"'],
    ['String', '({ a: 1 })', '"{\\"a\\":1}"'],
    ['String', 'null', 'null'],
    ['Boolean', '"true"', 'true'],
    ['Boolean', '1', 'true'],
    ['Boolean', '0', 'false'],
    ['Object', '"{\\"a\\":1}"', '"{\\"a\\":1}"'],
    ['JsonObject', '"{\\"a\\":1}"', '{"a":1}'],
    ['ObjectDictionary', '"{\\"a\\":1}"', '{"a":1}'],
    ['String[]', '["a", 1]', '["a","1"]'],
    ['String[]', '"one,two"', '["one,two"]'],
    ['Int32[]', '["1", 2]', '[1,2]'],
    ['TimeSpan', '"00:05:00"', '"00:05:00"'],
    ['TimeSpan', '"nonsense"', '"00:00:00"'],
    ['Guid', '"3F2504E0-4F89-11D3-9A0C-0305E82C3301"', '"3f2504e0-4f89-11d3-9a0c-0305e82c3301"'],
  ])('%s from %s', async (typeName, source, expected) => {
    const v = variable('V', typeName);
    const lines = await test.lines(
      seq('S', [setVariable('Set', v, js(source)), W('w', js('JSON.stringify(getV())'))]),
      { variables: [v] },
    );
    expect(lines).toEqual([expected]);
  });
});

describe('outputs of activities', () => {
  it('outputs of activities are bound by the id of a variable, else by the name of a workflow output', async () => {
    const v = variable('V', 'Int32', undefined, { id: 'some-id' });
    const run = await test.run(
      flow(
        'F',
        [
          runJs('J', '41 + 1', { result: out(v) }),
          runJs('K', '"o"', { result: out('Out') }),
          W('w', js('getV() + 1 + ""')),
        ],
        ['J->K', 'K->w'],
      ),
      { variables: [v], outputs: [{ name: 'Out', type: 'String' }] },
    );
    expect([run.lines, run.output]).toEqual([['43'], { Out: 'o' }]);
  });

  it('outputs of activities with a missing binding are still available to expressions', async () => {
    const root = seq('S', [
      runJs('J', '42', { result: out('nowhere'), name: 'Named' }),
      W('w', js('[getOutputFrom("J"), getOutputFrom("Named"), getResultFromNamed(), getLastResult()].join()')),
    ]);
    expect(await test.lines(root)).toEqual(['42,42,42,42']);
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['with a null memory reference', { typeName: 'Object', memoryReference: null }],
  ])('%s are unbound', async (_, result) => {
    expect(await test.lines(seq('S', [{ ...runJs('J', '1'), result }, W('w', 'w')]))).toEqual(['w']);
  });

  it('outputs of activities without a memory reference are refused', async () => {
    const root = { ...runJs('J', '1'), result: { typeName: 'Object' } };
    await expect(test.run(root)).rejects.toMatchObject({ message: expect.stringContaining('memoryReference') });
  });

  it('reading an output of an unknown activity is an error', async () => {
    const run = await test.run(W('w', js('getOutputFrom("Nope")')));
    expect([run.status, run.incidents[0]]).toEqual(['Faulted', expect.stringContaining('Activity not found.')]);
  });

  it('SetOutput sets any name', async () => {
    const set = (id: string, name: string, value: unknown) =>
      act('Elsa.SetOutput', id, { outputName: lit(name), outputValue: value });
    const run = await test.run(
      seq('S', [
        set('1', 'Undeclared', js('({ a: 1 })')),
        set('2', 'Text', liquid('{{ 1 | plus: 1 }}')),
        set('3', 'Twice', lit(1)),
        set('4', 'Twice', lit(2)),
      ]),
    );
    expect(run.output).toEqual({ Undeclared: { a: 1 }, Text: '2', Twice: 2 });
  });
});
