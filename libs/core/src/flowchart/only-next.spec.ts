import fc from 'fast-check';
import { amountOf } from '../../../../test/support/depth.js';
import type { ActivityJson } from '../definitions/workflow-definition.js';
import type { FlowchartMode } from '../execution/engine-options.js';
import { W, act, decision, event, fault, flow, join, workflow } from '../execution/testing/build-definition.js';
import { type TestInstance, WorkflowTest } from '../execution/testing/run-workflow.js';
import { bindConnections, readConnections } from './flow-connection.js';
import { FlowGraph } from './flow-graph.js';
import { findStart } from './start-activity.js';

/** What each activity of a flowchart leads to alone, as `A->B`. */
function onlyNexts(root: ActivityJson): string[] {
  const compiled = new WorkflowTest().compile(workflow(root));
  const children = (root.activities as ActivityJson[]).map(({ id }) => compiled.findById(id!)[0]!);
  const connections = bindConnections(readConnections(root.connections), children);
  const graph = new FlowGraph(findStart(children, connections, undefined, undefined)!, children, connections);
  return children.flatMap((node) => {
    const next = graph.onlyNext(node);
    return next ? [`${node.id}->${next.target.id}`] : [];
  });
}

describe('the only activity that follows another one', () => {
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((id) => W(id)) as [
    ActivityJson,
    ActivityJson,
    ActivityJson,
    ActivityJson,
  ];

  it.each([
    ['is found in a chain', flow('F', [a, b, c], ['a->b', 'b->c']), ['a->b', 'b->c']],
    ['is not found at a fork', flow('F', [a, b, c], ['a->b', 'a->c']), []],
    ['is not found where another branch arrives', flow('F', [a, b, c, d], ['a->b', 'a->c', 'b->d', 'c->d']), []],
    ['is not found before and behind a join', flow('F', [a, join('j'), c], ['a->j', 'j->c']), []],
    [
      'is found on the way into a loop, and not on the way back',
      flow('F', [a, b, c], ['a->b', 'b->c', 'c->b']),
      ['a->b', 'b->c'],
    ],
    ['is not found behind an activity that is never reached', flow('F', [a, b, c, d], ['a->b', 'c->d']), ['a->b']],
  ])('%s', (_, root, expected) => {
    expect(onlyNexts(root)).toEqual(expected);
  });
});

const MERGE_MODES = ['Merge', 'Converge', 'Race', 'Cascade'];

const makers: readonly ((id: string) => ActivityJson)[] = [
  (id) => W(id),
  (id) => W(id),
  (id) => event(id),
  (id) => fault(id),
  (id) => act('End', id),
  (id) => join(id),
  (id) => join(id, 'WaitAll'),
  (id) => decision(id, true),
  (id) => decision(id, false),
  ...MERGE_MODES.map((mergeMode) => (id: string) => ({ ...W(id), customProperties: { mergeMode } })),
  ...MERGE_MODES.map((mergeMode) => (id: string) => ({ ...event(id), customProperties: { mergeMode } })),
];
const PORTS = ['Done', 'Done', 'Done', 'True', 'False', 'Other'];

/** Forwards only, so that it comes to an end; with a few loops behind an event, of which each round is a burst. */
const flowcharts: fc.Arbitrary<ActivityJson> = fc
  .record({
    kinds: fc.array(fc.nat(makers.length - 1), { minLength: 2, maxLength: 7 }),
    edges: fc.array(fc.tuple(fc.nat(6), fc.nat(6), fc.nat(PORTS.length - 1)), { maxLength: 10 }),
  })
  .map(({ kinds, edges }) => {
    const activities = kinds.map((kind, n) => makers[kind]!(`n${n}`));
    const last = kinds.length - 1;
    const forwards = edges
      .map(([from, to, port]) => [Math.min(from, to, last), Math.min(Math.max(from, to), last), port] as const)
      .filter(([from, to]) => from < to);
    const chained = kinds.slice(1).map((_, n) => [n, n + 1, 0] as const);
    const lines = [...chained, ...forwards].map(([from, to, port]) => `n${from}:${PORTS[port]}->n${to}`);
    return flow('F', activities, [...new Set(lines)]);
  });

/** All that is stored of an instance, and all that it has said: after each of its bursts. */
async function told(root: ActivityJson, flowchartMode: FlowchartMode): Promise<string> {
  const test = new WorkflowTest({ flowchartMode });
  const run = await test.start(root);
  const bursts = [burstOf(run)];
  for (let burst = 0; burst < 12 && run.status === 'Suspended'; burst++) {
    await run.run({ bookmarkId: run.bookmarks[burst % run.bookmarks.length]!.id, input: { Payload: burst } });
    bursts.push(burstOf(run));
  }
  const all = { bursts, lines: test.lines, warnings: test.warnings };
  return JSON.stringify(all, (name, value: unknown) => (name === 'stackTrace' ? undefined : value), 1);
}

const burstOf = ({ state, context }: TestInstance) => ({ state, journal: context.journal!.take() });

describe('an activity that is scheduled without counting arrivals', () => {
  afterEach(() => jest.restoreAllMocks());

  it.each(['counter', 'token'] as const)(
    'leaves the states, journals and lines of one that is counted, in %s mode',
    async (mode) => {
      let isCounted = false;
      const { onlyNext } = FlowGraph.prototype;
      jest.spyOn(FlowGraph.prototype, 'onlyNext').mockImplementation(function (this: FlowGraph, node) {
        return isCounted ? undefined : onlyNext.call(this, node);
      });
      await fc.assert(
        fc.asyncProperty(flowcharts, async (root) => {
          isCounted = true;
          const expected = await told(root, mode);
          isCounted = false;
          expect(await told(root, mode)).toBe(expected);
        }),
        { numRuns: amountOf(200) },
      );
    },
  );
});
