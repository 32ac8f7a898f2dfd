// Forms in which files have definitions: old ones, hand-written ones and those of other serializers.
import { W, forEach, js, obj, runJs, runTask, seq, variable } from '../lib/build.mjs';

const json = { 'Content-Type': 'application/json' };
const importText = (t, text) =>
  t.api('POST', '/workflow-definitions/import', { body: text, headers: json, expect: 'any' });
const literal = (value, typeName = 'String') => ({ typeName, expression: { type: 'Literal', value } });
const write = (text) => ({ type: 'Elsa.WriteLine', text });

async function runs(t, root, o = {}) {
  const { body, ...model } = o;
  return t.runAndExpect({ definitionId: t.id(), name: t.id(), root, ...model }, undefined, { body });
}

/** Runs to the end and writes these lines. */
const writes = (name, root, lines, o) => ({
  name,
  async run(t) {
    const r = await runs(t, root, o);
    await t.expectLines(r.instanceId, lines);
  },
});

const AB = [W('A', 'a'), W('B', 'b')];
const flowchart = (connections) => ({ type: 'Elsa.Flowchart', id: 'Flow', activities: AB, connections });
const current = { source: { activity: 'A', port: 'Done' }, target: { activity: 'B', port: 'In' } };

/** A text that the server refuses, with the member that it names. */
const refused = (name, textOf, member) => ({
  name,
  async run(t) {
    const r = await importText(t, textOf(t.id()));
    t.eq([r.status, r.json?.statusCode, Object.keys(r.json?.errors ?? {})], [400, 400, [member]], 'refusal');
  },
});

export default {
  group: 'imported-forms',
  description: 'spellings of definitions',
  requires: ['javascript'],
  cases: [
    writes('the smallest file', write(literal('Hi')), ['Hi']),
    writes('an input as a plain value', write('Hi'), ['Hi']),
    writes('an input without an expression type', write({ typeName: null, expression: { type: null, value: 'Hi' } }), [
      'Hi',
    ]),
    writes('an input whose type nothing knows', write(literal('Hi', 'Acme.Text, Acme')), ['Hi']),
    writes('a literal that is an object', write(literal({ a: [1] })), ['{"a":[1]}']),
    writes(
      'members in Pascal case',
      { Type: 'Elsa.WriteLine', Text: { TypeName: 'String', Expression: { Type: 'Literal', Value: 'P' } } },
      ['P'],
    ),
    writes('no root', null, []),
    writes('connections in a wrapper', flowchart({ $values: [current] }), ['a', 'b']),
    writes('one connection instead of a list', flowchart(current), ['a', 'b']),
    writes(
      'connections in Pascal case',
      flowchart([{ Source: { Activity: 'A', Port: 'Done' }, Target: { Activity: 'B', Port: 'In' } }]),
      ['a', 'b'],
    ),
    writes(
      'connections without ports',
      flowchart([{ source: { activity: 'A', port: null }, target: { activity: 'B' } }]),
      ['a', 'b'],
    ),
    writes(
      'a connection to an activity that there is not',
      flowchart([{ ...current, target: { activity: 'Z', port: 'In' } }]),
      ['a'],
    ),
    writes('typed collections: items', { type: 'Elsa.Sequence', activities: { _type: 'List<Activity>', items: AB } }, [
      'a',
      'b',
    ]),
    writes(
      'typed collections: values',
      { type: 'Elsa.Sequence', activities: { _type: 'List<Activity>', values: AB } },
      ['a', 'b'],
    ),
    writes(
      'Json is an old name of Object',
      seq('S', [
        forEach(
          'E',
          { typeName: 'X', expression: { type: 'Json', value: '["p","q"]' } },
          W('L', js('getCurrentValue()')),
        ),
      ]),
      ['p', 'q'],
    ),
    writes(
      'an output without a type is not bound',
      seq('S', [
        runJs('J', 'return 5', { result: { memoryReference: { id: 'V-id' } } }),
        W('L', js('"" + getV()', 'String')),
      ]),
      ['null'],
      { variables: [variable('V')] },
    ),
    writes(
      'members that nothing knows',
      { ...seq('S', AB), strategy: { a: 1 }, metadata: null, customProperties: { source: 'File.cs:45' } },
      ['a', 'b'],
      {
        metadata: {},
        toolVersion: '3.0.0.0',
        $schema: 'https://elsaworkflows.io/schemas/workflow-definition/v3.0.0/schema.json',
      },
    ),
    {
      name: 'entries of a dictionary are expressions or plain values',
      async run(t) {
        const payload = obj(
          { a: { type: 'JavaScript', value: '1+1' }, b: 'plain', c: { type: 'Literal', value: 'q' } },
          'ObjectDictionary',
        );
        const r = await t.run({
          definitionId: t.id(),
          name: t.id(),
          root: seq('S', [runTask('R', 'job', { payload })]),
        });
        const record = await t.recordEventually(r.instanceId, 'R');
        t.eq(record.activityState.Payload, { a: 2, b: 'plain', c: 'q' }, 'payload');
      },
    },
    {
      name: 'variables in all spellings',
      async run(t) {
        const d = await t.import({
          definitionId: t.id(),
          name: t.id(),
          variables: [
            { id: 'unknown', name: 'Dropped', typeName: 'Acme.Missing' },
            { name: 'NoId', typeName: 'String', value: 'u' },
            { id: 'array', name: 'Array', typeName: 'String', isArray: true, value: '["x"]' },
            { id: 'number', name: 'Number', typeName: 'Int32', value: 5 },
            { id: 'old', name: 'Old', typeName: 'System.String, System.Private.CoreLib', storageDriverType: 'Ignored' },
            {
              id: 'driver',
              name: 'Driver',
              typeName: 'long',
              storageDriverTypeName: 'Elsa.Workflows.Core.Services.WorkflowInstanceStorageDriver, Elsa.Workflows.Core',
            },
          ],
        });
        const [noId, array, number, old, driver] = d.variables;
        t.eq(
          d.variables.map(({ name }) => name),
          ['NoId', 'Array', 'Number', 'Old', 'Driver'],
          'names',
        );
        t.ok(noId.id, 'an id is made');
        t.eq([array.isArray, array.value, number.value], [true, '["x"]', '5'], 'values');
        t.eq([old.typeName, driver.typeName], ['String', 'Int64'], 'types');
        t.match(driver.storageDriverTypeName, /WorkflowInstanceStorageDriver/, 'driver');
      },
    },
    {
      name: 'names lose blanks, and the old place of usableAsActivity counts',
      async run(t) {
        const d = await t.import({
          definitionId: t.id(),
          name: `  ${t.id()} `,
          description: ' d ',
          usableAsActivity: true,
        });
        t.eq([d.name, d.description, d.options.usableAsActivity], [t.id(), 'd', true], 'definition');
      },
    },
    {
      name: 'a mark of the byte order before the text',
      async run(t) {
        t.track(t.id());
        const r = await importText(t, `\uFEFF{ "definitionId": "${t.id()}", "name": "marked" }`);
        t.eq([r.status, r.json.name], [200, 'marked'], 'answer');
      },
    },
    refused('a comment', (id) => `{ /* c */ "definitionId": "${id}" }`, 'serializerErrors'),
    refused('an activity without a type', (id) => `{ "definitionId": "${id}", "root": { "id": "x" } }`, 'root'),
    refused(
      'an input of a type that there is not',
      (id) => `{ "definitionId": "${id}", "inputs": [{ "name": "A", "type": "Acme.Missing" }] }`,
      'type',
    ),
  ],
};
