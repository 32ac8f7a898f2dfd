import { amountOf } from '../../../../test/support/depth.js';
import type { FlowchartMode } from '../execution/engine-options.js';
import {
  W,
  act,
  chain,
  code,
  decision,
  event,
  fault,
  flow,
  flowSwitch,
  iff,
  join,
  json,
  lit,
  seq,
  setVar,
  variable,
  workflow,
} from '../execution/testing/build-definition.js';
import { runWorkflow, WorkflowTest } from '../execution/testing/run-workflow.js';

const start = (id = 'S') => act('Start', id);
const lines = async (root: ReturnType<typeof flow>, flowchartMode: FlowchartMode = 'counter') => {
  const run = await runWorkflow(root, { flowchartMode });
  expect(run.status).toBe('Finished');
  return run.lines.join('');
};
const counter = variable('N', 'Int32', '0');
const increment = () => setVar('Inc', 'N', (s) => (s.getVariable('N') as number) + 1);

describe.each(['counter', 'token'] as const)('a flowchart in %s mode', (mode) => {
  const both = (name: string, root: () => ReturnType<typeof flow>, expected: string) =>
    it(name, async () => expect(await lines(root(), mode)).toBe(expected));

  both('without activities completes', () => flow('F', [], []), '');
  it('names the activity before as the cause of the one that follows', async () => {
    const run = await runWorkflow(chain('F', [W('a'), seq('S', [W('b'), event('E')])]), { flowchartMode: mode });
    const { records } = run.context.journal!.take();
    expect(records.map((r) => [r.activityId, r.schedulingActivityId, r.callStackDepth])).toEqual(
      expect.arrayContaining([
        ['a', 'F', 2],
        ['S', 'a', 3],
        ['b', 'S', 4],
        ['E', 'b', 5],
      ]),
    );
  });

  both('runs a chain', () => chain('F', [W('a'), W('b'), W('c')]), 'abc');
  both('starts at Start', () => flow('F', [W('x'), W('m'), start(), W('a')], ['S->m', 'm->a']), 'ma');
  both(
    'starts at the activity without inbound connections',
    () => flow('F', [W('b'), W('c'), W('a')], ['a->b', 'b->c']),
    'abc',
  );
  both(
    'starts at the first in a ring',
    () => flow('F', [W('a'), W('b'), act('End', 'E')], ['a->b', 'b->E', 'E->a']),
    'ab',
  );
  both(
    'starts at an activity that can start workflows',
    () =>
      flow(
        'F',
        [W('a'), act('WriteLine', 'b', { text: lit('b') }, { canStartWorkflow: true }), W('c')],
        ['a->b', 'b->c'],
      ),
    'bc',
  );
  both('follows taken outcomes only', () => flow('F', [W('a'), W('b'), W('c')], ['a:Done->b', 'a:Fake->c']), 'ab');
  both(
    'follows a connection without a port',
    () => ({
      ...flow('F', [W('a'), W('b')], []),
      connections: [{ source: { activity: 'a' }, target: { activity: 'b' } }],
    }),
    'ab',
  );
  both(
    'reads flat connections and drops dangling ones',
    () => ({
      ...flow('F', [W('a'), W('b')], []),
      connections: [{ source: 'a', target: 'b', sourcePort: 'Done' }, { source: 'a', target: 'zzz' }, null],
    }),
    'ab',
  );
  both('counts a repeated connection once', () => flow('F', [W('a'), W('b')], ['a->b', 'a->b']), 'ab');
  both('runs nested flowcharts', () => chain('O', [W('1'), chain('I', [W('2'), W('3')]), W('4')]), '1234');
  both('goes on after an If', () => chain('F', [iff('If', true, W('t'), W('e')), W('after')]), 'tafter');
  both('ends at End', () => flow('F', [W('a'), act('End', 'E'), W('b')], ['a->E', 'E->b']), 'a');
  both('runs a decision', () => flow('F', [decision('D', true), W('t'), W('f')], ['D:True->t', 'D:False->f']), 't');
  both(
    'brings exclusive ways together',
    () => flow('F', [decision('D', false), W('t'), W('f'), W('c')], ['D:True->t', 'D:False->f', 't->c', 'f->c']),
    'fc',
  );
  both('switches to the first match', () => flow('F', [flowSwitch('Sw', [['A', false], ['B', true], ['C', true]]), W('a'), W('b'), W('c'), W('d')], ['Sw:A->a', 'Sw:B->b', 'Sw:C->c', 'Sw:Default->d']), 'b'); // prettier-ignore
  both('switches to all matches', () => flow('F', [flowSwitch('Sw', [['A', true], ['B', true]], 'MatchAny'), W('a'), W('b'), W('d')], ['Sw:A->a', 'Sw:B->b', 'Sw:Default->d']), 'ab'); // prettier-ignore
  both(
    'switches to the default',
    () => flow('F', [flowSwitch('Sw', [['A', false]]), W('a'), W('d')], ['Sw:A->a', 'Sw:Default->d']),
    'd',
  );
  both(
    'forks by name',
    () =>
      flow(
        'F',
        [act('FlowFork', 'Fk', { branches: json(['x', 'y']) }), W('a'), W('b'), W('c')],
        ['Fk:x->a', 'Fk:y->b', 'Fk:z->c'],
      ),
    'ab',
  );
  both('forks without names along Done', () => flow('F', [act('FlowFork', 'Fk'), W('a')], ['Fk->a']), 'a');
  both(
    'joins a diamond',
    () =>
      flow(
        'F',
        [W('s'), W('1'), W('2'), W('3'), W('4'), join('J', 'WaitAll'), W('e')],
        ['s->1', 's->3', '1->2', '3->4', '2->J', '4->J', 'J->e'],
      ),
    's1324e',
  );
  both('runs a body of a FlowNode', () => chain('F', [act('FlowNode', 'N', { body: W('b') }), W('c')]), 'bc');

  it('waits at an implicit join for a branch that blocks', async () => {
    const run = await runWorkflow(flow('F', [W('s'), W('1'), event('E'), W('c')], ['s->1', 's->E', '1->c', 'E->c']), {
      flowchartMode: mode,
    });
    expect(run.lines).toEqual(['s', '1']);
    await run.trigger('E');
    expect([run.status, run.lines]).toEqual(['Finished', ['s', '1', 'c']]);
  });

  it('a flowchart runs a loop until its decision ends it', async () => {
    const root = flow(
      'F',
      [start(), increment(), decision('D', (s) => (s.getVariable('N') as number) > 2), W('r'), W('e')],
      ['S->Inc', 'Inc->D', 'D:False->r', 'D:True->e', 'r->Inc'],
    );
    const run = await runWorkflow(workflow(root, { variables: [counter] }), { flowchartMode: mode });
    expect([run.status, run.lines]).toEqual(['Finished', ['r', 'r', 'e']]);
  });

  it.each(['WaitAny', 'WaitAll', 'WaitAllActive'])('joins in a loop: %s', async (joinMode) => {
    const again = flowSwitch('Again', [['Less', (s) => (s.getVariable('N') as number) < 3]]);
    const root = flow(
      'F',
      [start(), W('A'), W('B'), W('C'), W('D'), join('J', joinMode), increment(), again, act('End', 'End')],
      [
        'S->A',
        'A->B',
        'A->C',
        'A->D',
        'B->J',
        'C->J',
        'D->J',
        'J->Inc',
        'Inc->Again',
        'Again:Less->A',
        'Again:Default->End',
      ],
    );
    const run = await runWorkflow(workflow(root, { variables: [counter] }), { flowchartMode: mode });
    expect([run.status, run.lines.join('')]).toEqual(['Finished', 'ABCDABCDABCD']);
  });

  it.each([
    ['before the join is reached', ['s->E', 's->a']],
    ['after the join is scheduled', ['s->a', 's->E']],
  ])('WaitAny cancels a branch that begins to wait %s, and what follows runs once', async (_, edges) => {
    const run = await runWorkflow(
      flow('F', [W('s'), W('a'), event('E'), join('J', 'WaitAny'), W('e')], [...edges, 'a->J', 'E->J', 'J->e']),
      { flowchartMode: mode },
    );
    expect([run.status, run.lines]).toEqual(['Finished', ['s', 'a', 'e']]);
  });

  it('WaitAny cancels a branch that begins to wait long after', async () => {
    const root = flow(
      'F',
      [W('s'), W('a'), W('1'), W('2'), W('3'), event('E'), W('4'), join('J'), W('e')],
      ['s->a', 's->1', '1->2', '2->3', '3->E', 'E->4', '4->J', 'a->J', 'J->e'],
    );
    const run = await runWorkflow(root, { flowchartMode: mode });
    expect(run.status).toBe('Finished');
    expect(run.lines.filter((l) => l === 'e')).toEqual(['e']);
  });

  it('WaitAny continues with the branch that is resumed first', async () => {
    const root = flow(
      'F',
      [start(), event('A'), event('B'), event('C'), join('J', 'WaitAny'), W('e')],
      ['S->A', 'S->B', 'S->C', 'A->J', 'B->J', 'C->J', 'J->e'],
    );
    const run = await runWorkflow(root, { flowchartMode: mode });
    await run.trigger('B');
    expect([run.status, run.lines, run.state.bookmarks]).toEqual(['Finished', ['e'], []]);
  });

  it('takes a join mode from an expression, synchronous or not', async () => {
    for (const value of [() => 'WaitAll', async () => 'WaitAll']) {
      const dynamic = act('FlowJoin', 'J', { mode: code(value) });
      expect(
        await lines(
          flow('F', [W('s'), W('a'), W('b'), dynamic, W('e')], ['s->a', 's->b', 'a->J', 'b->J', 'J->e']),
          mode,
        ),
      ).toBe('sabe');
    }
  });

  it('completes when a waiting branch is cancelled', async () => {
    const run = await runWorkflow(
      flow('F', [W('s'), W('a'), event('E'), W('x'), W('c')], ['s->a', 's->E', 'E->x', 'x->c', 'a->c']),
      { flowchartMode: mode },
    );
    [...run.context.contexts.values()].find((c) => c.activityId === 'E')!.cancel();
    await run.test.runner.drain(run.context);
    expect([run.status, run.lines]).toEqual(['Finished', ['s', 'a', 'c']]);
  });

  it('remembers over suspensions where the trigger started it', async () => {
    const root = flow(
      'F',
      [start(), W('a'), event('T', { start: true }), event('E'), W('b'), W('c')],
      ['S->a', 'a->T', 'T->E', 'T->b', 'E->c', 'b->c'],
    );
    const run = await runWorkflow(root, { flowchartMode: mode, request: { triggerActivityId: 'T' } });
    expect(run.lines).toEqual(['b']);
    await run.trigger('E');
    expect([run.status, run.lines]).toEqual(['Finished', ['b', 'c']]);
  });

  it('keeps its mode when the host changes its own', async () => {
    const run = await runWorkflow(flow('F', [event('E'), W('a')], ['E->a']), { flowchartMode: mode });
    const other = run.test.options as { flowchartMode: FlowchartMode };
    other.flowchartMode = mode === 'token' ? 'counter' : 'token';
    await run.trigger('E');
    expect(run.lines).toEqual(['a']);
  });
});

describe('joins in counter mode', () => {
  // Start -> A, B, C; A -> decision; True -> Join; False -> D; B, C -> Join; Join -> E -> F; D -> F
  const table = (condition: boolean, joinMode: string) =>
    flow(
      'F',
      [start(), W('A'), W('B'), W('C'), decision('Dec', condition), W('D'), join('J', joinMode), W('E'), W('Z')],
      ['S->A', 'S->B', 'S->C', 'A->Dec', 'Dec:True->J', 'Dec:False->D', 'B->J', 'C->J', 'D->Z', 'J->E', 'E->Z'],
    );
  it.each([
    [false, 'WaitAll', 'ABCDZ'],
    [false, 'WaitAllActive', 'ABCDEZ'],
    [false, 'WaitAny', 'ABCDEZ'],
    [true, 'WaitAll', 'ABCEZ'],
    [true, 'WaitAllActive', 'ABCEZ'],
    [true, 'WaitAny', 'ABCEZ'],
  ])('decision %s, %s', async (condition, joinMode, expected) => {
    expect(await lines(table(condition, joinMode))).toBe(expected);
  });

  it('skips a join that no branch reaches, and what follows', async () => {
    for (const joinMode of ['WaitAll', 'WaitAllActive', 'WaitAny']) {
      const root = flow(
        'F',
        [decision('D', true), W('t'), W('a'), W('b'), join('J', joinMode), W('e'), W('z')],
        ['D:True->t', 'D:False->a', 'D:False->b', 'a->J', 'b->J', 'J->e', 'e->z', 't->z'],
      );
      expect(await lines(root)).toBe('tz');
    }
  });

  it('refuses a loop that can be entered elsewhere', async () => {
    const root = flow('F', [start(), W('a'), W('b'), W('c')], ['S->a', 'S->b', 'a->b', 'b->c', 'c->a']);
    const run = await runWorkflow(root);
    expect(run.status).toBe('Faulted');
    expect(run.state.incidents[0]!.message).toContain('Invalid backward connection');
  });

  it('leaves nothing in the state when all joins are done', async () => {
    const root = flow('F', [start(), W('a'), W('b'), join('J'), event('E')], ['S->a', 'S->b', 'a->J', 'b->J', 'J->E']);
    const run = await runWorkflow(root);
    const state = run.state.activityExecutionContexts.find((c) => c.scheduledActivityNodeId.endsWith(':F'))!;
    expect(JSON.stringify(state.properties)).toBe('{"FlowScope":{"connections":{}}}');
  });

  it('gives an activity that is reached backwards the input BackwardConnection', async () => {
    const root = flow(
      'F',
      [
        start(),
        W('a', (s) => JSON.stringify(s.activityInput ?? null)),
        decision('D', (s) => s.getVariable('N') === 1),
        increment(),
      ],
      ['S->a', 'a->D', 'D:False->Inc', 'Inc->a'],
    );
    expect((await runWorkflow(workflow(root, { variables: [counter] }))).lines).toEqual([
      'null',
      '{"BackwardConnection":true}',
    ]);
  });

  it('lets a join win over a faulted branch', async () => {
    const root = flow('F', [start(), fault('X'), W('a'), join('J'), W('e')], ['S->X', 'S->a', 'X->J', 'a->J', 'J->e']);
    const run = await runWorkflow(workflow(root, { options: { incidentStrategyType: 'ContinueWithIncidents' } }));
    expect([run.status, run.lines]).toEqual(['Finished', ['a', 'e']]);
  });
});

describe('merge modes in token mode', () => {
  const merged = (mergeMode: string, condition = true) => {
    const target = { ...W('J'), customProperties: { mergeMode } };
    return flow(
      'F',
      [start(), decision('D', condition), W('a'), W('b'), W('c'), target, W('e')],
      ['S->D', 'S->c', 'D:True->a', 'D:False->b', 'a->J', 'b->J', 'c->J', 'J->e'],
    );
  };
  it.each([
    ['Stream', 'caJe'],
    ['None', 'caJe'],
    ['Merge', 'ca'],
    ['Converge', 'ca'],
    ['Cascade', 'caJe'],
    ['Race', 'caJe'],
  ])('%s after an exclusive branch', async (mergeMode, expected) => {
    const run = await runWorkflow(merged(mergeMode), { flowchartMode: 'token' });
    expect([run.status, run.lines.join('')]).toEqual(['Finished', expected]);
  });

  it('a FlowJoin that waits for all ends quietly where a branch was not taken', async () => {
    const of = (joinMode: string) =>
      flow(
        'F',
        [start(), decision('D', true), W('a'), W('b'), join('J', joinMode), W('e')],
        ['S->D', 'D:True->a', 'D:False->b', 'a->J', 'b->J', 'J->e'],
      );
    expect(await lines(of('WaitAll'), 'token')).toBe('a');
    expect(await lines(of('WaitAllActive'), 'token')).toBe('ae');
    expect(await lines(of('WaitAny'), 'token')).toBe('ae');
  });

  it('is chosen by the flowchart itself', async () => {
    for (const value of ['TokenBased', 1, 'token']) {
      const run = await runWorkflow(flow('F', [event('E')], [], { 'Flowchart:ExecutionMode': value }));
      expect(run.state.activityExecutionContexts[1]!.properties).toHaveProperty(['Flowchart.Tokens']);
    }
    const run = await runWorkflow(flow('F', [event('E')], [], { 'Flowchart:ExecutionMode': 'CounterBased' }), {
      flowchartMode: 'token',
    });
    expect(run.state.activityExecutionContexts[1]!.properties).toEqual({});
  });

  it('a waiting Stream target runs once the token that it waited for has taken another path', async () => {
    const root = flow(
      'F',
      [start(), W('a'), event('B'), W('J'), event('C')],
      ['S->a', 'S->B', 'a->J', 'B:Other->J', 'B->C'],
    );
    const run = await runWorkflow(root, { flowchartMode: 'token' });
    expect(run.lines).toEqual(['a']);
    await run.trigger('B');
    expect(run.lines).toEqual(['a', 'J']);
    expect(run.waitingAt()).toEqual(['C']);
  });
});

// How their cost grows is counted in work-growth.spec.ts; how long they take is measured in bench/.
describe('large flowcharts', () => {
  const size = 10_000;
  const ids = Array.from({ length: size }, (_, i) => `n${i}`);
  const steps = ids.map((id) => act('FlowNode', id));
  const edges = ids.slice(1).map((id, i) => `${ids[i]}->${id}`);

  describe.each(['counter', 'token'] as const)('in %s mode', (flowchartMode) => {
    it('compile, are classified and run', async () => {
      const test = new WorkflowTest({ flowchartMode, journal: false });
      const definition = workflow(flow('F', [...steps, event('E')], [...edges, 'n0->E']));
      const context = await test.runner.run({ graph: test.compile(definition), instanceId: 'i' });
      expect([context.subStatus, context.activityExecutionCount]).toEqual(['Suspended', size + 3]);
    });

    it('large flowcharts skip a dead path without overflowing the stack', async () => {
      const root = flow(
        'F',
        [decision('D', false), ...steps, W('e')],
        ['D:True->n0', ...edges, 'n9999->e', 'D:False->e'],
      );
      const run = await runWorkflow(root, { flowchartMode, journal: false });
      expect([run.status, run.lines, run.context.activityExecutionCount]).toEqual(['Finished', ['e'], 4]);
    });
  });

  it.each(['WaitAll', 'WaitAny'])('large flowcharts join a thousand branches or more (%s)', async (joinMode) => {
    const branches = ids.slice(0, amountOf(5000, 5));
    const root = flow(
      'F',
      [act('FlowNode', 's'), ...steps.slice(0, branches.length), join('J', joinMode), W('e')],
      [...branches.flatMap((id) => [`s->${id}`, `${id}->J`]), 'J->e'],
    );
    const run = await runWorkflow(root, { journal: false });
    expect([run.status, run.lines]).toEqual(['Finished', ['e']]);
  });

  it('large flowcharts have the same limits as a sequence', async () => {
    const run = await runWorkflow(seq('S', steps), { journal: false });
    expect(run.status).toBe('Finished');
  });
});

describe('a loop with several entries in which an instance waits that a node of an earlier version has left', () => {
  // There, `a->D` led back. `a` waited for `D`, as it does not here.
  const root = flow('F', [W('S'), event('c'), W('a'), W('D')], ['S->c', 'S->a', 'c->D', 'a->D', 'D->a']);
  const left = async (arrivals: Record<string, { visits: number; followed: boolean }>) => {
    const run = await runWorkflow(root);
    run.edit((state) => {
      const flowchart = state.activityExecutionContexts.find((context) =>
        context.scheduledActivityNodeId.endsWith(':F'),
      )!;
      flowchart.properties.FlowScope = { connections: arrivals };
    });
    run.test.lines.length = 0;
    return run;
  };

  it('what had arrived continues when nothing else is left, and the connection that leads back now is refused', async () => {
    const run = await left({ 'S:Done->a': { visits: 1, followed: true } });
    await run.trigger('c');
    expect([run.lines, run.status]).toEqual([['a', 'D'], 'Faulted']);
    expect(run.context.incidents[0]!.message).toContain("from the source ('D') must go through the target ('a')");
  });

  it('a connection that was not followed is skipped, and the join behind it runs', async () => {
    const run = await left({ 'S:Done->a': { visits: 1, followed: false } });
    await run.trigger('c');
    expect([run.lines, run.status]).toEqual([['D'], 'Faulted']);
  });

  it('joins to which nothing more comes do not keep a flowchart from completing', async () => {
    const run = await left({
      'a:Done->D': { visits: -1, followed: true },
      'S:Done->gone': { visits: 1, followed: true },
    });
    await run.trigger('c');
    expect([run.lines, run.status]).toEqual([[], 'Finished']);
  });
});

it.each(['counter', 'token'] as const)('the mode of a FlowJoin sees outputs beside it (%s)', async (flowchartMode) => {
  const mode = code((s) => (s.getOutputFrom('D') === 'all' ? 'WaitAll' : 'WaitAny'));
  const decides = act('Inline', 'D', { run: () => 'all' });
  const root = flow(
    'F',
    [decides, W('a'), W('b'), { ...join('J'), mode }, W('z')],
    ['D->a', 'D->b', 'a->J', 'b->J', 'J->z'],
  );
  expect(await lines(root, flowchartMode)).toBe('abz');
});
