import type { ActivityJson, WorkflowDefinition } from '../definitions/workflow-definition.js';
import {
  act,
  decision,
  event,
  fault,
  flow,
  forEach,
  fork,
  get,
  iff,
  join,
  parallel,
  seq,
  setVar,
  sub,
  variable,
  W,
  workflow,
} from '../execution/testing/build-definition.js';
import { type TestInstance, type TestOptions, WorkflowTest } from '../execution/testing/run-workflow.js';
import { migrateInParts, migrateState } from './migrate-state.js';
import type { MigrationMapping } from './migration-report.js';

const v2 = (root: ActivityJson, more: Partial<WorkflowDefinition> = {}): WorkflowDefinition =>
  workflow(root, { id: 'test-v2', version: 2, ...more });

/** Starts in one version, lets events happen, and moves to the other one. */
async function move(
  from: ActivityJson | WorkflowDefinition,
  to: ActivityJson | WorkflowDefinition,
  { events = [], mapping, options }: { events?: string[]; mapping?: MigrationMapping; options?: TestOptions } = {},
) {
  const run = await new WorkflowTest(options).start(from);
  for (const id of events) await run.trigger(id);
  return run.migrate('definitionId' in to ? (to as WorkflowDefinition) : v2(to as ActivityJson), mapping);
}

/** And continues to the end. @returns lines that were written after the migration */
async function finish(run: TestInstance, ...events: string[]): Promise<string[]> {
  const before = run.lines.length;
  for (const id of events) await run.trigger(id);
  return [...run.lines.slice(before), run.status];
}

const codes = (report: { problems: readonly { code: string }[] }) => report.problems.map(({ code }) => code);

describe('an instance whose start is kept for a retry', () => {
  const RETRY = { retryPolicy: { maxAttempts: 3, delay: '00:00:01' } };
  const fails = act('Inline', 'F', { run: () => Promise.reject(new Error('not yet')) });
  const start = (id: string) => event(id, { start: true });
  // With a finally it fails itself, and is tried again as a whole.
  const tried = (id: string, body: ActivityJson) => act('Waymark.Try', id, { body, finally: W('f', '') }, RETRY);
  const scope = (id: string, trigger: ActivityJson, ...after: ActivityJson[]) =>
    tried(id, seq('S', [trigger, ...after]));
  const says = W('says', (s) => String(s.getInput('Payload')));

  async function failed(root: ActivityJson, triggerActivityId: string): Promise<TestInstance> {
    return new WorkflowTest().start(root, { triggerActivityId, input: { Payload: 'first' } });
  }
  const retry = (run: TestInstance) =>
    run.run({ bookmarkId: run.bookmarks.find(({ name }) => name === 'Waymark.Retry')!.id });

  it('passes the trigger that takes the place of its own, with what its own has brought', async () => {
    const before = await failed(scope('T', start('E'), fails), 'E');
    const after = v2(scope('T', start('E2'), says));
    const { run, report } = before.migrate(after, { activities: { E: 'E2' } });
    expect(report).toMatchObject({ isPossible: true, problems: [] });
    expect(run.state.triggerActivityId).toBe('E2');
    await retry(run);
    expect([run.status, run.lines]).toEqual(['Finished', ['', 'first', '']]);
  });

  it('knows it by its place where others have its id, also when the root has another id', async () => {
    const used = (id: string) => seq(id, [start('E'), fails]);
    const tryEach = (id: string, inner: (branch: string) => ActivityJson) =>
      tried(id, fork('K', [inner('One'), inner('Two')]));
    const before = await failed(tryEach('T', used), 'T:K:Two:E');
    expect(before.state.triggerActivityId).toBe('T:K:Two:E');
    const { run, report } = before.migrate(v2(tryEach('T2', (id) => seq(id, [start('E'), W(`w${id}`)]))));
    expect([report.problems, run.state.triggerActivityId]).toEqual([[], 'T2:K:Two:E']);
    await retry(run);
    expect(run.lines).toEqual(['', 'wTwo']);
  });

  it('is refused where its trigger is gone, is of another type, or its name means another one', async () => {
    const before = await failed(scope('T', start('E'), fails), 'E');
    const to = (body: ActivityJson) => codes(before.migrate(v2(tried('T', body))).report);
    expect(to(seq('S', [W('w')]))).toEqual(['NoCounterpart']);
    expect(to(seq('S', [W('E')]))).toEqual(['OtherType']);
    expect(to(seq('S', [seq('Inner', [start('E')]), event('X')]))).toEqual(['NoCounterpart']);
    const { report } = before.migrate(v2(scope('T', event('X'), W('w'))));
    expect(report.problems[0]).toMatchObject({ activityId: 'E', message: expect.stringContaining('kept for a retry') });
  });
});

describe('an instance that moves to another version', () => {
  it('continues after the activity at which it waits, at any position in its sequence', async () => {
    const { run, report } = await move(
      seq('S', [W('a'), event('E'), W('b')]),
      seq('S', [W('a'), W('new'), event('E'), W('changed'), W('c')]),
    );
    expect(report).toMatchObject({ isPossible: true, fromVersion: 1, toVersion: 2 });
    expect(report.waits).toMatchObject([{ activityId: 'E', to: { activityId: 'E', activityNodeId: 'Workflow1:S:E' } }]);
    expect(report.notes).toEqual([expect.stringContaining("'new' is new")]);
    expect(await finish(run, 'E')).toEqual(['changed', 'c', 'Finished']);
  });

  it('is refused with advice if the activity at which it waits was removed', async () => {
    const { report } = await move(seq('S', [event('E'), W('b')]), seq('S', [W('b')]));
    expect([report.isPossible, codes(report)]).toEqual([false, ['NoCounterpart']]);
    expect(report.problems[0]).toMatchObject({ activityId: 'E', message: expect.stringContaining('Map it') });
    expect(report.waits[0]).not.toHaveProperty('to');
  });

  it('follows the mapping, for containers and their contents', async () => {
    const { run, report } = await move(
      seq('S', [seq('Old', [event('E'), W('b')]), W('end')]),
      seq('S', [W('first'), seq('New', [event('E2'), W('changed')]), W('end')]),
      { mapping: { activities: { Old: 'New', E: 'E2' } } },
    );
    expect(report.isPossible).toBe(true);
    expect(run.waitingAt()).toEqual(['E2']);
    expect(await finish(run, 'E2')).toEqual(['changed', 'end', 'Finished']);
  });

  it('is refused where the counterpart is elsewhere, of another type, taken, or unknown', async () => {
    const from = seq('S', [fork('F', [event('A'), event('B')])]);
    const at = async (to: ActivityJson, activities: Record<string, string> = {}) =>
      codes((await move(from, to, { mapping: { activities } })).report);
    expect(await at(seq('S', [fork('F', [event('A'), seq('In', [event('B')])])]))).toEqual(['NoCounterpart']);
    expect(await at(seq('S', [fork('F', [event('A'), W('B')])]))).toEqual(['OtherType']);
    expect(await at(seq('S', [fork('F', [event('A')])]), { B: 'A' })).toEqual(['Ambiguous']);
    expect(await at(seq('S', [fork('F', [event('A'), event('B')])]), { X: 'A', A: 'Y' })).toEqual([
      'UnknownMapping',
      'UnknownMapping',
      'NoCounterpart',
    ]);
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`X${n}`, `Y${n}`]));
    expect(await at(seq('S', [fork('F', [event('A'), event('B')])]), many)).toHaveLength(20);
  });

  it('keeps the values of its variables, under other names and as other types', async () => {
    const define = (names: string[], types: string[], storage?: string | null) =>
      names.map((name, i) => variable(name, types[i], undefined, storage));
    const from = workflow(seq('S', [setVar('set', 'count', 5), setVar('also', 'text', '17'), event('E')]), {
      variables: define(['count', 'text'], ['Int32', 'String']),
    });
    const shows = seq('S', [event('E'), W('show', get('total')), W('then', get('text'))]);
    const { run, report } = await move(from, v2(shows, { variables: define(['total', 'text'], ['Int64', 'Int32']) }), {
      mapping: { variables: { count: 'total' } },
    });
    expect(report.variables).toMatchObject([
      { name: 'count', to: 'total', isConverted: true },
      { name: 'text', to: 'text', isConverted: true },
    ]);
    expect(await finish(run, 'E')).toEqual(['5', '17', 'Finished']);
  });

  it.each([
    [true, '3.00:00:00'],
    [false, '72.00:00:00'],
  ])('reads a text of 72 hours as its new version does (strictly: %s)', async (strictConversions, span) => {
    const from = workflow(seq('S', [setVar('set', 'x', '72:00:00'), event('E')]), {
      variables: [variable('x', 'String')],
    });
    const to = v2(seq('S', [event('E'), W('show', get('x'))]), {
      variables: [variable('x', 'TimeSpan')],
      options: { strictConversions },
    });
    const { run } = await move(from, to);
    expect(await finish(run, 'E')).toEqual([span, 'Finished']);
  });

  it('is refused if a value has no counterpart or does not convert, unless it is dropped', async () => {
    const from = workflow(seq('S', [setVar('set', 'x', 'five'), event('E')]), { variables: [variable('x', 'String')] });
    const at = async (variables: WorkflowDefinition['variables'], names: Record<string, string | null> = {}) =>
      codes((await move(from, v2(seq('S', [event('E')]), { variables }), { mapping: { variables: names } })).report);
    expect(await at([])).toEqual(['VariableLost']);
    expect(await at([variable('x', 'String', undefined, null)])).toEqual(['VariableLost']);
    expect(await at([variable('x', 'Int32')])).toEqual(['VariableDoesNotFit']);
    expect(await at([], { x: null })).toEqual([]);
    expect(await at([], { y: 'z' })).toEqual(['UnknownMapping', 'UnknownMapping', 'VariableLost']);
  });

  it('loses no value with a variable that was set to null', async () => {
    const from = workflow(seq('S', [setVar('set', 'x', null), event('E')]), {
      variables: [variable('x', 'String', 'first')],
    });
    const { run, report } = await move(from, v2(seq('S', [event('E'), W('b')])));
    expect([codes(report), report.variables]).toEqual([[], [expect.objectContaining({ name: 'x' })]]);
    expect(await finish(run, 'E')).toEqual(['b', 'Finished']);
  });

  it('continues in its current branches, loops and nested workflows', async () => {
    const child = (line: string) => workflow(seq('CS', [event('CE'), W(line)]), { definitionId: line });
    const [one, two] = [child('one'), child('two')];
    const root = (inner: WorkflowDefinition, mark: string, more: ActivityJson[] = []) =>
      fork('F', [
        forEach('L', ['i', 'j'], seq('body', [event('E'), W(`${mark}E`)])),
        iff('If', true, seq('then', [event('T'), W(`${mark}T`)])),
        sub('Sub', inner),
        ...more,
      ]);
    const options = { children: [one, two] };
    const { report: refused } = await move(root(one, 'old'), root(two, 'new'), { options });
    expect(codes(refused)).toContain('OtherType');
    const { run, report } = await move(root(one, 'old'), root(one, 'new', [W('more')]), { events: ['E'], options });
    expect([report.isPossible, report.waits.length]).toEqual([true, 3]);
    expect(report.notes).toEqual([expect.stringContaining("'more' is a new branch")]);
    expect(await finish(run, 'T', 'CE', 'E')).toEqual(['newT', 'one', 'newE', 'Finished']);
  });
});

describe('a flowchart that moves to another version', () => {
  const nodes = [W('St'), event('A'), event('B'), W('J')];
  const edges = ['St->A', 'St->B', 'A->J', 'B->J'];

  it.each(['counter', 'token'] as const)('keeps the branches that have reached a join (%s)', async (flowchartMode) => {
    const options = { flowchartMode };
    const { run, report } = await move(
      flow('F', nodes, edges),
      flow(
        'F',
        [W('St'), event('A2'), event('B'), W('J2'), W('more')],
        ['St->A2', 'St->B', 'A2->J2', 'B->J2', 'J2->more'],
      ),
      { events: ['A'], options, mapping: { activities: { A: 'A2', J: 'J2' } } },
    );
    expect(report.problems).toEqual([]);
    expect(await finish(run, 'B')).toEqual(['J2', 'more', 'Finished']);
  });

  it.each(['counter', 'token'] as const)('does not forget a branch without saying so (%s)', async (flowchartMode) => {
    const without = flow('F', nodes, ['St->A', 'St->B', 'B->J']);
    const { report } = await move(flow('F', nodes, edges), without, { events: ['A'], options: { flowchartMode } });
    expect(codes(report)).toEqual(['ContainerState']);
  });

  it('does not wait for new branches that can no longer run', async () => {
    const more = [...nodes, event('C')];
    const { run, report } = await move(flow('F', nodes, edges), flow('F', more, [...edges, 'St->C', 'C->J']), {
      events: ['A'],
    });
    expect(report.problems).toEqual([]);
    expect(await finish(run, 'B')).toEqual(['J', 'Finished']);
    const all = [W('St'), event('A'), event('B'), join('J', 'WaitAll')];
    const { report: refused } = await move(
      flow('F', all, edges),
      flow('F', [...all, event('C')], [...edges, 'St->C', 'C->J']),
      { events: ['A'] },
    );
    expect(codes(refused)).toEqual(['ContainerState']);
  });

  it('is refused where a join would wait forever, or nothing leads to what runs', async () => {
    const pending = flow('F', [W('St'), event('A'), event('B'), W('J')], ['St->A', 'St->B', 'A->J']);
    expect(codes((await move(flow('F', nodes, edges), pending, { events: ['A'] })).report)).toEqual(['ContainerState']);
    const cut = flow('F', nodes, ['St->A', 'A->J']);
    expect(codes((await move(flow('F', nodes, edges), cut)).report)).toEqual(['ContainerState']);
  });

  it('continues along the connections of the new version', async () => {
    const { run } = await move(
      flow('F', [W('St'), event('A'), W('x')], ['St->A', 'A->x']),
      flow(
        'F',
        [W('St'), event('A'), decision('D', false), W('x'), W('y')],
        ['St->A', 'A->D', 'D:True->x', 'D:False->y'],
      ),
    );
    expect(await finish(run, 'A')).toEqual(['y', 'Finished']);
  });
});

describe('a state machine that moves to another version', () => {
  const machine = (states: string[], transitions: object[]) =>
    act('StateMachine', 'M', { states: states.map((name) => ({ name })), transitions });
  const to = (from: string, target: string, id: string, action?: ActivityJson) => ({
    from,
    to: target,
    trigger: event(id),
    action,
  });
  const before = machine(['A', 'B'], [to('A', 'B', 'ab', W('old'))]);

  it('stays in its state and takes the transition of that version', async () => {
    const { run, report } = await move(
      before,
      machine(['A', 'B', 'C'], [to('A', 'C', 'ac'), to('B', 'C', 'bc'), to('A', 'B', 'ab', W('new'))]),
    );
    expect(report.notes).toEqual([expect.stringContaining("'ac' is a new transition out of")]);
    expect(await finish(run, 'ab', 'bc')).toEqual(['new', 'Finished']);
  });

  it('is refused without its state or its transition', async () => {
    expect(codes((await move(before, machine(['Z', 'B'], [to('Z', 'B', 'ab')]))).report)).toEqual(['ContainerState']);
    const turned = machine(['A', 'B'], [to('B', 'A', 'ab')]);
    expect(codes((await move(before, turned)).report)).toEqual(['ContainerState']);
  });
});

describe('steps that can be undone, in an instance that moves to another version', () => {
  const step = (id: string, more: object = { undo: W(`u-${id}`) }) =>
    act('Waymark.Compensable', id, { body: W(id), ...more });
  const trip = (...steps: ActivityJson[]) =>
    act('Waymark.Try', 'T', { body: seq('S', [...steps, event('E'), fault('F')]), catch: W('caught') });
  const before = trip(step('A'), step('B'));

  it('steps of a migrated instance are undone by its new version, under the names that they have there', async () => {
    const { run, report } = await move(before, trip(step('New'), step('A2'), step('B', { undo: W('changed') })), {
      mapping: { activities: { A: 'A2' } },
    });
    expect(codes(report)).toEqual([]);
    expect(await finish(run, 'E')).toEqual(['changed', 'u-A2', 'caught', 'Finished']);
  });

  it('steps that can be undone prevent the migration if the new version could not undo them', async () => {
    const at = async (to: ActivityJson) => (await move(before, to)).report.problems;
    expect(await at(trip(step('B')))).toMatchObject([{ code: 'NoCounterpart', activityId: 'A' }]);
    expect(await at(trip(W('A'), step('B')))).toMatchObject([{ code: 'NoCounterpart', activityId: 'A' }]);
    expect(await at(trip(seq('In', [step('A')]), step('B')))).toMatchObject([{ activityId: 'A' }]);
    expect(await at(trip(step('A', {}), step('B')))).toMatchObject([{ message: expect.stringContaining("no 'Undo'") }]);
  });

  it('steps of a migrated instance are found again while one of them is being undone', async () => {
    const slow = (id: string) => step(id, { undo: seq(`U${id}`, [event(`E${id}`), W(`u-${id}`)]) });
    const run = await new WorkflowTest().start(trip(slow('A'), slow('B')));
    await run.trigger('E');
    const { run: moved, report } = run.migrate(v2(trip(slow('A3'), slow('B3'))), {
      activities: { A: 'A3', B: 'B3', UB: 'UB3', EB: 'EB3' },
    });
    expect(codes(report)).toEqual([]);
    expect(await finish(moved, 'EB3', 'EA3')).toEqual(['u-B3', 'u-A3', 'caught', 'Finished']);
  });
});

it('moves thousands of branches in parts, with the same result', async () => {
  const branches = parallel(
    'P',
    Array.from({ length: 1_100 }, (_, n) => event(`e${n}`)),
  );
  const test = new WorkflowTest();
  const { graph, state } = await test.start(branches);
  const to = test.compile(v2(branches));
  const restored = () => test.runner.create({ graph, instanceId: 'instance', state });
  let pauses = 0;
  const moved = await migrateInParts(restored(), state, to, undefined, async () => void pauses++);
  expect(moved).toEqual(migrateState(restored(), state, to));
  expect(moved.report.activities).toHaveLength(1_102);
  expect(moved.state.bookmarks).toHaveLength(1_100);
  expect(pauses).toBeGreaterThan(10);
});

describe('a Try that undoes its steps before it runs a catch', () => {
  const catching = (more: Record<string, unknown>) => {
    const step = act('Waymark.Compensable', 'K', { body: W('b'), undo: event('U') });
    return act('Waymark.Try', 'T', { body: seq('B', [step, fault('F')]), ...more });
  };
  const declined = { errors: ['E1'], activity: W('declined') };
  const nothing = { errors: ['E1'], activity: null };
  const other = { errors: ['X'], activity: W('other') };

  it.each([
    ['the one that was chosen', [declined], [other, declined], ['declined', 'Finished']],
    ['the one without an activity', [nothing], [other, nothing], ['Finished']],
  ])('runs %s in the other version', async (_, before, after, lines) => {
    const { run, report } = await move(catching({ catches: before }), catching({ catches: after }));
    expect(codes(report)).toEqual([]);
    expect(await finish(run, 'U')).toEqual(lines);
  });

  it('runs the catch of all others in the other version', async () => {
    const { run } = await move(catching({ catch: W('c1') }), catching({ catches: [other], catch: W('c2') }));
    expect(await finish(run, 'U')).toEqual(['c2', 'Finished']);
  });

  it.each([
    [{ catches: [declined] }, { catches: [other] }],
    [{ catches: [nothing] }, { catches: [{ errors: ['E2'], activity: null }] }],
    [{ catch: W('c1') }, { catches: [other] }],
  ])('stays where the other version does not have it (%#)', async (before, after) => {
    const { report } = await move(catching(before), catching(after));
    expect(codes(report)).toEqual(['ContainerState']);
  });
});
