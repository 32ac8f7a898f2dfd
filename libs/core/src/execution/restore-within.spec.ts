import { isThorough } from '../../../../test/support/depth.js';
import { Activity, Children } from '../activities/decorators.js';
import type { ActivityJson } from '../definitions/workflow-definition.js';
import type { ActivityNode } from '../graph/activity-node.js';
import { ActivityBase } from './activity-base.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import { act, event, fault, flow, fork, join, lit, parallelForEach, seq, W } from './testing/build-definition.js';
import type { WorkflowState } from '../state/workflow-state.js';
import type { Signal, SignalContext } from './signals.js';
import { atRest, TestPart } from './testing/resting-parts.js';
import { type TestInstance, WorkflowTest } from './testing/run-workflow.js';

/** Each execution is two parts: also in a quick run twice as many parts as may be restored at a time. */
const items = Array.from({ length: isThorough ? 3000 : 1100 }, (_, i) => i);
const branches = (body: ActivityJson = event('E')): ActivityJson => parallelForEach('P', items, body);

/** An execution is two parts, itself and its callback; 500 of them are restored at a time, and a few around them. */
const MOST_AT_ONCE = 1020;

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** What a container of an application does when the first of its children has completed. */
let onFirst: (ctx: ActivityExecutionContext) => unknown;
let onResult: (result: unknown) => void = () => undefined;
let onBreak: (ctx: ActivityExecutionContext) => unknown = () => undefined;

@Activity({ type: 'Test.FirstOf' })
class FirstOf extends ActivityBase {
  @Children() branches: ActivityNode[];

  execute(ctx: ActivityExecutionContext): void {
    for (const branch of this.branches) if (branch.id !== 'next') ctx.schedule(branch, { callback: this.onDone });
  }

  override onSignal(signal: Signal, { receiver }: SignalContext): unknown {
    return signal.type === 'Break' ? onBreak(receiver) : undefined;
  }

  onDone(ctx: ActivityExecutionContext, child: ActivityExecutionContext, result: unknown): unknown {
    if (child.node.id === 'A') onResult(result);
    return child.node.id === 'next' ? ctx.complete() : onFirst(ctx);
  }

  scheduleNext(ctx: ActivityExecutionContext): void {
    ctx.schedule(
      this.branches.find(({ id }) => id === 'next'),
      { callback: this.onDone },
    );
  }
}

const firstOf = (id: string, branches: ActivityJson[]): ActivityJson => act('Test.FirstOf', id, { branches });

/** Resumes what waits at the activity, of which there may be many. @returns the most parts that were read between two pauses */
async function resumed(
  root: ActivityJson,
  activityId: string,
  whilePaused?: (run: TestInstance) => unknown,
): Promise<{ run: TestInstance; mostAtOnce: number }> {
  let seen = 0;
  let mostAtOnce = 0;
  let isResumed = false;
  const look = (): void => {
    mostAtOnce = Math.max(mostAtOnce, TestPart.reads - seen);
    seen = TestPart.reads;
  };
  const pause = async (): Promise<void> => {
    look();
    if (isResumed && whilePaused) await whilePaused(run);
  };
  const run = await new WorkflowTest({ rests: true, yield: pause, activities: [FirstOf] }).start(root);
  const { id } = run.bookmarks.find((bookmark) => bookmark.activityId === activityId)!;
  [seen, mostAtOnce, isResumed] = [0, 0, true];
  await run.run({ bookmarkId: id, onBegin: (wec) => (run.context = wec) });
  // Without what the test itself reads.
  return { run, mostAtOnce: Math.max(mostAtOnce, run.reads - seen) };
}

describe('what ends thousands of branches restores them part by part', () => {
  it.each<[string, ActivityJson]>([
    ['a fork that waits for one of them', fork('F', [event('stop'), branches()], 'WaitAny')],
    ['the end of the workflow', fork('F', [seq('S', [event('stop'), act('Finish', 'end')]), branches()])],
    ['a break', branches(seq('B', [event('stop'), act('Break', 'break')]))],
    [
      'a race in a flowchart',
      flow(
        'C',
        [act('Fork', 'start'), event('stop'), branches(), join('J')],
        ['start->stop', 'start->P', 'stop->J', 'P->J'],
      ),
    ],
  ])('%s restores thousands of branches part by part', async (_, root) => {
    const { run, mostAtOnce } = await resumed(root, 'stop');
    expect([run.status, run.context.contexts.size, run.context.bookmarks.size]).toEqual(['Finished', 0, 0]);
    expect(
      run.context.journal!.take().records.filter(({ status }) => status === 'Canceled').length,
    ).toBeGreaterThanOrEqual(items.length);
    expect(mostAtOnce).toBeLessThan(MOST_AT_ONCE);
  });

  describe('a container of the application that', () => {
    const root = firstOf('A', [event('stop'), branches(), W('next')]);
    const calls: [string, (ctx: ActivityExecutionContext) => unknown][] = [
      ['completes', (ctx) => ctx.complete()],
      ['completes and does not say so', (ctx) => void ctx.complete()],
      ['completes twice', (ctx) => void [ctx.complete(), ctx.complete()]],
      ['completes after a wait', async (ctx) => void (await Promise.resolve().then(() => ctx.complete()))],
      ['cancels its children', (ctx) => void ctx.cancelChildren()],
      ['cancels itself', (ctx) => ctx.cancel()],
      ['ends the instance', (ctx) => void ctx.workflow.finishNow(ctx)],
    ];
    it.each(calls)('a container of the application that %s restores its branches part by part', async (_, call) => {
      onFirst = call;
      const { run, mostAtOnce } = await resumed(seq('S', [root, W('after')]), 'stop');
      expect([run.status, run.context.contexts.size, run.context.bookmarks.size]).toEqual(['Finished', 0, 0]);
      expect(mostAtOnce).toBeLessThan(MOST_AT_ONCE);
      // All that it ends comes before its own end, and nothing else in between.
      const log = run.context.journal!.take().log.map(({ eventName, activityId }) => `${eventName} ${activityId}`);
      expect(log.filter((line) => line === 'Canceled E')).toHaveLength(items.length);
      expect(log.findLastIndex((line) => line === 'Canceled E')).toBeLessThan(
        log.findIndex((line) => line === 'Completed A' || line === 'Canceled A'),
      );
    });

    it.each([1, 2, 10])(
      'a container of the application that is completed in %d calls restores no more of its branches in one turn than in one call',
      async (times) => {
        onFirst = (ctx) => {
          for (let call = 0; call < times; call++) void ctx.complete();
        };
        // Not a multiple of what is restored at a time: what is left when it completes once more is worth no part.
        const some = parallelForEach(
          'P',
          Array.from({ length: 1200 }, (_, i) => i),
          event('E'),
        );
        let seen = 0;
        let mostOfTurn = 0;
        const look = (): void => {
          mostOfTurn = Math.max(mostOfTurn, TestPart.reads - seen);
          seen = TestPart.reads;
        };
        let turning: Promise<void> | undefined;
        // Two that pause in the same turn have it in common.
        const pause = (): Promise<void> =>
          (turning ??= turn().then(() => {
            turning = undefined;
            look();
          }));
        const of = firstOf('A', [event('stop'), some, W('next')]);
        const run = await new WorkflowTest({ rests: true, yield: pause, activities: [FirstOf] }).start(
          seq('S', [of, W('after')]),
        );
        const { id: bookmarkId } = run.bookmarks.find(({ activityId }) => activityId === 'stop')!;
        [seen, mostOfTurn] = [TestPart.reads, 0];
        await run.run({ bookmarkId, onBegin: (wec) => (run.context = wec) });
        look();
        expect([run.status, run.lines, run.context.contexts.size]).toEqual(['Finished', ['after'], 0]);
        expect(mostOfTurn).toBeLessThan(MOST_AT_ONCE);
      },
    );

    it('a container that cancels its children and continues restores them part by part', async () => {
      onFirst = (ctx) => {
        ctx.cancelChildren();
        (ctx.activity as FirstOf).scheduleNext(ctx);
      };
      const { run, mostAtOnce } = await resumed(firstOf('A', [event('stop'), branches(), event('next')]), 'stop');
      expect([run.status, run.waitingAt()]).toEqual(['Suspended', ['next']]);
      expect(mostAtOnce).toBeLessThan(MOST_AT_ONCE);
    });

    describe('cancels its children', () => {
      const endsOf = (run: TestInstance, id: string): string[] =>
        run.context
          .journal!.take()
          .log.filter(({ activityId, eventName }) => activityId === id && /Completed|Canceled/.test(eventName))
          .map(({ eventName }) => eventName);
      const race = firstOf('A', [event('stop'), branches(), event('next')]);

      it('a container that cancels its children completes with a result', async () => {
        onFirst = (ctx) => {
          if (ctx.node.id === 'A') ctx.cancelChildren();
          ctx.complete('won');
        };
        let result: unknown;
        onResult = (given) => (result = given);
        const { run } = await resumed(firstOf('O', [race]), 'stop', turn);
        expect([run.status, result]).toEqual(['Finished', 'won']);
      });

      it('a container that cancels its children is cancelled', async () => {
        onFirst = (ctx) => void [ctx.cancelChildren(), ctx.cancel()];
        const { run } = await resumed(seq('S', [race, W('after')]), 'stop', turn);
        expect(endsOf(run, 'A')).toEqual(['Canceled']);
      });

      it('a container that cancels its children continues after a longer wait', async () => {
        onFirst = async (ctx) => {
          ctx.cancelChildren();
          for (let turns = 0; turns < 100; turns++) await turn();
          (ctx.activity as FirstOf).scheduleNext(ctx);
        };
        const { run } = await resumed(race, 'stop');
        expect([run.status, run.waitingAt(), endsOf(run, 'A')]).toEqual(['Suspended', ['next'], []]);
      });

      it('a container that cancels its children for a signal continues after a longer wait', async () => {
        onFirst = () => undefined;
        onBreak = async (ctx) => {
          ctx.cancelChildren();
          for (let turns = 0; turns < 100; turns++) await turn();
          (ctx.activity as FirstOf).scheduleNext(ctx);
        };
        const sender = seq('S', [event('stop'), act('Break', 'break')]);
        const { run } = await resumed(firstOf('A', [sender, branches(), event('next')]), 'stop');
        onBreak = () => undefined;
        expect([run.status, run.waitingAt(), endsOf(run, 'A')]).toEqual(['Suspended', ['next'], []]);
      });
    });

    it('a container that continues does not restore the others', async () => {
      onFirst = () => undefined;
      const { run, mostAtOnce } = await resumed(root, 'stop');
      expect([run.status, run.context.contexts.size]).toEqual(['Suspended', 3 + items.length]);
      expect(mostAtOnce).toBeLessThan(10);
    });
  });

  it('the end of a workflow by Complete restores branches part by part', async () => {
    const { run, mostAtOnce } = await resumed(
      fork('F', [seq('S', [event('stop'), act('Complete', 'done')]), branches()]),
      'stop',
    );
    expect([run.status, run.context.contexts.size, run.context.bookmarks.size]).toEqual(['Finished', 0, 0]);
    expect(mostAtOnce).toBeLessThan(MOST_AT_ONCE);
  });

  it('a fault where something is undone restores branches part by part', async () => {
    const undone = act('Waymark.Compensable', 'C', { body: W('did'), undo: W('undid') });
    const { run, mostAtOnce } = await resumed(
      fork('F', [seq('S', [event('stop'), undone, fault('bad')]), branches()]),
      'stop',
    );
    expect([run.status, run.lines, run.context.contexts.size]).toEqual(['Faulted', ['did', 'undid'], 0]);
    expect(mostAtOnce).toBeLessThan(MOST_AT_ONCE);
  });

  it('a fault where something is undone restores branches part by part for a caller that does not wait', async () => {
    onFirst = (ctx) => {
      if (ctx.node.id === 'A') return void ctx.complete();
      throw new Error('bad');
    };
    const undone = act('Waymark.Compensable', 'C', { body: W('did'), undo: W('undid') });
    const inner = firstOf('A', [seq('S', [event('stop'), undone])]);
    const { run, mostAtOnce } = await resumed(firstOf('O', [inner, branches()]), 'stop', turn);
    expect([run.status, run.lines, run.context.contexts.size]).toEqual(['Faulted', ['did', 'undid'], 0]);
    expect(mostAtOnce).toBeLessThan(MOST_AT_ONCE);
  });

  describe('a cancellation from outside', () => {
    it.each([{}, { isAbandoned: true }])(
      'a cancellation from outside restores part by part while a burst waits for something (%j)',
      async (options) => {
        let goOn!: (text: string) => void;
        const gate = new Promise<string>((resolve) => (goOn = resolve));
        let reach!: () => void;
        const isHeld = new Promise<void>((resolve) => (reach = resolve));
        const hold = W('hold', () => {
          reach();
          return gate;
        });
        const root = fork('F', [seq('S', [event('stop'), hold, W('never')]), branches()]);
        const atOnce: number[] = [];
        let seen = 0;
        const look = async (): Promise<void> => {
          atOnce.push(TestPart.reads - seen);
          seen = TestPart.reads;
        };
        const run = await new WorkflowTest({ rests: true, yield: look }).start(root);
        const { id: bookmarkId } = run.bookmarks.find(({ activityId }) => activityId === 'stop')!;
        const running = run.run({ bookmarkId, onBegin: (wec) => (run.context = wec) });
        await isHeld;
        const { context } = run;
        expect(context.contexts.resting!.count).toBeGreaterThanOrEqual(items.length);
        [seen, atOnce.length] = [TestPart.reads, 0];
        const { signal } = context;
        const cancelling = context.cancel(options);
        // Aborted before, the activity could fail, and the instance with it.
        expect([context.isRunning, signal.aborted]).toEqual([true, false]);
        await cancelling;
        await look();
        expect([context.isRunning, signal.aborted]).toEqual([false, true]);
        expect(Math.max(...atOnce)).toBeLessThan(MOST_AT_ONCE);
        goOn('held');
        await running;
        expect([run.status, run.lines, context.contexts.size, context.bookmarks.size]).toEqual([
          'Cancelled',
          ['held'],
          0,
          0,
        ]);
      },
    );

    it('a cancellation from outside in a pause between two activities keeps the next one from being executed', async () => {
      const steps = Array.from({ length: 50 }, (_, step) => W(`step${step}`));
      let before: readonly string[] | undefined;
      const { run } = await resumed(fork('F', [seq('S', [event('stop'), ...steps]), branches()]), 'stop', (paused) => {
        if (before || paused.lines.length === 0) return;
        before = [...paused.lines];
        void paused.context.cancel();
      });
      expect([run.status, run.lines, run.context.contexts.size]).toEqual(['Cancelled', before, 0]);
    });

    it.each(['executing', 'executed'] as const)(
      'a cancellation from outside in a commit (%s) keeps what follows from being executed',
      async (at) => {
        const steps = Array.from({ length: 5 }, (_, step) => W(`step${step}`));
        const test = new WorkflowTest({ rests: true, yield: turn });
        const run = await test.start(fork('F', [seq('S', [event('stop'), ...steps]), branches()]));
        const { id: bookmarkId } = run.bookmarks.find(({ activityId }) => activityId === 'stop')!;
        const cancelAt = (now: string, after: string) => async (of: { readonly node: { readonly id: string } }) => {
          if (at === now && of.node.id === after) void run.context.cancel();
        };
        const commits = {
          begin: async () => undefined,
          executing: cancelAt('executing', 'step2'),
          executed: cancelAt('executed', 'step1'),
        };
        await run.run({ bookmarkId, commits, onBegin: (wec) => (run.context = wec) });
        expect([run.status, run.lines]).toEqual(['Cancelled', ['step0', 'step1']]);
      },
    );

    it('a cancellation from outside waits while the state is taken', async () => {
      const pauses: (() => void)[] = [];
      let isHeld = false;
      const pause = (): Promise<void> => new Promise((resolve) => (isHeld ? pauses.push(resolve) : resolve()));
      const test = new WorkflowTest({ yield: pause });
      const begun = await test.start(fork('F', [event('stop'), branches()]));
      const stop = begun.bookmarks.find(({ activityId }) => activityId === 'stop')!;
      const wec = test.runner.create({
        graph: begun.graph,
        instanceId: 'instance',
        bookmarkId: stop.id,
        state: atRest(begun.state),
      });
      isHeld = true;
      const cancelling = wec.cancel();
      wec.isBeingTaken = true;
      pauses[0]!();
      await cancelling;
      expect([wec.isRunning, wec.missedCancel, wec.contexts.awake().length < 1020]).toEqual([true, {}, true]);
    });
  });

  it('a timeout restores branches part by part', async () => {
    const { run, mostAtOnce } = await resumed(
      act('Waymark.Timeout', 'T', { body: branches(), timeSpan: lit('00:01:00') }),
      'T',
    );
    expect([run.status, run.context.bookmarks.size]).toEqual(['Faulted', 0]);
    expect(mostAtOnce).toBeLessThan(MOST_AT_ONCE);
  });

  it('ending one branch restores no others', async () => {
    const { run, mostAtOnce } = await resumed(fork('F', [event('stop'), branches()]), 'stop');
    expect([run.status, run.context.contexts.size]).toEqual(['Suspended', 3 + items.length]);
    expect(mostAtOnce).toBeLessThan(10);
  });

  it('a loop in a flowchart restores no branches until one reaches a join', async () => {
    const root = flow(
      'C',
      [act('Fork', 'start'), event('stop'), event('after'), branches(), join('J')],
      ['start->stop', 'start->P', 'stop->after', 'after->J', 'P->J'],
    );
    const { run, mostAtOnce } = await resumed(root, 'stop');
    expect([run.status, run.context.contexts.size]).toEqual(['Suspended', 4 + items.length]);
    expect([run.reads < 20, mostAtOnce < 20]).toEqual([true, true]);
  });

  it('a cancellation during the restoring ends the instance', async () => {
    const root = fork('F', [event('stop'), branches()], 'WaitAny');
    const { run } = await resumed(root, 'stop', ({ context }) => context.cancel());
    expect([run.status, run.context.contexts.size, run.context.bookmarks.size]).toEqual(['Cancelled', 0, 0]);
  });
});

it('what a fault leaves at rest is restored part by part before it is stored', async () => {
  let seen = 0;
  let mostAtOnce = 0;
  const look = (): void => {
    mostAtOnce = Math.max(mostAtOnce, TestPart.reads - seen);
    seen = TestPart.reads;
  };
  const test = new WorkflowTest({ yield: async () => look() });
  const { runner } = test;
  const begun = await test.start(fork('F', [seq('S', [event('stop'), fault('bad')]), branches()]));
  const { id } = begun.bookmarks.find(({ activityId }) => activityId === 'stop')!;
  const before = begun.state;
  const request = { graph: begun.graph, instanceId: 'instance', bookmarkId: id };
  const wec = await runner.run({ ...request, state: atRest(before) });
  expect([wec.subStatus, wec.contexts.awake().length]).toEqual(['Faulted', 4]);
  [seen, mostAtOnce] = [TestPart.reads, 0];
  const state = await runner.extractPaced(wec);
  look();
  expect(mostAtOnce).toBeLessThan(MOST_AT_ONCE);
  expect(state.activityExecutionContexts).toHaveLength(5 + items.length);
  const whole = await runner.run({ ...request, state: before });
  const ids = (of: WorkflowState): string[] => of.activityExecutionContexts.map((context) => context.id);
  expect(ids(state)).toEqual(ids(runner.extract(whole)));
});
