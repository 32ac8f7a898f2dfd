import v8 from 'node:v8';
import vm from 'node:vm';
import type { ActivityJson } from '../definitions/workflow-definition.js';
import {
  W,
  act,
  decision,
  event,
  flow,
  flowSwitch,
  forEach,
  forLoop,
  fork,
  iff,
  join,
  parallel,
  parallelForEach,
  seq,
  variable,
  whileLoop,
  workflow,
} from './testing/build-definition.js';
import { amountOf } from '../../../../test/support/depth.js';
import { runWorkflow, WorkflowTest } from './testing/run-workflow.js';

const bare: Record<string, ActivityJson> = {
  'For without a body': forLoop('X', 0, 3),
  'While without a body, for ever true': whileLoop('X', true),
  'ForEach without a body': forEach('X', [1, 2]),
  'ForEach over nothing': forEach('X', [], W('b')),
  'ParallelForEach without a body': parallelForEach('X', [1, 2]),
  'ParallelForEach over nothing': parallelForEach('X', [], W('b')),
  'If with both ports empty, true': iff('X', true),
  'If with both ports empty, false': iff('X', false),
  'Switch without cases': act('Switch', 'X'),
  'Switch with a case that holds nothing': act('Switch', 'X', {
    cases: [{ label: 'A', condition: { type: 'Literal', value: true } }],
  }),
  'Fork without branches, WaitAll': fork('X', [], 'WaitAll'),
  'Fork without branches, WaitAny': fork('X', [], 'WaitAny'),
  'Parallel of nothing': parallel('X', []),
  'Sequence of nothing': seq('X', []),
  'Flowchart of nothing': flow('X', [], []),
  'Flowchart with only a decision': flow('X', [decision('D', true)], []),
  'Flowchart with only a switch without cases': flow('X', [flowSwitch('D', [])], []),
  'Flowchart with only a join that waits for all': flow('X', [join('J', 'WaitAll')], []),
  'StateMachine without states': act('StateMachine', 'X'),
  'StateMachine with a state that leads nowhere': act('StateMachine', 'X', {
    states: [{ name: 'A' }],
    transitions: [],
  }),
};

describe.each(['counter', 'token'] as const)('containers without children (%s mode)', (flowchartMode) => {
  it.each(Object.entries(bare))('%s continues', async (_, activity) => {
    const run = await runWorkflow(seq('S', [activity, W('end')]), { flowchartMode });
    expect([run.status, run.lines, run.state.incidents]).toEqual(['Finished', ['end'], []]);
  });

  it.each(Object.entries(bare))('%s is enough for a workflow', async (_, activity) => {
    expect((await runWorkflow(activity, { flowchartMode })).status).toBe('Finished');
  });
});

it('a workflow without a root ends', async () => {
  const definition = { ...workflow(W('x')), root: undefined as unknown as ActivityJson };
  expect((await runWorkflow(definition)).status).toBe('Finished');
});

const ROUNDS = amountOf(1_000_000, 4);

describe(`a loop of ${ROUNDS} iterations`, () => {
  /** After so many activities it lets others run. */
  const PART = 500;
  /** One word for each round. */
  const WORDS_MB = (8 * ROUNDS) / 1e6;
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc') as () => void;
  const heapMegabytes = (): number => {
    collect();
    return process.memoryUsage().heapUsed / 1e6;
  };

  it.each<[string, ActivityJson]>([
    ['For', forLoop('L', 1, ROUNDS, act('Start', 'x'))],
    [
      'While',
      whileLoop(
        'L',
        (s) => {
          const n = (s.getVariable('N') as number) + 1;
          s.setVariable('N', n);
          return n <= ROUNDS;
        },
        act('Start', 'x'),
      ),
    ],
  ])(
    '%s keeps nothing of the rounds behind it',
    async (_, loop) => {
      let yields = 0;
      let early = 0;
      let late = 0;
      const test = new WorkflowTest({
        journal: false,
        // Early in the loop, and shortly before its end.
        yield: async () => {
          if (++yields === 20) early = heapMegabytes();
          if (yields === ROUNDS / PART - 10) late = heapMegabytes();
        },
      });
      const root = seq('S', [loop, event('E')]);
      const run = await test.start(workflow(root, { variables: [variable('N', 'Int32', '0')] }));
      expect([run.status, run.context.activityExecutionCount]).toEqual(['Suspended', ROUNDS + 4]);
      expect(late - early).toBeLessThan(WORDS_MB / 2);
      expect(late).toBeGreaterThan(0);
      expect(JSON.stringify(run.state).length).toBeLessThan(3000);
    },
    120_000,
  );

  it('commits its journal in between, so that it does not grow either', async () => {
    let largest = 0;
    let entries = 0;
    const run = await runWorkflow(forLoop('L', 1, 50_000, act('Start', 'x')), {
      request: {
        checkpointEvery: 1000,
        onCheckpoint: async ({ journal }) => {
          largest = Math.max(largest, journal!.size);
          entries += journal!.take().log.length;
        },
      },
    });
    expect(largest).toBeLessThan(1010);
    expect(entries + run.context.journal!.take().log.length).toBe(2 * 50_002);
  }, 60_000);
});
