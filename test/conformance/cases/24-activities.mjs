// Each activity by itself: inputs, outputs, outcomes, and what it does where there is nothing to do.
import {
  W,
  act,
  breakOut,
  complete,
  correlate,
  decision,
  end,
  event,
  expr,
  fault,
  finish,
  flow,
  flowFork,
  flowJoin,
  flowSwitch,
  forEach,
  forLoop,
  fork,
  iff,
  js,
  jsx,
  list,
  lit,
  out,
  outputDef,
  parallel,
  parallelForEach,
  runJs,
  seq,
  setName,
  setOutput,
  setVariable,
  start,
  switchOn,
  variable,
  whileLoop,
} from '../lib/build.mjs';
import { line, wf, writes } from '../lib/lines.mjs';

export default {
  group: 'activities',
  description: 'activities one by one',
  requires: ['javascript'],
  cases: [
    writes(
      'For counts up, down, by steps, and without its bound',
      () => [
        forLoop('A', { start: 1, end: 3 }, line('LA', '"a" + getCurrentValue()')),
        forLoop('B', { start: 3, end: 1, step: -1 }, line('LB', '"b" + getCurrentValue()')),
        forLoop('C', { start: 0, end: 5, step: 2 }, line('LC', '"c" + getCurrentValue()')),
        forLoop('D', { start: 0, end: 2, inclusive: false }, line('LD', '"d" + getCurrentValue()')),
        forLoop('E', { start: 5, end: 1 }, line('LE', '"e" + getCurrentValue()')),
        W('End', 'end'),
      ],
      ['a1', 'a2', 'a3', 'b3', 'b2', 'b1', 'c0', 'c2', 'c4', 'd0', 'd1', 'end'],
    ),
    writes(
      'loops over nothing',
      () => [
        forEach('A', list([]), W('LA', 'never')),
        parallelForEach('B', list([]), W('LB', 'never')),
        whileLoop('C', lit(false), W('LC', 'never')),
        parallel('D', []),
        fork('E', []),
        seq('F', []),
        flow('G', [], []),
        switchOn('H', []),
        iff('I', lit(false), W('LI', 'never')),
        W('End', 'end'),
      ],
      ['end'],
    ),
    writes(
      'loops without a body',
      () => [
        forEach('A', list([1, 2]), undefined),
        iff('B', lit(true)),
        act('Elsa.FlowNode', 'C', {}),
        W('End', 'end'),
      ],
      ['end'],
    ),
    {
      name: 'For without a body ends',
      beyond: 'the reference hangs',
      run: async (t) =>
        void (await t.runAndExpect(wf(t, [forLoop('A', { start: 0, end: 2 }), W('End', 'end')]), ['end'])),
    },
    writes(
      'Break ends the nearest loop only',
      () => [
        forEach(
          'Outer',
          list([1, 2]),
          seq('S', [
            forEach(
              'Inner',
              list(['a', 'b']),
              seq('T', [line('L', 'getCurrentValue()'), breakOut('Br'), W('N', 'never')]),
            ),
            W('After', 'after'),
          ]),
        ),
        W('End', 'end'),
      ],
      ['a', 'after', 'a', 'after', 'end'],
    ),
    writes(
      'Finish ends everything from inside',
      () => [
        forEach('Each', list([1, 2]), seq('S', [line('L', '"" + getCurrentValue()'), finish('Fin'), W('N', 'never')])),
        W('End', 'never'),
      ],
      ['1'],
    ),
    writes(
      'Switch: first match, all matches, none',
      () => [
        switchOn(
          'A',
          [
            ['x', jsx('false'), W('A1', 'a1')],
            ['y', jsx('true'), W('A2', 'a2')],
            ['z', jsx('true'), W('A3', 'a3')],
          ],
          { default: W('AD', 'ad') },
        ),
        switchOn(
          'B',
          [
            ['x', jsx('true'), W('B1', 'b1')],
            ['y', jsx('true'), W('B2', 'b2')],
          ],
          { mode: 'MatchAny' },
        ),
        switchOn('C', [['x', jsx('false'), W('C1', 'c1')]], { default: W('CD', 'cd') }),
        switchOn('D', [['x', jsx('true')]], { default: W('DD', 'never') }),
        switchOn('E', [['x', expr('Literal', 'true'), W('E1', 'e1')]]),
        W('End', 'end'),
      ],
      ['a2', 'b1', 'b2', 'cd', 'e1', 'end'],
    ),
    writes(
      'FlowSwitch: all matches and none',
      () =>
        flow(
          'F',
          [
            start(),
            flowSwitch(
              'A',
              [
                ['x', jsx('true')],
                ['y', jsx('false')],
                ['z', jsx('true')],
              ],
              'MatchAny',
            ),
            W('X', 'x'),
            W('Y', 'y'),
            W('Z', 'z'),
            flowJoin('J', 'WaitAllActive'),
            flowSwitch('B', [['x', jsx('false')]]),
            W('BX', 'bx'),
            W('BD', 'bd'),
          ],
          ['Start->A', 'A:x->X', 'A:y->Y', 'A:z->Z', 'X->J', 'Y->J', 'Z->J', 'J->B', 'B:x->BX', 'B:Default->BD'],
        ),
      ['x', 'z', 'bd'],
      { requires: ['javascript', 'flow:counter'] },
    ),
    writes(
      'FlowFork goes on all branches',
      () =>
        flow(
          'F',
          [start(), flowFork('A', ['Left', 'Right']), W('L', 'l'), W('R', 'r')],
          ['Start->A', 'A:Left->L', 'A:Right->R'],
        ),
      ['l', 'r'],
    ),
    writes(
      'FlowFork without branches is done',
      () => flow('F', [start(), act('Elsa.FlowFork', 'A', {}), W('L', 'done')], ['Start->A', 'A->L']),
      ['done'],
    ),
    writes(
      'FlowDecision has no Done',
      () =>
        flow('F', [start(), decision('D', true), W('T', 't'), W('X', 'never')], ['Start->D', 'D:True->T', 'D:Done->X']),
      ['t'],
    ),
    writes(
      'a connection without a port follows Done',
      () => {
        const f = flow('F', [W('A', 'a'), W('B', 'b')], ['A->B']);
        f.connections = [{ source: { activity: 'A' }, target: { activity: 'B' } }];
        return f;
      },
      ['a', 'b'],
    ),
    writes(
      'End completes the inner flowchart only',
      () => [flow('F', [W('A', 'a'), end('E'), W('B', 'never')], ['A->E', 'E->B']), W('After', 'after')],
      ['a', 'after'],
    ),
    {
      name: 'Complete: one outcome, many, none',
      async run(t) {
        for (const [value, expected] of [
          [lit('A,B', 'Object'), ['A,B']],
          [js('["A", "B"]'), ['A', 'B']],
          [undefined, ['Done']],
        ]) {
          const r = await t.run(wf(t, [complete('C', value)]));
          await t.finished(r.instanceId);
          const root = await t.recordEventually(r.instanceId, 'Workflow1', (x) => x.status === 'Completed');
          t.eq(root.payload?.Outcomes ?? ['Done'], expected, JSON.stringify(expected));
        }
      },
    },
    {
      name: 'Fault: what the incident tells, and what it falls back to',
      async run(t) {
        const options = await t.incident('Fault');
        const a = await t.run(
          wf(t, [fault('F', 'Broken', { code: 'C7', category: 'Cat', faultType: 'Biz' })], { options }),
          {},
          { expect: 500 },
        );
        const [i] = a.state.incidents;
        t.eq(
          [i.message, i.activityId, i.activityType, i.activityNodeId],
          ['Broken', 'F', 'Elsa.Fault', 'Workflow1:Seq:F'],
          'incident',
        );
        t.eq(
          [
            i.exception.metadata?.Code ?? i.exception.metadata?.code,
            i.exception.metadata?.Category ?? i.exception.metadata?.category,
          ],
          ['C7', 'Cat'],
          'metadata',
        );
        const b = await t.run(
          wf(t, [act('Elsa.Fault', 'F', { message: lit('m', 'String') })], { options }),
          {},
          { expect: 500 },
        );
        const m = b.state.incidents[0].exception.metadata;
        t.eq(
          [m?.Code ?? m?.code, m?.Category ?? m?.category, m?.Type ?? m?.type],
          ['0', 'General', 'System'],
          'fallbacks',
        );
      },
    },
    {
      name: 'SetVariable of a variable that there is not',
      async run(t) {
        const options = await t.incident('Fault');
        const r = await t.run(
          wf(t, [setVariable('S', variable('Ghost', 'String'), 'x')], { options }),
          {},
          { expect: 500 },
        );
        t.includes(r.state.incidents[0].message, "Variable 'Ghost-id' not found.", 'message');
      },
    },
    {
      name: 'SetName and Correlate',
      async run(t) {
        const r = await t.run(wf(t, [setName('N', 'shown'), correlate('C', t.id('c')), event('Ev', t.id('go'), {})]));
        const i = await t.suspended(r.instanceId);
        t.eq([i.name, i.correlationId], ['shown', t.id('c')], 'instance');
        await t.trigger(t.id('go'), { correlationId: 'another' });
        t.eq((await t.instance(r.instanceId)).subStatus, 'Suspended', 'an event of another correlation');
        await t.trigger(t.id('go'), { correlationId: t.id('c') });
        await t.finished(r.instanceId);
      },
    },
    {
      name: 'SetOutput of a name that is not declared',
      async run(t) {
        const r = await t.run(wf(t, [setOutput('O', 'Free', js('({ a: 1 })'))]));
        t.eq(r.state.output, { Free: { a: 1 } }, 'output');
      },
    },
    {
      name: 'an output bound to a workflow output by its name',
      async run(t) {
        const r = await t.run(
          wf(t, [runJs('J', 'return 5', { result: out('Sum') })], { outputs: [outputDef('Sum', 'Int32')] }),
        );
        t.eq(r.state.output, { Sum: 5 }, 'output');
      },
    },
  ],
};
