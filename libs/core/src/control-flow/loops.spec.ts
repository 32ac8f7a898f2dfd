import {
  W,
  act,
  code,
  event,
  flow,
  forEach,
  forLoop,
  fork,
  get,
  iff,
  out,
  parallel,
  parallelForEach,
  seq,
  setVar,
  variable,
  whileLoop,
  workflow,
} from '../execution/testing/build-definition.js';
import { runWorkflow } from '../execution/testing/run-workflow.js';

const breakOut = (id = 'Break') => act('Break', id);
const current = () =>
  W('w', (s) => `${String(s.getVariable('CurrentIndex') ?? '')}${String(s.getVariable('CurrentValue'))}`);
const counter = variable('N', 'Int32', '0');
const increment = (id = 'inc') => setVar(id, 'N', (s) => (s.getVariable('N') as number) + 1);

describe('For', () => {
  it.each([
    [0, 3, 1, undefined, [0, 1, 2, 3]],
    [0, 3, 1, false, [0, 1, 2]],
    [0, 6, 2, true, [0, 2, 4, 6]],
    [0, 5, 2, true, [0, 2, 4]],
    [3, 0, -1, true, [3, 2, 1, 0]],
    [3, 0, -1, false, [3, 2, 1]],
    [1, 1, 1, true, [1]],
    [1, 1, 1, false, []],
    [5, 1, 1, true, []],
  ])('%d..%d step %d inclusive %s', async (start, end, step, inclusive, expected) => {
    const run = await runWorkflow(seq('S', [forLoop('For', start, end, current(), { step, inclusive }), W('end')]));
    expect(run.lines).toEqual([...expected.map(String), 'end']);
    expect(run.status).toBe('Finished');
  });

  it('faults with step 0', async () => {
    const run = await runWorkflow(forLoop('For', 0, 3, W('w'), { step: 0 }));
    expect(run.status).toBe('Faulted');
    expect(run.state.incidents[0]!.message).toContain('step 0');
  });

  it('gives its current value to a variable', async () => {
    const definition = workflow(
      seq('S', [forLoop('For', 1, 2, W('w', get('N')), { currentValue: out('N-id') }), W('after', get('N'))]),
      { variables: [counter] },
    );
    expect((await runWorkflow(definition)).lines).toEqual(['1', '2', '2']);
  });
});

describe('loops without a body', () => {
  it.each([
    ['For', forLoop('L', 0, 3)],
    ['While', whileLoop('L', true)],
    ['ForEach', forEach('L', ['a', 'b'])],
    ['ParallelForEach', parallelForEach('L', [1, 2])],
  ])('%s completes at once', async (_, loop) => {
    const run = await runWorkflow(seq('S', [loop, W('end')]));
    expect(run.lines).toEqual(['end']);
    expect(run.status).toBe('Finished');
  });

  it('ForEach has set its current value', async () => {
    const each = { ...forEach('L', ['a', 'b']), currentValue: out('N-id') };
    const run = await runWorkflow(workflow(seq('S', [each, W('w', get('N'))]), { variables: [variable('N')] }));
    expect(run.lines).toEqual(['a']);
  });
});

describe('While', () => {
  it('evaluates its condition before each run', async () => {
    const body = seq('B', [increment(), W('w', get('N'))]);
    const run = await runWorkflow(
      workflow(seq('S', [whileLoop('W', (s) => (s.getVariable('N') as number) < 3, body), W('end')]), {
        variables: [counter],
      }),
    );
    expect(run.lines).toEqual(['1', '2', '3', 'end']);
  });

  it('takes an asynchronous condition', async () => {
    const body = seq('B', [increment(), W('w', get('N'))]);
    const loop = whileLoop('W', async (s) => (s.getVariable('N') as number) < 2, body);
    expect((await runWorkflow(workflow(loop, { variables: [counter] }))).lines).toEqual(['1', '2']);
  });

  it('faults itself when its condition throws later', async () => {
    const loop = whileLoop('Loop', (s) => { if ((s.getVariable('N') as number) > 0) throw new Error('no more'); return true; }, increment()); // prettier-ignore
    const run = await runWorkflow(workflow(loop, { variables: [counter] }));
    expect(run.status).toBe('Faulted');
    expect(run.state.incidents).toMatchObject([{ activityId: 'Loop', message: 'no more' }]);
  });
});

describe('ForEach', () => {
  it('gives index and value', async () => {
    expect((await runWorkflow(forEach('E', ['a', 'b', 'c'], current()))).lines).toEqual(['0a', '1b', '2c']);
  });

  it('faults over null and completes over nothing', async () => {
    const run = await runWorkflow(seq('S', [forEach('Each', () => null, current()), W('never')]));
    expect(run.status).toBe('Faulted');
    expect(run.context.faultedContexts().map((c) => c.activityId)).toEqual(['Each']);
    expect((await runWorkflow(seq('S', [forEach('Each', [], current()), W('end')]))).lines).toEqual(['end']);
  });

  it('ForEach runs inside of another ForEach', async () => {
    const inner = forEach(
      'I',
      [1, 2],
      W('w', (s) => String(s.getVariable('CurrentValue'))),
    );
    expect((await runWorkflow(forEach('O', ['a', 'b'], seq('S', [current(), inner])))).lines).toEqual([
      '0a',
      '1',
      '2',
      '1b',
      '1',
      '2',
    ]);
  });

  it('is stopped by a fault, which is counted up to the loop', async () => {
    const body = seq('B', [
      iff('If', (s) => s.getVariable('CurrentValue') === 'b', act('Fault', 'F', { message: null })),
      current(),
    ]);
    const run = await runWorkflow(forEach('Each', ['a', 'b', 'c'], body));
    expect(run.lines).toEqual(['0a']);
    expect([...run.context.contexts.values()].map((c) => [c.activityId, c.status, c.faultCount])).toEqual([
      ['Workflow1', 'Running', 1],
      ['Each', 'Running', 1],
      ['B', 'Running', 1],
      ['If', 'Running', 1],
      ['F', 'Faulted', 1],
    ]);
  });
});

describe('ParallelForEach', () => {
  it('runs a body per item, each with its own value, over suspensions', async () => {
    const body = seq('B', [event('E'), current()]);
    const run = await runWorkflow(seq('S', [parallelForEach('P', ['a', 'b', 'c'], body), W('end')]));
    expect(run.waitingAt()).toEqual(['E', 'E', 'E']);
    await run.run({ bookmarkId: run.bookmarks[1]!.id });
    expect(run.lines).toEqual(['1b']);
    await run.trigger('E');
    expect(run.lines).toEqual(['1b', '0a', '2c', 'end']);
    expect(run.status).toBe('Finished');
  });

  it.each([
    ['null', null],
    ['nothing', []],
    ['blank text', ''],
  ])('completes over %s', async (_, items) => {
    expect((await runWorkflow(seq('S', [parallelForEach('P', items, current()), W('end')]))).lines).toEqual(['end']);
  });

  it.each([
    ['JSON text', '["a","b"]'],
    ['a set', () => new Set(['a', 'b'])],
    ['an async iterable', () => (async function* () { yield 'a'; yield 'b'; })()], // prettier-ignore
  ])('takes %s', async (_, items) => {
    expect((await runWorkflow(parallelForEach('P', items, current()))).lines).toEqual(['0a', '1b']);
  });

  it('faults over a value that is not a list', async () => {
    expect((await runWorkflow(parallelForEach('P', { a: 1 }, current()))).status).toBe('Faulted');
    expect((await runWorkflow(parallelForEach('P', 'a,b', current()))).status).toBe('Faulted');
  });

  it('nests, with stored state', async () => {
    const inner = parallelForEach(
      'I',
      [0, 1],
      seq('B', [event('E'), W('w', (s) => String(s.getVariable('CurrentValue')))]),
    );
    const run = await runWorkflow(seq('S', [parallelForEach('O', [0, 1], inner), W('end')]));
    expect(run.waitingAt()).toHaveLength(4);
    await run.trigger('E');
    expect(run.lines.toSorted()).toEqual(['0', '0', '1', '1', 'end']);
    expect(run.status).toBe('Finished');
  });
});

describe('Break', () => {
  it('ends a sequence, with and without a loop around it', async () => {
    const inner = seq('I', [W('1'), breakOut(), W('never')]);
    expect((await runWorkflow(seq('O', [W('0'), inner, W('never')]))).lines).toEqual(['0', '1']);
  });

  it.each([
    ['For', (body: ReturnType<typeof seq>) => forLoop('L', 0, 9, body)],
    ['While', (body: ReturnType<typeof seq>) => whileLoop('L', true, body)],
    ['ForEach', (body: ReturnType<typeof seq>) => forEach('L', [1, 2, 3, 4], body)],
  ])('leaves %s', async (_, loop) => {
    const body = seq('B', [increment(), iff('If', (s) => s.getVariable('N') === 3, breakOut()), W('w', get('N'))]);
    const run = await runWorkflow(workflow(seq('S', [loop(body), W('end')]), { variables: [counter] }));
    expect(run.lines).toEqual(['1', '2', 'end']);
    expect(run.status).toBe('Finished');
  });

  it('leaves the inner loop only', async () => {
    const inner = whileLoop('I', true, seq('B', [W('in'), breakOut(), W('never')]));
    expect((await runWorkflow(forEach('O', [1, 2], seq('S', [inner, W('out')])))).lines).toEqual([
      'in',
      'out',
      'in',
      'out',
    ]);
  });

  it('removes the bookmarks of other branches after a suspension', async () => {
    const branch = (n: number, last: ReturnType<typeof W>[]) =>
      seq(`S${n}`, [W(`a${n}`), event(`E${n}`), W(`r${n}`), ...last]);
    const run = await runWorkflow(
      seq('S', [whileLoop('L', true, seq('B', [fork('F', [branch(1, [breakOut()]), branch(2, [])])])), W('end')]),
    );
    await run.trigger('E1');
    expect(run.lines).toEqual(['a1', 'a2', 'r1', 'end']);
    expect(run.status).toBe('Finished');
    expect(run.state.bookmarks).toEqual([]);
  });

  it.each([
    ['Parallel', parallel('P', [event('E'), breakOut()])],
    ['a flowchart that would continue', flow('F', [iff('If', true, breakOut()), W('never')], ['If->never'])],
    [
      'Switch',
      act('Switch', 'Sw', { cases: [{ label: 'x', condition: code(() => true).expression, activity: breakOut() }] }),
    ],
  ])('ends the loop also from within %s', async (_, body) => {
    const run = await runWorkflow(seq('S', [whileLoop('L', true, body), W('end')]));
    expect(run.lines).toEqual(['end']);
    expect(run.status).toBe('Finished');
  });

  it('stops the other items of ParallelForEach', async () => {
    const body = seq('B', [iff('If', (s) => s.getVariable('CurrentValue') === 2, breakOut(), event('E'))]);
    const run = await runWorkflow(seq('S', [parallelForEach('P', [1, 2, 3], body), W('end')]));
    expect(run.lines).toEqual(['end']);
    expect(run.status).toBe('Finished');
  });

  it('is completed, not cancelled, in the journal', async () => {
    const run = await runWorkflow(whileLoop('L', true, seq('B', [breakOut()])));
    const records = run.context.journal!.take().records;
    expect(records.every((r) => r.status === 'Completed')).toBe(true);
  });
});

describe('Fork', () => {
  it('runs all branches', async () => {
    expect((await runWorkflow(seq('S', [fork('F', [W('1'), W('2')]), W('end')]))).lines).toEqual(['1', '2', 'end']);
  });

  it('continues with the first branch and cancels the others', async () => {
    const branch = (n: number) => seq(`S${n}`, [event(`E${n}`), W(`b${n}`)]);
    const run = await runWorkflow(seq('S', [fork('F', [branch(1), branch(2), branch(3)], 'WaitAny'), W('end')]));
    expect(run.waitingAt()).toEqual(['E1', 'E2', 'E3']);
    await run.trigger('E2');
    expect(run.lines).toEqual(['b2', 'end']);
    expect(run.status).toBe('Finished');
  });
});

describe('long loops', () => {
  it('does not grow with the number of iterations', async () => {
    const run = await runWorkflow(forLoop('L', 1, 100_000, seq('B', [act('Start', 'x')])), { journal: false });
    expect(run.status).toBe('Finished');
    expect(run.context.contexts.size).toBe(0);
    expect(run.context.activityExecutionCount).toBeGreaterThan(200_000);
    expect(JSON.stringify(run.state).length).toBeLessThan(3000);
  });
});
