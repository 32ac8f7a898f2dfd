import fc from 'fast-check';
import { amountOf } from '../../../../test/support/depth.js';
import type { ActivityJson } from '../definitions/workflow-definition.js';
import type { ExpressionScope } from '../expressions/expression-scope.js';
import type { FlowchartMode } from './engine-options.js';
import {
  W,
  act,
  code,
  complete,
  event,
  fault,
  flowSwitch,
  forEach,
  fork,
  get,
  iff,
  lit,
  out,
  parallelForEach,
  seq,
  setOutput,
  setVar,
  sub,
  variable,
  workflow,
} from './testing/build-definition.js';
import { WorkflowTest } from './testing/run-workflow.js';

type Maker = (id: string) => ActivityJson;

/** Names that are declared again in scopes inside: each name means the nearest one. */
const NAMES = ['A', 'B'] as const;
const textOf = (s: ExpressionScope, n: string): string => String(s.getVariable(n) ?? '').slice(0, 30);
const say: Maker = (id) => W(id, (s) => `${id} ${NAMES.map((name) => textOf(s, name)).join(' ')}`);

/** A condition that is true two times out of three, and false after some rounds. The instance keeps its counter. */
const fewTimes = (s: ExpressionScope): boolean => {
  const n = (s.getVariable('N') as number) + 1;
  s.setVariable('N', n);
  return n % 3 !== 0 && n < 30;
};

/** A workflow with variables of the same names, a wait, and outputs that are set on both sides of it. */
const child = workflow(
  seq('CS', [
    setVar('c1', 'A', (s) => `child of ${textOf(s, 'In')}`),
    setOutput('o1', 'Early', get('A')),
    event('ce'),
    iff('ci', (s) => String(s.getVariable('In')).length % 2 === 0, complete('cc', 'X')),
    setOutput('o2', 'Late', (s) => `late ${textOf(s, 'A')}`),
  ]),
  {
    definitionId: 'Child',
    variables: [variable('A', 'String', 'own')],
    inputs: [{ name: 'In', type: 'Object', isArray: false }],
    outputs: [
      { name: 'Early', type: 'Object', isArray: false },
      { name: 'Late', type: 'Object', isArray: false },
    ],
    outcomes: ['X', 'Done'],
  },
);

const name = fc.constantFrom(...NAMES);
const leaf: fc.Arbitrary<Maker> = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Maker>(say) },
  { weight: 5, arbitrary: fc.constant<Maker>((id) => event(id)) },
  {
    weight: 4,
    arbitrary: name.map(
      (n): Maker =>
        (id) =>
          setVar(id, n, (s) => `${id}<${String(s.getVariable(n) ?? '').slice(0, 8)}`),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(name, name).map(
      ([early, late]): Maker =>
        (id) =>
          sub(id, child, { in: code((s) => textOf(s, early)), early: out(`${early}-id`), late: out(`${late}-id`) }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Maker>(
      (id) => act('Break', id),
      fault,
      (id) => complete(id, 'X'),
    ),
  },
);

const { tree } = fc.letrec<{ tree: Maker; node: Maker }>((tie) => {
  const node = tie('node');
  const list = fc.array(node, { minLength: 1, maxLength: 3 });
  const made = (items: readonly Maker[], id: string) => items.map((make, i) => make(`${id}_${i}`));
  const of = <T>(weight: number, parts: fc.Arbitrary<T>, make: (parts: T, id: string) => ActivityJson) => ({
    weight,
    arbitrary: parts.map(
      (p): Maker =>
        (id) =>
          make(p, id),
    ),
  });
  return {
    node: fc.oneof({ depthSize: 'medium', maxDepth: 5 }, leaf, tie('tree')),
    tree: fc.oneof(
      { depthSize: 'medium', maxDepth: 5 },
      { weight: 1, arbitrary: leaf },
      of(3, list, (l, id) => seq(id, made(l, id))),
      // Scopes: a sequence and a flowchart that declare a name which others around them have, too.
      of(3, fc.tuple(list, name), ([l, n], id) => seq(id, made(l, id), [variable(n, 'String', id)])),
      of(2, fc.tuple(list, fc.constantFrom('WaitAny', 'WaitAll')), ([l, m], id) => fork(id, made(l, id), m)),
      of(1, node, (b, id) => forEach(id, [1, 2], b(`${id}_b`))),
      of(1, node, (b, id) => parallelForEach(id, [1, 2], b(`${id}_b`))),
      of(1, node, (b, id) => act('FlowNode', id, { body: b(`${id}_b`) })),
      of(2, fc.tuple(list, fc.constantFrom('MatchFirst', 'MatchAny')), ([l, mode], id) =>
        act('Switch', id, {
          mode: lit(mode),
          cases: l.map((b, i) => ({
            label: `L${i}`,
            condition: code(fewTimes).expression,
            activity: b(`${id}_${i}`),
          })),
          default: say(`${id}_d`),
        }),
      ),
      of(3, fc.tuple(node, node, node, fc.nat(3)), makeMachine),
      of(3, fc.tuple(list, name, fc.constantFrom('MatchFirst', 'MatchAny')), makeFlow),
      // Given up when the timer is picked, and begun again when the retry is: as a scope, and as what is in one.
      of(2, fc.tuple(tie('tree'), fc.boolean()), ([body, isStep], id) =>
        timed(isStep ? act('Waymark.Compensable', id, { body: body(`${id}_b`), undo: say(`${id}_u`) }) : body(id)),
      ),
      of(1, fc.tuple(node, node), ([body, undo], id) =>
        act('Waymark.Try', id, { body: body(`${id}_b`), catch: undo(`${id}_c`), finally: say(`${id}_f`) }),
      ),
    ),
  };
});

const timed = (made: ActivityJson): ActivityJson => ({
  ...made,
  customProperties: {
    ...made.customProperties,
    timeout: '01:00:00',
    retryPolicy: { maxAttempts: 2, delay: '00:00:01' },
  },
});

/** Waits in its first state for one of two triggers, of which one leads back to where it was, a few times. */
function makeMachine([entry, trigger, exit, ends]: readonly [Maker, Maker, Maker, number], id: string): ActivityJson {
  return act('StateMachine', id, {
    states: [
      { name: 'One', entry: entry(`${id}_e`), exit: exit(`${id}_x`) },
      { name: 'Two', entry: ends % 2 ? say(`${id}_t`) : event(`${id}_t`) },
    ],
    transitions: [
      {
        name: 'again',
        from: 'One',
        to: 'One',
        trigger: event(`${id}_a`),
        condition: code(fewTimes),
        action: say(`${id}_n`),
      },
      {
        name: 'on',
        from: 'One',
        to: 'Two',
        trigger: trigger(`${id}_o`),
        action: ends > 1 ? event(`${id}_w`) : undefined,
      },
    ],
    initialState: 'One',
  });
}

/** A switch to several branches that meet again, with a variable of the flowchart. */
function makeFlow([l, n, mode]: readonly [readonly Maker[], string, string], id: string): ActivityJson {
  const branches = l.map((make, i) => make(`${id}_${i}`));
  const fork = flowSwitch(
    `${id}_s`,
    branches.map((_, i) => [`L${i}`, fewTimes]),
    mode,
  );
  const last = say(`${id}_j`);
  const connect = (source: string | undefined, port: string, target: string | undefined) => ({
    source: { activity: source, port },
    target: { activity: target },
  });
  return act('Flowchart', id, {
    activities: [fork, ...branches, last],
    connections: [
      ...branches.map((b, i) => connect(fork.id, `L${i}`, b.id)),
      connect(fork.id, 'Default', last.id),
      ...branches.flatMap((b) => [connect(b.id, 'Done', last.id), connect(b.id, 'X', last.id)]),
    ],
    variables: [variable(n, 'String', id)],
  });
}

/** Machines may wait for more. */
const MOST_RESUMES = 80;

interface Plan {
  readonly flowchartMode: FlowchartMode;
  readonly strategy: string;
  readonly picks: readonly number[];
}
const plans: fc.Arbitrary<Plan> = fc.record({
  flowchartMode: fc.constantFrom<FlowchartMode>('counter', 'token'),
  strategy: fc.constantFrom('Fault', 'ContinueWithIncidents'),
  picks: fc.array(fc.nat(5), { minLength: 1, maxLength: 8 }),
});

async function play(
  root: ActivityJson,
  { flowchartMode, strategy, picks }: Plan,
  isStored: boolean,
  rests = false,
  shares = false,
) {
  const test = new WorkflowTest({ isStored, rests, flowchartMode, children: [child], journal: false });
  const variables = [variable('N', 'Int32', '0'), ...NAMES.map((n) => variable(n, 'String', `outer ${n}`))];
  const outputs = [{ name: 'End', type: 'Object', isArray: false }];
  const whole = seq('Whole', [root, setOutput('End', 'End', (s) => NAMES.map((n) => textOf(s, n)).join())]);
  const run = await test.start(workflow(whole, { variables, outputs, options: { incidentStrategyType: strategy } }));
  let resumes = 0;
  // A state machine that only hears of a trigger again and again does not end.
  for (; run.bookmarks.length > 0 && run.state.status === 'Running' && resumes < MOST_RESUMES; resumes++) {
    const { id: bookmarkId } = run.bookmarks[picks[resumes % picks.length]! % run.bookmarks.length]!;
    if (shares && run.context.resumed) await run.resumeNext(bookmarkId);
    else await run.run({ bookmarkId });
  }
  const { status, subStatus, incidents, output } = run.state;
  const messages = incidents.map(({ message }) => message);
  return { run, summary: { lines: test.lines, status, subStatus, incidents: messages, output, resumes } };
}

const withoutStacks = (state: object): string =>
  JSON.stringify(state, (key, value: unknown) => (key === 'stackTrace' ? undefined : value));

/** The clock moves on whenever it is read, which fewer bursts do less often. */
const withoutTimes = (state: object): string => withoutStacks(state).replaceAll(/"\d{4}-[\d-]+T[\d:.]+Z"/g, '"time"');

describe('random composites', () => {
  it('random composites have the same variables and outputs when they are stored and restored at every suspension', async () => {
    await fc.assert(
      fc.asyncProperty(
        tree.map((make) => make('R')),
        plans,
        async (root, plan) => {
          const stored = await play(root, plan, true);
          const unbroken = await play(root, plan, false);
          expect(stored.summary).toEqual(unbroken.summary);
          // And when only that is restored which each burst needs.
          const resting = await play(root, plan, true, true);
          expect(resting.summary).toEqual(stored.summary);
          expect(withoutStacks(resting.run.state)).toBe(withoutStacks(stored.run.state));
          // And when the resumes share a burst.
          const shared = await play(root, plan, true, false, true);
          expect(shared.summary).toEqual(stored.summary);
          expect(withoutTimes(shared.run.state)).toBe(withoutTimes(stored.run.state));
          if (stored.summary.subStatus === 'Finished') expect(stored.run.context.contexts.size).toBe(0);
          if (stored.summary.subStatus === 'Suspended' && stored.summary.resumes < MOST_RESUMES)
            expect(stored.run.context.faultedContexts()).not.toEqual([]);
        },
      ),
      {
        numRuns: amountOf(200),
        interruptAfterTimeLimit: 8_000,
      },
    );
  }, 60_000);
});
