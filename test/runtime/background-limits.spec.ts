import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Injectable, Logger } from '@nestjs/common';
import { Activity, ActivityBase, type ActivityExecutionContext, type ActivityJson, Input } from '@waymark/core';
import {
  AlterationRunner,
  BackgroundRuns,
  BackgroundTimeLimitError,
  IBookmarkResumer,
  IWorkflowRuntime,
  PersistenceError,
  RuntimeGate,
  WorkflowPersistence,
} from '@waymark/runtime';
import { OutboxProcessor, RuntimeMaintenance } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import {
  line,
  literal,
  type RuntimeNode,
  type RuntimeNodeOptions,
  sequence,
  startNode,
  waitFor,
} from '../support/runtime-node.js';

// Background activities that do not return, although their time is over or their instance is gone.

interface Run {
  readonly name: string;
  readonly attempt: number;
  readonly signal: AbortSignal;
  readonly end: (error?: Error) => void;
}

let runs: Run[] = [];
let begun: (() => void)[] = [];
const begins = async (times: number): Promise<void> => {
  while (runs.length < times) await new Promise<void>((resolve) => begun.push(resolve));
};

@Injectable()
@Activity({ namespace: 'Test', kind: 'Job' })
class Endless extends ActivityBase {
  @Input() label!: string;

  async execute(ctx: ActivityExecutionContext): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const end = (error?: Error) => (error ? reject(error) : resolve());
      runs.push({ name: this.label, attempt: ctx.attempt, signal: ctx.signal, end });
      for (const notify of begun.splice(0)) notify();
    });
    ctx.setVariable('seen', `by ${this.label}`);
  }
}

const endless = (name: string, more: Record<string, unknown> = {}): ActivityJson =>
  ({ type: 'Test.Endless', id: 'E', label: literal(name), ...more }) as unknown as ActivityJson;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

describeOn(await testBackends(), 'background activities that do not return, on $name', (backend) => {
  let clock: VirtualClock;
  let nodes: RuntimeNode[];
  const logged: string[] = [];

  const node = async (options: RuntimeNodeOptions = {}): Promise<RuntimeNode> => {
    const started = await startNode(await backend.create(), { clock, providers: [Endless], ...options });
    nodes.push(started);
    return started;
  };
  const start = async (on: RuntimeNode, definition: string) =>
    (await (await on.get(IWorkflowRuntime).createClient()).createAndRunInstance({ definition })).workflowInstanceId;
  const load = async (on: RuntimeNode, id: string) => (await on.get(WorkflowPersistence).instances.load(id))!;
  const counted = (on: RuntimeNode): number[] => {
    const { count, givenUp } = on.get(BackgroundRuns);
    return [count, givenUp];
  };
  const faulted = (on: RuntimeNode, id: string) => load(on, id).then(({ subStatus }) => subStatus);

  beforeEach(() => {
    clock = new VirtualClock();
    [runs, begun, nodes] = [[], [], []];
    logged.length = 0;
    jest.spyOn(Logger.prototype, 'warn').mockImplementation((text: unknown) => void logged.push(String(text)));
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    for (const run of runs) run.end();
    for (const each of nodes) await each.close();
  });
  afterAll(() => backend.drop());

  it('background activities that do not return fail when their time is over, lend their place, and change nothing when they return after all', async () => {
    const one = await node({ backgroundConcurrency: 1, backgroundTimeoutMs: MINUTE });
    await one.deploy('late', sequence('S', endless('late'), line('L', 'went on')));
    await one.deploy('next', sequence('S', endless('next'), line('L', 'next went on')));
    const late = await start(one, 'late');
    await begins(1);
    await clock.advance(59 * SECOND);
    const next = await start(one, 'next');
    expect([await faulted(one, late), runs[0]!.signal.aborted]).toEqual(['Suspended', false]);
    await clock.advance(3 * SECOND);
    await begins(2);
    const { subStatus, state } = await load(one, late);
    expect([subStatus, runs[0]!.signal.aborted, runs[1]!.name]).toEqual(['Faulted', true, 'next']);
    expect(state.incidents[0]!.exception).toMatchObject({ type: BackgroundTimeLimitError.name });
    expect(state.incidents[0]!.message).toContain('60 s');
    expect(counted(one)).toEqual([2, 1]);
    // A shutdown would not wait for it.
    expect(one.get(RuntimeGate).activeBursts).toBe(1);
    runs[0]!.end();
    runs[1]!.end();
    await one.settled();
    expect([await faulted(one, late), await faulted(one, next), one.lines]).toEqual([
      'Faulted',
      'Finished',
      ['next went on'],
    ]);
    expect(one.get(BackgroundRuns)).toMatchObject({ count: 0, givenUp: 0 });
    expect(await one.get(WorkflowPersistence).outbox.count()).toEqual({ waiting: 0, deadLetters: 0 });
  });

  it('background activities that do not return have the time anew, on another node, when their node dies, and the other one decides', async () => {
    const theirs = new VirtualClock();
    const limit = { backgroundTimeoutMs: MINUTE };
    const dying = await node({ nodeName: 'dying', clock: theirs, ...limit });
    const other = await node({ nodeName: 'other', ...limit });
    await dying.deploy('taken', sequence('S', endless('taken'), line('L', 'went on')));
    const id = await start(dying, 'taken');
    await begins(1);
    await theirs.advance(2 * SECOND);
    await clock.advance(2 * SECOND);
    // Its time stands still from now on: it renews nothing any more.
    await clock.advance(31 * SECOND);
    await other.get(RuntimeMaintenance).runOnce();
    await begins(2);
    await clock.advance(50 * SECOND);
    expect([await faulted(other, id), runs[1]!.attempt]).toEqual(['Suspended', 2]);
    // Back, its own time is over, and that is none of the instance's business.
    await theirs.advance(MINUTE);
    expect([await faulted(other, id), runs[0]!.signal.aborted]).toEqual(['Suspended', true]);
    runs[0]!.end();
    await dying.get(OutboxProcessor).settled();
    runs[1]!.end();
    await other.settled();
    expect([await faulted(other, id), other.lines]).toEqual(['Finished', ['went on']]);
  });

  it('background activities that do not return are not waited for by a shutdown once their time is over', async () => {
    const one = await node({ backgroundTimeoutMs: MINUTE });
    await one.deploy('left', sequence('S', endless('left')));
    const id = await start(one, 'left');
    await begins(1);
    await clock.advance(61 * SECOND);
    while ((await faulted(one, id)) !== 'Faulted') await nextTurn();
    nodes.pop();
    // The clock stands still: a shutdown that waits would never end.
    await one.close();
    runs[0]!.end();
    await nextTurn();
    expect(one.get(BackgroundRuns).count).toBe(0);
  });

  it('background activities that do not return are not counted any more once they have returned, also when their fault could not be stored', async () => {
    const one = await node({ backgroundTimeoutMs: MINUTE });
    await one.deploy('unstored', sequence('S', endless('unstored')));
    const id = await start(one, 'unstored');
    await begins(1);
    const store = one.get(WorkflowPersistence);
    const commit = jest.spyOn(store, 'commit');
    commit.mockRejectedValueOnce(new PersistenceError('a constraint of the application'));
    await clock.advance(61 * SECOND);
    while (commit.mock.calls.length === 0) await nextTurn();
    while (runs.length === 1) {
      await clock.advance(SECOND);
      await one.get(RuntimeMaintenance).runOnce();
    }
    expect([await faulted(one, id), runs[0]!.signal.aborted]).toEqual(['Suspended', true]);
    expect(counted(one)).toEqual([2, 1]);
    for (const run of runs) run.end();
    await one.settled();
    expect([await faulted(one, id), one.get(BackgroundRuns).count]).toEqual(['Finished', 0]);
  });

  it('background activities that do not return are counted as given up when another node has cancelled their instance', async () => {
    const one = await node({ nodeName: 'one' });
    const other = await node({ nodeName: 'other' });
    await one.deploy('elsewhere', sequence('S', endless('elsewhere')));
    const id = await start(one, 'elsewhere');
    await begins(1);
    await (await other.get(IWorkflowRuntime).createClient(id)).cancel();
    await clock.advance(5 * SECOND);
    expect(runs[0]!.signal.aborted).toBe(true);
    expect(counted(one)).toEqual([1, 1]);
  });

  it('background activities that do not return are begun anew when their instance is repaired that had failed before their time was over', async () => {
    const one = await node({ backgroundTimeoutMs: MINUTE });
    const failing = sequence('B', waitFor('W', 'fail'), { type: 'Elsa.Fault', id: 'X' });
    await one.deploy('beside', { type: 'Elsa.Parallel', id: 'P', activities: [endless('beside'), failing] });
    const id = await start(one, 'beside');
    await begins(1);
    await one.get(IBookmarkResumer).resume('Elsa.Event', { eventName: 'fail' }, { workflowInstanceId: id });
    expect(await faulted(one, id)).toBe('Faulted');
    // Its time limit has passed, which changes nothing after its end.
    await clock.advance(62 * SECOND);
    expect(runs[0]!.signal.aborted).toBe(true);
    await one.get(RuntimeMaintenance).runOnce();
    await one.get(AlterationRunner).run(id, [{ type: 'SkipActivity', activityId: 'X' }]);
    expect(await faulted(one, id)).toBe('Suspended');
    while (runs.length === 1) {
      await clock.advance(31 * SECOND);
      await one.get(RuntimeMaintenance).runOnce();
    }
    runs[1]!.end();
    while ((await faulted(one, id)) !== 'Finished') await nextTurn();
    while (one.get(BackgroundRuns).count > 1) await nextTurn();
    expect(counted(one)).toEqual([1, 1]);
  });

  it('background activities that do not return have their own `timeout` instead, which may be longer, and lend their place then', async () => {
    const one = await node({ backgroundConcurrency: 1, backgroundTimeoutMs: MINUTE });
    await one.deploy('own', sequence('S', endless('own', { customProperties: { timeout: '00:05:00' } })));
    await one.deploy('next', sequence('S', endless('next')));
    const own = await start(one, 'own');
    await begins(1);
    await clock.advance(4 * MINUTE);
    await start(one, 'next');
    expect([await faulted(one, own), runs.length]).toEqual(['Suspended', 1]);
    const timeout = (await load(one, own)).state.bookmarks.find(({ name }) => name === 'Waymark.Timeout');
    await one.get(IBookmarkResumer).resumeById(timeout!.id);
    await clock.advance(3 * SECOND);
    await begins(2);
    const { subStatus, state } = await load(one, own);
    expect([subStatus, state.incidents[0]!.exception?.type, runs[0]!.signal.aborted]).toEqual([
      'Faulted',
      'ActivityTimeoutError',
      true,
    ]);
  });

  // Hours of renewals, which a database would take minutes for.
  if (backend.name === 'memory')
    it('background activities without a limit are logged after one hour, ten, and so on', async () => {
      const one = await node();
      await one.deploy('endless', sequence('S', endless('endless')));
      const id = await start(one, 'endless');
      await begins(1);
      const warnings = async (ms: number): Promise<string[]> => {
        await clock.advance(ms);
        await one.get(RuntimeMaintenance).runOnce();
        return logged.splice(0).filter((text) => text.startsWith('WM7042'));
      };
      expect(await warnings(59 * MINUTE)).toEqual([]);
      const [first, ...others] = await warnings(2 * MINUTE);
      expect([others, first]).toEqual([
        [],
        expect.stringContaining(`'E' (Test.Endless) of instance '${id}' of 'endless'`),
      ]);
      expect(await warnings(8 * HOUR)).toEqual([]);
      expect(await warnings(HOUR)).toHaveLength(1);
      expect(one.get(BackgroundRuns)).toMatchObject({ count: 1, givenUp: 0, longestMs: 10 * HOUR + MINUTE });
    });

  it('background activities that do not return are aborted at once when their instance is cancelled, also after an earlier run of the same has been called off', async () => {
    const one = await node();
    await one.deploy('twice', sequence('S', endless('twice')));
    const { outbox, instances } = one.get(WorkflowPersistence);
    const id = await start(one, 'twice');
    await begins(1);
    const [bookmark] = (await instances.load(id))!.state.bookmarks;
    const { id: bookmarkId, activityInstanceId } = bookmark!;
    const payload = { workflowInstanceId: id, activityInstanceId, bookmarkId };
    // The same work by other messages, as a restored store may have it.
    const [second] = await one.get(OutboxProcessor).send([{ kind: 'background-activity', payload }]);
    await begins(2);
    await one.get(OutboxProcessor).send([{ kind: 'background-activity', payload }]);
    await begins(3);
    await outbox.delete(second!.id);
    await clock.advance(15 * SECOND);
    expect(runs.map(({ signal }) => signal.aborted)).toEqual([false, true, false]);
    runs[1]!.end(new Error('as a request ends that is called off'));
    while (one.get(BackgroundRuns).count > 2) await nextTurn();
    await (await one.get(IWorkflowRuntime).createClient(id)).cancel();
    expect(runs.map(({ signal }) => signal.aborted)).toEqual([true, true, true]);
  });
});
