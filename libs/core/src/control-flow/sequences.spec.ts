import type { ExpressionScope } from '../expressions/expression-scope.js';
import {
  W,
  act,
  code,
  event,
  forEach,
  get,
  iff,
  lit,
  out,
  parallel,
  seq,
  setVar,
  variable,
  workflow,
} from '../execution/testing/build-definition.js';
import { runWorkflow } from '../execution/testing/run-workflow.js';

describe('sequences and variables', () => {
  it('runs activities in order', async () => {
    const run = await runWorkflow(seq('S', [W('a'), W('b'), W('c')]));
    expect(run.lines).toEqual(['a', 'b', 'c']);
    expect(run.status).toBe('Finished');
  });

  it.each([
    ['an earlier one', 'A', 'B', ['A', 'A', 'D']],
    ['the one that waits', 'B', 'B', ['A', 'D']],
    ['a later one', 'C', 'C', ['A', 'D']],
  ])('continues from the activity that a repair runs, and from nowhere else (%s)', async (_, activityId, at, lines) => {
    const run = await runWorkflow(seq('S', [W('A'), event('B'), event('C'), W('D')]));
    await run.run({ activityHandle: { activityId } });
    expect(run.waitingAt()).toEqual([at]);
    for (const id of ['B', 'C']) if (run.waitingAt().includes(id)) await run.trigger(id);
    expect([run.status, run.lines]).toEqual(['Finished', lines]);
  });

  it('completes at once when empty, also nested', async () => {
    const run = await runWorkflow(
      seq('S', [
        seq('S1', []),
        parallel('P', []),
        act('Fork', 'F', {}),
        act('FlowNode', 'N'),
        act('Switch', 'Sw'),
        W('end'),
      ]),
    );
    expect(run.lines).toEqual(['end']);
    expect(run.status).toBe('Finished');
  });

  it('keeps variables of a sequence over a suspension', async () => {
    const run = await runWorkflow(
      seq(
        'S',
        [setVar('set', 'X', 7), event('E'), W('w', (s) => `x=${String(s.getVariable('X'))}`)],
        [variable('X', 'Int32', '1')],
      ),
    );
    expect(run.status).toBe('Suspended');
    await run.trigger('E');
    expect(run.lines).toEqual(['x=7']);
    expect(run.status).toBe('Finished');
  });

  it('loses a variable without a storage driver', async () => {
    const run = await runWorkflow(
      seq(
        'S',
        [setVar('set', 'X', 7), event('E'), W('w', (s) => `x=${String(s.getVariable('X'))}`)],
        [variable('X', 'Int32', '1', null)],
      ),
    );
    await run.trigger('E');
    expect(run.lines).toEqual(['x=1']);
  });

  it('shadows outer variables by inner ones', async () => {
    const inner = seq('I', [setVar('s1', 'X', 'inner'), W('w1', get('X'))], [variable('X', 'String', 'i')]);
    const run = await runWorkflow(
      workflow(seq('S', [inner, W('w2', get('X'))]), { variables: [variable('X', 'String', 'outer')] }),
    );
    expect(run.lines).toEqual(['inner', 'outer']);
  });

  it('converts to the type of the variable', async () => {
    const run = await runWorkflow(
      seq('S', [setVar('s', 'N', '42'), W('w', (s) => typeof s.getVariable('N'))], [variable('N', 'Int32')]),
    );
    expect(run.lines).toEqual(['number']);
  });

  it('faults on an unknown variable', async () => {
    const run = await runWorkflow(setVar('s', 'Nowhere', 1));
    expect(run.status).toBe('Faulted');
    expect(run.state.incidents[0]!.message).toMatch(/^Variable 'Nowhere-id' not found\./);
  });

  it('declares an undeclared variable in the nearest container', async () => {
    const inner = seq('I', [
      W('w', (s) => (s.setVariable('New', 'v'), String(s.getVariable('New')))),
      event('E'),
      W('w2', get('New')),
    ]);
    const run = await runWorkflow(seq('S', [inner, W('w3', (s) => String(s.hasVariable('New')))]));
    await run.trigger('E');
    expect(run.lines).toEqual(['v', 'v', 'false']);
  });

  it('sets name and correlation id, and keeps them', async () => {
    const run = await runWorkflow(
      seq('S', [
        act('SetName', 'n', { value: code(() => 'the name') }),
        act('Correlate', 'c', { correlationId: code(() => 'c-1') }),
        event('E'),
      ]),
    );
    expect(run.state).toMatchObject({ name: 'the name', correlationId: 'c-1' });
  });

  it('gives outputs of other activities within a burst, and null after a wait', async () => {
    const output = (s: ExpressionScope): string => `${String(s.getOutputFrom('If'))} ${String(s.getLastResult())}`;
    const run = await runWorkflow(seq('S', [iff('If', true), W('a', output), event('E'), W('b', output)]));
    await run.trigger('E');
    expect(run.lines).toEqual(['true true', 'null null']);
  });

  it('gives outputs of activities that run around the expression', async () => {
    const value = (s: ExpressionScope): string =>
      `${String(s.getOutputFrom('Each', 'CurrentValue'))} ${String(s.getOutputFrom('If'))}`;
    const run = await runWorkflow(forEach('Each', ['a', 'b'], iff('If', true, W('w', value))));
    expect(run.lines).toEqual(['a true', 'b true']);
  });

  it('waits in a branch and continues after it', async () => {
    const run = await runWorkflow(
      seq('S', [iff('If', true, seq('T', [W('then'), event('E'), W('then 2')])), W('after')]),
    );
    expect(run.lines).toEqual(['then']);
    await run.trigger('E');
    expect(run.lines).toEqual(['then', 'then 2', 'after']);
  });

  it('gives the condition of If as result, also after a suspension', async () => {
    const run = await runWorkflow(
      seq('S', [iff('If', true, event('E')), W('w', (s) => String(s.getOutputFrom('If')))]),
    );
    await run.trigger('E');
    expect(run.lines).toEqual(['true']);
  });

  it('runs the branches of Switch and evaluates all conditions', async () => {
    const asked: string[] = [];
    const when = (name: string, value: unknown) => ({
      label: name,
      condition: code(() => (asked.push(name), value)).expression,
      activity: W(name),
    });
    const sw = (mode: string, values: unknown[]) =>
      act('Switch', mode, {
        cases: values.map((v, i) => when(`${mode}${i}`, v)),
        mode: { typeName: null, expression: { type: 'Literal', value: mode } },
        default: W(`${mode}-default`),
      });
    const run = await runWorkflow(
      seq('S', [
        sw('MatchFirst', [false, true, 'true']),
        sw('MatchAny', [true, null, true]),
        act('Switch', 'Async', {
          cases: [{ label: 'x', condition: code(async () => true).expression, activity: W('async') }],
        }),
      ]),
    );
    expect(run.lines).toEqual(['MatchFirst1', 'MatchAny0', 'MatchAny2', 'async']);
    expect(asked).toHaveLength(6);
    const none = await runWorkflow(sw('MatchAny', [false]));
    expect(none.lines).toEqual(['MatchAny-default']);
    const empty = await runWorkflow(
      act('Switch', 'Sw', {
        cases: [{ label: 'x', condition: { type: 'Literal', value: true } }],
        default: W('default'),
      }),
    );
    expect(empty.lines).toEqual([]);
    expect(empty.status).toBe('Finished');
  });

  it.each<[string, string, [string, unknown][], unknown]>([
    [
      'the label of the case that matches',
      'MatchFirst',
      [
        ['a', false],
        ['b', true],
        ['c', true],
      ],
      'b',
    ],
    ['null when no case matches', 'MatchFirst', [['a', false]], null],
    [
      'the labels of all cases that match',
      'MatchAny',
      [
        ['a', true],
        ['b', false],
        ['c', true],
      ],
      ['a', 'c'],
    ],
    ['an empty list when none of all matches', 'MatchAny', [['a', null]], []],
  ])('Switch has as output %s', async (_, mode, cases, expected) => {
    const root = seq('S', [
      act('Switch', 'Sw', {
        mode: lit(mode),
        cases: cases.map(([label, value]) => ({
          label,
          condition: code(() => value).expression,
          activity: label === 'b' ? event('E') : undefined,
        })),
        output: out('V-id'),
      }),
      W('w', (scope) => JSON.stringify(scope.getVariable('V'))),
    ]);
    const run = await runWorkflow(workflow(root, { variables: [variable('V', 'Object', 'before')] }));
    if (run.waitingAt().includes('E')) await run.trigger('E');
    expect(run.lines).toEqual([JSON.stringify(expected)]);
  });

  it('waits for all branches of Parallel', async () => {
    const run = await runWorkflow(seq('S', [parallel('P', [event('A'), event('B'), W('c')]), W('end')]));
    await run.trigger('B');
    expect(run.lines).toEqual(['c']);
    await run.trigger('A');
    expect(run.lines).toEqual(['c', 'end']);
  });

  it('has inputs of containers back after a suspension', async () => {
    const run = await runWorkflow(
      seq('S', [forEach('Each', ['a', 'b'], seq('B', [event('E'), W('w', get('CurrentValue'))]))]),
    );
    await run.trigger('E');
    await run.trigger('E');
    expect(run.lines).toEqual(['a', 'b']);
    expect(run.status).toBe('Finished');
  });

  it('an If assigns its result once, before its branch changes the variable', async () => {
    const branch = seq('B', [setVar('set', 'V', false), event('E')]);
    const root = seq('S', [
      { ...iff('If', true, branch), result: out('V-id') },
      W('w', (s) => String(s.getVariable('V'))),
    ]);
    const run = await runWorkflow(workflow(root, { variables: [variable('V', 'Boolean')] }));
    await run.trigger('E');
    expect(run.lines).toEqual(['false']);
  });
});
