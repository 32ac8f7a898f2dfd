// Flowcharts: what starts, what follows, branches, joins, loops. Modes: see README ("flow mode").
import {
  W,
  chain,
  decision,
  end,
  event,
  flow,
  flowJoin,
  flowSwitch,
  iff,
  js,
  jsx,
  lit,
  seq,
  setVariable,
  start,
  variable,
  workflow,
} from '../lib/build.mjs';
import { IT } from '../lib/fixtures.mjs';

const FC = IT + 'FlowchartCompletion/Workflows/';
const wf = (t, f, o) => workflow(t.id(), f, o);
const simple = (name, build, lines, o = {}) => ({
  name,
  ...o,
  async run(t) {
    await t.runAndExpect(wf(t, build(t), o.definition?.(t)), lines, { subStatus: o.subStatus });
  },
});

const loopVar = () => variable('LoopCount', 'Int32', 0);
const inc = (id, v) => setVariable(id, v, js("getVariable('LoopCount') + 1"));

// Start -> A, B, C; A -> decision; True -> Join; False -> D; B, C -> Join; Join -> E -> F; D -> F
const joinBehaviour = (condition, mode) =>
  flow(
    'Flow',
    [
      start('Start'),
      W('WA', 'A'),
      W('WB', 'B'),
      W('WC', 'C'),
      decision('Dec', condition),
      W('WD', 'D'),
      flowJoin('Join', mode),
      W('WE', 'E'),
      W('WF', 'F'),
    ],
    [
      'Start->WA',
      'Start->WB',
      'Start->WC',
      'WA->Dec',
      'Dec:True->Join',
      'Dec:False->WD',
      'WB->Join',
      'WC->Join',
      'WD->WF',
      'Join->WE',
      'WE->WF',
    ],
  );
const joinLoop = (mode, v) =>
  flow(
    'Flow',
    [
      start('Start'),
      W('WA', 'A'),
      W('WB', 'B'),
      W('WC', 'C'),
      W('WD', 'D'),
      flowJoin('Join', mode),
      inc('Inc', v),
      flowSwitch('Again', [['LessThanThree', jsx("getVariable('LoopCount') < 3")]]),
      end('End'),
    ],
    [
      'Start->WA',
      'WA->WB',
      'WA->WC',
      'WA->WD',
      'WB->Join',
      'WC->Join',
      'WD->Join',
      'Join->Inc',
      'Inc->Again',
      'Again:LessThanThree->WA',
      'Again:Default->End',
    ],
  );

async function runFixture(t, file, options, expect = 200) {
  const m = t.load(file, options ? { options } : {});
  return t.run(m, {}, { expect });
}

export default {
  group: 'flowchart',
  description: 'flowchart execution',
  requires: ['javascript'],
  cases: [
    {
      name: 'completion: workflow4 (conditional delay of 5 s)',
      slow: true,
      timeout: 45000,
      async run(t) {
        const r = await runFixture(t, FC + 'workflow4.json');
        t.expectState(r.state, 'Running', 'Suspended');
        await t.finished(r.instanceId, { timeout: 30000 });
        await t.expectLines(r.instanceId, [
          'WriteLine1',
          'WriteLine2',
          'WriteLine3',
          'WriteLine4',
          'WriteLine6',
          'WriteLine7',
        ]);
      },
    },
    {
      name: 'completion: workflow6 (parallel for each)',
      async run(t) {
        const r = await runFixture(t, FC + 'workflow6.json');
        await t.finished(r.instanceId);
        await t.expectLines(r.instanceId, [
          'Start',
          'Current fruit: Apple',
          'Current fruit: Banana',
          'Current fruit: Cherry',
          'End',
        ]);
      },
    },
    simple(
      'linear',
      () => chain('Flow', [W('1', 'First'), W('2', 'Second'), W('3', 'Third')]),
      ['First', 'Second', 'Third'],
      { source: 'Flowchart*BasedTests' },
    ),
    simple(
      'the Start activity is where it starts',
      () =>
        flow(
          'Flow',
          [W('X', 'Should not execute'), W('M', 'Start activity'), start('S'), W('A', 'After Start')],
          ['S->M', 'M->A'],
        ),
      ['Start activity', 'After Start'],
      { source: 'StartTests' },
    ),
    simple(
      'without a Start activity: the one without inbound connections, not the first listed',
      () => flow('Flow', [W('B', 'second'), W('C', 'third'), W('A', 'first')], ['A->B', 'B->C']),
      ['first', 'second', 'third'],
      { source: 'Flowchart.GetStartActivity' },
    ),
    simple(
      'only the taken outcome is followed',
      () => flow('Flow', [W('A', 'A'), W('B', 'Line 1'), W('C', 'Line 2')], ['A:Done->B', 'A:Fake->C']),
      ['A', 'Line 1'],
      { source: 'FlowchartNextActivityTests' },
    ),
    simple(
      'nested flowcharts',
      () =>
        chain('Outer', [W('O1', 'Outer1'), chain('Inner', [W('I1', 'Inner1'), W('I2', 'Inner2')]), W('O2', 'Outer2')]),
      ['Outer1', 'Inner1', 'Inner2', 'Outer2'],
      { source: 'Flowchart*BasedTests' },
    ),
    simple(
      'If inside a flowchart',
      () => chain('Flow', [iff('If', lit(true), W('T', 'Then branch'), W('E', 'Else branch')), W('A', 'after')]),
      ['Then branch', 'after'],
      { source: 'Flowchart*BasedTests' },
    ),
    simple(
      'End ends the flowchart, and only the flowchart',
      () =>
        seq('Seq', [
          flow(
            'Flow',
            [W('S', 'Start'), W('A', 'Path A executed'), end('E'), W('B', 'Path B executed')],
            ['S->A', 'A->E', 'E->B'],
          ),
          W('After', 'After flowchart'),
        ]),
      ['Start', 'Path A executed', 'After flowchart'],
      { source: 'EndTests' },
    ),
    ...[true, false].map((c) =>
      simple(
        `decision: ${c}`,
        () =>
          flow(
            'Flow',
            [W('S', 'Start'), decision('D', c), W('T', 'TruePath'), W('F', 'FalsePath')],
            ['S->D', 'D:True->T', 'D:False->F'],
          ),
        ['Start', c ? 'TruePath' : 'FalsePath'],
        { source: 'FlowDecisionTests' },
      ),
    ),
    ...[
      [true, true, 'InnerTrue'],
      [true, false, 'InnerFalse'],
      [false, true, 'OuterFalse'],
    ].map(([o, i, l]) =>
      simple(
        `nested decisions: ${o}, ${i}`,
        () =>
          flow(
            'Flow',
            [
              W('S', 'Start'),
              decision('O', o),
              decision('I', js(String(i))),
              W('IT', 'InnerTrue'),
              W('IF', 'InnerFalse'),
              W('OF', 'OuterFalse'),
            ],
            ['S->O', 'O:True->I', 'O:False->OF', 'I:True->IT', 'I:False->IF'],
          ),
        ['Start', l],
        { source: 'FlowDecisionTests' },
      ),
    ),
    ...[true, false].map((c) =>
      simple(
        `decision whose paths converge: ${c}`,
        () =>
          flow(
            'Flow',
            [W('S', 'Start'), decision('D', c), W('T', 'TruePath'), W('F', 'FalsePath'), W('C', 'Converge')],
            ['S->D', 'D:True->T', 'D:False->F', 'T->C', 'F->C'],
          ),
        ['Start', c ? 'TruePath' : 'FalsePath', 'Converge'],
        { source: 'FlowDecisionTests' },
      ),
    ),
    simple(
      'switch, first match',
      () =>
        flow(
          'Flow',
          [
            flowSwitch('Sw', [
              ['A', jsx('false')],
              ['B', jsx('true')],
              ['C', jsx('true')],
            ]),
            W('WA', 'A'),
            W('WB', 'B'),
            W('WC', 'C'),
            W('WD', 'Default'),
          ],
          ['Sw:A->WA', 'Sw:B->WB', 'Sw:C->WC', 'Sw:Default->WD'],
        ),
      ['B'],
      { source: 'FlowSwitch' },
    ),
    simple(
      'diamond',
      () =>
        flow(
          'Flow',
          [
            W('S', 'Start'),
            W('L1', 'Left1'),
            W('L2', 'Left2'),
            W('R1', 'Right1'),
            W('R2', 'Right2'),
            flowJoin('J', 'WaitAll'),
            W('E', 'End'),
          ],
          ['S->L1', 'S->R1', 'L1->L2', 'R1->R2', 'L2->J', 'R2->J', 'J->E'],
        ),
      ['Start', 'Left1', 'Right1', 'Left2', 'Right2', 'End'],
      { source: 'Flowchart*BasedTests' },
    ),
    {
      name: 'an implicit join waits for a blocked branch',
      async run(t) {
        const r = await t.run(
          wf(
            t,
            flow(
              'Flow',
              [W('S', 'Start'), W('1', 'Branch1'), event('E', t.id('e')), W('C', 'Converge')],
              ['S->1', 'S->E', '1->C', 'E->C'],
            ),
          ),
        );
        t.expectState(r.state, 'Running', 'Suspended');
        await t.expectLines(r.instanceId, ['Start', 'Branch1']);
        await t.trigger(t.id('e'), { workflowInstanceId: r.instanceId });
        await t.finished(r.instanceId);
        await t.expectLines(r.instanceId, ['Start', 'Branch1', 'Converge']);
      },
    },
    ...[
      [false, 'WaitAll', 'ABCDF'],
      [false, 'WaitAllActive', 'ABCDEF'],
      [false, 'WaitAny', 'ABCDEF'],
      [true, 'WaitAll', 'ABCEF'],
      [true, 'WaitAllActive', 'ABCEF'],
      [true, 'WaitAny', 'ABCEF'],
    ].map(([c, m, l]) =>
      simple(`join table (counter-based): decision ${c}, ${m}`, () => joinBehaviour(c, m), l.split(''), {
        requires: ['flow:counter'],
      }),
    ),
    ...['WaitAll', 'WaitAllActive', 'WaitAny'].map((m) => ({
      name: `join in a loop (counter-based): ${m}`,
      requires: ['flow:counter'],
      async run(t) {
        const v = loopVar();
        await t.runAndExpect(wf(t, joinLoop(m, v), { variables: [v] }), 'ABCDABCDABCD'.split(''));
      },
    })),
    {
      name: 'implicit loop',
      async run(t) {
        const v = variable('Counter', 'Int32', 0);
        await t.runAndExpect(
          wf(
            t,
            flow(
              'Flow',
              [
                W('S', 'Start'),
                setVariable('Inc', v, js('getCounter() + 1')),
                decision('D', js('getCounter() > 1')),
                W('R', 'Retry'),
                W('E', 'End'),
              ],
              ['S->Inc', 'Inc->D', 'D:False->R', 'D:True->E', 'R->Inc'],
            ),
            { variables: [v] },
          ),
          ['Start', 'Retry', 'End'],
        );
      },
    },
  ],
};
