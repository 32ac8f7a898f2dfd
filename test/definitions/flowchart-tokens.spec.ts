import { describe, expect, it } from '@jest/globals';
import {
  type Activity,
  W,
  decision,
  event,
  flow,
  flowJoin,
  js,
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
  ])('%s after an exclusive branch ends without a hang', async (mode, expected) => {
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

  it('Cascade runs at the first token and swallows those of the other ways', async () => {
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

  it.each(['merge', 'MERGE'])('names in any case: %s', async (mode) => {
    const root = flow(
      'F',
      [decision('D', true), ...w('a', 'b'), merging(mode)],
      ['D:True->a', 'D:False->b', 'a->J', 'b->J'],
    );
    expect(await text(root)).toBe('a');
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
