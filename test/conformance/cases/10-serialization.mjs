// What happens to data on its way through the server: API, stored instance, suspension, output.
import {
  W,
  event,
  inputDef,
  js,
  outputDef,
  runJs,
  seq,
  setOutput,
  setVariable,
  variable,
  workflow,
} from '../lib/build.mjs';

import { noNulls } from '../lib/context.mjs';

const wf = (t, activities, o) => workflow(t.id(), seq('Seq', activities), o);
const data = {
  'plain object': { a: 1, b: 'two', c: true, d: null },
  'keys keep their case': {
    PascalKey: 1,
    camelKey: 2,
    UPPER_CASE: 3,
    'with space': 4,
    'dotted.key': 5,
    'kebab-key': 6,
    ünï: 7,
    1: 'number',
  },
  'keys that mean something to serializers': {
    $id: '#/definitions/x',
    $schema: 'http://json-schema.org/draft-07/schema#',
    nested: { $id: '#inner', type: 'object' },
  },
  arrays: {
    empty: [],
    mixed: [1, 'a', true, null, { x: 1 }],
    nested: [
      [1, 2],
      [3, [4]],
    ],
  },
  'empty things': { o: {}, a: [], s: '', z: 0, f: false },
  numbers: { int: 42, negative: -7, decimal: 0.1, small: 1e-7, big: 9007199254740991, float: 1234567.891 },
  texts: {
    unicode: 'naïve 你好 😀',
    quotes: 'a "b" \'c\' \\d/',
    lines: 'one\r\ntwo\tthree',
    html: '<script>alert("&amp;")</script>',
    json: '{"not":"parsed"}',
  },
  'texts that look like something else': {
    date: '2024-01-02T03:04:05Z',
    guid: '12345678-1234-1234-1234-123456789abc',
    bool: 'true',
    number: '007',
    nothing: 'null',
    span: '00:01:00',
  },
  depth: Array.from({ length: 20 }).reduce((x) => ({ inner: x, list: [x === null] }), null),
};
const echo = (t) =>
  wf(t, [setOutput('Out', 'Echo', js('getInput("Data")'))], {
    inputs: [inputDef('Data', 'Object')],
    outputs: [outputDef('Echo', 'Object')],
  });
const hasType = async (t, alias) => {
  const r = await t.apiJson('GET', '/descriptors/variables');
  if (!(r.items ?? r).some((x) => x.typeName === alias)) t.skip(`server has no variable type ${alias}`);
};

export default {
  group: 'serialization',
  description: 'data through API, storage and suspension',
  requires: ['javascript'],
  cases: [
    ...Object.entries(data).map(([name, value]) => ({
      name: `input to output: ${name}`,
      async run(t) {
        const r = await t.run(echo(t), { input: { Data: value } });
        t.eq(noNulls(r.state.output?.Echo), noNulls(value), 'output');
        t.eq(noNulls((await t.state(r.instanceId)).output?.Echo), noNulls(value), 'output of the stored instance');
      },
    })),
    {
      name: 'a JsonObject variable stays indexable',
      async run(t) {
        await hasType(t, 'JsonObject');
        const v = variable('item', 'JsonObject');
        const r = await t.run(
          wf(
            t,
            [
              setVariable('S1', v, js('({ Foo: { Bar: "Baz" } })')),
              setVariable('S2', v, js('getVariable("item")')),
              W('W', js("getVariable('item')['Foo']['Bar']", 'String')),
            ],
            { variables: [v] },
          ),
        );
        await t.finished(r.instanceId);
        await t.expectLines(r.instanceId, ['Baz']);
      },
    },
    {
      name: 'one object in two places',
      async run(t) {
        const v = variable('Pair', 'Object');
        const r = await t.run(
          wf(
            t,
            [
              runJs('J', 'const s = { n: 1 }; setPair({ a: s, b: s, list: [s, s] });'),
              event('Ev', t.id('go')),
              W('W', js('const p = getPair(); return "" + (p.a.n + p.b.n + p.list[0].n + p.list[1].n);', 'String')),
            ],
            { variables: [v] },
          ),
        );
        await t.trigger(t.id('go'), { workflowInstanceId: r.instanceId });
        await t.finished(r.instanceId);
        await t.expectLines(r.instanceId, ['4']);
      },
    },
  ],
};
