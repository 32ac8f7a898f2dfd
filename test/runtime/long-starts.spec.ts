import { afterAll, afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Activity, ActivityBase, type ActivityExecutionContext } from '@waymark/core';
import { IWorkflowCancellationService, type WorkflowPersistence } from '@waymark/runtime';
import { resolveSchedulingOptions, SCHEDULING_OPTIONS, schedulingProviders } from '@waymark/scheduling/adapter';
import { VirtualClock } from '@waymark/testing';
import { aBurstOf } from '../support/a-burst.js';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { line, literal, type RuntimeNode, sequence, startNode } from '../support/runtime-node.js';

const SECOND = 1000;
/** Real milliseconds that time waits for the burst that takes long: those of a busy store, which would be overtaken by time else. */
const PATIENCE_MS = 500;

let executions: AbortSignal[] = [];
let release: () => void;
let released: Promise<void>;

/** Takes until the test says so. */
@Activity({ type: 'Test.Slow' })
class Slow extends ActivityBase {
  async execute(ctx: ActivityExecutionContext): Promise<void> {
    executions.push(ctx.signal);
    await Promise.race([
      released,
      new Promise((resolve) => ctx.signal.addEventListener('abort', resolve, { once: true })),
    ]);
    await ctx.complete();
  }
}

describeOn(await testBackends(), 'a start by a timer whose first burst takes long, on $name', (backend) => {
  let clock: VirtualClock;
  let store: WorkflowPersistence;
  let node: RuntimeNode;
  let workflow: string;
  let counter = 0;
  afterAll(() => backend.drop());
  beforeEach(async () => {
    executions = [];
    released = new Promise((resolve) => (release = resolve));
    clock = new VirtualClock('2026-03-01T10:00:00Z', { patienceMs: PATIENCE_MS });
    workflow = `slow-${++counter}`;
    await start();
  });
  afterEach(async () => {
    release();
    await node.close();
  });

  async function start(): Promise<void> {
    store = await backend.create();
    node = await startNode(store, {
      clock,
      providers: [
        Slow,
        ...schedulingProviders,
        { provide: SCHEDULING_OPTIONS, useValue: resolveSchedulingOptions({ pollIntervalMs: SECOND }) },
      ],
    });
  }
  async function deploy(): Promise<void> {
    const timer = {
      type: 'Elsa.StartAt',
      id: 'A',
      dateTime: literal(new Date(clock.now() + 10 * SECOND).toISOString(), 'DateTimeOffset'),
      customProperties: { canStartWorkflow: true },
    };
    await node.deploy(workflow, sequence('S', timer, { type: 'Test.Slow', id: 'L' }, line('W', 'done')));
  }
  const instances = async () => (await store.instances.findMany({ definitionIds: [workflow] })).items;
  const states = async () => (await instances()).map(({ subStatus }) => subStatus);
  /** Moves on by little until it holds, which the store is asked for each time, and no longer than the test lasts. */
  async function until(holds: () => Promise<boolean>): Promise<void> {
    const own = clock;
    while (!(await holds())) {
      if (clock !== own) throw new Error('The test has ended.');
      await clock.advance(10);
    }
  }
  /** A busy store answers after time has moved on: what is still to be done is done at the next move. */
  const begin = async (): Promise<void> => {
    await clock.advance(10 * SECOND);
    await until(async () => executions.length > 0);
  };
  /** Moves on while that is being done, since some of it may wait for a time that comes. */
  async function during(work: Promise<unknown>): Promise<void> {
    let isDone = false;
    const done = work.finally(() => (isDone = true));
    await Promise.all([done, until(async () => isDone)]);
  }
  const listed = async (): Promise<void> => {
    await clock.advance(2 * SECOND);
    await until(async () => (await states()).length > 0);
  };

  it('is stored as begun, and ends once', async () => {
    await deploy();
    await begin();
    expect(await instances()).toEqual([]);
    await listed();
    expect(await states()).toEqual(['Pending']);
    // Longer than other nodes leave a message alone that is not held.
    for (let i = 0; i < 4; i++) await clock.advance(10 * SECOND);
    await during(node.settled());
    release();
    await until(async () => (await states())[0] === 'Finished');
    await during(node.settled());
    expect([await states(), node.lines, executions.length]).toEqual([['Finished'], ['done'], 1]);
  });

  it('is stored as begun a second later when the store has refused it', async () => {
    await deploy();
    await begin();
    const commit = jest.spyOn(store, 'commit').mockRejectedValueOnce(new Error('Deadlock found'));
    await clock.advance(SECOND);
    expect([commit.mock.calls.length, await instances()]).toEqual([1, []]);
    await listed();
    expect(await states()).toEqual(['Pending']);
    release();
    await until(async () => (await states())[0] === 'Finished');
    await during(node.settled());
    expect([node.lines, executions.length, await store.outbox.count()]).toEqual([
      ['done'],
      1,
      { waiting: 0, deadLetters: 0 },
    ]);
  });

  it('can be cancelled meanwhile', async () => {
    await deploy();
    await begin();
    await listed();
    const [instance] = await instances();
    await during(node.get(IWorkflowCancellationService).cancel(instance!.id));
    expect(executions.map(({ aborted }) => aborted)).toEqual([true]);
    await during(node.settled());
    expect([await states(), node.lines, executions.length]).toEqual([['Cancelled'], [], 1]);
  });

  it('continues at once from the changes of another node', async () => {
    await deploy();
    await begin();
    await listed();
    const { id } = (await instances())[0]!;
    const changed = (await store.instances.load(id))!;
    await store.commit(aBurstOf(changed, { expectedRevision: changed.revision }));
    release();
    await until(async () => (await states())[0] === 'Finished');
    await during(node.settled());
    expect([await states(), executions.length, await store.outbox.count()]).toEqual([
      ['Finished'],
      2,
      { waiting: 0, deadLetters: 0 },
    ]);
  });
});
