import fc from 'fast-check';
import { amountOf } from '../../../../test/support/depth.js';
import type { ActivityJson, WorkflowDefinition } from '../definitions/workflow-definition.js';
import type { ExpressionScope } from '../expressions/expression-scope.js';
import type { FlowchartMode } from './engine-options.js';
import {
  W,
  act,
  code,
  complete,
  decision,
  event,
  fault,
  forEach,
  forLoop,
  fork,
  iff,
  join,
  parallel,
  parallelForEach,
  seq,
  sub,
  variable,
  whileLoop,
  workflow,
} from './testing/build-definition.js';
import { WorkflowTest } from './testing/run-workflow.js';

/** Holds a limited number of times, counted in the instance: random loops come to an end. */
const fewTimes = (scope: ExpressionScope): boolean => {
  const n = (scope.getVariable('N') as number) + 1;
  scope.setVariable('N', n);
  return n % 3 !== 0 && n < 30;
};

const say = (id: string) =>
  W(id, (s) => `${id}:${String(s.getVariable('CurrentValue') ?? '')}:${String(s.getVariable('CurrentIndex') ?? '')}`);

const child = workflow(
  seq('CS', [say('cw'), event('ce'), iff('ci', (s) => s.getInput('In') === 2, complete('cc', 'X'))]),
  {
    definitionId: 'Child',
    inputs: [{ name: 'In', type: 'Object', isArray: false }],
    outcomes: ['X'],
  },
);

type Maker = (id: string) => ActivityJson;

const leaf: fc.Arbitrary<Maker> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Maker>(say) },
  { weight: 4, arbitrary: fc.constant<Maker>((id) => event(id)) },
  {
    weight: 1,
    arbitrary: fc.constant<Maker>((id) => sub(id, child, { in: code((s) => s.getVariable('CurrentValue')) })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Maker>(
      (id) => act('Break', id),
      (id) => act('End', id),
    ),
  },
);
const rare: fc.Arbitrary<Maker> = fc.constantFrom<Maker>(
  (id) => fault(id),
  (id) => complete(id, 'X'),
  (id) => act('Finish', id),
  (id) => act('App.Unknown', id),
);

interface RandomFlow {
  readonly nodes: readonly Maker[];
  readonly edges: readonly (readonly [number, number, number])[];
}
const PORTS = ['Done', 'Done', 'Done', 'True', 'False', 'X'];

const { tree } = fc.letrec<{ tree: Maker; node: Maker }>((tie) => {
  const node = tie('node');
  const list = fc.array(node, { maxLength: 4 });
  const made = (items: readonly Maker[], id: string) => items.map((make, i) => make(`${id}_${i}`));
  const flowchart = fc
    .record({
      nodes: fc.array(
        fc.oneof(
          { weight: 3, arbitrary: node },
          { weight: 1, arbitrary: fc.constant<Maker>((id) => decision(id, fewTimes)) },
          {
            weight: 1,
            arbitrary: fc.constantFrom('WaitAny', 'WaitAll', 'WaitAllActive').map(
              (m): Maker =>
                (id) =>
                  join(id, m),
            ),
          },
          {
            weight: 1,
            arbitrary: fc.constantFrom('Merge', 'Converge', 'Race', 'Cascade').map((mergeMode): Maker => (id) => ({
              ...say(id),
              customProperties: { mergeMode },
            })),
          },
        ),
        { minLength: 1, maxLength: 6 },
      ),
      edges: fc.array(fc.tuple(fc.nat(20), fc.nat(20), fc.nat(5)), { maxLength: 10 }),
    })
    .map(
      (f): Maker =>
        (id) =>
          makeFlow(f, id),
    );
  return {
    node: fc.oneof({ depthSize: 'medium', maxDepth: 6 }, leaf, tie('tree')),
    tree: fc.oneof(
      { depthSize: 'medium', maxDepth: 6 },
      { weight: 1, arbitrary: leaf },
      {
        weight: 3,
        arbitrary: list.map(
          (l): Maker =>
            (id) =>
              seq(id, made(l, id)),
        ),
      },
      {
        weight: 1,
        arbitrary: list.map(
          (l): Maker =>
            (id) =>
              parallel(id, made(l, id)),
        ),
      },
      {
        weight: 1,
        arbitrary: fc.tuple(list, fc.constantFrom('WaitAny', 'WaitAll')).map(
          ([l, m]): Maker =>
            (id) =>
              fork(id, made(l, id), m),
        ),
      },
      {
        weight: 1,
        arbitrary: fc.tuple(node, node).map(
          ([a, b]): Maker =>
            (id) =>
              iff(id, fewTimes, a(`${id}_t`), b(`${id}_e`)),
        ),
      },
      {
        weight: 1,
        arbitrary: node.map(
          (b): Maker =>
            (id) =>
              forEach(id, [1, 2], b(`${id}_b`)),
        ),
      },
      {
        weight: 1,
        arbitrary: node.map(
          (b): Maker =>
            (id) =>
              parallelForEach(id, [1, 2], b(`${id}_b`)),
        ),
      },
      {
        weight: 1,
        arbitrary: node.map(
          (b): Maker =>
            (id) =>
              forLoop(id, 1, 2, b(`${id}_b`)),
        ),
      },
      {
        weight: 1,
        arbitrary: node.map(
          (b): Maker =>
            (id) =>
              whileLoop(id, fewTimes, b(`${id}_b`)),
        ),
      },
      { weight: 4, arbitrary: flowchart },
    ),
  };
});

/** Edges lead on, or back from a decision that holds only so often. */
function makeFlow({ nodes, edges }: RandomFlow, id: string): ActivityJson {
  const activities = nodes.map((make, i) => make(`${id}_${i}`));
  const connections = edges.map(([a, b, p]) => {
    const [from, to] = [a % activities.length, b % activities.length];
    const source = activities[from]!;
    const isDecision = source.type === 'Elsa.FlowDecision';
    const port = to <= from ? 'True' : isDecision ? (p % 2 ? 'True' : 'False') : PORTS[p];
    return { source: { activity: source.id, port }, target: { activity: activities[to]!.id } };
  });
  return act('Flowchart', id, { activities, connections });
}

async function play(
  definition: WorkflowDefinition,
  isStored: boolean,
  flowchartMode: FlowchartMode,
  picks: readonly number[],
  rests = false,
) {
  const test = new WorkflowTest({ isStored, rests, flowchartMode, children: [child], journal: false });
  const run = await test.start(definition);
  let resumes = 0;
  for (; run.bookmarks.length > 0 && run.state.status === 'Running'; resumes++) {
    if (resumes > 500) throw new Error('does not end');
    const { id } = run.bookmarks[picks[resumes % picks.length]! % run.bookmarks.length]!;
    await run.run({ bookmarkId: id });
  }
  return {
    run,
    summary: { lines: test.lines, status: run.status, incidents: run.state.incidents.map((i) => i.message), resumes },
  };
}

const root = tree.map((make) => make('R'));
const withFaults = fc
  .tuple(tree, fc.array(rare, { minLength: 1, maxLength: 2 }))
  .map(([make, bad]) =>
    parallel('P', [make('R'), ...bad.map((b, i) => seq(`Bad${i}`, [event(`Wait${i}`), b(`B${i}`), say(`After${i}`)]))]),
  );
const modes = fc.constantFrom<FlowchartMode>('counter', 'token');
const picks = fc.array(fc.nat(5), { minLength: 1, maxLength: 8 });
const strategy = fc.constantFrom('Fault', 'ContinueWithIncidents');
const define = (r: ActivityJson, incidentStrategyType = 'ContinueWithIncidents') =>
  workflow(r, { variables: [variable('N', 'Int32', '0')], options: { incidentStrategyType } });

describe('random workflows', () => {
  it('random workflows end when nothing is left to wait for, unless an activity faulted', async () => {
    await fc.assert(
      fc.asyncProperty(root, modes, picks, async (r, mode, p) => {
        const { run, summary } = await play(define(r), true, mode, p);
        const isBlocked = run.context.faultedContexts().length > 0;
        expect([summary.status, run.state.status]).toEqual(
          isBlocked ? ['Suspended', 'Running'] : ['Finished', 'Finished'],
        );
        if (isBlocked) expect(summary.incidents.join()).toMatch(/backward connection/);
      }),
      { numRuns: amountOf(200), interruptAfterTimeLimit: 8_000 },
    );
  }, 60_000);

  it('random workflows take the same path when they are stored and restored at every suspension', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(root, withFaults), modes, picks, strategy, async (r, mode, p, s) => {
        const stored = await play(define(r, s), true, mode, p);
        const unbroken = await play(define(r, s), false, mode, p);
        expect(stored.summary).toEqual(unbroken.summary);
        // And when only that is restored which each burst needs.
        const resting = await play(define(r, s), true, mode, p, true);
        expect(resting.summary).toEqual(stored.summary);
        // Faults have stacks, which name the caller.
        expect({ ...resting.run.state, incidents: [] }).toEqual({ ...stored.run.state, incidents: [] });
      }),
      { numRuns: amountOf(200), interruptAfterTimeLimit: 8_000 },
    );
  }, 60_000);

  it('random workflows end in a legal state whatever happens inside', async () => {
    await fc.assert(
      fc.asyncProperty(withFaults, modes, picks, strategy, async (r, mode, p, s) => {
        const { run, summary } = await play(define(r, s), true, mode, p);
        const { status, subStatus } = run.state;
        expect(['Finished/Finished', 'Finished/Faulted', 'Running/Suspended']).toContain(`${status}/${subStatus}`);
        if (subStatus === 'Suspended') expect(run.context.faultedContexts()).not.toEqual([]);
        if (subStatus === 'Faulted') expect(summary.incidents).not.toEqual([]);
        if (subStatus === 'Finished') expect(run.context.contexts.size).toBe(0);
      }),
      { numRuns: amountOf(200), interruptAfterTimeLimit: 8_000 },
    );
  }, 60_000);

  it('random workflows run every activity of a flowchart without loops at most once', async () => {
    const simple = fc.oneof(
      fc.constantFrom<Maker>(
        say,
        (id) => event(id),
        (id) => decision(id, fewTimes),
      ),
      fc.constantFrom('WaitAny', 'WaitAll', 'WaitAllActive').map(
        (m): Maker =>
          (id) =>
            join(id, m),
      ),
    );
    const flat = fc
      .record({
        nodes: fc.array(simple, { minLength: 4, maxLength: 12 }),
        edges: fc.uniqueArray(fc.tuple(fc.nat(11), fc.nat(11), fc.nat(5)), { maxLength: 30, selector: String }),
      })
      .map(({ nodes, edges }) =>
        makeFlow({ nodes, edges: edges.filter(([a, b]) => a % nodes.length < b % nodes.length) }, 'F'),
      );
    await fc.assert(
      fc.asyncProperty(flat, modes, picks, async (r, mode, p) => {
        const { run, summary } = await play(define(r), true, mode, p);
        expect([summary.status, summary.incidents]).toEqual(['Finished', []]);
        // In token mode a Stream target may run once for every token.
        if (mode === 'counter') expect(new Set(summary.lines).size).toBe(summary.lines.length);
        expect(run.context.contexts.size).toBe(0);
      }),
      { numRuns: amountOf(300), interruptAfterTimeLimit: 8_000 },
    );
  }, 60_000);
});
