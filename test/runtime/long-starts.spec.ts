import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { Activity, ActivityBase, type ActivityExecutionContext } from '@waymark/core';
import { IWorkflowCancellationService, type WorkflowPersistence } from '@waymark/runtime';
import { resolveSchedulingOptions, SCHEDULING_OPTIONS, schedulingProviders } from '@waymark/scheduling/adapter';
import { VirtualClock } from '@waymark/testing';
import { aBurstOf } from '../support/a-burst.js';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { line, literal, type RuntimeNode, sequence, startNode } from '../support/runtime-node.js';

const SECOND = 1000;
/** Real milliseconds that time waits for the burst that takes long: nothing else of a moment takes so long. */
const PATIENCE_MS = 50;

let executions: AbortSignal[] = [];
let begin: () => void;
let begun: Promise<void>;
let release: () => void;
let released: Promise<void>;

/** Takes until the test says so. */
@Activity({ type: 'Test.Slow' })
class Slow extends ActivityBase {
  async execute(ctx: ActivityExecutionContext): Promise<void> {
    executions.push(ctx.signal);
    begin();
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
    begun = new Promise((resolve) => (begin = resolve));
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
  /** Moves on by little until it holds, which the store is asked for each time. */
  async function until(holds: () => Promise<boolean>): Promise<void> {
    while (!(await holds())) await clock.advance(10);
  }
  const listed = async (): Promise<void> => {
    await clock.advance(2 * SECOND);
    await until(async () => (await states()).length > 0);
  };

  it('is stored as begun, and ends once', async () => {
    await deploy();
    await clock.advance(10 * SECOND);
    await begun;
    expect(await instances()).toEqual([]);
    await listed();
    expect(await states()).toEqual(['Pending']);
    // Longer than other nodes leave a message alone that is not held.
    for (let i = 0; i < 4; i++) await clock.advance(10 * SECOND);
    await node.settled();
    release();
    await until(async () => (await states())[0] === 'Finished');
    await node.settled();
    expect([await states(), node.lines, executions.length]).toEqual([['Finished'], ['done'], 1]);
  });

  it('can be cancelled meanwhile', async () => {
    await deploy();
    await clock.advance(10 * SECOND);
    await begun;
    await listed();
    const [instance] = await instances();
    await node.get(IWorkflowCancellationService).cancel(instance!.id);
    expect(executions.map(({ aborted }) => aborted)).toEqual([true]);
    await node.settled();
    expect([await states(), node.lines, executions.length]).toEqual([['Cancelled'], [], 1]);
  });

  it('goes on at once from what another node has changed meanwhile', async () => {
    await deploy();
    await clock.advance(10 * SECOND);
    await begun;
    await listed();
    const { id } = (await instances())[0]!;
    const changed = (await store.instances.load(id))!;
    await store.commit(aBurstOf(changed, { expectedRevision: changed.revision }));
    release();
    await until(async () => (await states())[0] === 'Finished');
    await node.settled();
    expect([await states(), executions.length, await store.outbox.count()]).toEqual([
      ['Finished'],
      2,
      { waiting: 0, deadLetters: 0 },
    ]);
  });
});
