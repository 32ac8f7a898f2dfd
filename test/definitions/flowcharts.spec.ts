import { describe, expect, it } from '@jest/globals';
import {
  type Activity,
  W,
  act,
  decision,
  end,
  event,
  fault,
  flow,
  flowJoin,
  flowSwitch,
  js,
  jsx,
  lit,
  runJs,
  seq,
  setVariable,
  start,
  variable,
} from '../conformance/lib/build.mjs';
import { useApplication } from '../support/use-application.js';

const test = useApplication();
const tokens = useApplication({ flowchartMode: 'token' });
const w = (...ids: string[]) => ids.map((id) => W(id, id));
const join = (mode: string | undefined, id = 'J') => (mode === undefined ? W(id, id) : flowJoin(id, mode));
const text = async (root: Activity, app = test) => (await app.lines(root)).join('');
const n = variable('N', 'Int32', 0);
const increment = setVariable('Inc', n, js('getN() + 1'));

describe('where a flowchart starts', () => {
  const starting = (id: string) => W(id, id, { start: true });
  it.each<[string, () => Activity, string]>([
    ['nowhere: it completes', () => flow('F', []), ''],
    ['at Start', () => flow('F', [...w('x', 'a'), start('St'), ...w('b')], ['St->a', 'a->b']), 'ab'],
    [
      'at Start, before one that can start workflows',
      () => flow('F', [starting('x'), start('St'), ...w('a')], ['St->a']),
      'a',
    ],
    ['at one that can start workflows', () => flow('F', [...w('a'), starting('b'), ...w('c')], ['a->b', 'b->c']), 'bc'],
    ['at the first without inbound connections', () => flow('F', w('b', 'c', 'a'), ['a->b', 'b->c']), 'abc'],
    ['at the first of several without inbound connections', () => flow('F', w('a', 'b', 'c'), ['a->c']), 'ac'],
    [
      'at the first in the list, when all have inbound ones',
      () => flow('F', [...w('a', 'b'), end('E')], ['a->b', 'b->E', 'E->a']),
      'ab',
    ],
    ['not where JSON says `start`', () => flow('F', w('a', 'b'), ['a->b'], { start: 'b' }), 'ab'],
  ])('%s', async (_, root, expected) => {
    expect(await text(root())).toBe(expected);
    expect(await text(root(), tokens)).toBe(expected);
  });

  it('a flowchart starts at the trigger of the workflow', async () => {
    const root = flow(
      'F',
      [start('St'), W('a', 'a'), event('E', 'go', { start: true }), W('b', 'b')],
      ['St->a', 'a->E', 'E->b'],
    );
    const run = await test.run(root, { request: { triggerActivityId: 'E' } });
    expect([run.status, run.lines]).toEqual(['Finished', ['b']]);
  });

  it('a flowchart starts at its trigger, and waits where a loop leads back to it', async () => {
    const events = [event('E', 'go', { start: true }), event('Again', 'again')];
    const root = flow('F', [...events, W('a', 'a')], ['E->Again', 'Again->a', 'a->Again']);
    let run = await test.run(root, { request: { triggerActivityId: 'E' } });
    for (const expected of [['a'], ['a', 'a']]) {
      run = await run.event('again');
      expect([run.status, run.waitingAt, run.lines]).toEqual(['Suspended', ['Again'], expected]);
    }
  });
});

describe('connections', () => {
  const shaped = (connections: unknown) => ({ ...flow('F', w('a', 'b', 'c')), connections });
  const edge = (source: string, target: string) => ({
    source: { activity: source, port: 'Done' },
    target: { activity: target, port: 'In' },
  });
  it.each<[string, unknown, string]>([
    ['current', [edge('a', 'b'), edge('b', 'c')], 'abc'],
    ['with vertices', [{ ...edge('a', 'b'), vertices: [{ x: 1.5, y: -2 }] }], 'ab'],
    ['without a port', [{ source: { activity: 'a' }, target: { activity: 'b' } }], 'ab'],
    ['with a null port', [{ source: { activity: 'a', port: null }, target: { activity: 'b', port: null } }], 'ab'],
    ['PascalCase', [{ Source: { Activity: 'a', Port: 'Done' }, Target: { Activity: 'b', Port: 'In' } }], 'ab'],
    ['flat', [{ source: 'a', target: 'b', sourcePort: 'Done', targetPort: 'In' }], 'ab'],
    ['flat without ports', [{ source: 'a', target: 'b' }], 'ab'],
    ['wrapped in $values', { $values: [edge('a', 'b')] }, 'ab'],
    ['a single one', edge('a', 'b'), 'ab'],
    ['to nowhere is dropped', [edge('a', 'b'), edge('a', 'zzz')], 'ab'],
    ['from nowhere is dropped', [edge('a', 'b'), edge('zzz', 'c')], 'ab'],
    ['of an outcome that is not taken', [{ ...edge('a', 'b'), source: { activity: 'a', port: 'Nope' } }], 'a'],
    ['none', [], 'a'],
    ['null', null, 'a'],
  ])('%s', async (_, connections, expected) => {
    expect(await text(shaped(connections))).toBe(expected);
    expect(await text(shaped(connections), tokens)).toBe(expected);
  });

  it('ports are case-sensitive, and an explicit Done needs the port', async () => {
    const root = (port: string | null) => ({
      ...flow('F', [runJs('J', 'setOutcome("Done")'), W('a', 'a')]),
      connections: [{ source: { activity: 'J', port }, target: { activity: 'a', port: 'In' } }],
    });
    expect(await text(root('Done'))).toBe('a');
    expect(await text(root('done'))).toBe('');
    expect(await text(root(null))).toBe('');
  });
});

/** Start → A, B, C; A → decision; True → join; False → D → F; B, C → join → E → F. */
const decided = (condition: boolean, mode: string | undefined) =>
  flow(
    'F',
    [start('St'), ...w('A', 'B', 'C'), decision('Dec', condition), ...w('D'), join(mode), ...w('E', 'F')],
    ['St->A', 'St->B', 'St->C', 'A->Dec', 'Dec:True->J', 'Dec:False->D', 'B->J', 'C->J', 'D->F', 'J->E', 'E->F'],
  );

describe('joins in counter mode', () => {
  it.each<[boolean, string | undefined, string]>([
    [true, 'WaitAll', 'ABCEF'],
    [true, 'WaitAllActive', 'ABCEF'],
    [true, 'WaitAny', 'ABCEF'],
    [true, undefined, 'ABCJEF'],
    [false, 'WaitAll', 'ABCDF'],
    [false, 'WaitAllActive', 'ABCDEF'],
    [false, 'WaitAny', 'ABCDEF'],
    [false, undefined, 'ABCJDEF'],
  ])('a branch that may turn away (%s), %s', async (condition, mode, expected) => {
    expect(await text(decided(condition, mode))).toBe(expected);
  });

  it.each<[string, string | undefined, string]>([
    ['all followed', 'WaitAll', 'abJ.'],
    ['all followed', 'WaitAllActive', 'abJ.'],
    ['all followed', 'WaitAny', 'abJ.'],
    ['all followed', undefined, 'abJ.'],
    ['one followed', 'WaitAll', 'a'],
    ['one followed', 'WaitAllActive', 'aJ.'],
    ['one followed', 'WaitAny', 'aJ.'],
    ['one followed', undefined, 'aJ.'],
    ['none followed', 'WaitAll', ''],
    ['none followed', 'WaitAllActive', ''],
    ['none followed', 'WaitAny', ''],
    ['none followed', undefined, ''],
  ])('%s, %s', async (which, mode, expected) => {
    const outcomes = { 'all followed': ['x', 'y'], 'one followed': ['x'], 'none followed': ['z'] }[which];
    const target = mode === undefined ? [W('J', 'J')] : [flowJoin('J', mode)];
    const root = flow(
      'F',
      [runJs('S', `setOutcomes(${JSON.stringify(outcomes)})`), ...w('a', 'b'), ...target, W('z', '.')],
      ['S:x->a', 'S:y->b', 'a->J', 'b->J', 'J->z'],
    );
    // A FlowJoin writes nothing.
    expect(await text(root)).toBe(mode === undefined ? expected : expected.replace('J', ''));
  });

  it.each<[string | undefined, string]>([
    ['WaitAll', ''],
    ['WaitAllActive', '.'],
    ['WaitAny', '.'],
    [undefined, 'J.'],
  ])('a dead path of several steps counts as visited: %s', async (mode, expected) => {
    const root = flow(
      'F',
      [decision('D', true), ...w('a', 'b', 'c', 'd'), join(mode), W('z', '.')],
      ['D:True->a', 'D:False->b', 'b->c', 'c->d', 'd->J', 'a->J', 'J->z'],
    );
    expect(await text(root)).toBe(`a${expected}`);
  });

  it('a dead path skips a join and continues after it', async () => {
    const root = flow(
      'F',
      [decision('D', false), ...w('f'), flowSwitch('Sw', [['A', jsx('true')]]), ...w('a', 'b', 'J', 'K')],
      ['D:True->Sw', 'Sw:A->a', 'Sw:Default->b', 'a->J', 'b->J', 'J->K', 'D:False->f', 'f->K'],
    );
    expect(await text(root)).toBe('fK');
  });

  it('two followed connections from one source run their target once', async () => {
    const root = flow('F', [runJs('S', 'setOutcomes(["x", "y"])'), ...w('a', 'b')], ['S:x->a', 'S:y->a', 'a->b']);
    expect(await text(root)).toBe('ab');
  });

  it('an activity runs if one of two outcomes that lead to it is followed', async () => {
    const root = flow('F', [decision('D', true), ...w('a', 'b')], ['D:True->a', 'D:False->a', 'a->b']);
    expect(await text(root)).toBe('ab');
  });

  it('joins of nested diamonds run once each', async () => {
    const root = flow('F', w('s', 'a', 'b', 'c', 'd', 'i', 'o'), [
      's->a',
      's->b',
      'a->c',
      'a->d',
      'c->i',
      'd->i',
      'i->o',
      'b->o',
    ]);
    expect(await text(root)).toBe('sabcdio');
  });

  it('a join after a join', async () => {
    const root = flow(
      'F',
      [...w('s', 'a', 'b', 'c'), flowJoin('J1', 'WaitAny'), flowJoin('J2', 'WaitAll'), ...w('z')],
      ['s->a', 's->b', 's->c', 'a->J1', 'b->J1', 'J1->J2', 'c->J2', 'J2->z'],
    );
    expect(await text(root)).toBe('sabcz');
  });
});

describe('loops', () => {
  const both = describe.each([
    ['counter', test],
    ['token', tokens],
  ] as const);
  both('%s mode', (_, app) => {
    const looped = (root: Activity) => app.lines(root, { variables: [n] }).then((l) => l.join(''));
    it('back to an activity in the middle', async () => {
      const root = flow(
        'F',
        [start('St'), ...w('a'), increment, decision('D', js('getN() < 3')), ...w('r', 'z')],
        ['St->a', 'a->Inc', 'Inc->D', 'D:True->r', 'r->Inc', 'D:False->z'],
      );
      expect(await looped(root)).toBe('arrz');
    });

    it('a connection from an activity to itself is a loop', async () => {
      const self = runJs('J', 'setN(getN() + 1); setOutcome(getN() < 3 ? "again" : "out");');
      expect(await looped(flow('F', [start('St'), self, W('z', 'z')], ['St->J', 'J:again->J', 'J:out->z']))).toBe('z');
    });

    it('a loop in a loop', async () => {
      const m = variable('M', 'Int32', 0);
      const root = flow(
        'F',
        [
          start('St'),
          ...w('o'),
          setVariable('M0', m, 0),
          ...w('i'),
          setVariable('M+', m, js('getM() + 1')),
          decision('DM', js('getM() < 2')),
          increment,
          decision('DN', js('getN() < 2')),
          ...w('z'),
        ],
        [
          'St->o',
          'o->M0',
          'M0->i',
          'i->M+',
          'M+->DM',
          'DM:True->i',
          'DM:False->Inc',
          'Inc->DN',
          'DN:True->o',
          'DN:False->z',
        ],
      );
      expect((await app.lines(root, { variables: [n, m] })).join('')).toBe('oiioiiz');
    });

    it.each(['WaitAll', 'WaitAllActive', 'WaitAny'])('around a fork and a join: %s', async (mode) => {
      const root = flow(
        'F',
        [start('St'), ...w('A', 'B', 'C'), join(mode), increment, decision('D', js('getN() < 3')), end()],
        ['St->A', 'A->B', 'A->C', 'B->J', 'C->J', 'J->Inc', 'Inc->D', 'D:True->A', 'D:False->End'],
      );
      expect(await looped(root)).toBe('ABCABCABC');
    });

    it('a loop may wait in each round', async () => {
      const root = flow(
        'F',
        [start('St'), event('E', 'go'), increment, decision('D', js('getN() < 3')), ...w('z')],
        ['St->E', 'E->Inc', 'Inc->D', 'D:True->E', 'D:False->z'],
      );
      let run = await app.run(root, { variables: [n] });
      for (const status of ['Suspended', 'Suspended', 'Finished']) {
        run = await run.event('go');
        expect(run.status).toBe(status);
      }
      expect(run.lines).toEqual(['z']);
    });
  });

  it('a loop that can be entered elsewhere is refused in counter mode, when it is followed', async () => {
    const root = flow(
      'F',
      [start('St'), ...w('a', 'b'), decision('D', true)],
      ['St->a', 'St->b', 'a->b', 'b->D', 'D:True->a'],
    );
    const run = await test.run(root);
    expect([run.status, run.incidents]).toEqual(['Faulted', [expect.stringMatching(/^Invalid backward connection/)]]);
  });

  it('a loop that can be entered elsewhere does not fault as long as it is not followed, wherever it is drawn', async () => {
    const root = flow(
      'F',
      [start('St'), ...w('c', 'a'), decision('D', false), ...w('z')],
      ['St->c', 'St->a', 'c->D', 'a->D', 'D:True->a', 'D:False->z'],
    );
    const run = await test.run(root);
    expect([run.status, run.lines]).toEqual(['Finished', ['c', 'a', 'z']]);
  });
});

describe('faulted and cancelled children', () => {
  it('a faulted child keeps the flowchart from completing, other branches continue', async () => {
    const root = flow(
      'F',
      [start('St'), fault('Bad', 'boom'), ...w('x', 'a', 'b')],
      ['St->Bad', 'Bad->x', 'St->a', 'a->b'],
    );
    const options = { incidentStrategyType: 'ContinueWithIncidentsStrategy' };
    for (const app of [test, tokens]) {
      const run = await app.run(seq('S', [root, W('z', 'z')]), { options });
      expect([run.status, run.lines, run.incidents]).toEqual(['Suspended', ['a', 'b'], ['boom']]);
    }
  });

  it('a faulted branch holds up a join that waits for all, not one that waits for any', async () => {
    const root = (mode: string) =>
      flow(
        'F',
        [start('St'), fault('Bad', 'boom'), ...w('a'), join(mode), W('z', 'z')],
        ['St->Bad', 'Bad->J', 'St->a', 'a->J', 'J->z'],
      );
    const options = { incidentStrategyType: 'ContinueWithIncidentsStrategy' };
    expect((await test.run(root('WaitAll'), { options })).lines).toEqual(['a']);
    expect((await test.run(root('WaitAllActive'), { options })).lines).toEqual(['a']);
    expect((await test.run(root('WaitAny'), { options })).lines).toEqual(['a', 'z']);
  });

  it('WaitAny cancels a branch with all of its steps', async () => {
    const root = flow(
      'F',
      [
        start('St'),
        seq('Slow', [W('s1', 's1'), event('E', 'never'), W('s2', 's2')]),
        ...w('a', 'b', 'c'),
        join('WaitAny'),
        ...w('z'),
      ],
      ['St->Slow', 'St->a', 'a->b', 'b->c', 'c->J', 'Slow->J', 'J->z'],
    );
    for (const app of [test, tokens]) {
      const run = await app.run(root);
      expect([run.status, run.lines, run.waitingAt]).toEqual(['Finished', ['a', 's1', 'b', 'c', 'z'], []]);
      expect([run.record('Slow').status, run.record('E').status]).toEqual(['Canceled', 'Canceled']);
    }
  });
});

describe('dangling activities', () => {
  it('activities that nothing leads to do not run', async () => {
    expect(await text(flow('F', [start('St'), ...w('a', 'x', 'y')], ['St->a', 'x->y']))).toBe('a');
  });

  it('dangling activities do not hold up a join', async () => {
    const root = flow('F', [start('St'), ...w('a', 'x', 'J', 'z')], ['St->a', 'a->J', 'x->J', 'J->z']);
    expect(await text(root)).toBe('aJz');
    expect(await text(root, tokens)).toBe('aJz');
  });
});

describe('containers in flowcharts', () => {
  it('a FlowNode runs its body', async () => {
    const node = act('Elsa.FlowNode', 'N', { body: seq('B', w('b', 'c')) });
    expect(await text(flow('F', [...w('a'), node, ...w('d')], ['a->N', 'N->d']))).toBe('abcd');
    expect(await text(flow('F', [act('Elsa.FlowNode', 'N'), ...w('d')], ['N->d']))).toBe('d');
  });

  it('flowcharts nest, and their data stays apart over a suspension', async () => {
    const inner = (id: string) =>
      flow(
        id,
        [W(`${id}1`, `${id}1`), event(`${id}E`, id), W(`${id}2`, `${id}2`)],
        [`${id}1->${id}E`, `${id}E->${id}2`],
      );
    let run = await test.run(
      flow('F', [...w('s'), inner('X'), inner('Y'), ...w('z')], ['s->X', 's->Y', 'X->z', 'Y->z']),
    );
    run = await run.event('Y');
    expect([run.status, run.lines]).toEqual(['Suspended', ['s', 'X1', 'Y1', 'Y2']]);
    run = await run.event('X');
    expect([run.status, run.lines]).toEqual(['Finished', ['s', 'X1', 'Y1', 'Y2', 'X2', 'z']]);
  });

  it('a flowchart has variables of its own', async () => {
    const v = variable('V', 'String', 'inner');
    const inner = { ...flow('I', [W('w', js('getV()'))]), variables: [v] };
    const root = seq('S', [inner, W('o', js('getV()'))], {
      variables: [{ ...variable('V', 'String', 'outer'), id: 'outer-id' }],
    });
    expect(await test.lines(root)).toEqual(['inner', 'outer']);
  });
});

it('each mode can be chosen by the flowchart itself', async () => {
  // Cascade goes on with the first branch in token mode; counter mode waits for both.
  const root = (mode: unknown) => ({
    ...flow(
      'F',
      [...w('s', 'a', 'b', 'c'), W('J', 'J', { custom: { mergeMode: 'Cascade' } })],
      ['s->a', 's->b', 'b->c', 'a->J', 'c->J'],
    ),
    customProperties: { 'Flowchart:ExecutionMode': mode },
  });
  expect(await text(root('CounterBased'), tokens)).toBe('sabcJ');
  expect(await text(root(2), tokens)).toBe('sabcJ');
  expect(await text(root('TokenBased'))).toBe('sabJc');
  expect(await text(root(1))).toBe('sabJc');
  expect(await text(root('Default'))).toBe('sabcJ');
});

it('a literal condition in another case', async () => {
  expect(await text(flow('F', [decision('D', lit('True', 'Boolean')), ...w('a')], ['D:True->a']))).toBe('a');
});
