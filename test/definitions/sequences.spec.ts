import { describe, expect, it } from '@jest/globals';
import {
  type Activity,
  W,
  act,
  breakOut,
  complete,
  end,
  event,
  fault,
  finish,
  flow,
  iff,
  js,
  jsx,
  lit,
  parallel,
  runJs,
  seq,
  setVariable,
  start,
  switchOn,
  variable,
} from '../conformance/lib/build.mjs';
import { useApplication } from '../support/use-application.js';

const test = useApplication();

describe('Sequence', () => {
  it.each<[string, () => Activity, string]>([
    ['without activities completes', () => seq('S', [W('a', 'a'), seq('E', []), W('b', 'b')]), 'ab'],
    ['in a sequence', () => seq('S', [W('a', 'a'), seq('I', [W('b', 'b'), W('c', 'c')]), W('d', 'd')]), 'abcd'],
    [
      'ends after a Break, and so do those around it',
      () => seq('S', [seq('I', [W('a', 'a'), breakOut(), W('x', 'x')]), W('y', 'y')]),
      'a',
    ],
    [
      'ends after an End, and only that one',
      () => seq('S', [seq('I', [W('a', 'a'), end(), W('x', 'x')]), W('b', 'b')]),
      'ab',
    ],
    [
      'ends with Complete, and so does the workflow',
      () => seq('S', [seq('I', [W('a', 'a'), complete('C'), W('x', 'x')]), W('y', 'y')]),
      'a',
    ],
    [
      'ends with Finish, and so does the workflow',
      () => seq('S', [seq('I', [W('a', 'a'), finish(), W('x', 'x')]), W('y', 'y')]),
      'a',
    ],
    [
      'continues after a Break two levels below an If',
      () =>
        seq('S', [W('a', 'a'), iff('If', lit(true), seq('I', [W('b', 'b'), breakOut(), W('x', 'x')])), W('y', 'y')]),
      'ab',
    ],
    ['runs a Start as any other activity', () => seq('S', [start('St'), W('a', 'a')]), 'a'],
    ['runs a flowchart', () => seq('S', [flow('F', [W('a', 'a'), W('b', 'b')], ['a->b']), W('c', 'c')]), 'abc'],
  ])('%s', async (_, root, expected) => {
    expect((await test.lines(root())).join('')).toBe(expected);
  });

  it('starts children one after the other, each after the one before has completed', async () => {
    const run = await test.run(seq('S', [W('a', 'a'), seq('I', [W('b', 'b')]), W('c', 'c')]));
    expect(run.log.map((e) => `${e.activityId} ${e.eventName}`)).toEqual([
      'Workflow1 Started',
      'S Started',
      'a Started',
      'a Completed',
      'I Started',
      'b Started',
      'b Completed',
      'I Completed',
      'c Started',
      'c Completed',
      'S Completed',
      'Workflow1 Completed',
    ]);
  });

  it('continues at its position after a suspension', async () => {
    let run = await test.run(seq('S', [W('a', 'a'), event('E1', 'one'), W('b', 'b'), event('E2', 'two'), W('c', 'c')]));
    expect([run.status, run.lines, run.waitingAt]).toEqual(['Suspended', ['a'], ['E1']]);
    run = await run.event('one');
    expect([run.status, run.lines, run.waitingAt]).toEqual(['Suspended', ['a', 'b'], ['E2']]);
    run = await run.event('two');
    expect([run.status, run.lines, run.waitingAt]).toEqual(['Finished', ['a', 'b', 'c'], []]);
  });
});

describe('Parallel', () => {
  it.each<[string, Activity[], string]>([
    ['without activities completes', [], 'end'],
    ['starts all in order', [W('a', 'a'), W('b', 'b'), W('c', 'c')], 'abcend'],
    ['interleaves branches', [seq('X', [W('a', 'a'), W('b', 'b')]), seq('Y', [W('1', '1'), W('2', '2')])], 'a1b2end'],
  ])('%s', async (_, activities, expected) => {
    expect((await test.lines(seq('S', [parallel('P', activities), W('end', 'end')]))).join('')).toBe(expected);
  });

  it('waits for all', async () => {
    let run = await test.run(
      seq('S', [parallel('P', [event('E1', 'one'), W('a', 'a'), event('E2', 'two')]), W('z', 'z')]),
    );
    expect(run.waitingAt).toEqual(['E1', 'E2']);
    run = await run.event('two');
    expect([run.status, run.lines]).toEqual(['Suspended', ['a']]);
    run = await run.event('one');
    expect([run.status, run.lines]).toEqual(['Finished', ['a', 'z']]);
  });
});

describe('If', () => {
  it.each<[string, Activity, string, boolean]>([
    ['true', iff('If', lit(true), W('t', 'then'), W('e', 'else')), 'then', true],
    ['false', iff('If', lit(false), W('t', 'then'), W('e', 'else')), 'else', false],
    ['no condition', act('Elsa.If', 'If', { then: W('t', 'then'), else: W('e', 'else') }), 'else', false],
    ['null', iff('If', js('null', 'Boolean'), W('t', 'then'), W('e', 'else')), 'else', false],
    ['the text true', iff('If', lit('true', 'Boolean'), W('t', 'then'), W('e', 'else')), 'then', true],
    ['the text False', iff('If', lit('False', 'Boolean'), W('t', 'then'), W('e', 'else')), 'else', false],
    ['text that is not a boolean', iff('If', js("'maybe'", 'Boolean'), W('t', 'then'), W('e', 'else')), 'else', false],
    ['a number other than zero', iff('If', js('2', 'Boolean'), W('t', 'then'), W('e', 'else')), 'then', true],
    ['zero', iff('If', js('0', 'Boolean'), W('t', 'then'), W('e', 'else')), 'else', false],
    ['true without a branch', iff('If', lit(true), undefined, W('e', 'else')), '', true],
    ['false without a branch', iff('If', lit(false), W('t', 'then')), '', false],
  ])('%s', async (_, activity, expected, result) => {
    const run = await test.run(seq('S', [activity, W('z', 'z')]));
    expect([run.status, run.lines.join('')]).toEqual(['Finished', `${expected}z`]);
    expect([run.record('If').outputs, run.outcomes('If')]).toEqual([{ Result: result }, [['Done']]]);
  });
});

describe('Switch', () => {
  const run = (cases: Parameters<typeof switchOn>[1], o?: Parameters<typeof switchOn>[2]) =>
    test.lines(seq('S', [switchOn('Sw', cases, o), W('z', 'z')])).then((lines) => lines.join(''));
  const otherwise = W('d', 'default');

  it.each<[string, Parameters<typeof switchOn>[1], Parameters<typeof switchOn>[2], string]>([
    [
      'the first match',
      [
        ['A', jsx('false'), W('a', 'a')],
        ['B', jsx('true'), W('b', 'b')],
        ['C', jsx('true'), W('c', 'c')],
      ],
      { default: otherwise },
      'b',
    ],
    [
      'all matches',
      [
        ['A', jsx('true'), W('a', 'a')],
        ['B', jsx('false'), W('b', 'b')],
        ['C', jsx('true'), W('c', 'c')],
      ],
      { mode: 'MatchAny', default: otherwise },
      'ac',
    ],
    [
      'all matches, mode by number',
      [
        ['A', jsx('true'), W('a', 'a')],
        ['C', jsx('true'), W('c', 'c')],
      ],
      { mode: 1, default: otherwise },
      'ac',
    ],
    ['no match', [['A', jsx('false'), W('a', 'a')]], { default: otherwise }, 'default'],
    ['no match and no default', [['A', jsx('false'), W('a', 'a')]], {}, ''],
    ['no cases', [], { default: otherwise }, 'default'],
    ['null is not a match', [['A', jsx('null'), W('a', 'a')]], { default: otherwise }, 'default'],
    ['a match without an activity', [['A', jsx('true')]], { default: otherwise }, ''],
    ['a literal condition', [['A', { type: 'Literal', value: true }, W('a', 'a')]], { default: otherwise }, 'a'],
    [
      'a literal condition as text',
      [['A', { type: 'Literal', value: 'true' }, W('a', 'a')]],
      { default: otherwise },
      'a',
    ],
    ['a Liquid condition', [['A', { type: 'Liquid', value: '{{ true }}' }, W('a', 'a')]], { default: otherwise }, 'a'],
  ])('%s', async (_, cases, options, expected) => expect(await run(cases, options)).toBe(`${expected}z`));

  it('evaluates all conditions, also when the first one matches', async () => {
    const seen = variable('Seen', 'String', '');
    const lines = await test.lines(
      seq('S', [
        switchOn('Sw', [
          ['A', jsx('setSeen(getSeen() + "A"); return true;'), W('a', 'a')],
          ['B', jsx('setSeen(getSeen() + "B"); return true;'), W('b', 'b')],
        ]),
        W('z', js('getSeen()')),
      ]),
      { variables: [seen] },
    );
    expect(lines).toEqual(['a', 'AB']);
  });

  it('waits for all branches that it took', async () => {
    let r = await test.run(
      seq('S', [
        switchOn(
          'Sw',
          [
            ['A', jsx('true'), event('E1', 'one')],
            ['B', jsx('true'), event('E2', 'two')],
          ],
          { mode: 'MatchAny' },
        ),
        W('z', 'z'),
      ]),
    );
    r = await r.event('one');
    expect(r.lines).toEqual([]);
    expect((await r.event('two')).lines).toEqual(['z']);
  });
});

describe('Complete, End and Finish', () => {
  it('Complete gives the workflow its outcomes and ends its other branches', async () => {
    const run = await test.run(
      parallel('P', [event('E', 'never'), seq('S', [W('a', 'a'), complete('C', ['X', 'Y']), W('b', 'b')])]),
      { outcomes: ['X', 'Y'] },
    );
    expect([run.status, run.lines, run.waitingAt]).toEqual(['Finished', ['a'], []]);
    expect(run.outcomes('Workflow1')).toEqual([['X', 'Y']]);
    expect([run.record('C').status, run.record('E').status]).toEqual(['Completed', 'Canceled']);
  });

  it.each<[string, unknown, string[]]>([
    ['nothing', undefined, ['Done']],
    ['null', js('null'), ['Done']],
    ['text', lit('Yes', 'Object'), ['Yes']],
    ['text with a comma', lit('A, B', 'Object'), ['A, B']],
    ['text that is JSON', lit('["A"]', 'Object'), ['["A"]']],
    [
      'an Object expression, whose text stays text',
      { typeName: 'Object', expression: { type: 'Object', value: '["A","B"]' } },
      ['["A","B"]'],
    ],
    ['a list', js('["A", "B"]'), ['A', 'B']],
    ['a number', js('5'), ['Done']],
    ['an object', js('({ a: 1 })'), ['Done']],
  ])('Complete with %s', async (_, value, expected) => {
    const run = await test.run(act('Elsa.Complete', 'C', { outcomes: value }));
    expect([run.status, run.outcomes('Workflow1')]).toEqual(['Finished', [expected]]);
  });

  it('End in a flowchart cancels its other branches and ends only that flowchart', async () => {
    const run = await test.run(
      seq('S', [
        flow(
          'F',
          [start('St'), event('E', 'never'), W('a', 'a'), end('End'), W('x', 'x')],
          ['St->E', 'St->a', 'a->End', 'End->x', 'E->x'],
        ),
        W('after', 'after'),
      ]),
    );
    expect([run.status, run.lines, run.record('E').status]).toEqual(['Finished', ['a', 'after'], 'Canceled']);
  });

  it('Finish ends everything, waiting branches too', async () => {
    const run = await test.run(
      parallel('P', [event('E', 'never'), seq('S', [W('a', 'a'), finish('Fi'), W('b', 'b')]), W('c', 'c')]),
    );
    expect([run.status, run.lines, run.waitingAt]).toEqual(['Finished', ['c', 'a'], []]);
  });

  it('Finish ends with incidents, too', async () => {
    const run = await test.run(parallel('P', [fault('F', 'boom'), seq('S', [W('a', 'a'), finish('Fi')])]), {
      options: { incidentStrategyType: 'ContinueWithIncidentsStrategy' },
    });
    expect([run.status, run.lines, run.incidents]).toEqual(['Finished', ['a'], ['boom']]);
  });
});

it('SetVariable converts to the type of the variable and finds it by its id', async () => {
  const n = variable('N', 'Int32', 0, { id: 'the-id' });
  expect(
    await test.lines(
      seq('S', [setVariable('Set', { ...n, name: 'Other' }, '42'), W('w', js('typeof getN() + getN()'))]),
      {
        variables: [n],
      },
    ),
  ).toEqual(['number42']);
});

it('SetVariable of a variable that is not in scope faults', async () => {
  const run = await test.run(
    seq('S', [seq('I', [runJs('J', '1')], { variables: [variable('V')] }), setVariable('Set', variable('V'), 1)]),
  );
  expect([run.status, run.incidents]).toEqual(['Faulted', [expect.stringMatching(/^Variable 'V-id' not found\./)]]);
});
