import fc from 'fast-check';
import { amountOf } from '../../../../test/support/depth.js';
import type { ActivityJson } from '../definitions/workflow-definition.js';
import type { ExpressionScope } from '../expressions/expression-scope.js';
import {
  W,
  act,
  complete,
  event,
  forEach,
  fork,
  iff,
  parallel,
  parallelForEach,
  seq,
  sub,
  variable,
  whileLoop,
  workflow,
} from './testing/build-definition.js';
import { WorkflowTest } from './testing/run-workflow.js';

type Maker = (id: string, wrap: (a: ActivityJson) => ActivityJson) => ActivityJson;

const fewTimes = (s: ExpressionScope): boolean => {
  const n = (s.getVariable('N') as number) + 1;
  s.setVariable('N', n);
  return n % 3 !== 0 && n < 30;
};

const child = workflow(seq('CS', [W('cw'), event('ce'), iff('ci', fewTimes, complete('cc', 'X')), W('cz')]), {
  definitionId: 'Child',
});

const leaf = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Maker>((id) => W(id)) },
  { weight: 5, arbitrary: fc.constant<Maker>((id) => event(id)) },
  { weight: 2, arbitrary: fc.constant<Maker>((id) => act('Break', id)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Maker>(
      (id) => complete(id, 'X'),
      (id) => act('Finish', id),
    ),
  },
  { weight: 1, arbitrary: fc.constant<Maker>((id) => sub(id, child)) },
);

const { tree } = fc.letrec<{ tree: Maker; node: Maker }>((tie) => {
  const node = tie('node');
  const list = fc.array(node, { minLength: 1, maxLength: 3 });
  const made = (items: readonly Maker[], id: string, wrap: Parameters<Maker>[1]) =>
    items.map((make, i) => wrap(make(`${id}_${i}`, wrap)));
  // One branch runs at a time: in which order several do depends on how many activities are around them.
  const apart = (items: readonly Maker[], id: string, wrap: Parameters<Maker>[1]) =>
    made(items, id, wrap).map((a, i) => seq(`${id}_q${i}`, [event(`${id}_w${i}`), a]));
  const of = <T>(weight: number, parts: fc.Arbitrary<T>, make: (p: T, ...rest: Parameters<Maker>) => ActivityJson) => ({
    weight,
    arbitrary: parts.map(
      (p): Maker =>
        (id, wrap) =>
          make(p, id, wrap),
    ),
  });
  return {
    node: fc.oneof({ depthSize: 'medium', maxDepth: 5 }, leaf, tie('tree')),
    tree: fc.oneof(
      { depthSize: 'medium', maxDepth: 5 },
      { weight: 1, arbitrary: leaf },
      of(4, list, (l, id, wrap) => seq(id, made(l, id, wrap))),
      of(2, list, (l, id, wrap) => parallel(id, apart(l, id, wrap))),
      of(2, fc.tuple(list, fc.constantFrom('WaitAny', 'WaitAll')), ([l, m], id, wrap) =>
        fork(id, apart(l, id, wrap), m),
      ),
      of(1, node, (b, id, wrap) => iff(id, fewTimes, ...(made([b], id, wrap) as [ActivityJson]))),
      of(2, node, (b, id, wrap) => forEach(id, [1, 2], made([b], id, wrap)[0])),
      of(2, node, (b, id, wrap) => whileLoop(id, fewTimes, made([b], id, wrap)[0])),
      of(2, node, (b, id, wrap) => parallelForEach(id, [1, 2], apart([b], id, wrap)[0])),
    ),
  };
});

const MOST_RESUMES = 60;

async function play(root: ActivityJson, picks: readonly number[]) {
  const test = new WorkflowTest({ children: [child], journal: false });
  const run = await test.start(workflow(seq('Whole', [root, W('End')]), { variables: [variable('N', 'Int32', '0')] }));
  let resumes = 0;
  for (; run.bookmarks.length > 0 && run.state.status === 'Running' && resumes < MOST_RESUMES; resumes++)
    await run.run({ bookmarkId: run.bookmarks[picks[resumes % picks.length]! % run.bookmarks.length]!.id });
  const { status, subStatus, incidents } = run.state;
  const lines = test.lines.filter((line) => line !== 'finally' && line !== 'undone');
  return { lines, status, subStatus, incidents: incidents.map((i) => i.message), resumes };
}

describe('random wrappers', () => {
  it.each<[string, (a: ActivityJson) => ActivityJson]>([
    ['a Try', (body) => act('Waymark.Try', `${body.id}_t`, { body, finally: W(`${body.id}_f`, 'finally') })],
    [
      'a Compensable',
      (body) => act('Waymark.Compensable', `${body.id}_t`, { body, undo: W(`${body.id}_u`, 'undone') }),
    ],
    ['a FlowNode', (body) => act('FlowNode', `${body.id}_t`, { body })],
  ])(
    'random wrappers change nothing but what they add: %s',
    async (_, around) => {
      const picks = fc.array(fc.nat(5), { minLength: 1, maxLength: 8 });
      const chosen = fc.array(fc.boolean(), { minLength: 1, maxLength: 10 });
      await fc.assert(
        fc.asyncProperty(tree, picks, chosen, async (make, p, c) => {
          let n = 0;
          const some = (a: ActivityJson): ActivityJson => (c[n++ % c.length] ? around(a) : a);
          expect(await play(make('R', some), p)).toEqual(
            await play(
              make('R', (a) => a),
              p,
            ),
          );
        }),
        { numRuns: amountOf(200), interruptAfterTimeLimit: 8_000 },
      );
    },
    60_000,
  );
});
