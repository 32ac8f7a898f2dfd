// Sequences, If, Switch, While, For, ForEach, ParallelForEach, Parallel, Fork, Break, Complete, End, Finish.
import {
  W,
  breakOut,
  delay,
  event,
  fault,
  forEach,
  forLoop,
  fork,
  iff,
  js,
  list,
  lit,
  out,
  parallelForEach,
  runJs,
  seq,
  setOutput,
  setVariable,
  variable,
  whileLoop,
  workflow,
} from '../lib/build.mjs';

const wf = (t, root, o) => workflow(t.id(), root, o);
/** A case that runs to the end and compares lines. */
const simple = (name, build, lines, o = {}) => ({
  name,
  requires: ['javascript'],
  ...o,
  async run(t) {
    const b = build(t);
    const [root, opts] = Array.isArray(b) ? b : [b, {}];
    await t.runAndExpect(wf(t, root, opts), lines);
  },
});
const current = (id = 'Item') => W(id, js('getCurrentValue()', 'String'));

export default {
  group: 'control-flow',
  description: 'branching, looping and terminating activities',
  cases: [
    simple(
      'Break stops a sequence',
      () => seq('Seq', [W('1', 'Before Break'), breakOut(), W('2', 'After Break (should not execute)')]),
      ['Before Break'],
      { source: 'SequenceTests', requires: [] },
    ),
    simple(
      'conditional Break stops a sequence',
      () => {
        const c = variable('Counter', 'Int32', 0);
        return [
          seq('Seq', [
            W('1', 'Iteration 1'),
            setVariable('S1', c, 1),
            W('2', 'Iteration 2'),
            setVariable('S2', c, 2),
            iff('If', js('getCounter() >= 2'), breakOut()),
            W('3', 'Iteration 3 (should not execute)'),
          ]),
          { variables: [c] },
        ];
      },
      ['Iteration 1', 'Iteration 2'],
      { source: 'SequenceTests' },
    ),
    simple(
      'Break in a nested sequence stops the outer one too',
      () =>
        seq('Seq', [
          W('1', 'Outer: Start'),
          seq('Inner', [W('2', 'Inner: Activity 1'), breakOut(), W('3', 'Inner: Activity 2 (should not execute)')]),
          W('4', 'Outer: After inner sequence'),
          W('5', 'Outer: End'),
        ]),
      ['Outer: Start', 'Inner: Activity 1'],
      { source: 'SequenceTests', requires: [] },
    ),
    simple(
      'variables of a sequence',
      () => {
        const c = variable('Counter', 'Int32', 0),
          n = variable('Name', 'String', 'Initial');
        const w = (id) => W(id, js('`Counter: ${getCounter()}, Name: ${getName()}`', 'String'));
        return seq('Seq', [w('1'), setVariable('S1', c, 10), setVariable('S2', n, 'Updated'), w('2')], {
          variables: [c, n],
        });
      },
      ['Counter: 0, Name: Initial', 'Counter: 10, Name: Updated'],
      { source: 'SequenceTests, ContainerTests' },
    ),
    simple(
      'If whose branch blocks waits for it',
      () =>
        seq('Seq', [
          iff('If', lit(true), seq('S', [W('T', 'then'), delay('D', '00:00:00.300'), W('T2', 'then 2')])),
          W('A', 'after'),
        ]),
      ['then', 'then 2', 'after'],
      { source: 'IfTests', requires: [] },
    ),
    {
      name: 'If gives its condition as result',
      async run(t) {
        const r = await t.run(wf(t, seq('Seq', [iff('If', lit(true)), W('A', 'after')])));
        const rec = await t.recordEventually(r.instanceId, 'If');
        t.eq(rec.status, 'Completed', 'status');
        t.eq(rec.outputs?.Result ?? rec.outputs?.result, true, 'Result');
      },
    },
    simple(
      'While',
      () => {
        const c = variable('Counter', 'Int32', 0);
        return [
          seq('Seq', [
            whileLoop(
              'While',
              js('getCounter() < 3'),
              seq('Body', [
                setVariable('S', c, js('getCounter() + 1')),
                W('W', js('"Line " + getCounter()', 'String')),
              ]),
            ),
            W('E', 'End'),
          ]),
          { variables: [c] },
        ];
      },
      ['Line 1', 'Line 2', 'Line 3', 'End'],
      { source: 'While' },
    ),
    simple(
      'Break leaves While',
      () => {
        const c = variable('Value', 'Int32', 0);
        return [
          seq('Seq', [
            W('S', 'Start'),
            whileLoop(
              'While',
              lit(true),
              seq('Body', [
                setVariable('Inc', c, js('getValue() + 1')),
                iff('If', js('getValue() == 3'), breakOut()),
                W('W', js('"" + getValue()', 'String')),
              ]),
            ),
            W('E', 'End'),
          ]),
          { variables: [c] },
        ];
      },
      ['Start', '1', '2', 'End'],
      { source: 'BreakTests' },
    ),
    ...[
      [0, 3, 1, undefined, ['0', '1', '2', '3']],
      [0, 3, 1, false, ['0', '1', '2']],
      [0, 6, 2, true, ['0', '2', '4', '6']],
      [3, 0, -1, true, ['3', '2', '1', '0']],
      [3, 0, -1, false, ['3', '2', '1']],
      [1, 1, 1, true, ['1']],
      [1, 1, 1, false, []],
      [5, 1, 1, true, []],
    ].map(([s, e, st, inc, l]) =>
      simple(
        `For ${s}..${e} step ${st}${inc === undefined ? '' : inc ? ' inclusive' : ' exclusive'}`,
        () =>
          seq('Seq', [
            forLoop(
              'For',
              { start: s, end: e, step: st, inclusive: inc },
              W('W', js('"" + getCurrentValue()', 'String')),
            ),
            W('E', 'End'),
          ]),
        [...l, 'End'],
        { source: 'For' },
      ),
    ),
    simple(
      'Break leaves For',
      () => {
        const v = variable('Value', 'Int32');
        return [
          seq('Seq', [
            W('S', 'Start'),
            forLoop(
              'For',
              { start: 0, end: 3, step: 1, currentValue: out(v) },
              seq('Body', [iff('If', js('getValue() == 2'), breakOut()), W('W', js('"" + getValue()', 'String'))]),
            ),
            W('E', 'End'),
          ]),
          { variables: [v] },
        ];
      },
      ['Start', '0', '1', 'End'],
      { source: 'BreakTests' },
    ),
    simple(
      'ForEach gives the index',
      () => forEach('Each', list(['a', 'b', 'c']), W('W', js('`${getCurrentIndex()}${getCurrentValue()}`', 'String'))),
      ['0a', '1b', '2c'],
      { source: 'ForEach' },
    ),
    simple(
      'ForEach over a variable',
      () => {
        const v = variable('Items', 'Object');
        return [
          seq('Seq', [runJs('Js', 'setItems(["x","y"])'), forEach('Each', js('getItems()'), current())]),
          { variables: [v] },
        ];
      },
      ['x', 'y'],
      { source: 'ForEachTests' },
    ),
    simple(
      'ParallelForEach over nothing and over null',
      () =>
        seq('Seq', [
          parallelForEach('E1', list([]), current('W1')),
          parallelForEach('E2', js('null'), current('W2')),
          W('E', 'End'),
        ]),
      ['End'],
      { source: 'ParallelForEachTests' },
    ),
    simple(
      'Fork: all branches',
      () => seq('Seq', [fork('Fork', [W('1', 'Branch 1'), W('2', 'Branch 2'), W('3', 'Branch 3')]), W('E', 'End')]),
      ['Branch 1', 'Branch 2', 'Branch 3', 'End'],
      { source: 'ForkTests', requires: [] },
    ),
    {
      name: 'Fork of three waits for any: the second',
      async run(t) {
        const branch = (n) => seq(`S${n}`, [event(`Event${n}`, t.id(`e${n}`)), W(`B${n}`, `Branch ${n}`)]);
        const r = await t.run(
          wf(t, seq('Seq', [W('S', 'Start'), fork('Fork', [1, 2, 3].map(branch), 'WaitAny'), W('E', 'End')])),
        );
        t.eq(r.state.bookmarks.length, 3, 'bookmarks');
        await t.trigger(t.id('e2'), { workflowInstanceId: r.instanceId });
        await t.finished(r.instanceId);
        await t.expectLines(r.instanceId, ['Start', 'Branch 2', 'End']);
      },
    },
    {
      name: 'Break from a forked branch leaves While and takes the bookmarks away',
      async run(t) {
        const r = await t.run(
          wf(
            t,
            seq('Seq', [
              W('S', 'Start'),
              whileLoop(
                'While',
                lit(true),
                seq('Body', [
                  fork(
                    'Fork',
                    [
                      seq('S1', [
                        W('A1', 'Branch 1'),
                        event('Branch 1', t.id('b1')),
                        W('R1', 'Branch 1 - Resumed'),
                        breakOut(),
                      ]),
                      seq('S2', [W('A2', 'Branch 2'), event('Branch 2', t.id('b2')), W('R2', 'Branch 2 - Resumed')]),
                    ],
                    'WaitAll',
                  ),
                ]),
              ),
              W('E', 'End'),
            ]),
          ),
        );
        await t.trigger(t.id('b1'), { workflowInstanceId: r.instanceId });
        await t.finished(r.instanceId);
        await t.expectLines(r.instanceId, ['Start', 'Branch 1', 'Branch 2', 'Branch 1 - Resumed', 'End']);
        t.eq((await t.state(r.instanceId)).bookmarks ?? [], [], 'bookmarks');
      },
    },
    {
      name: 'several outputs',
      async run(t) {
        const r = await t.run(
          wf(
            t,
            seq('Seq', [
              setOutput('1', 'FirstName', 'John'),
              setOutput('2', 'LastName', 'Doe'),
              setOutput('3', 'Age', 30),
            ]),
          ),
        );
        t.eq(
          { FirstName: r.state.output?.FirstName, LastName: r.state.output?.LastName, Age: r.state.output?.Age },
          { FirstName: 'John', LastName: 'Doe', Age: 30 },
          'output',
        );
      },
    },
    {
      name: 'a fault inside ForEach stops it',
      requires: ['javascript'],
      async run(t) {
        const r = await t.run(
          wf(
            t,
            forEach(
              'Each',
              list(['a', 'b', 'c', 'd']),
              seq('Body', [iff('If', js('getCurrentValue() == "c"'), fault('F', 'Faulted')), current()]),
            ),
            { options: await t.incident('Fault') },
          ),
          {},
          { expect: 500 },
        );
        await t.expectLines(r.instanceId, ['a', 'b']);
        const rec = await t.recordEventually(r.instanceId, 'Each');
        t.eq([rec.status, rec.aggregateFaultCount], ['Running', 1], 'ForEach: status and aggregateFaultCount');
      },
    },
    {
      name: 'ForEach over null faults',
      requires: ['javascript'],
      async run(t) {
        const r = await t.run(
          wf(t, seq('Seq', [forEach('Each', js('null'), current()), W('E', 'never')]), {
            options: await t.incident('Fault'),
          }),
          {},
          { expect: 500 },
        );
        await t.expectLines(r.instanceId, []);
        t.eq((await t.recordEventually(r.instanceId, 'Each')).status, 'Faulted', 'status of ForEach');
      },
    },
  ],
};
