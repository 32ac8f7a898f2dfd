// What records keep, how activities wait, and what is stored of inputs and variables.
import { W, act, delay, event, fork, js, lit, runJs, runTask, seq, variable, workflow } from '../lib/build.mjs';
import { line, wf } from '../lib/lines.mjs';

/** An instance that waits. */
const waits = (t, o) => wf(t, [event('Wait', t.id('go')), W('After', 'after')], o);

const modes = (m, inputs = {}, outputs = {}) => ({ custom: { logPersistenceMode: { default: m, inputs, outputs } } });
const strategy = (name) => ({
  evaluationMode: 'Strategy',
  strategyType: `Elsa.Workflows.LogPersistence.Strategies.${name}, Elsa.Workflows.Core`,
});
const byExpression = { evaluationMode: 'Expression', expression: { type: 'JavaScript', value: '"Exclude"' } };
const config = (c) => ({ custom: { logPersistenceConfig: c } });

export default {
  group: 'records-and-waits',
  description: 'what records keep, waits of each kind, storage of inputs and variables',
  requires: ['javascript'],
  cases: [
    ...[
      ['mode Exclude', modes('Exclude'), undefined, undefined],
      ['mode Exclude, but for an input', modes('Exclude', { script: 'Include' }), 'return 1', undefined],
      ['mode Include, but for an input', modes('Include', { script: 'Exclude' }), undefined, 1],
      ['strategy Exclude', config({ default: strategy('Exclude') }), undefined, undefined],
      ['strategy Exclude for an input', config({ inputs: { script: strategy('Exclude') } }), undefined, 1],
      ['strategy Exclude for an output', config({ outputs: { result: strategy('Exclude') } }), 'return 1', undefined],
      ['an expression', config({ default: byExpression }), undefined, undefined],
      ['the workflow says Exclude', {}, undefined, undefined, { default: strategy('Exclude') }],
      [
        'the workflow says Exclude, the activity Include',
        config({ default: strategy('Include') }),
        'return 1',
        1,
        { default: strategy('Exclude') },
      ],
      [
        'the workflow says Exclude, the activity Inherit',
        config({ default: strategy('Inherit') }),
        undefined,
        undefined,
        { default: strategy('Exclude') },
      ],
    ].map(([name, o, script, result, ofWorkflow]) => ({
      name: `records keep: ${name}`,
      async run(t) {
        const customProperties = ofWorkflow ? { logPersistenceConfig: ofWorkflow } : {};
        const r = await t.run(wf(t, [runJs('J', 'return 1', o)], { customProperties }));
        const record = await t.recordEventually(r.instanceId, 'J', ({ status }) => status === 'Completed');
        t.eq([record.activityState?.Script, record.outputs?.Result], [script, result], 'input and output');
      },
    })),
    {
      name: 'a cancelled instance waits for nothing, and its activities say so',
      beyond: 'Elsa leaves waiting activities Running.',
      async run(t) {
        const r = await t.run(
          wf(t, [fork('K', [seq('A', [event('E', t.id('x'))]), delay('D', '01:00:00'), runTask('R', 'job')])]),
        );
        await t.cancel(r.instanceId);
        await t.awaitStatus(r.instanceId, 'Finished', 'Cancelled');
        t.eq((await t.bookmarks(r.instanceId)).length, 0, 'bookmarks');
        await t.eventually(async () => {
          const records = (await t.records(r.instanceId)).filter(({ activityId }) =>
            ['E', 'D', 'R'].includes(activityId),
          );
          t.eq(
            records.map(({ status }) => status),
            ['Canceled', 'Canceled', 'Canceled'],
            'records',
          );
        });
      },
    },
    {
      name: 'an activity in the background waits under its own bookmark',
      async run(t) {
        await t.deploy(workflow(t.id('child'), seq('S', [W('c', 'child')])));
        const inputs = { workflowDefinitionId: lit(t.id('child')), waitForCompletion: lit(false) };
        const r = await t.run(
          wf(t, [act('Elsa.ExecuteWorkflow', 'X', inputs, { async: true }), line('After', '"after"')]),
        );
        t.eq(
          r.state.bookmarks.map((b) => [b.name, b.autoComplete]),
          [['BackgroundActivity', false]],
          'bookmarks',
        );
        await t.finished(r.instanceId);
        await t.expectLines(r.instanceId, ['after']);
        t.eq(
          (await t.journal(r.instanceId)).filter((e) => e.activityId === 'X').map((e) => e.eventName),
          ['Started', 'Suspended', 'Resumed', 'Completed'],
          'journal',
        );
      },
    },
    {
      name: 'an event for one execution of an activity',
      async run(t) {
        const branch = (id) => seq(`S${id}`, [event(`E${id}`, t.id('x')), W(id, id)]);
        const r = await t.run(wf(t, [fork('K', [branch('A'), branch('B')])]));
        const { activityInstanceId } = (await t.bookmarks(r.instanceId)).find((b) => b.activityId === 'EB');
        await t.trigger(t.id('x'), { activityInstanceId });
        await t.expectLines(r.instanceId, ['B']);
        t.eq(
          (await t.bookmarks(r.instanceId)).map((b) => b.activityId),
          ['EA'],
          'what still waits',
        );
      },
    },
    {
      name: 'names of events are compared exactly',
      async run(t) {
        const r = await t.run(waits(t));
        await t.trigger(t.id('go').toUpperCase(), { workflowInstanceId: r.instanceId });
        await t.never(async () => (await t.instance(r.instanceId)).subStatus !== 'Suspended', { during: 400 });
        await t.trigger(t.id('go'), { workflowInstanceId: r.instanceId });
        await t.finished(r.instanceId);
      },
    },
    {
      name: 'inputs are stored by their drivers',
      async run(t) {
        const of = (name, storage) => ({ type: 'Int32', name, storageDriverType: storage });
        const r = await t.run(
          waits(t, {
            inputs: [of('Kept', 'WorkflowInstanceStorageDriver'), of('None'), of('Memory', 'MemoryStorageDriver')],
          }),
          { input: { Kept: 1, None: 2, Memory: 3, Undeclared: 4 } },
        );
        t.eq((await t.instance(r.instanceId)).workflowState.input, { Kept: 1 }, 'input');
      },
    },
    {
      name: 'variables without a driver show their default, and unknown ids are ignored',
      async run(t) {
        const r = await t.run(
          waits(t, {
            variables: [
              variable('A', 'Int32', 5),
              variable('B', 'String', 'b', { storage: null }),
              variable('C', 'Object'),
            ],
          }),
        );
        const path = `/workflow-instances/${r.instanceId}/variables`;
        const a = (value) => [
          { id: 'A-id', name: 'A', value },
          { id: 'B-id', name: 'B', value: 'b' },
          { id: 'C-id', name: 'C' },
        ];
        t.eq(await t.apiJson('GET', path), { items: a(5), count: 3 }, 'before');
        const body = {
          variables: [
            { id: 'A-id', value: '8' },
            { id: 'nope', value: 1 },
          ],
        };
        t.eq(await t.apiJson('POST', path, { body }), { items: a(8), count: 3 }, 'after');
      },
    },
    {
      name: 'an activity is tested with the test values of variables',
      async run(t) {
        const d = await t.deploy(
          wf(t, [W('L', js('"v" + getA()', 'String')), runJs('J', 'setOutcome("Z"); return getA()')], {
            variables: [variable('A', 'Int32', 5)],
            customProperties: { VariableTestValues: { 'A-id': 9 } },
          }),
        );
        const test = (activityHandle) =>
          t.apiJson('POST', '/tests/activities', {
            body: { workflowDefinitionHandle: { definitionVersionId: d.id }, activityHandle },
          });
        const { nodeId } = d.root.activities[0];
        const first = await test({ activityNodeId: nodeId });
        t.eq([first.status, first.activityState], ['Completed', { Text: 'v9' }], 'by node id');
        const second = await test({ activityId: 'J' });
        t.eq([second.outputs, second.payload], [{ Result: 9 }, { Outcomes: ['Z'] }], 'by id');
      },
    },
  ],
};
