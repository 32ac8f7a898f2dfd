import { describe, expect, it } from '@jest/globals';
import {
  type Activity,
  W,
  decision,
  event,
  flow,
  flowJoin,
  flowSwitch,
  js,
  jsx,
  runJs,
  seq,
  setVariable,
  start,
  variable,
} from '../conformance/lib/build.mjs';
import { useApplication } from '../support/use-application.js';

const test = useApplication({ flowchartMode: 'token' });
const w = (...ids: string[]) => ids.map((id) => W(id, id));
const merging = (mode: string | undefined, id = 'J') =>
  W(id, id, { custom: mode === undefined ? {} : { mergeMode: mode } });
const text = async (root: Activity) => (await test.lines(root)).join('');

/** s → a → b → J and s → c → J; J → z: the ways to J are of different lengths. */
const uneven = (mode: string | undefined) =>
  flow('F', [...w('s', 'a', 'b', 'c'), merging(mode), ...w('z')], ['s->a', 'a->b', 's->c', 'b->J', 'c->J', 'J->z']);

describe('merge modes', () => {
  it.each<[string | undefined, string]>([
    // Runs when no token is at a direct predecessor any more: c comes first, b is not on its way there yet.
    [undefined, 'sacbJz'],
    ['None', 'sacbJz'],
    ['Stream', 'sacbJz'],
    ['Merge', 'sacbJz'],
    ['Converge', 'sacbJz'],
    ['Cascade', 'sacbJz'],
    ['Race', 'sacbJz'],
  ])('%s, ways of different lengths', async (mode, expected) => {
    const run = await test.run(uneven(mode));
    expect([run.status, run.lines.join('')]).toEqual(['Finished', expected]);
  });

  it.each<[string | undefined, string]>([
    [undefined, 'aJ'],
    ['Stream', 'aJ'],
    ['Merge', 'a'],
    ['Converge', 'a'],
    ['Cascade', 'aJ'],
    ['Race', 'aJ'],
  ])('%s after an exclusive branch', async (mode, expected) => {
    const root = flow(
      'F',
      [decision('D', true), ...w('a', 'b'), merging(mode)],
      ['D:True->a', 'D:False->b', 'a->J', 'b->J'],
    );
    expect(await text(root)).toBe(expected);
  });

  it.each<[string | undefined, string[], string[]]>([
    ['Stream', ['A', 'B'], ['', 'J']],
    ['Merge', ['A', 'B'], ['', 'J']],
    ['Converge', ['B', 'A'], ['', 'J']],
    ['Race', ['A'], ['J']],
    ['Race', ['B'], ['J']],
  ])('%s with branches that wait: events %j', async (mode, events, expected) => {
    const root = flow(
      'F',
      [start('St'), event('A', 'A'), event('B', 'B'), merging(mode)],
      ['St->A', 'St->B', 'A->J', 'B->J'],
    );
    let run = await test.run(root);
    for (const [i, name] of events.entries()) {
      run = await run.event(name);
      expect(run.lines.join('')).toBe(expected[i]);
    }
    expect([run.status, run.waitingAt]).toEqual(['Finished', []]);
  });

  it('Cascade runs at the first token and discards one token of each other connection', async () => {
    const root = flow(
      'F',
      [start('St'), event('A', 'A'), event('B', 'B'), merging('Cascade')],
      ['St->A', 'St->B', 'A->J', 'B->J'],
    );
    let run = await test.run(root);
    run = await run.event('B');
    expect([run.status, run.lines]).toEqual(['Suspended', ['J']]);
    run = await run.event('A');
    expect([run.status, run.lines]).toEqual(['Finished', ['J']]);
  });

  it.each(['merge', 'MERGE', 'converge'])('names in any case: %s', async (mode) => {
    const root = flow(
      'F',
      [decision('D', true), ...w('a', 'b'), merging(mode)],
      ['D:True->a', 'D:False->b', 'a->J', 'b->J'],
    );
    expect(await text(root)).toBe('a');
  });
});

const MODES = [undefined, 'Stream', 'Cascade', 'Race'];
const JOINS = ['WaitAny', 'WaitAllActive', 'WaitAll'];

describe.each(MODES)('every shape of flowchart completes: %s', (mode) => {
  it('a switch follows the one case that holds', async () => {
    const root = flow(
      'F',
      [
        flowSwitch('D', [
          ['x', jsx('false')],
          ['y', jsx('true')],
          ['z', jsx('false')],
        ]),
        ...w('a', 'b', 'c'),
        merging(mode),
        ...w('z'),
      ],
      ['D:x->a', 'D:y->b', 'D:z->c', 'a->J', 'b->J', 'c->J', 'J->z'],
    );
    expect(await text(root)).toBe('bJz');
  });

  it('a switch follows all cases that hold', async () => {
    const root = flow(
      'F',
      [
        flowSwitch(
          'D',
          [
            ['x', jsx('true')],
            ['y', jsx('true')],
            ['z', jsx('false')],
          ],
          'MatchAny',
        ),
        ...w('a', 'b', 'c'),
        merging(mode),
        ...w('z'),
      ],
      ['D:x->a', 'D:y->b', 'D:z->c', 'a->J', 'b->J', 'c->J', 'J->z'],
    );
    expect(await text(root)).toBe('abJz');
  });

  it('an exclusive branch with a way around it', async () => {
    const root = flow(
      'F',
      [decision('D', false), ...w('a'), merging(mode), ...w('z')],
      ['D:True->a', 'a->J', 'D:False->J', 'J->z'],
    );
    expect(await text(root)).toBe('Jz');
  });

  it('a parallel and an exclusive branch meet at a join', async () => {
    const root = flow(
      'F',
      [...w('s', 'a'), decision('D', true), ...w('b', 'c'), merging(mode), ...w('z')],
      ['s->a', 's->D', 'D:True->b', 'D:False->c', 'a->J', 'b->J', 'c->J', 'J->z'],
    );
    const run = await test.run(root);
    // D is not a direct predecessor of J: for Stream nothing is on its way there when a has come.
    const isStream = mode === undefined || mode === 'Stream';
    expect(run.status).toBe('Finished');
    expect(run.lines.map(String).toSorted().join('')).toBe(isStream ? 'JJabszz' : 'Jabsz');
  });

  it('completes two joins, of which the second waits for the first', async () => {
    const root = flow(
      'F',
      [decision('D', true), ...w('a', 'b'), merging(mode, 'J'), ...w('c'), merging(mode, 'K'), ...w('z')],
      ['D:True->a', 'D:False->b', 'a->J', 'b->J', 'J->c', 'c->K', 'b->K', 'K->z'],
    );
    expect(await text(root)).toBe('aJcKz');
  });

  it('a loop around an exclusive branch that takes another way every round', async () => {
    const n = variable('N', 'Int32', 0);
    const root = flow(
      'F',
      [
        ...w('s'),
        decision('D', js('getN() % 2 === 0')),
        ...w('a', 'b'),
        merging(mode),
        setVariable('Inc', n, js('getN() + 1')),
        decision('More', js('getN() < 4')),
        ...w('z'),
      ],
      ['s->D', 'D:True->a', 'D:False->b', 'a->J', 'b->J', 'J->Inc', 'Inc->More', 'More:True->D', 'More:False->z'],
    );
    expect((await test.lines(root, { variables: [n] })).join('')).toBe('saJbJaJbJz');
  });
});

describe.each([...MODES, 'Merge', 'Converge'])('shapes whose paths are all taken complete: %s', (mode) => {
  it('a shape of parallel branches completes', async () => {
    const root = flow('F', [...w('s', 'a', 'b'), merging(mode), ...w('z')], ['s->a', 's->b', 'a->J', 'b->J', 'J->z']);
    expect(await text(root)).toBe('sabJz');
  });

  it('a loop may lead back to the activity that merges', async () => {
    const n = variable('N', 'Int32', 0);
    const root = flow(
      'F',
      [...w('s'), merging(mode), setVariable('Inc', n, js('getN() + 1')), decision('D', js('getN() < 3')), ...w('z')],
      ['s->J', 'J->Inc', 'Inc->D', 'D:True->J', 'D:False->z'],
    );
    expect((await test.lines(root, { variables: [n] })).join('')).toBe('sJJJz');
  });

  it('a loop may run around parallel branches', async () => {
    const n = variable('N', 'Int32', 0);
    const root = flow(
      'F',
      [
        ...w('s', 'a', 'b'),
        merging(mode),
        setVariable('Inc', n, js('getN() + 1')),
        decision('More', js('getN() < 2')),
        ...w('z'),
      ],
      ['s->a', 's->b', 'a->J', 'b->J', 'J->Inc', 'Inc->More', 'More:True->s', 'More:False->z'],
    );
    expect((await test.lines(root, { variables: [n] })).join('')).toBe('sabJsabJz');
  });
});

describe.each(['Merge', 'Converge'])('%s', (mode) => {
  it('does not wait for a branch that cannot reach it', async () => {
    const root = flow(
      'F',
      [...w('s'), decision('D', true), ...w('a', 'b'), event('E', 'E'), merging(mode), ...w('z')],
      ['s->E', 's->D', 'D:True->a', 'D:False->b', 'a->J', 'b->J', 'J->z'],
    );
    let run = await test.run(root);
    expect([run.status, run.lines.join('')]).toEqual(['Suspended', 'sa']);
    run = await run.event('E');
    expect([run.status, run.lines.join('')]).toEqual(['Finished', 'sa']);
  });

  it('waits for a branch that runs through a loop before it arrives', async () => {
    const n = variable('N', 'Int32', 0);
    const root = flow(
      'F',
      [
        ...w('s', 'a'),
        setVariable('Inc', n, js('getN() + 1')),
        event('E', 'E'),
        decision('Again', js('getN() < 2')),
        ...w('again'),
        merging(mode),
      ],
      ['s->a', 's->Inc', 'a->J', 'Inc->E', 'E->Again', 'Again:True->again', 'again->Inc', 'Again:False->J'],
    );
    let run = await test.run(root, { variables: [n] });
    expect(run.lines).toEqual(['s', 'a']);
    run = await run.event('E');
    expect([run.status, run.lines]).toEqual(['Suspended', ['s', 'a', 'again']]);
    run = await run.event('E');
    expect([run.status, run.lines]).toEqual(['Finished', ['s', 'a', 'again', 'J']]);
  });

  it('ends when the branch it waits for is cancelled', async () => {
    const root = flow(
      'F',
      [...w('s', 'a'), event('E', 'E'), event('G', 'G'), merging('Race', 'R'), merging(mode)],
      ['s->a', 's->E', 's->G', 'a->J', 'E->J', 'E->R', 'G->R'],
    );
    let run = await test.run(root);
    expect(run.lines).toEqual(['s', 'a']);
    run = await run.event('G');
    expect([run.status, run.lines]).toEqual(['Finished', ['s', 'a', 'R']]);
  });
});

it('an unsatisfied WaitAll join does not prevent what follows from running', async () => {
  const root = flow(
    'F',
    [
      decision('D', true),
      ...w('a', 'b'),
      flowJoin('All', 'WaitAll'),
      ...w('x'),
      flowJoin('J', 'WaitAllActive'),
      ...w('z'),
    ],
    ['D:True->a', 'D:False->b', 'a->All', 'b->All', 'All->x', 'x->J', 'a->J', 'J->z'],
  );
  expect(await text(root)).toBe('az');
});

describe.each(JOINS)('FlowJoin %s', (mode) => {
  it('a join after parallel branches continues once', async () => {
    const root = flow(
      'F',
      [...w('s', 'a', 'b'), flowJoin('Jn', mode), ...w('z')],
      ['s->a', 's->b', 'a->Jn', 'b->Jn', 'Jn->z'],
    );
    expect(await text(root)).toBe('sabz');
  });

  it('a join in a loop continues once in each round', async () => {
    const n = variable('N', 'Int32', 0);
    const root = flow(
      'F',
      [
        ...w('s', 'a', 'b'),
        flowJoin('Jn', mode),
        setVariable('Inc', n, js('getN() + 1')),
        decision('More', js('getN() < 2')),
        ...w('z'),
      ],
      ['s->a', 's->b', 'a->Jn', 'b->Jn', 'Jn->Inc', 'Inc->More', 'More:True->s', 'More:False->z'],
    );
    expect((await test.lines(root, { variables: [n] })).join('')).toBe('sabsabz');
  });
});

describe('FlowJoin', () => {
  it.each<[string, string]>([
    ['WaitAny', 'aJ'],
    ['WaitAllActive', 'aJ'],
    ['WaitAll', 'a'],
  ])('%s after an exclusive branch', async (mode, expected) => {
    const root = flow(
      'F',
      [decision('D', true), ...w('a', 'b'), flowJoin('Jn', mode), ...w('J')],
      ['D:True->a', 'D:False->b', 'a->Jn', 'b->Jn', 'Jn->J'],
    );
    expect(await text(root)).toBe(expected);
  });

  it('WaitAny runs what follows once, and cancels what waits above it', async () => {
    const root = flow(
      'F',
      [start('St'), event('A', 'A'), ...w('b'), flowJoin('Jn', 'WaitAny'), ...w('J')],
      ['St->A', 'St->b', 'A->Jn', 'b->Jn', 'Jn->J'],
    );
    const run = await test.run(root);
    expect([run.status, run.lines, run.record('A').status]).toEqual(['Finished', ['b', 'J'], 'Canceled']);
  });
});

describe('a first token', () => {
  it.each(['Race', 'Cascade'])('runs a %s once, also where others come from the same activity', async (mode) => {
    const root = flow(
      'F',
      [runJs('Fork', 'setOutcomes(["A", "B"])'), merging(mode), ...w('z')],
      ['Fork:A->J', 'Fork:B->J', 'J->z'],
    );
    expect(await text(root)).toBe('Jz');
  });

  it('does not block outcomes of its activity that were not taken: a loop may take them next', async () => {
    const n = variable('N', 'Int32', 0);
    const root = flow(
      'F',
      [
        runJs('D', 'setN(getN() + 1); setOutcome(getN() % 2 ? "A" : "B")'),
        merging('Race'),
        decision('Again', js('getN() < 4')),
      ],
      ['D:A->J', 'D:B->J', 'J->Again', 'Again:True->D'],
    );
    expect((await test.lines(root, { variables: [n] })).join('')).toBe('JJJJ');
  });
});

it('a loop brings new tokens to a Race', async () => {
  const n = variable('N', 'Int32', 0);
  const root = flow(
    'F',
    [
      start('St'),
      ...w('a', 'b', 'c'),
      flowJoin('J', 'WaitAny'),
      setVariable('Inc', n, js('getN() + 1')),
      decision('D', js('getN() < 2')),
      ...w('z'),
    ],
    ['St->a', 'a->b', 'a->c', 'b->J', 'c->J', 'J->Inc', 'Inc->D', 'D:True->a', 'D:False->z'],
  );
  expect((await test.lines(root, { variables: [n] })).join('')).toBe('abcabcz');
});

it('several outcomes send several tokens', async () => {
  const root = flow('F', [runJs('S', 'setOutcomes(["x", "y"])'), ...w('a', 'b', 'c')], ['S:x->a', 'S:y->b', 'S:z->c']);
  expect(await text(root)).toBe('ab');
});

it('mergeMode has no effect in counter mode', async () => {
  const root = { ...uneven('Race'), customProperties: { 'Flowchart:ExecutionMode': 'CounterBased' } };
  expect(await text(root)).toBe('sacbJz');
});

it('tokens survive a suspension inside a nested flowchart', async () => {
  const inner = flow('I', [...w('a'), event('E', 'go'), ...w('b')], ['a->E', 'E->b']);
  let run = await test.run(
    seq('S', [flow('F', [...w('s'), inner, ...w('c', 'J')], ['s->I', 's->c', 'I->J', 'c->J']), W('z', 'z')]),
  );
  run = await run.event('go');
  expect([run.status, run.lines]).toEqual(['Finished', ['s', 'c', 'a', 'b', 'J', 'z']]);
});
