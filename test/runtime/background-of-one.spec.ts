import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Activity, ActivityBase, type ActivityExecutionContext, type ActivityJson, Input } from '@waymark/core';
import { IWorkflowRuntime, WorkflowPersistence } from '@waymark/runtime';
import { type BurstCommit, InstanceEditor, type InstanceStore, OutboxProcessor } from '@waymark/runtime/adapter';
import { FaultPoints, VirtualClock, withFaultPoints } from '@waymark/testing';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { literal, type RuntimeNode, type RuntimeNodeOptions, sequence, startNode } from '../support/runtime-node.js';

interface Begun {
  readonly name: string;
  readonly attempt: number;
  readonly seen: unknown;
  readonly other: unknown;
  readonly end: () => void;
}

/** Jobs that have begun, in their order. Each waits for its end while they are held. */
let begun: Begun[] = [];
let looks: (() => void)[] = [];
let isHeld = false;

const begins = async (count: number): Promise<void> => {
  while (begun.length < count) await new Promise<void>((resolve) => looks.push(resolve));
};

@Injectable()
@Activity({ namespace: 'Test', type: 'Test.OfOne', kind: 'Job' })
class OfOne extends ActivityBase {
  @Input({ type: 'String' }) label!: string;

  async execute(ctx: ActivityExecutionContext): Promise<void> {
    const seen = ctx.getVariable<string[]>('Seen');
    const ended = new Promise<void>((resolve) => {
      const { attempt } = ctx;
      const other = ctx.getVariable('Other');
      begun.push({ name: this.label, attempt, seen: structuredClone(seen), other, end: resolve });
    });
    // What is changed inside of a value does not leave the copy.
    seen.push('inside');
    for (const look of looks.splice(0)) look();
    if (isHeld) await ended;
    ctx.setVariable('Seen', [this.label]);
  }
}

@Activity({ namespace: 'Test', type: 'Test.Prepare' })
class Prepare extends ActivityBase {
  execute(ctx: ActivityExecutionContext): unknown {
    ctx.setVariable('Seen', []);
    return ctx.complete();
  }
}

const job = (name: string): ActivityJson =>
  ({ type: 'Test.OfOne', id: name, label: literal(name) }) as unknown as ActivityJson;
const storageDriverTypeName = 'WorkflowInstanceStorageDriver';
const variables = [
  { id: 'seen', name: 'Seen', typeName: 'Object', storageDriverTypeName },
  { id: 'other', name: 'Other', typeName: 'String', storageDriverTypeName },
];
const jobs = (count: number): ActivityJson =>
  sequence(
    'S',
    { type: 'Test.Prepare', id: 'Prepare' },
    { type: 'Elsa.Parallel', id: 'P', activities: Array.from({ length: count }, (_, n) => job(`J${n}`)) },
  );

const SOON = 4_000;
const FAR = 60_000;
/** What a proxy may stand for. */
const anyhow = { configurable: true, writable: true };

describeOn(await testBackends(), 'background activities of one instance, on $name', (backend) => {
  let clock: VirtualClock;
  let nodes: RuntimeNode[];
  /** Whole states that nodes have read. */
  let loads: number;
  let beforeCommit: () => Promise<void> | undefined;

  const node = async (options: RuntimeNodeOptions = {}, points = new FaultPoints()): Promise<RuntimeNode> => {
    const persistence = withFaultPoints(counting(await backend.create()), points);
    const started = await startNode(persistence, { clock, providers: [OfOne, Prepare], ...options });
    nodes.push(started);
    return started;
  };
  function counting(persistence: WorkflowPersistence): WorkflowPersistence {
    const { instances } = persistence;
    const load = (id: string) => {
      loads++;
      return instances.load(id);
    };
    const commit = async (burst: BurstCommit): Promise<void> => {
      await beforeCommit();
      await persistence.commit(burst);
    };
    const counted = Object.create(instances, { load: { value: load, ...anyhow } }) as InstanceStore;
    const changed = { instances: { value: counted, ...anyhow }, commit: { value: commit, ...anyhow } };
    return Object.create(persistence, changed) as WorkflowPersistence;
  }
  const start = async (on: RuntimeNode, definition: string) =>
    (await (await on.get(IWorkflowRuntime).createClient()).createAndRunInstance({ definition })).workflowInstanceId;
  const load = async (on: RuntimeNode, id: string) => (await on.get(WorkflowPersistence).instances.load(id))!;
  const settled = (on: RuntimeNode) => on.get(OutboxProcessor).settled();

  beforeEach(() => {
    clock = new VirtualClock();
    [begun, looks, nodes, loads, isHeld] = [[], [], [], 0, false];
    beforeCommit = () => undefined;
  });
  afterEach(async () => {
    isHeld = false;
    for (const each of begun) each.end();
    for (const each of nodes) await each.close();
  });
  afterAll(() => backend.drop());

  it('background activities of one instance load it once for all that begin between two of its commits, each with values of its own', async () => {
    isHeld = true;
    const one = await node();
    await one.deploy('at-once', jobs(16), { variables });
    loads = 0;
    const id = await start(one, 'at-once');
    await begins(16);
    expect(loads).toBe(1);
    expect(begun.map(({ seen }) => seen)).toEqual(begun.map(() => []));
    for (const each of begun) each.end();
    await settled(one);
    expect((await load(one, id)).subStatus).toBe('Finished');
  });

  it('background activities of one instance see what was stored before they began: by an earlier one, or by another node', async () => {
    isHeld = true;
    const one = await node({ backgroundConcurrency: 2 });
    const two = await node({ nodeName: 'two' });
    await one.deploy('stored', jobs(4), { variables });
    const id = await start(one, 'stored');
    await begins(2);
    begun[0]!.end();
    await begins(3);
    expect(begun[2]).toMatchObject({ seen: [begun[0]!.name], other: null });
    await two.get(InstanceEditor).change(id, (wec) => wec.rootContext!.setVariable('Other', 'by two'));
    begun[1]!.end();
    await begins(4);
    expect(begun[3]).toMatchObject({ seen: [begun[1]!.name], other: 'by two' });
    for (const each of begun) each.end();
    await settled(one);
    expect((await load(one, id)).subStatus).toBe('Finished');
  });

  it('background activities of one instance do not begin when another node has cancelled it since it was loaded', async () => {
    isHeld = true;
    const one = await node({ backgroundConcurrency: 2 });
    const two = await node({ nodeName: 'two' });
    await one.deploy('cancelled', jobs(4), { variables });
    const id = await start(one, 'cancelled');
    await begins(2);
    await (await two.get(IWorkflowRuntime).createClient(id)).cancel();
    for (const each of begun) each.end();
    await settled(one);
    expect([begun.length, (await load(one, id)).subStatus]).toEqual([2, 'Cancelled']);
    expect((await one.get(WorkflowPersistence).outbox.count()).waiting).toBe(0);
  });

  it('free their places while their results wait to be stored, and are stored together', async () => {
    const one = await node({ backgroundConcurrency: 2 });
    await one.deploy('places', jobs(24), { variables });
    let storeFirst = (): void => {};
    const first = new Promise<void>((resolve) => (storeFirst = resolve));
    let commits = 0;
    // The one before stores that they wait.
    beforeCommit = () => (++commits === 2 ? first : undefined);
    const id = await start(one, 'places');
    // Two places, of which the first is kept by the one that is being stored.
    await begins(24);
    storeFirst();
    await settled(one);
    expect((await load(one, id)).subStatus).toBe('Finished');
    expect(commits).toBeLessThanOrEqual(4);
    expect(begun.map(({ attempt }) => attempt)).toEqual(begun.map(() => 1));
  });

  it('W8, W9: background activities of one instance are begun again, and told so, when the node dies that had not stored what they did', async () => {
    isHeld = true;
    const points = new FaultPoints({ at: 'commit#2', fault: 'dies before' });
    const theirs = new VirtualClock();
    const dying = await node({ nodeName: 'dying', clock: theirs }, points);
    await dying.deploy('dying', jobs(6), { variables });
    const id = await start(dying, 'dying');
    await begins(6);
    // Long enough for its claims.
    await theirs.advance(SOON);
    for (const each of begun) each.end();
    await points.died;
    expect(begun.map(({ attempt }) => attempt)).toEqual([1, 1, 1, 1, 1, 1]);
    isHeld = false;
    nodes = nodes.filter((each) => each !== dying);
    const other = await node({ nodeName: 'other' });
    await clock.advance(FAR);
    await other.settled();
    expect((await load(other, id)).subStatus).toBe('Finished');
    expect(begun.slice(6).map(({ attempt }) => attempt)).toEqual([2, 2, 2, 2, 2, 2]);
    expect((await other.get(WorkflowPersistence).outbox.count()).waiting).toBe(0);
  });
});
