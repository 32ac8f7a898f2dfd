/**
 * Modules of its own: V8 counts in code alone that was loaded after the counting began.
 * @jest-environment node
 */
import { Session } from 'node:inspector/promises';
import { amountOf } from '../../../../test/support/depth.js';
import type { ActivityJson, WorkflowDefinition } from '../definitions/workflow-definition.js';
import type { Edge } from '../flowchart/classify-edges.js';
import type { FlowchartMode } from './engine-options.js';

// How the engine's work grows, by V8's own count of how often each block of its code ran: the same on every machine and
// under any load, unlike time. Code that was compiled before the counting began has no counters, hence the late imports.
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
const { WorkflowTest } = await import('./testing/run-workflow.js');
const { act, chain, decision, event, flow, forLoop, join, parallel, seq, setVar, sub, variable, W, workflow } =
  await import('./testing/build-definition.js');
const { classifyEdges } = await import('../flowchart/classify-edges.js');
afterAll(() => session.disconnect());

async function countWork(work: () => unknown): Promise<number> {
  await session.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const blocks = result
    .filter(({ url }) => url.includes('/libs/core/src/'))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges));
  return blocks.reduce((sum, { count }) => sum + count, 0);
}

/** Of the smaller one of two; a quick run shows the same growth with fewer. */
const SIZE = amountOf(1000, 12);
/** Of a loop with three activities in each. */
const PAST_ROUNDS = amountOf(33_334, 20);

/** Counting slows the code down. */
const PATIENCE = 60_000;

/** Ten times the size: about ten times the work. Quadratic work would be a hundred times. */
const LINEAR = 20;
const QUADRATIC = 150;

async function expectGrowth(limit: number, workOf: (size: number) => () => unknown, size = SIZE): Promise<void> {
  await countWork(workOf(10));
  const small = await countWork(workOf(size));
  const large = await countWork(workOf(10 * size));
  expect(small).toBeGreaterThan(size);
  expect(large / small).toBeLessThan(limit);
}

const steps = (count: number): ActivityJson[] => Array.from({ length: count }, (_, i) => act('FlowNode', `n${i}`));
const shapes: Record<string, (size: number) => ActivityJson> = {
  'a chain': (size) => chain('F', steps(size)),
  'a chain that a decision leaves out': (size) =>
    flow(
      'F',
      [decision('D', false), ...steps(size), W('e')],
      ['D:True->n0', ...edgesOf(size), `n${size - 1}->e`, 'D:False->e'],
    ),
  'branches that join': (size) => joined(size, 'WaitAll'),
  'branches that race': (size) => joined(size, 'WaitAny'),
  'branches that meet': (size) => joined(size, undefined),
  'a sequence': (size) => seq('S', steps(size)),
  'parallel branches': (size) => parallel('P', steps(size)),
};

function edgesOf(size: number): string[] {
  return Array.from({ length: size - 1 }, (_, i) => `n${i}->n${i + 1}`);
}

function joined(size: number, mode: string | undefined): ActivityJson {
  const branches = steps(size);
  const edges = branches.flatMap(({ id }) => [`s->${id}`, `${id}->J`]);
  return flow(
    'F',
    [act('FlowNode', 's'), ...branches, mode ? join('J', mode) : act('FlowNode', 'J'), W('e')],
    [...edges, 'J->e'],
  );
}

const runOf = (make: (size: number) => ActivityJson, flowchartMode: FlowchartMode) => (size: number) => {
  const test = new WorkflowTest({ flowchartMode });
  const graph = test.compile(workflow(make(size)));
  return async () => {
    const { subStatus } = await test.runner.run({ graph, instanceId: 'instance' });
    expect(subStatus).toBe('Finished');
  };
};

describe.each(Object.entries(shapes))(`%s of ${10 * SIZE} activities`, (_, make) => {
  it(
    'compiles in near linear work',
    () =>
      expectGrowth(LINEAR, (size) => {
        const definition = workflow(make(size));
        return () => new WorkflowTest().compile(definition);
      }),
    PATIENCE,
  );

  it('runs in near linear work', () => expectGrowth(LINEAR, runOf(make, 'counter')), PATIENCE);
});

describe('in token mode', () => {
  it.each(['a chain', 'a chain that a decision leaves out'])(
    '%s runs in near linear work',
    (name) => expectGrowth(LINEAR, runOf(shapes[name]!, 'token')),
    PATIENCE,
  );

  // Each step looks through all tokens, and there are as many as branches.
  it.each(['branches that join', 'branches that race', 'branches that meet'])(
    '%s run in no more than quadratic work',
    (name) => expectGrowth(QUADRATIC, runOf(shapes[name]!, 'token'), 100),
    PATIENCE,
  );
});

describe('connections', () => {
  const n = (size: number, make: (i: number) => Edge, count = size): Edge[] =>
    Array.from({ length: count }, (_, i) => make(i));
  it.each<[string, (size: number) => Edge[]]>([
    ['of a tree', (size) => n(size, (i) => ({ from: i >> 1, to: (i >> 1) + 1 + (i & 1) }), 2 * size - 3)],
    [
      'that all go back',
      (size) =>
        n(size, (i) => (i & 1 ? { from: (i >> 1) + 1, to: i >> 1 } : { from: i >> 1, to: (i >> 1) + 1 }), 2 * size - 2),
    ],
    [
      'here and there',
      (size) => n(size, (i) => ({ from: (i * 7919) % size, to: (i * 104_729 + 13) % size }), 3 * size),
    ],
  ])(
    '%s are classified in near linear work',
    (_, edgesFor) =>
      expectGrowth(LINEAR, (size) => {
        const edges = edgesFor(size);
        return () => expect(classifyEdges(edges, size, 0)).toHaveLength(edges.length);
      }),
    PATIENCE,
  );
});

describe('long lists of a definition', () => {
  const many = <T>(size: number, make: (i: number) => T): T[] => Array.from({ length: size }, (_, i) => make(i));
  const inputs = (size: number) =>
    many(size, (i) => ({ name: `In${i}`, type: 'Object', storageDriverType: 'WorkflowInstanceStorageDriver' }));
  const variables = (size: number) => many(size, (i) => variable(`V${i}`, 'Object', 'x'));

  /** Runs to the first stop, and stores it. */
  const storing = (
    definition: WorkflowDefinition,
    input: Record<string, unknown> = {},
    children: WorkflowDefinition[] = [],
  ) => {
    const test = new WorkflowTest({ children });
    return async () => {
      const graph = test.compile(definition);
      const wec = await test.runner.run({ graph, instanceId: 'instance', input });
      expect(wec.subStatus).not.toBe('Faulted');
      test.runner.extract(wec);
    };
  };

  it.each<[string, (size: number) => () => unknown]>([
    [
      'inputs, of a start with as many others',
      (size) =>
        storing(
          workflow(event('E'), { inputs: inputs(size) } as never),
          Object.fromEntries(many(size, (i) => [`other${i}`, i])),
        ),
    ],
    [
      'variables, which a script reads one by one',
      (size) =>
        storing(
          workflow(
            W('All', (scope) => {
              for (const name of scope.variableNames()) scope.getVariable(name);
              return 'x';
            }),
            { variables: variables(size) },
          ),
        ),
    ],
    [
      'variables that a script declares',
      (size) =>
        storing(
          workflow(
            W('All', (scope) => {
              for (let i = 0; i < size; i++) scope.setVariable(`W${i}`, i);
              return 'x';
            }),
          ),
        ),
    ],
    [
      'states, with ways to all of them out of the first',
      (size) =>
        storing(
          workflow(
            act('StateMachine', 'M', {
              states: many(size, (i) => ({ name: `S${i}` })),
              transitions: many(size, (i) => ({ from: 'S0', to: `S${size - 1 - i}` })),
            }),
          ),
        ),
    ],
    [
      'inputs and outputs of a workflow that is used as an activity',
      (size) => {
        const child = workflow(W('w'), {
          definitionId: 'child',
          id: 'child-v1',
          name: 'child',
          inputs: inputs(size),
          outputs: many(size, (i) => ({ name: `Out${i}`, type: 'Object' })),
          options: { usableAsActivity: true },
        } as never);
        return storing(workflow(sub('C', child)), {}, [child]);
      },
    ],
  ])('long lists of a definition take near linear work: %s', (_, workOf) => expectGrowth(LINEAR, workOf), PATIENCE);

  it(
    'long lists of a definition take near linear work where an instance moves to another version',
    () =>
      expectGrowth(LINEAR, (size) => {
        const definition = (version: number) =>
          workflow(seq('S', [event('E'), ...many(size, (i) => W(`w${i}`))], []), {
            id: `v${version}`,
            version,
            variables: variables(size),
          });
        const test = new WorkflowTest();
        let isMoved = false;
        return async () => {
          const run = await test.start(definition(1));
          isMoved = run.migrate(definition(2)).report.isPossible;
          expect(isMoved).toBe(true);
        };
      }),
    PATIENCE,
  );
});

describe(`resuming, with ${3 * PAST_ROUNDS} activities behind the instance (W7)`, () => {
  const history = (rounds: number): WorkflowDefinition =>
    workflow(
      seq('S', [
        forLoop(
          'Loop',
          1,
          rounds,
          seq('Body', [setVar('Set', 'N', (s) => s.getVariable('CurrentValue')), W('w', 'x')]),
        ),
        event('E'),
        W('end'),
      ]),
      { variables: [variable('N', 'Int32', '0')] },
    );
  /** Runs up to the event, with the journal committed on the way, and tells what is left to be stored. */
  async function suspended(rounds: number) {
    const test = new WorkflowTest({ writeLine: () => undefined });
    const graph = test.compile(history(rounds));
    const instanceId = 'instance';
    const waiting = await test.runner.run({ graph, instanceId, onCheckpoint: async (wec) => void wec.journal!.take() });
    const state = test.runner.extract(waiting);
    const bookmarkId = state.bookmarks[0]!.id;
    const resume = async (): Promise<void> => {
      const wec = await test.runner.run({ graph, instanceId, state: structuredClone(state), bookmarkId });
      expect([wec.subStatus, wec.journal!.take().records.length]).toEqual(['Finished', 4]);
    };
    return { state, resume, executed: waiting.activityExecutionCount };
  }

  it(
    'costs what it costs a fresh one',
    async () => {
      const fresh = await suspended(1);
      const old = await suspended(PAST_ROUNDS);
      expect(old.executed).toBeGreaterThan(3 * PAST_ROUNDS);
      // The same members: only numbers and ids have more digits.
      expect(JSON.stringify(old.state).length - JSON.stringify(fresh.state).length).toBeLessThan(100);
      await fresh.resume();
      const work = [await countWork(fresh.resume), await countWork(old.resume)];
      expect(work[1]! / work[0]!).toBeLessThan(1.05);
    },
    PATIENCE,
  );

  it.each(['counter', 'token'] as const)(
    'resuming inside the loop of a flowchart costs what it costs a fresh instance (%s mode)',
    async (flowchartMode) => {
      const definition = workflow(
        flow(
          'F',
          [
            setVar('Count', 'N', (s) => (s.getVariable('N') as number) + 1),
            decision('Wait', (s) => [2, 2000].includes(s.getVariable('N') as number)),
            event('E'),
          ],
          ['Count->Wait', 'Wait:False->Count', 'Wait:True->E', 'E->Count'],
        ),
        { variables: [variable('N', 'Int32', '0')] },
      );
      const run = await new WorkflowTest({ flowchartMode, journal: false }).start(definition);
      const early = JSON.stringify(run.state).length;
      await run.trigger('E');
      expect(run.context.activityExecutionCount).toBeGreaterThan(4000);
      expect(JSON.stringify(run.state).length - early).toBeLessThan(100);
    },
    PATIENCE,
  );
});
