import fc from 'fast-check';
import { amountOf } from '../../../../test/support/depth.js';
import type { ActivityJson } from '../definitions/workflow-definition.js';
import type { FlowchartMode } from './engine-options.js';
import {
  W,
  act,
  chain,
  complete,
  event,
  fault,
  forEach,
  fork,
  lit,
  parallel,
  seq,
  workflow,
} from './testing/build-definition.js';
import { WorkflowTest } from './testing/run-workflow.js';

type Maker = (id: string) => ActivityJson;

const leaf: fc.Arbitrary<Maker> = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Maker>((id) => W(id)) },
  { weight: 5, arbitrary: fc.constant<Maker>((id) => event(id)) },
  { weight: 3, arbitrary: fc.constant<Maker>((id) => fault(id)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Maker>(
      (id) => act('Break', id),
      (id) => complete(id, 'X'),
      (id) => act('Finish', id),
      (id) => act('Waymark.Compensate', id),
      (id) => act('Waymark.Confirm', id),
    ),
  },
);

/** Says when its body begins and when its finally runs, and may wait in it. */
const tryOf =
  (body: Maker, caught: Maker | undefined, isSlow: boolean): Maker =>
  (id) =>
    act('Waymark.Try', id, {
      body: seq(`${id}_s`, [W(`begin ${id}`), body(`${id}_b`)]),
      catch: caught?.(`${id}_c`),
      finally: seq(`${id}_f`, [...(isSlow ? [event(`${id}_w`)] : []), W(`finally ${id}`)]),
    });

/** Says when it is done and when it is undone. */
const stepOf =
  (body: Maker, isSlow: boolean): Maker =>
  (id) =>
    act('Waymark.Compensable', id, {
      body: seq(`${id}_s`, [body(`${id}_b`), W(`done ${id}`)]),
      undo: seq(`${id}_u`, [...(isSlow ? [event(`${id}_w`)] : []), W(`undone ${id}`)]),
    });

const { tree } = fc.letrec<{ tree: Maker; node: Maker }>((tie) => {
  const node = tie('node');
  const list = fc.array(node, { minLength: 1, maxLength: 4 });
  const made = (items: readonly Maker[], id: string) => items.map((make, i) => make(`${id}_${i}`));
  const of = (weight: number, arbitrary: fc.Arbitrary<Maker>) => ({ weight, arbitrary });
  return {
    node: fc.oneof({ depthSize: 'medium', maxDepth: 5 }, leaf, tie('tree')),
    tree: fc.oneof(
      { depthSize: 'medium', maxDepth: 5 },
      of(1, leaf),
      of(
        3,
        list.map(
          (l): Maker =>
            (id) =>
              seq(id, made(l, id)),
        ),
      ),
      of(
        2,
        list.map(
          (l): Maker =>
            (id) =>
              parallel(id, made(l, id)),
        ),
      ),
      of(
        1,
        fc.tuple(list, fc.constantFrom('WaitAny', 'WaitAll')).map(
          ([l, m]): Maker =>
            (id) =>
              fork(id, made(l, id), m),
        ),
      ),
      of(
        1,
        list.map(
          (l): Maker =>
            (id) =>
              chain(id, made(l, id)),
        ),
      ),
      of(
        1,
        node.map(
          (b): Maker =>
            (id) =>
              forEach(id, [1, 2], b(`${id}_b`)),
        ),
      ),
      of(
        1,
        node.map(
          (b): Maker =>
            (id) =>
              act('Waymark.Timeout', id, { body: b(`${id}_b`), timeSpan: lit('00:01:00') }),
        ),
      ),
      of(
        4,
        fc.tuple(node, fc.option(node, { nil: undefined }), fc.boolean()).map(([b, c, s]) => tryOf(b, c, s)),
      ),
      of(
        4,
        fc.tuple(node, fc.boolean()).map(([b, s]) => stepOf(b, s)),
      ),
    ),
  };
});

interface Plan {
  readonly flowchartMode: FlowchartMode;
  readonly strategy: string;
  readonly picks: readonly number[];
  /** After how many resumes the instance is cancelled. */
  readonly cancelAfter: number | undefined;
}

const plans: fc.Arbitrary<Plan> = fc.record({
  flowchartMode: fc.constantFrom<FlowchartMode>('counter', 'token'),
  strategy: fc.constantFrom('Fault', 'ContinueWithIncidents'),
  picks: fc.array(fc.nat(5), { minLength: 1, maxLength: 8 }),
  cancelAfter: fc.option(fc.nat(6), { nil: undefined }),
});

async function play(
  root: ActivityJson,
  isStored: boolean,
  { flowchartMode, strategy, picks, cancelAfter }: Plan,
  rests = false,
) {
  const test = new WorkflowTest({ isStored, rests, flowchartMode, journal: false });
  const run = await test.start(workflow(root, { options: { incidentStrategyType: strategy } }));
  let resumes = 0;
  for (; run.bookmarks.length > 0 && run.state.status === 'Running'; resumes++) {
    if (resumes > 300) throw new Error('does not end');
    if (resumes === cancelAfter) {
      run.context.cancel();
      if (run.context.isRunning) await test.runner.drain(run.context);
      run.edit((state) => Object.assign(state, test.runner.extract(run.context)));
      if (!run.context.isRunning || run.bookmarks.length === 0) break;
    }
    const { id } = run.bookmarks[picks[resumes % picks.length]! % run.bookmarks.length]!;
    await run.run({ bookmarkId: id });
  }
  const { status, subStatus, incidents } = run.state;
  return {
    run,
    summary: { lines: test.lines, status, subStatus, incidents: incidents.map((i) => i.message), resumes },
  };
}

const withoutStacks = (state: object): string =>
  JSON.stringify(state, (name, value: unknown) => (name === 'stackTrace' ? undefined : value));

const count = (lines: readonly string[], what: string): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const line of lines)
    if (line.startsWith(`${what} `)) {
      const id = line.slice(what.length + 1);
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
  return counts;
};

describe('random scopes', () => {
  const roots = tree.map((make) => make('R'));

  it('random scopes take the same path when they are stored and restored at every suspension', async () => {
    await fc.assert(
      fc.asyncProperty(roots, plans, async (root, plan) => {
        const stored = await play(root, true, plan);
        const unbroken = await play(root, false, plan);
        expect(stored.summary).toEqual(unbroken.summary);
        const resting = await play(root, true, plan, true);
        expect(resting.summary).toEqual(stored.summary);
        // Faults have stacks, which name the caller.
        expect(withoutStacks(resting.run.state)).toBe(withoutStacks(stored.run.state));
      }),
      { numRuns: amountOf(300), seed: 36, interruptAfterTimeLimit: 8_000 },
    );
  }, 60_000);

  it('random scopes undo each step at most once, clean up in any case, and end in a legal state', async () => {
    await fc.assert(
      fc.asyncProperty(roots, plans, async (root, plan) => {
        const { run, summary } = await play(root, true, plan);
        const { lines, status, subStatus } = summary;
        const isStuck = run.context.faultedContexts().length > 0;
        expect(['Finished/Finished', 'Finished/Faulted', 'Finished/Cancelled', 'Running/Suspended']).toContain(
          `${status}/${subStatus}`,
        );
        if (subStatus === 'Suspended') expect(isStuck).toBe(true);
        if (subStatus === 'Faulted') expect(summary.incidents).not.toEqual([]);
        if (subStatus === 'Finished' || subStatus === 'Cancelled') expect(run.context.contexts.size).toBe(0);
        const done = count(lines, 'done');
        for (const [id, times] of count(lines, 'undone')) expect(times).toBeLessThanOrEqual(done.get(id) ?? 0);
        const begun = count(lines, 'begin');
        const ended = count(lines, 'finally');
        // One that is cancelled before its body has said anything has a finally as well.
        if (subStatus === 'Finished')
          for (const [id, times] of begun) expect(ended.get(id) ?? 0).toBeGreaterThanOrEqual(times);
        expect(run.test.warnings).toEqual([]);
      }),
      { numRuns: amountOf(300), seed: 36, interruptAfterTimeLimit: 8_000 },
    );
  }, 60_000);
});
