import { Activity } from '../activities/decorators.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import {
  W,
  act,
  complete,
  event,
  fault,
  flow,
  forEach,
  fork,
  lit,
  out,
  parallel,
  seq,
  sub,
  variable,
  whileLoop,
  workflow,
} from '../execution/testing/build-definition.js';
import { runWorkflow } from '../execution/testing/run-workflow.js';
import type { ActivityJson } from '../definitions/workflow-definition.js';
import type { CaughtError } from '../state/stored-fault.js';

class PaymentError extends Error {
  override readonly name: string = 'PaymentError';
}
class CardDeclined extends PaymentError {
  override readonly name = 'CardDeclined';
  readonly code = 'CARD-51';
}

@Activity({ type: 'App.Pay' })
class Pay extends ActivityBase {
  execute(): never {
    throw new CardDeclined('no money');
  }
}

/** Waits, and fails when it is resumed. */
@Activity({ type: 'App.FailLater' })
class FailLater extends ActivityBase {
  execute(ctx: ActivityExecutionContext): void {
    ctx.createBookmark({ callback: this.onResumed });
  }
  onResumed(): never {
    throw new PaymentError('too late');
  }
}

const activities = [Pay, FailLater];
const pay = (id = 'Pay', custom = {}) => act('App.Pay', id, {}, custom);
const later = (id = 'Later') => act('App.FailLater', id);
const tryIt = (id: string, body: ActivityJson, members: Record<string, unknown> = {}) =>
  act('Waymark.Try', id, { body, ...members });
const onError = (errors: string[], activity: ActivityJson | null) => ({ errors, activity });
const caught = (id = 'c') =>
  W(id, (s) => {
    const error = s.getVariable('Error') as CaughtError | null;
    return error === null
      ? `${id}: nothing`
      : `${id}: ${error.code} ${error.type} ${error.message} at ${error.activityId}`;
  });
const continues = { options: { incidentStrategyType: 'ContinueWithIncidentsStrategy' } };
const break_ = act('Break', 'Break');
const endOf = (run: Awaited<ReturnType<typeof runWorkflow>>) => [run.status, run.lines, run.state.incidents.length];

describe('Try', () => {
  it('runs its body and then its finally', async () => {
    const run = await runWorkflow(seq('S', [tryIt('T', W('a'), { catch: W('never'), finally: caught('f') }), W('z')]));
    expect(endOf(run)).toEqual(['Finished', ['a', 'f: nothing', 'z'], 0]);
  });

  it.each<[string, string[]]>([
    ['its code', ['CARD-51']],
    ['its name', ['CardDeclined']],
    ['the name of a base class', ['Other', 'PaymentError']],
    ['a pattern of codes', ['CARD-*']],
    ['a pattern of names', ['*Declined']],
    ['nothing, which is all', []],
  ])('catches an error by %s', async (_, errors) => {
    const root = tryIt('T', seq('B', [pay(), W('never')]), {
      catches: [onError(['Card', 'card-51', 'WM*'], W('wrong')), onError(errors, caught())],
      finally: W('f'),
    });
    const run = await runWorkflow(seq('S', [root, W('z')]), { activities });
    expect(endOf(run)).toEqual(['Finished', ['c: CARD-51 CardDeclined no money at Pay', 'f', 'z'], 0]);
    expect(run.context.contexts.size).toBe(0);
  });

  it('catches a business fault by the code of the domain or by WM2002', async () => {
    for (const code of ['E1', 'WM2002', 'FaultException']) {
      const run = await runWorkflow(tryIt('T', fault('F', 'Boom'), { catches: [onError([code], caught())] }));
      expect(endOf(run)).toEqual(['Finished', ['c: E1 FaultException Boom at F'], 0]);
    }
  });

  it('matches a long code and a pattern with many wildcards quickly, and keeps the beginning of long texts', async () => {
    const long = 'a'.repeat(5_000_000);
    const startedAt = process.cpuUsage();
    const body = act('Fault', 'F', { message: lit(long), code: lit(long) });
    const never = onError([`${'*a'.repeat(20)}*b`], W('c'));
    const run = await runWorkflow(tryIt('T', body, { catches: [never] }));
    expect(endOf(run)).toEqual(['Faulted', [], 1]);
    expect(process.cpuUsage(startedAt).user).toBeLessThan(2_000_000);
    expect(JSON.stringify(run.state.incidents).length).toBeLessThan(500_000);
  });

  it('keeps the error as output, and shows the cause in the record of the activity that failed', async () => {
    const run = await runWorkflow(
      workflow(
        tryIt('T', pay(), { catch: null, catches: [onError([], null)], error: { memoryReference: { id: 'e-id' } } }),
        {
          variables: [variable('e')],
        },
      ),
      { activities },
    );
    expect(run.context.rootContext!.slots![0]!.value).toMatchObject({ code: 'CARD-51', activityType: 'App.Pay' });
    const { records, log } = run.context.journal!.take();
    expect(records.find((r) => r.activityId === 'Pay')).toMatchObject({
      status: 'Canceled',
      exception: { type: 'CardDeclined' },
    });
    expect(log.filter((e) => e.activityId === 'T').map((e) => e.eventName)).toEqual(['Started', 'Caught', 'Completed']);
  });

  it('leaves an uncaught error to the incident strategy, at the activity that failed', async () => {
    const run = await runWorkflow(tryIt('T', pay(), { catches: [onError(['Other'], W('never'))] }), { activities });
    expect([run.status, run.state.incidents.map((i) => i.activityId)]).toEqual(['Faulted', ['Pay']]);
  });

  it('runs its finally before an uncaught error propagates, and is retried as a whole', async () => {
    let fails = true;
    const body = W('B', () => { if (fails) throw new TypeError('oh'); return 'ok'; }); // prettier-ignore
    const run = await runWorkflow(workflow(seq('S', [tryIt('T', body, { finally: W('f') }), W('z')]), continues));
    expect([run.status, run.lines]).toEqual(['Suspended', ['f']]);
    expect(run.state.incidents).toMatchObject([
      { activityId: 'T', exception: { type: 'InputEvaluationError', metadata: { code: 'WM2001' } } },
    ]);
    fails = false;
    await run.run({ activityHandle: { activityInstanceId: run.context.faultedContexts()[0]!.id } });
    expect(endOf(run)).toEqual(['Finished', ['f', 'ok', 'f', 'z'], 0]);
  });

  it('catches what fails in a later burst', async () => {
    for (const isStored of [true, false]) {
      const root = tryIt('T', seq('B', [later(), W('never')]), {
        catches: [onError(['PaymentError'], seq('C', [event('E'), caught()]))],
        finally: seq('F', [event('G'), W('f')]),
      });
      const run = await runWorkflow(seq('S', [root, W('z')]), { activities, isStored });
      await run.trigger('Later');
      expect(run.waitingAt()).toEqual(['E']);
      await run.trigger('E');
      expect([run.waitingAt(), run.lines]).toEqual([['G'], ['c: null PaymentError too late at Later']]);
      await run.trigger('G');
      expect(endOf(run)).toEqual(['Finished', ['c: null PaymentError too late at Later', 'f', 'z'], 0]);
    }
  });

  it('catches when the last attempt has failed', async () => {
    const policy = { retryPolicy: { maxAttempts: 2, delay: '00:00:01' } };
    const run = await runWorkflow(tryIt('T', pay('Pay', policy), { catch: W('c') }), { activities });
    expect([run.lines, run.bookmarks.map((b) => b.name)]).toEqual([[], ['Waymark.Retry']]);
    await run.run({ bookmarkId: run.bookmarks[0]!.id });
    expect(endOf(run)).toEqual(['Finished', ['c'], 0]);
  });

  it('cancels what runs beside the activity that fails, and its bookmarks', async () => {
    const body = parallel('P', [event('E1'), seq('Q', [event('E2'), W('never')]), later()]);
    const run = await runWorkflow(seq('S', [tryIt('T', body, { catch: event('C') }), W('z')]), { activities });
    expect(run.waitingAt()).toEqual(['E1', 'E2', 'Later']);
    await run.trigger('Later');
    expect(run.waitingAt()).toEqual(['C']);
    const statuses = run.context.journal!.take().records.map((r) => `${r.activityId} ${r.status}`);
    expect(statuses).toEqual(expect.arrayContaining(['E1 Canceled', 'E2 Canceled', 'Later Canceled', 'P Canceled']));
    await run.trigger('C');
    expect(endOf(run)).toEqual(['Finished', ['z'], 0]);
  });

  it('does not catch what fails in its own catch or finally; the finally runs nevertheless', async () => {
    const inner = tryIt('I', pay(), { catch: fault('F2', 'worse'), finally: W('fi') });
    const run = await runWorkflow(tryIt('O', inner, { catch: caught('o') }), { activities });
    expect(endOf(run)).toEqual(['Finished', ['fi', 'o: E1 FaultException worse at F2'], 0]);
    const second = tryIt('I', pay(), { catch: W('ci'), finally: fault('F3', 'worst') });
    const other = await runWorkflow(tryIt('O', second, { catch: caught('o') }), { activities });
    expect(endOf(other)).toEqual(['Finished', ['ci', 'o: E1 FaultException worst at F3'], 0]);
  });

  it('passes an uncaught error to the outer Try', async () => {
    const inner = tryIt('I', seq('S', [pay()]), { catches: [onError(['Other'], W('never'))], finally: W('fi') });
    const run = await runWorkflow(
      tryIt('O', seq('B', [inner]), { catches: [onError(['PaymentError'], caught('o'))] }),
      {
        activities,
      },
    );
    expect(endOf(run)).toEqual(['Finished', ['fi', 'o: CARD-51 CardDeclined no money at Pay'], 0]);
  });

  it('runs the finally of a Try that is cancelled by an error in a parallel branch before the catch', async () => {
    for (const isStored of [true, false]) {
      const inner = tryIt('I', event('E'), { finally: seq('F', [W('f1'), event('G'), W('f2')]) });
      const body = parallel('P', [seq('Q', [inner, W('never')]), later()]);
      const run = await runWorkflow(seq('S', [tryIt('O', body, { catch: W('c') }), W('z')]), { activities, isStored });
      await run.trigger('Later');
      expect([run.waitingAt(), run.lines]).toEqual([['G'], ['f1']]);
      await run.trigger('G');
      expect(endOf(run)).toEqual(['Finished', ['f1', 'f2', 'c', 'z'], 0]);
      if (isStored) continue;
      const records = run.context.journal!.take().records;
      expect(records.filter((r) => r.activityId === 'I').at(-1)!.status).toBe('Canceled');
    }
  });

  it('runs the finally of a branch that lost while the flow continues, and the workflow waits for it', async () => {
    const loser = tryIt('L', event('E'), {
      finally: seq('F', [event('G'), W('f', (s) => `f ${String(s.getVariable('v'))}`)]),
    });
    const race = fork('K', [seq('Q', [loser], [variable('v', 'String', 'kept')]), event('Win')], 'WaitAny');
    const run = await runWorkflow(seq('S', [race, W('z')]));
    await run.trigger('Win');
    expect([run.status, run.waitingAt(), run.lines]).toEqual(['Suspended', ['G'], ['z']]);
    await run.trigger('G');
    expect(endOf(run)).toEqual(['Finished', ['z', 'f kept'], 0]);
  });

  it('works in loops, flowcharts and workflows used as activities', async () => {
    const child = workflow(seq('CS', [tryIt('CT', pay(), { catches: [onError(['Other'], null)], finally: W('cf') })]), {
      definitionId: 'child',
    });
    const body = tryIt('T', sub('Sub', child), { catch: caught() });
    const loop = forEach('E', [1, 2], flow('Flow', [body, W('after')], ['T->after']));
    const run = await runWorkflow(loop, { activities, children: [child] });
    const once = ['cf', 'c: CARD-51 CardDeclined no money at Pay', 'after'];
    expect(endOf(run)).toEqual(['Finished', [...once, ...once], 0]);
  });

  it('runs its finally when a Break or a Complete leaves it', async () => {
    const body = tryIt('T', seq('B', [W('a'), break_, W('never')]), { finally: seq('F', [event('G'), W('f')]) });
    const run = await runWorkflow(seq('S', [whileLoop('L', true, seq('LB', [body, W('never')])), W('z')]));
    await run.trigger('G');
    expect(endOf(run)).toEqual(['Finished', ['a', 'f', 'z'], 0]);

    const ends = tryIt('T', seq('B', [complete('C', 'X'), W('never')]), { finally: seq('F', [event('G'), W('f')]) });
    const other = await runWorkflow(seq('S', [ends, W('never')]));
    await other.trigger('G');
    expect(endOf(other)).toEqual(['Finished', ['f'], 0]);
    expect(other.context.rootContext!.outcomes).toEqual(['X']);
    const direct = await runWorkflow(seq('S', [tryIt('T', complete('C', 'X'), { finally: W('f') }), W('never')]));
    expect(endOf(direct)).toEqual(['Finished', ['f'], 0]);
  });

  describe.each([
    ['a branch beside others', (leave: ActivityJson) => parallel('P', [event('E'), leave])],
    [
      'a case beside others',
      (leave: ActivityJson) =>
        act('Switch', 'P', {
          mode: lit('MatchAny'),
          cases: [event('E'), leave].map((activity) => ({
            label: activity.id,
            condition: lit(true).expression,
            activity,
          })),
        }),
    ],
    [
      'a try beside others',
      (leave: ActivityJson) =>
        parallel('P', [
          tryIt('I', event('E'), { finally: W('i') }),
          tryIt('J', parallel('Q', [event('E2'), leave]), { finally: W('j') }),
        ]),
    ],
  ])('left by a Break in %s', (_, body) => {
    const inner = ['i', 'j'];

    it('ends them and the loop, when its finally has run', async () => {
      const scope = tryIt('T', body(seq('B', [W('a'), break_])), { finally: seq('F', [event('G'), W('f')]) });
      const run = await runWorkflow(seq('S', [whileLoop('L', true, seq('LB', [scope, W('never')])), W('z')]));
      expect(run.waitingAt()).toEqual(['G']);
      await run.trigger('G');
      expect(run.status).toBe('Finished');
      expect(run.lines.filter((line) => !inner.includes(line))).toEqual(['a', 'f', 'z']);
      const scopesInside = inner.filter((id) => run.graph.findById(id).length > 0);
      expect(run.lines.filter((line) => inner.includes(line)).sort()).toEqual(scopesInside);
    });

    it('leaves them alone when there is no loop', async () => {
      const scope = tryIt('T', body(break_), { finally: W('f') });
      const run = await runWorkflow(seq('S', [scope, W('never')]));
      expect(run.waitingAt()).toContain('E');
    });
  });

  it('runs its finally when the instance is finished or cancelled', async () => {
    const body = (inner: ActivityJson) =>
      seq('S', [tryIt('T', seq('B', [inner, W('never')]), { finally: seq('F', [event('G'), W('f')]) }), W('never')]);
    const run = await runWorkflow(body(act('Finish', 'End')));
    expect([run.status, run.waitingAt()]).toEqual(['Suspended', ['G']]);
    await run.trigger('G');
    expect(endOf(run)).toEqual(['Finished', ['f'], 0]);

    const other = await runWorkflow(body(event('E')));
    await other.run({ onBegin: (wec) => wec.cancel(), bookmarkId: other.bookmarks[0]!.id });
    expect([other.status, other.waitingAt()]).toEqual(['Suspended', ['G']]);
    await other.trigger('G');
    expect(endOf(other)).toEqual(['Cancelled', ['f'], 0]);
  });

  it('ends when its finally or an undo completes the workflow', async () => {
    for (const [end, status] of [
      [act('Finish', 'End'), 'Finished'],
      [complete('End', 'X'), 'Finished'],
    ] as const) {
      // prettier-ignore
      const inFinally = tryIt('T', W('a'), { finally: seq('F', [W('f'), end, W('never')]) });
      expect(endOf(await runWorkflow(seq('S', [inFinally, W('never')])))).toEqual([status, ['a', 'f'], 0]);
    }
    const step = (id: string, undo: ActivityJson) => act('Waymark.Compensable', id, { body: W(id), undo });
    const body = seq('B', [step('A', W('u-A')), step('C', seq('U', [W('u-C'), act('Finish', 'End')])), fault('F')]);
    const run = await runWorkflow(seq('S', [tryIt('T', body, { catch: W('c') }), W('never')]));
    expect(endOf(run)).toEqual(['Finished', ['A', 'C', 'u-C', 'u-A'], 0]);
    const other = seq('B', [step('A', W('u-A')), step('C', seq('U', [W('u-C'), complete('End', 'X')])), fault('F')]);
    const completed = await runWorkflow(seq('S', [tryIt('T', other, { catch: W('c') }), W('never')]));
    expect(endOf(completed)).toEqual(['Finished', ['A', 'C', 'u-C', 'u-A'], 0]);
  });

  it('is repeated as a whole by its own retry policy', async () => {
    let runs = 0;
    const body = seq('B', [W('b', () => `b${++runs}`), W('x', () => { if (runs < 2) throw new Error('x'); return 'x'; })]); // prettier-ignore
    const root = act(
      'Waymark.Try',
      'T',
      { body, finally: W('f') },
      { retryPolicy: { maxAttempts: 3, delay: '00:00:01' } },
    );
    const run = await runWorkflow(root);
    expect(run.bookmarks.map((b) => b.name)).toEqual(['Waymark.Retry']);
    await run.run({ bookmarkId: run.bookmarks[0]!.id });
    expect(endOf(run)).toEqual(['Finished', ['b1', 'f', 'b2', 'x', 'f'], 0]);
  });

  it('fails where the error fits no variable that it is bound to, after its finally', async () => {
    const variables = [variable('N', 'Int32')];
    const bound = tryIt('T', fault('x'), { catch: W('never'), finally: W('f'), error: out('N-id') });
    const run = await runWorkflow(workflow(seq('S', [bound, W('never')]), { variables }));
    expect([run.status, run.lines, run.state.incidents.map((i) => i.activityId)]).toEqual(['Faulted', ['f'], ['T']]);
    const around = tryIt('O', bound, { catches: [onError(['WM1101'], W('c'))] });
    expect(endOf(await runWorkflow(workflow(around, { variables })))).toEqual(['Finished', ['f', 'c'], 0]);
  });

  it('continues at the containers around after a Break without a loop as if it had no finally', async () => {
    for (const more of [{}, { finally: W('f') }]) {
      const body = parallel('P', [break_, event('E1')]);
      const run = await runWorkflow(seq('S', [fork('F', [tryIt('T', body, more), event('E2')]), W('never')]));
      expect(run.waitingAt()).toEqual(['E1', 'E2']);
      await run.trigger('E2');
      expect(endOf(run)).toEqual(['Finished', Object.keys(more).map(() => 'f'), 0]);
    }
  });

  describe('whose child an operator cancels', () => {
    const cancel = (run: Awaited<ReturnType<typeof runWorkflow>>, id: string) =>
      run.run({
        isChange: true,
        onBegin: (wec) => {
          for (const ctx of wec.contexts.values()) if (ctx.node.id === id) ctx.cancel();
        },
      });

    it.each([
      ['body', tryIt('T', event('E'), { finally: W('f') })],
      ['catch', tryIt('T', fault('x'), { catch: event('E'), finally: W('f') })],
      ['body, which cleans up itself', tryIt('T', tryIt('E', event('E1'), { finally: W('i') }), { finally: W('f') })],
    ])('runs its finally (%s)', async (_, root) => {
      const run = await runWorkflow(seq('S', [root, W('after')]));
      await cancel(run, 'E');
      expect(run.lines.filter((line) => line !== 'i')).toEqual(['f', 'after']);
      expect(run.status).toBe('Finished');
    });

    it('fails with its error when that was its finally', async () => {
      const run = await runWorkflow(seq('S', [tryIt('T', fault('x'), { finally: event('E') }), W('never')]));
      await cancel(run, 'E');
      expect([run.state.status, run.lines, run.state.incidents.map((i) => i.message)]).toEqual(['Finished', [], ['x']]);
    });

    it.each(['U', 'K'])('runs its catch when that was what undoes a step (%s)', async (id) => {
      const step = act('Waymark.Compensable', 'K', { body: W('b'), undo: event('U') });
      const run = await runWorkflow(tryIt('T', seq('B', [step, fault('x')]), { catch: W('c') }));
      await cancel(run, id);
      // An undo that has begun is done to its end.
      if (id === 'K') await run.trigger('U');
      expect(endOf(run)).toEqual(['Finished', ['b', 'c'], 0]);
    });
  });
});
