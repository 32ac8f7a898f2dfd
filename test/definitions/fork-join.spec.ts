import { describe, expect, it } from '@jest/globals';
import {
  type Activity,
  W,
  act,
  breakOut,
  decision,
  event,
  flow,
  flowFork,
  flowJoin,
  flowSwitch,
  fork,
  js,
  jsx,
  lit,
  seq,
  start,
  whileLoop,
} from '../conformance/lib/build.mjs';
import { useApplication } from '../support/use-application.js';

const test = useApplication();
const branch = (n: number) => seq(`S${n}`, [event(`E${n}`, `go${n}`), W(`B${n}`, `${n}`)]);

describe('Fork', () => {
  it.each<[string, string | number | undefined, string]>([
    ['WaitAll', 'WaitAll', '12.'],
    ['no mode: WaitAll', undefined, '12.'],
    ['mode by number', 0, '12.'],
    ['mode in other case', 'waitall', '12.'],
    ['WaitAny', 'WaitAny', '1.'],
    ['WaitAny by number', 1, '1.'],
  ])('%s', async (_, mode, expected) => {
    const activity = fork('F', [W('1', '1'), seq('S', [W('2', '2'), event('E', 'never')])], mode);
    if (mode === undefined) delete activity.joinMode;
    const run = await test.run(seq('Root', [activity, W('z', '.')]));
    const isAny = expected === '1.';
    expect([run.lines.join(''), run.status]).toEqual(isAny ? ['1.', 'Finished'] : ['12', 'Suspended']);
  });

  it.each(['WaitAll', 'WaitAny'])('Fork without branches completes: %s', async (mode) => {
    expect(await test.lines(seq('Root', [fork('F', [], mode), W('z', '.')]))).toEqual(['.']);
  });

  it('WaitAny continues with the first branch that completes, and cancels the others', async () => {
    let run = await test.run(seq('Root', [fork('F', [1, 2, 3].map(branch), 'WaitAny'), W('z', '.')]));
    expect(run.waitingAt).toEqual(['E1', 'E2', 'E3']);
    run = await run.event('go2');
    expect([run.status, run.lines, run.waitingAt]).toEqual(['Finished', ['2', '.'], []]);
    expect([1, 2, 3].map((n) => run.record(`S${n}`).status)).toEqual(['Canceled', 'Completed', 'Canceled']);
  });

  it('WaitAll continues after the last one, in any order', async () => {
    let run = await test.run(seq('Root', [fork('F', [1, 2, 3].map(branch)), W('z', '.')]));
    for (const name of ['go3', 'go1', 'go2']) run = await run.event(name);
    expect([run.status, run.lines]).toEqual(['Finished', ['3', '1', '2', '.']]);
  });

  it('is left by a Break, which ends the loop around it', async () => {
    const root = whileLoop(
      'L',
      lit(true),
      fork('F', [seq('A', [event('E', 'go'), breakOut()]), event('Never', 'never')]),
    );
    let run = await test.run(seq('Root', [root, W('z', '.')]));
    run = await run.event('go');
    expect([run.status, run.lines, run.waitingAt]).toEqual(['Finished', ['.'], []]);
  });
});

/** Start → a, b; `a` waits for the event A, `b` for B; both → join → after. */
const joined = (mode?: string): Activity =>
  flow(
    'F',
    [
      start('St'),
      event('A', 'a'),
      event('B', 'b'),
      mode === undefined ? W('J', 'J') : flowJoin('J', mode),
      W('after', '.'),
    ],
    ['St->A', 'St->B', 'A->J', 'B->J', 'J->after'],
  );

describe.each(['counter', 'token'] as const)('joins that wait for events, %s mode', (flowchartMode) => {
  const app = useApplication({ flowchartMode });

  it.each<[string | undefined, string[], [string, string][]]>([
    ['WaitAny', ['a'], [['Finished', '.']]],
    ['WaitAny', ['b'], [['Finished', '.']]],
    [
      'WaitAll',
      ['a', 'b'],
      [
        ['Suspended', ''],
        ['Finished', '.'],
      ],
    ],
    [
      'WaitAllActive',
      ['b', 'a'],
      [
        ['Suspended', ''],
        ['Finished', '.'],
      ],
    ],
    [
      undefined,
      ['a', 'b'],
      [
        ['Suspended', ''],
        ['Finished', 'J.'],
      ],
    ],
  ])('%s: events %j', async (mode, events, expected) => {
    let run = await app.run(joined(mode));
    for (const [i, name] of events.entries()) {
      run = await run.event(name);
      expect([run.status, run.lines.join('')]).toEqual(expected[i]);
    }
    expect(run.waitingAt).toEqual([]);
  });

  it('a FlowJoin without a mode is WaitAny', async () => {
    const root = flow(
      'F',
      [start('St'), event('A', 'a'), event('B', 'b'), act('Elsa.FlowJoin', 'J'), W('z', '.')],
      ['St->A', 'St->B', 'A->J', 'B->J', 'J->z'],
    );
    const run = await (await app.run(root)).event('b');
    expect([run.status, run.lines, run.record('A').status]).toEqual(['Finished', ['.'], 'Canceled']);
  });

  it('the mode may be an expression', async () => {
    const join = act('Elsa.FlowJoin', 'J', { mode: js('"Wait" + "All"') });
    const root = flow(
      'F',
      [start('St'), event('A', 'a'), event('B', 'b'), join, W('z', '.')],
      ['St->A', 'St->B', 'A->J', 'B->J', 'J->z'],
    );
    let run = await app.run(root);
    run = await run.event('a');
    expect(run.status).toBe('Suspended');
    expect((await run.event('b')).lines).toEqual(['.']);
  });

  it('FlowFork follows its branches by name', async () => {
    const root = flow(
      'F',
      [flowFork('Fk', ['x', 'y']), W('a', 'a'), W('b', 'b'), W('c', 'c')],
      ['Fk:x->a', 'Fk:y->b', 'Fk:z->c'],
    );
    const run = await app.run(root);
    expect([run.lines.join(''), run.outcomes('Fk')]).toEqual(['ab', [['x', 'y']]]);
  });

  it.each<[string, object]>([
    ['branches', {}],
    ['any in its list', { branches: lit('[]', 'List<String>') }],
  ])('FlowFork without %s follows Done', async (_, members) => {
    expect(await app.lines(flow('F', [act('Elsa.FlowFork', 'Fk', members), W('a', 'a')], ['Fk->a']))).toEqual(['a']);
  });

  it.each<[boolean, string]>([
    [true, 'True'],
    [false, 'False'],
  ])('FlowDecision %s has that outcome and no Done', async (condition, outcome) => {
    const run = await app.run(
      flow(
        'F',
        [decision('D', condition), W('t', 'True'), W('f', 'False'), W('d', 'Done')],
        ['D:True->t', 'D:False->f', 'D:Done->d'],
      ),
    );
    expect([run.status, run.lines, run.outcomes('D')]).toEqual(['Finished', [outcome], [[outcome]]]);
  });

  it.each<[string, [string, string][], string, string[]]>([
    [
      'the first match',
      [
        ['A', 'false'],
        ['B', 'true'],
        ['C', 'true'],
      ],
      'MatchFirst',
      ['B'],
    ],
    [
      'all matches',
      [
        ['A', 'false'],
        ['B', 'true'],
        ['C', 'true'],
      ],
      'MatchAny',
      ['B', 'C'],
    ],
    ['no match', [['A', 'false']], 'MatchFirst', ['Default']],
    ['no match of any', [['A', 'false']], 'MatchAny', ['Default']],
    ['no cases', [], 'MatchFirst', ['Default']],
    ['null', [['A', 'null']], 'MatchFirst', ['Default']],
  ])('FlowSwitch: %s', async (_, cases, mode, outcomes) => {
    const labels = ['A', 'B', 'C', 'Default'];
    const run = await app.run(
      flow(
        'F',
        [
          flowSwitch(
            'Sw',
            cases.map(([label, when]) => [label, jsx(when)] as const),
            mode,
          ),
          ...labels.map((l) => W(l, l)),
        ],
        labels.map((l) => `Sw:${l}->${l}`),
      ),
    );
    expect([run.status, run.lines, run.outcomes('Sw')]).toEqual(['Finished', outcomes, [outcomes]]);
  });
});
