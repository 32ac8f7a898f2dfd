import { Activity, Output } from '../activities/decorators.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import {
  W,
  act,
  event,
  fault,
  forEach,
  fork,
  lit,
  out,
  parallel,
  seq,
  setVar,
  sub,
  variable,
  workflow,
} from '../execution/testing/build-definition.js';
import { runWorkflow, type TestInstance } from '../execution/testing/run-workflow.js';
import type { ActivityJson, WorkflowDefinition } from '../definitions/workflow-definition.js';

/** Makes a number that no other one has. */
@Activity({ type: 'App.Book' })
class Book extends ActivityBase {
  @Output({ type: 'Int32' }) booking: number;
  execute(ctx: ActivityExecutionContext): void {
    const count = Number(ctx.workflow.properties.count ?? 0) + 1;
    ctx.workflow.properties.count = count;
    this.booking = count;
  }
}

const lists: unknown[] = [];

/** Notes the list of what its scope, the workflow, may have to undo. */
@Activity({ type: 'App.Looks' })
class Looks extends ActivityBase {
  execute({ workflow: { rootContext } }: ActivityExecutionContext): void {
    lists.push(rootContext!.properties.Compensations);
  }
}

let isDown = false;

/** An undo that fails while what it needs is down. */
@Activity({ type: 'App.Cancel' })
class Cancel extends ActivityBase {
  execute(ctx: ActivityExecutionContext): void {
    if (isDown) throw new Error('down');
    ctx.workflow.engine.writeLine?.(`cancelled ${ctx.node.id}`, ctx);
  }
}

const activities = [Book, Cancel, Looks];
const step = (id: string, body: ActivityJson, undo: ActivityJson | null = W(`u-${id}`), members = {}) =>
  act('Waymark.Compensable', id, { body, undo, ...members });
const tryIt = (id: string, body: ActivityJson, members: Record<string, unknown> = {}) =>
  act('Waymark.Try', id, { body, ...members });
const later = event('Later');
const retry = { retryPolicy: { maxAttempts: 2, delay: '00:00:01' } };
const continues = { options: { incidentStrategyType: 'ContinueWithIncidentsStrategy' } };
const endOf = (run: TestInstance) => [run.status, run.lines, run.state.incidents.map((i) => i.activityId)];
const cancel = (run: TestInstance) => run.run({ bookmarkId: run.bookmarks[0]!.id, onBegin: (wec) => wec.cancel() });
const start = (root: ActivityJson | WorkflowDefinition, o: Parameters<typeof runWorkflow>[1] = {}) =>
  runWorkflow(root, { activities, ...o });

beforeEach(() => void (isDown = false));

describe('Compensable', () => {
  it('is added to the list of its scope, which is not copied: for each of 40,000 in a loop, that took a minute', async () => {
    lists.length = 0;
    const run = await start(seq('S', [forEach('L', [1, 2, 3], seq('B', [step('A', W('a')), act('App.Looks', 'K')]))]));
    expect([run.status, lists.length, lists[0]]).toEqual(['Finished', 3, expect.any(Array)]);
    expect(new Set(lists).size).toBe(1);
  });

  it('is not undone when all goes well', async () => {
    const run = await start(seq('S', [tryIt('T', seq('B', [step('A', W('a')), step('B1', W('b'))])), W('z')]));
    expect(endOf(run)).toEqual(['Finished', ['a', 'b', 'z'], []]);
    expect(run.state.activityExecutionContexts[0]!.properties).toEqual({});
  });

  it('is undone, the last one first, before the catch of the scope', async () => {
    const body = seq('B', [
      step('A', W('a')),
      step('B1', W('b')),
      step('C', seq('X', [W('c'), fault('F')])),
      W('never'),
    ]);
    const run = await start(seq('S', [tryIt('T', body, { catch: W('catch'), finally: W('f') }), W('z')]));
    expect(endOf(run)).toEqual(['Finished', ['a', 'b', 'c', 'u-B1', 'u-A', 'catch', 'f', 'z'], []]);
  });

  it('is undone in the order in which steps were completed, not begun', async () => {
    const body = parallel('P', [step('A', event('E1')), step('B', event('E2')), seq('Q', [later, fault('F')])]);
    const run = await start(tryIt('T', body, { catch: W('catch') }));
    await run.trigger('E2');
    await run.trigger('E1');
    await run.trigger('Later');
    expect(endOf(run)).toEqual(['Finished', ['u-A', 'u-B', 'catch'], []]);
  });

  it('is undone by a fault that leaves the workflow, which is faulted then', async () => {
    const root = seq('S', [
      step('A', W('a')),
      parallel('P', [event('E'), seq('Q', [step('B', W('b')), later, fault('F')])]),
    ]);
    const run = await start(root);
    await run.trigger('Later');
    expect(endOf(run)).toEqual(['Faulted', ['a', 'b', 'u-B', 'u-A'], ['F']]);
    expect(run.bookmarks).toEqual([]);
  });

  it('is not undone where the strategy lets the workflow continue', async () => {
    const run = await start(workflow(seq('S', [step('A', W('a')), fault('F')]), continues));
    expect(endOf(run)).toEqual(['Suspended', ['a'], ['F']]);
  });

  it('is undone when the instance is cancelled, and that is waited for', async () => {
    for (const isStored of [true, false]) {
      const undo = seq('U', [W('u1'), event('G'), W('u2')]);
      const run = await start(seq('S', [step('A', W('a')), step('B', W('b'), undo), event('E')]), { isStored });
      await (isStored ? cancel(run) : run.context.cancel());
      if (!isStored) await run.test.runner.drain(run.context);
      expect([run.status, run.waitingAt()]).toEqual(['Suspended', ['G']]);
      // Once more changes nothing.
      run.context.cancel();
      expect(run.waitingAt()).toEqual(['G']);
      await run.trigger('G');
      expect(endOf(run)).toEqual(['Cancelled', ['a', 'b', 'u1', 'u2', 'u-A'], []]);
      expect(run.context.contexts.size).toBe(0);
    }
  });

  it('is undone after the cancellation is stored, and continues when it is cancelled again', async () => {
    const run = await start(seq('S', [step('A', W('a')), step('B', W('b')), event('E')]));
    const { runner } = run.test;
    const cancelled = () => {
      const wec = runner.create({ graph: run.graph, instanceId: 'instance', state: run.state });
      wec.cancel();
      run.edit((state) => Object.assign(state, runner.extract(wec)));
    };
    cancelled();
    cancelled();
    expect(run.lines).toEqual(['a', 'b']);
    await run.run({});
    expect(endOf(run)).toEqual(['Cancelled', ['a', 'b', 'u-B', 'u-A'], []]);
  });

  it('is not undone when the instance is abandoned', async () => {
    const run = await start(seq('S', [step('A', W('a')), event('E')]));
    run.context.cancel({ isAbandoned: true });
    expect(endOf(run)).toEqual(['Cancelled', ['a'], []]);
  });

  it('is undone with its scope when the scope loses a race, but not when only its branch does', async () => {
    const scope = tryIt('T', seq('B', [step('A', W('a')), event('E1')]));
    const bare = seq('B2', [step('B', W('b')), event('E2')]);
    const run = await start(seq('S', [fork('K', [scope, bare, event('Win')], 'WaitAny'), W('z')]));
    await run.trigger('Win');
    expect(endOf(run)).toEqual(['Finished', ['b', 'a', 'z', 'u-A'], []]);
  });

  it('reads the values of the time of its completion, separately for each iteration, and assigns to the current variables', async () => {
    for (const isStored of [true, false]) {
      const book = act('App.Book', 'Book', { booking: out('booking-id') });
      const undo = seq('U', [
        W(
          'u',
          (s) =>
            `undo ${String(s.getVariable('CurrentValue'))} ${String(s.getVariable('booking'))} ${JSON.stringify(s.getVariable('StepOutputs'))}`,
        ),
        setVar('V', 'undone', (s) => `${String(s.getVariable('undone'))}|${String(s.getVariable('CurrentValue'))}`),
        event('G'),
        W('u2', (s) => `still ${String(s.getVariable('booking'))}`),
        setVar('V2', 'undone', (s) => `${String(s.getVariable('undone'))}!`),
      ]);
      const loop = forEach('E', ['x', 'y'], step('A', book, undo));
      const body = tryIt('T', seq('B', [loop, setVar('Reset', 'booking', 99), fault('F')]), {
        catch: W('c', (s) => String(s.getVariable('undone'))),
      });
      const variables = [variable('booking', 'Int32', 0), variable('undone', 'String', 'was')];
      const run = await start(workflow(body, { variables }), { isStored });
      await run.trigger('G');
      await run.trigger('G');
      expect(endOf(run)).toEqual([
        'Finished',
        ['undo y 2 {"Booking":2}', 'still 2', 'undo x 1 {"Booking":1}', 'still 1', 'was|x!'],
        [],
      ]);
    }
  });

  it('keeps no more than its limit', async () => {
    const undo = W('u', (s) => `${String(s.getVariable('a'))} ${String(s.getVariable('b'))}`);
    const root = seq('S', [
      step('A', W('x'), undo, { keep: ['a'] }),
      setVar('V1', 'a', 'A'),
      setVar('V2', 'b', 'B'),
      fault('F'),
    ]);
    const run = await start(
      workflow(root, { variables: [variable('a', 'String', '1'), variable('b', 'String', '2')] }),
    );
    expect(run.lines).toEqual(['x', '1 B']);
  });

  it('copies objects, which others may change in place', async () => {
    const undo = W('u', (s) => JSON.stringify(s.getVariable('o')));
    const change = W('w', (s) => String(((s.getVariable('o') as { n: number }).n = 2)));
    const first = setVar('V', 'o', () => ({ n: 1 }));
    const run = await start(
      workflow(seq('S', [first, step('A', W('x'), undo), change, fault('F')]), { variables: [variable('o')] }),
    );
    expect(run.lines).toEqual(['x', '2', '{"n":1}']);
  });

  it('sees the inputs and variables of the workflow used as an activity in which it stood', async () => {
    const child = workflow(
      seq('CS', [
        step(
          'A',
          setVar('Set', 'v', 'own'),
          W('u', (s) => `${String(s.getInput('X'))} ${String(s.getVariable('v'))}`),
        ),
      ]),
      {
        definitionId: 'child',
        variables: [variable('v', 'String')],
        inputs: [{ name: 'X', type: 'String', isArray: false }],
      },
    );
    const run = await start(seq('S', [sub('Sub', child, { x: lit('in') }), later, fault('F')]), { children: [child] });
    await run.trigger('Later');
    expect(endOf(run)).toEqual(['Faulted', ['in own'], ['F']]);
  });

  it('replaces the undos of its inner steps if it has an undo, and leaves them to the scope otherwise', async () => {
    const inner = (id: string) => seq(`Q${id}`, [step(`${id}1`, W('i')), step(`${id}2`, W('i'))]);
    const run = await start(seq('S', [step('A', inner('A')), step('B', inner('B'), null), fault('F')]));
    expect(run.lines).toEqual(['i', 'i', 'i', 'i', 'u-B2', 'u-B1', 'u-A']);
    // One that fails half-way has nothing to undo but what is inside.
    const other = await start(step('A', seq('B', [step('I', W('i')), fault('F')])));
    expect(endOf(other)).toEqual(['Faulted', ['i', 'u-I'], ['F']]);
  });

  it('belongs to the outer scope when its own has completed', async () => {
    const inner = tryIt('I', step('A', W('a')), { finally: W('f') });
    const run = await start(tryIt('O', seq('B', [inner, step('B1', W('b')), fault('F')]), { catch: W('c') }));
    expect(run.lines).toEqual(['a', 'f', 'b', 'u-B1', 'u-A', 'c']);
  });

  it('undoes what inner scopes have done before what outer ones have', async () => {
    for (const isStored of [true, false]) {
      const inner = tryIt('I', seq('Q', [step('B', W('b'), seq('U', [event('G'), W('u-B')])), event('E')]), {
        finally: W('fi'),
      });
      const body = seq('B0', [step('A', W('a')), parallel('P', [inner, seq('R', [later, fault('F')])])]);
      const run = await start(tryIt('O', body, { catch: W('c'), finally: W('fo') }), { isStored });
      await run.trigger('Later');
      expect(run.waitingAt()).toEqual(['G']);
      await run.trigger('G');
      expect(endOf(run)).toEqual(['Finished', ['a', 'b', 'u-B', 'fi', 'u-A', 'c', 'fo'], []]);
    }
  });

  it('is undone by the retry policy of its undo, and when that is exhausted by a repair', async () => {
    isDown = true;
    const undo = act('App.Cancel', 'Undo', {}, retry);
    const run = await start(seq('S', [step('A', W('a')), step('B', W('b'), undo), fault('F')]));
    expect([run.status, run.bookmarks.map((b) => b.name)]).toEqual(['Suspended', ['Waymark.Retry']]);
    await run.run({ bookmarkId: run.bookmarks[0]!.id });
    expect(endOf(run)).toEqual(['Faulted', ['a', 'b'], ['F', 'Undo']]);
    isDown = false;
    const failed = run.context.faultedContexts()[0]!;
    run.edit((state) => Object.assign(state, { status: 'Running', subStatus: 'Suspended' }));
    await run.run({ activityHandle: { activityInstanceId: failed.id } });
    expect(endOf(run)).toEqual(['Faulted', ['a', 'b', 'cancelled Undo', 'u-A'], ['F']]);
  });

  it('leaves an undo that fails to the scope outside, which undoes the rest', async () => {
    isDown = true;
    const body = seq('B', [step('A', W('a')), step('B1', W('b'), act('App.Cancel', 'Undo')), fault('F')]);
    const inner = tryIt('I', body, { catch: W('never'), finally: W('fi') });
    const run = await start(
      tryIt('O', inner, { catch: W('c', (s) => (s.getVariable('Error') as { activityId: string }).activityId) }),
    );
    expect(endOf(run)).toEqual(['Finished', ['a', 'b', 'u-A', 'fi', 'Undo'], []]);
  });

  it('ends at once when it is cancelled again after an undo has failed', async () => {
    isDown = true;
    const undo = act('App.Cancel', 'Undo');
    const run = await start(workflow(seq('S', [step('A', W('a')), step('B', W('b'), undo), event('E')]), continues));
    await cancel(run);
    expect([run.status, run.lines]).toEqual(['Suspended', ['a', 'b']]);
    run.context.cancel();
    expect([run.status, run.context.contexts.size, run.lines]).toEqual(['Cancelled', 0, ['a', 'b']]);
  });

  it('does not undo a step twice when it is cancelled meanwhile', async () => {
    for (const isStored of [true, false]) {
      const slow = (id: string) => seq(`U${id}`, [W(`${id} begins`), event(`G${id}`), W(`${id} done`)]);
      const body = seq('B', [step('A', W('a'), slow('A')), step('B1', W('b'), slow('B')), fault('F')]);
      const run = await start(seq('S', [tryIt('T', body, { catch: W('never'), finally: W('f') }), W('never')]), {
        isStored,
      });
      expect(run.waitingAt()).toEqual(['GB']);
      if (isStored) await run.run({ onBegin: (wec) => wec.cancel() });
      else run.context.cancel();
      expect(run.waitingAt()).toEqual(['GB']);
      await run.trigger('GB');
      await run.trigger('GA');
      expect(endOf(run)).toEqual(['Cancelled', ['a', 'b', 'B begins', 'B done', 'A begins', 'A done', 'f'], []]);
    }
  });

  it('records in the journal which activity undid which step', async () => {
    const run = await start(seq('S', [step('A', W('a')), fault('F')]));
    const { log, records } = run.context.journal!.take();
    expect(log.filter((e) => e.activityId === 'A').map((e) => e.eventName)).toEqual([
      'Started',
      'Completed',
      'Started',
      'Undoing',
      'Completed',
    ]);
    const [first, second] = records.filter((r) => r.activityId === 'A');
    expect(first!.id).not.toBe(second!.id);
    expect(records.find((r) => r.activityId === 'u-A')!.schedulingActivityExecutionId).toBe(second!.id);
    expect(JSON.stringify(records)).not.toContain('Compensations');
  });
});

describe('Compensate and Confirm', () => {
  const compensate = (id: string, which?: string) =>
    act('Waymark.Compensate', id, which === undefined ? {} : { compensableId: lit(which) });
  const confirm = (id: string, which?: string) =>
    act('Waymark.Confirm', id, which === undefined ? {} : { compensableId: lit(which) });

  it('undoes the steps of the scope once', async () => {
    const run = await start(
      seq('S', [
        step('A', W('a')),
        step('B', W('b'), seq('U', [event('G'), W('u-B')])),
        compensate('C'),
        W('z'),
        fault('F'),
      ]),
    );
    await run.trigger('G');
    expect(endOf(run)).toEqual(['Faulted', ['a', 'b', 'u-B', 'u-A', 'z'], ['F']]);
  });

  it('undoes one step of an enclosing scope', async () => {
    const inner = tryIt('T', seq('Q', [step('B', W('b')), compensate('C', 'A'), fault('F')]), { catch: W('c') });
    const run = await start(seq('S', [forEach('E', [1, 2], step('A', W('a'))), inner, W('z')]));
    expect(endOf(run)).toEqual(['Finished', ['a', 'a', 'b', 'u-A', 'u-A', 'u-B', 'c', 'z'], []]);
  });

  it('an id that is not that of a step with an undo is a fault', async () => {
    const run = await start(seq('S', [W('A'), compensate('C', 'A')]));
    expect(run.state.incidents[0]!.exception).toMatchObject({ metadata: { code: 'WM2061' } });
  });

  it('continues its undo when it is cancelled', async () => {
    const undo = seq('U', [event('G'), W('u-B')]);
    const run = await start(
      fork('K', [seq('S', [step('A', W('a')), step('B', W('b'), undo), compensate('C')]), event('Win')], 'WaitAny'),
    );
    await run.trigger('Win');
    expect([run.status, run.waitingAt()]).toEqual(['Suspended', ['G']]);
    await run.trigger('G');
    expect(endOf(run)).toEqual(['Finished', ['a', 'b', 'u-B', 'u-A'], []]);
  });

  it('confirms: the branch runs, and nothing is undone any more', async () => {
    const sure = (id: string) => step(id, W(id), W(`u-${id}`), { confirm: W(`c-${id}`) });
    const run = await start(
      seq('S', [
        sure('A'),
        step('B', W('b')),
        sure('C'),
        confirm('K', 'A'),
        confirm('K2'),
        step('D', W('d')),
        fault('F'),
      ]),
    );
    expect(endOf(run)).toEqual(['Faulted', ['A', 'b', 'C', 'c-A', 'c-C', 'd', 'u-D'], ['F']]);
  });
});

describe('the undo of a step in a workflow used as an activity', () => {
  const input = (name: string, more = {}) => ({ name, type: 'String', isArray: false, ...more });
  const says = (id: string) => W(id, (s) => `${id}: ${String(s.getInput('amount'))} ${String(s.getInput('tenant'))}`);

  it.each([
    ['those of then', {}, {}, 'inner'],
    ['null for those that were not kept', { keep: [] }, {}, 'null'],
    ['null for those that are not stored', {}, { storageDriverType: 'MemoryStorageDriver' }, 'null'],
  ])('gets its inputs, never those around: %s', async (_, members, more, amount) => {
    const child = workflow(step('K', says('b'), says('u'), members), {
      definitionId: 'Charge',
      options: { usableAsActivity: true },
      inputs: [input('Amount', more)],
    });
    const run = await runWorkflow(seq('S', [sub('S1', child, { amount: lit('inner') }), fault('F')]), {
      children: [child],
      request: { input: { amount: 'outer', tenant: 'T' } },
    });
    expect(run.lines).toEqual(['b: inner T', `u: ${amount} T`]);
  });
});
