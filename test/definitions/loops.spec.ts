import { describe, expect, it } from '@jest/globals';
import {
  type Activity,
  W,
  act,
  breakOut,
  complete,
  event,
  flow,
  forEach,
  forLoop,
  fork,
  iff,
  js,
  list,
  lit,
  obj,
  out,
  parallelForEach,
  runJs,
  seq,
  setVariable,
  variable,
  whileLoop,
} from '../conformance/lib/build.mjs';
import { useApplication } from '../support/use-application.js';

const test = useApplication();
const value = (id = 'w') => W(id, js('"" + getCurrentValue()'));
const text = async (root: Activity, variables: unknown[] = []) =>
  (await test.lines(seq('Root', [root, W('end', '.')]), { variables })).join('');
const n = variable('N', 'Int32', 0);
const increment = (id = 'Inc') => setVariable(id, n, js('getN() + 1'));

describe('For', () => {
  it.each<[number, number, number | undefined, boolean | undefined, string]>([
    [0, 3, 1, undefined, '0123.'],
    [0, 3, undefined, undefined, '0123.'],
    [0, 3, 1, true, '0123.'],
    [0, 3, 1, false, '012.'],
    [0, 6, 2, true, '0246.'],
    [0, 5, 2, true, '024.'],
    [0, 6, 2, false, '024.'],
    [3, 0, -1, true, '3210.'],
    [3, 0, -1, false, '321.'],
    [3, 0, 1, true, '.'],
    [0, 3, -1, true, '.'],
    [1, 1, 1, true, '1.'],
    [1, 1, 1, false, '.'],
    [1, 1, -1, true, '1.'],
    [-2, 0, 1, true, '-2-10.'],
  ])('%d to %d, step %s, inclusive %s', async (from, to, step, inclusive, expected) => {
    const loop = forLoop('L', { start: from, end: to, step, inclusive }, value());
    if (step === undefined) delete loop.step;
    expect(await text(loop)).toBe(expected);
  });

  it('has defaults for all inputs: one iteration with 0', async () => {
    expect(await text(act('Elsa.For', 'L', { body: value() }))).toBe('0.');
  });

  it('For without a body completes', async () => expect(await text(forLoop('L', { start: 0, end: 9 }))).toBe('.'));

  it('For with step 0 faults instead of running forever', async () => {
    const run = await test.run(forLoop('L', { start: 0, end: 3, step: 0 }, value()));
    expect([run.status, run.incidents]).toEqual(['Faulted', [expect.stringContaining('step 0')]]);
  });

  it('takes bounds from expressions and gives its value as an output', async () => {
    const v = variable('Seen', 'Object');
    const loop = forLoop(
      'L',
      { start: js('1'), end: js('getN() + 2'), currentValue: out(v) },
      W('w', js('"" + getSeen()')),
    );
    expect(await text(loop, [n, v])).toBe('12.');
  });

  it('continues after suspensions in its body', async () => {
    let run = await test.run(forLoop('L', { start: 1, end: 3 }, seq('B', [event('E', 'go'), value()])));
    for (const seen of [['1'], ['1', '2'], ['1', '2', '3']]) {
      run = await run.event('go');
      expect(run.lines).toEqual(seen);
    }
    expect(run.status).toBe('Finished');
  });
});

describe('ForEach', () => {
  const index = W('w', js('`${getCurrentIndex()}${getCurrentValue()}`'));
  it.each<[string, ReturnType<typeof list>, string]>([
    ['a list of a script', list(['a', 'b']), '0a1b.'],
    ['JSON text of an Object expression', obj(['a', 'b']), '0a1b.'],
    ['JSON text of a Literal', lit('["a","b"]', 'ICollection<Object>'), '0a1b.'],
    ['an empty list', list([]), '.'],
    ['numbers and booleans', list([1, true, 2.5]), '01' + '1true' + '22.5.'],
    ['null inside', list([null, 'x']), '0null1x.'],
  ])('%s', async (_, items, expected) => expect(await text(forEach('L', items, index))).toBe(expected));

  it('ForEach over null faults', async () => {
    const run = await test.run(forEach('L', js('null'), value()));
    expect([run.status, run.record('L').status]).toEqual(['Faulted', 'Faulted']);
  });

  it('ForEach without a body sets the first value and completes', async () => {
    const v = variable('Seen', 'Object');
    expect(
      await test.lines(
        seq('S', [forEach('L', list(['a', 'b']), undefined, { currentValue: out(v) }), W('w', js('getSeen()'))]),
        { variables: [v] },
      ),
    ).toEqual(['a']);
  });

  it('gives its value as a variable, to scripts and templates', async () => {
    const body = seq('B', [
      W('1', js('getVariable("CurrentValue").name')),
      W('2', js('variables.CurrentValue.name')),
      W('3', { typeName: 'String', expression: { type: 'Liquid', value: '{{ Variables.CurrentValue.name }}' } }),
    ]);
    expect(await text(forEach('L', list([{ name: 'x' }]), body))).toBe('xxx.');
  });

  it('nests: the inner value hides the outer one', async () => {
    const inner = forEach('Inner', list([1, 2]), value());
    expect(await text(forEach('Outer', list(['a', 'b']), seq('B', [value('o'), inner, value('p')])))).toBe('a12ab12b.');
  });

  it('keeps its place over suspensions', async () => {
    let run = await test.run(forEach('L', list(['a', 'b']), seq('B', [event('E', 'go'), value()])));
    run = await run.event('go');
    expect([run.status, run.lines]).toEqual(['Suspended', ['a']]);
    run = await run.event('go');
    expect([run.status, run.lines]).toEqual(['Finished', ['a', 'b']]);
  });
});

describe('ParallelForEach', () => {
  it.each<[string, ReturnType<typeof list>, string]>([
    ['a list', list(['a', 'b', 'c']), 'abc.'],
    ['an empty list', list([]), '.'],
    ['null', js('null'), '.'],
    ['JSON text', lit('["a","b"]', 'Object'), 'ab.'],
    ['an Object expression', obj(['a', 'b']), 'ab.'],
    ['numbers', list([1, 2]), '12.'],
  ])('%s', async (_, items, expected) => expect(await text(parallelForEach('L', items, value()))).toBe(expected));

  it('runs bodies side by side, each with its own value and index, also after a suspension', async () => {
    let run = await test.run(
      parallelForEach(
        'L',
        list(['a', 'b', 'c']),
        seq('B', [value('1'), event('E', 'go'), W('2', js('`${getCurrentIndex()}${getCurrentValue()}`'))]),
      ),
    );
    expect([run.lines, run.waitingAt]).toEqual([
      ['a', 'b', 'c'],
      ['E', 'E', 'E'],
    ]);
    run = await run.event('go');
    expect([run.status, run.lines.slice(3).map(String).sort()]).toEqual(['Finished', ['0a', '1b', '2c']]);
  });

  it('ends with a Break, which cancels the other bodies', async () => {
    const run = await test.run(
      seq('S', [
        parallelForEach('L', list([1, 2, 3]), iff('If', js('getCurrentValue() == 2'), breakOut(), event('E', 'never'))),
        W('z', 'z'),
      ]),
    );
    expect([run.status, run.lines, run.waitingAt]).toEqual(['Finished', ['z'], []]);
  });
});

describe('While', () => {
  it.each<[string, () => Activity, string]>([
    [
      'runs while its condition holds',
      () => whileLoop('L', js('getN() < 3'), seq('B', [increment(), W('w', js('"" + getN()'))])),
      '123.',
    ],
    ['that never holds completes', () => whileLoop('L', lit(false), W('w', 'x')), '.'],
    ['without a condition completes', () => act('Elsa.While', 'L', { body: W('w', 'x') }), '.'],
    ['without a body completes', () => whileLoop('L', lit(true)), '.'],
    [
      'nested',
      () => whileLoop('L', js('getN() < 2'), seq('B', [increment(), forLoop('F', { start: 1, end: 2 }, value())])),
      '1212.',
    ],
  ])('%s', async (_, root, expected) => expect(await text(root(), [n])).toBe(expected));
});

describe('Break', () => {
  const stop = (condition: string) => iff('If', js(condition), breakOut());
  it.each<[string, () => Activity, string]>([
    [
      'leaves While',
      () => whileLoop('L', lit(true), seq('B', [increment(), stop('getN() == 3'), W('w', js('"" + getN()'))])),
      '12.',
    ],
    [
      'leaves For',
      () => forLoop('L', { start: 1, end: 9 }, seq('B', [stop('getCurrentValue() == 3'), value()])),
      '12.',
    ],
    [
      'leaves ForEach',
      () => forEach('L', list(['a', 'b', 'c']), seq('B', [stop('getCurrentValue() == "c"'), value()])),
      'ab.',
    ],
    [
      'leaves the inner loop only',
      () =>
        forEach(
          'O',
          list(['a', 'b']),
          seq('B', [
            forLoop('L', { start: 1, end: 9 }, seq('C', [stop('getCurrentValue() == 2'), value('i')])),
            value('o'),
          ]),
        ),
      '1a1b.',
    ],
    ['is the body itself', () => forEach('L', list([1, 2]), breakOut()), '.'],
    [
      'leaves a loop out of a flowchart',
      () =>
        forEach(
          'L',
          list([1, 2, 3]),
          flow('F', [value(), iff('If', js('getCurrentValue() == 2'), breakOut())], ['w->If']),
        ),
      '12.',
    ],
    [
      'leaves a loop out of a fork',
      () => forEach('L', list([1, 2, 3]), fork('F', [value(), iff('If', js('getCurrentValue() == 2'), breakOut())])),
      '12.',
    ],
  ])('%s', async (_, root, expected) => expect(await text(root(), [n])).toBe(expected));

  it('Break leaves the loop after a suspension', async () => {
    const run = await test.run(
      seq('S', [forEach('L', list([1, 2]), seq('B', [event('E', 'go'), breakOut(), W('x', 'x')])), W('z', 'z')]),
    );
    expect((await run.event('go')).lines).toEqual(['z']);
  });
});

describe('Complete in a loop', () => {
  it('ends the workflow with its outcomes', async () => {
    const run = await test.run(
      seq('S', [forEach('L', list([1, 2]), seq('B', [value(), complete('C', 'X')])), W('z', 'z')]),
      { outcomes: ['X'] },
    );
    expect([run.status, run.lines, run.outcomes('Workflow1')]).toEqual(['Finished', ['1'], [['X']]]);
  });
});

it('a loop variable is gone after the loop', async () => {
  const root = seq('S', [forEach('L', list([1]), value()), W('z', js('String(getVariable("CurrentValue"))'))]);
  expect(await test.lines(root)).toEqual(['1', 'null']);
});

it('a script changes a variable in every iteration', async () => {
  const total = variable('Total', 'Int32', 0);
  expect(
    await test.lines(
      seq('S', [
        forEach('L', list([1, 2, 3]), runJs('J', 'setTotal(getTotal() + getCurrentValue())')),
        W('w', js('"" + getTotal()')),
      ]),
      { variables: [total] },
    ),
  ).toEqual(['6']);
});
