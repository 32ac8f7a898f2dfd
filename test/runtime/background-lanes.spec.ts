import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Activity, ActivityBase, type ActivityExecutionContext, type ActivityJson, Input } from '@waymark/core';
import { type BackgroundJob } from '@waymark/core/adapter';
import { ConcurrencyConflictError, IWorkflowRuntime, WorkflowPersistence } from '@waymark/runtime';
import { type ClaimOptions, OutboxProcessor, type OutboxStore } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { testBackends } from '../support/backends.js';
import { amountOf } from '../support/depth.js';
import { describeOn } from '../support/describe-on.js';
import { literal, type RuntimeNode, type RuntimeNodeOptions, sequence, startNode } from '../support/runtime-node.js';

/** Jobs that have begun, in their order, and those of them that wait for their end. */
let begun: { readonly name: string; readonly id: string; readonly node: string }[] = [];
let open: (() => void)[] = [];
let looks: (() => void)[] = [];
let isHeld = false;
/** Far more than there are places for. */
const MANY = amountOf(500, 5);
const farOff = new Date('2090-01-01T00:00:00Z');

const until = async (isMet: () => boolean): Promise<void> => {
  while (!isMet()) await new Promise<void>((resolve) => looks.push(resolve));
};
const told = (): void => {
  for (const look of looks.splice(0)) look();
};

function jobOf(node: string) {
  @Injectable()
  @Activity({ namespace: 'Test', type: 'Test.Work', kind: 'Job' })
  class Work extends ActivityBase {
    @Input({ type: 'String' }) label!: string;

    async execute(ctx: ActivityExecutionContext): Promise<void> {
      begun.push({ name: this.label, id: ctx.id, node });
      if (isHeld) {
        const ended = new Promise<void>((resolve) => open.push(resolve));
        told();
        await ended;
      } else told();
      if (this.label === 'bad') throw new RangeError('no');
    }
  }
  return Work;
}

const work = (id: string, name: string): ActivityJson =>
  ({ type: 'Test.Work', id, label: literal(name) }) as unknown as ActivityJson;
const many = (count: number, name: string): ActivityJson => ({
  type: 'Elsa.Parallel',
  id: 'P',
  activities: Array.from({ length: count }, (_, n) => work(`W${n}`, name)),
});

describeOn(await testBackends(), 'places for background activities on $name', (backend) => {
  let clock: VirtualClock;
  let nodes: RuntimeNode[];
  /** Of all nodes: what was asked of the store. */
  let claims: ClaimOptions[];

  const node = async (options: RuntimeNodeOptions = {}): Promise<RuntimeNode> => {
    const name = options.nodeName ?? 'one';
    const started = await startNode(counting(await backend.create()), { clock, providers: [jobOf(name)], ...options });
    nodes.push(started);
    return started;
  };
  function counting(persistence: WorkflowPersistence): WorkflowPersistence {
    const { outbox } = persistence;
    const claim = (options: ClaimOptions) => {
      claims.push(options);
      return outbox.claim(options);
    };
    const counted = Object.create(outbox, { claim: { value: claim } }) as OutboxStore;
    return Object.create(persistence, { outbox: { value: counted } }) as WorkflowPersistence;
  }
  const start = async (on: RuntimeNode, definition: string) =>
    (await (await on.get(IWorkflowRuntime).createClient()).createAndRunInstance({ definition })).workflowInstanceId;
  const subStatus = async (on: RuntimeNode, id: string) =>
    (await on.get(WorkflowPersistence).instances.load(id))?.subStatus;
  const endOne = () => open.shift()!();
  const namesOf = () => begun.map(({ name }) => name);

  beforeEach(() => {
    clock = new VirtualClock();
    [begun, open, looks, nodes, claims, isHeld] = [[], [], [], [], [], false];
  });
  afterEach(async () => {
    isHeld = false;
    for (const end of open.splice(0)) end();
    for (const each of nodes) await each.get(OutboxProcessor).settled();
    for (const each of nodes) await each.close();
  });
  afterAll(() => backend.drop());

  it.each([17, 64])('%i of one instance are executed without a poll', async (count) => {
    const one = await node();
    await one.deploy(`of-one-${count}`, many(count, 'a'));
    const id = await start(one, `of-one-${count}`);
    await one.get(OutboxProcessor).settled();
    expect([begun.length, await subStatus(one, id)]).toEqual([count, 'Finished']);
    expect((await one.get(WorkflowPersistence).outbox.count()).waiting).toBe(0);
    // As many as there were places for are never fetched, and at most one claim follows each end of the others.
    expect(claims.length).toBeLessThanOrEqual(count);
    expect(claims.filter(({ limit, long }) => limit > 0 || long!.limit === 0)).toEqual([]);
  });

  it(`${MANY} of ${MANY} instances are done while no time passes`, async () => {
    const one = await node();
    await one.deploy('of-many', sequence('S', work('W', 'a')));
    const ids = await Promise.all(Array.from({ length: MANY }, () => start(one, 'of-many')));
    await one.get(OutboxProcessor).settled();
    expect(begun).toHaveLength(MANY);
    const { instances } = one.get(WorkflowPersistence);
    expect(await instances.count({ ids, subStatuses: ['Finished'] })).toBe(MANY);
    expect(claims.every(({ limit }) => limit === 0)).toBe(true);
  });

  it('work beyond the places of a node is left to others at once, and the node claims no more than its places', async () => {
    isHeld = true;
    const busy = await node({ nodeName: 'busy', backgroundConcurrency: 1 });
    const idle = await node({ nodeName: 'idle', backgroundConcurrency: 4 });
    await busy.deploy('shared', many(12, 'a'));
    const id = await start(busy, 'shared');
    await until(() => begun.length === 1);
    expect(await busy.get(OutboxProcessor).poll()).toBe(0);
    expect(await idle.get(OutboxProcessor).poll()).toBe(4);
    await until(() => begun.length === 5);
    expect(begun.map((each) => each.node).sort()).toEqual(['busy', 'idle', 'idle', 'idle', 'idle']);
    // A place that becomes free is filled at once, by its own node.
    for (let count = 6; count <= 12; count++) {
      endOne();
      await until(() => begun.length === count);
    }
    expect(begun.some((each, index) => index > 4 && each.node === 'busy')).toBe(true);
    isHeld = false;
    for (const end of open.splice(0)) end();
    for (const each of [busy, idle]) await each.get(OutboxProcessor).settled();
    expect(await subStatus(idle, id)).toBe('Finished');
    const claimedAtOnce = claims.map(({ long }) => long!.limit);
    expect(Math.max(...claimedAtOnce)).toBe(4);
  });

  it('leftovers of one instance let a hundred others of the same definition, and of another one, go before', async () => {
    isHeld = true;
    const dying = await node({ nodeName: 'dying', backgroundConcurrency: 1, clock: new VirtualClock() });
    await dying.deploy('hog', many(100, 'hog'));
    await dying.deploy('other', sequence('S', work('W', 'other')));
    await start(dying, 'hog');
    await until(() => begun.length === 1);
    const others = await Promise.all(Array.from({ length: 40 }, () => start(dying, 'other')));
    const one = await node({ nodeName: 'one', backgroundConcurrency: 2 });
    const polled = one.get(OutboxProcessor).poll();
    // One at a time, as of long work.
    for (let ended = 0; ended < 100; ended++) {
      await until(() => begun.filter((each) => each.node === 'one').length >= ended + 2);
      open.splice(1, 1)[0]!();
    }
    await polled;
    const first = namesOf().slice(1, 101);
    const served = first.filter((name) => name === 'other').length;
    expect(served).toBe(40);
    // Nor are those kept waiting in turn.
    expect(first.slice(0, 60).filter((name) => name === 'hog').length).toBeGreaterThan(10);
    isHeld = false;
    for (const end of open.splice(0)) end();
    for (const each of nodes) await each.get(OutboxProcessor).settled();
    expect((await one.get(WorkflowPersistence).outbox.count()).waiting).toBe(0);
    const finished = { ids: others, subStatuses: ['Finished'] as const };
    expect(await one.get(WorkflowPersistence).instances.count(finished)).toBe(40);
  });

  it('what several of one instance did is stored together, each for itself: failed, served elsewhere or well', async () => {
    isHeld = true;
    const one = await node();
    const { root, options } = {
      root: {
        type: 'Elsa.Parallel',
        id: 'P',
        activities: ['bad', ...Array.from({ length: 14 }, () => 'good'), 'gone'].map((name, n) => work(`W${n}`, name)),
      },
      options: { incidentStrategyType: 'ContinueWithIncidentsStrategy' },
    };
    await one.deploy('together', root, { options });
    const id = await start(one, 'together');
    await until(() => begun.length === 16);
    const { outbox, instances } = one.get(WorkflowPersistence);
    const [gone] = (
      await outbox.claim({ owner: 'other', limit: 0, leaseMs: 1, now: farOff, long: { limit: 16 } })
    ).filter(
      ({ payload }) => (payload as BackgroundJob).activityInstanceId === begun.find(({ name }) => name === 'gone')!.id,
    );
    await outbox.delete(gone!.id);
    const before = (await instances.load(id))!.revision;
    for (const end of open.splice(0)) end();
    await one.get(OutboxProcessor).settled();
    const { revision, state } = (await instances.load(id))!;
    expect(state.incidents.map(({ message }) => message)).toEqual(['no']);
    expect(state.bookmarks).toHaveLength(1);
    expect((await outbox.count()).waiting).toBe(0);
    // One by one it would be fifteen. The one that was served elsewhere makes those it shared with begin anew.
    expect(revision - before).toBeLessThanOrEqual(4);
  });

  it('long work is not repeated although other nodes keep changing its instance', async () => {
    isHeld = true;
    const one = await node();
    await one.deploy('busy', sequence('S', work('W', 'a')));
    const id = await start(one, 'busy');
    await until(() => begun.length === 1);
    const persistence = nodes[0]!.get(WorkflowPersistence);
    const { commit } = persistence;
    let conflicts = 0;
    persistence.commit = async (burst) => {
      if (++conflicts <= 50) throw new ConcurrencyConflictError('instance', id);
      return commit.call(persistence, burst);
    };
    endOne();
    await one.get(OutboxProcessor).settled();
    expect([conflicts, begun.length, await subStatus(one, id)]).toEqual([51, 1, 'Finished']);
  });

  it('long work that a node of the version before has sent is claimed no more than there are places for', async () => {
    isHeld = true;
    const one = await node({ backgroundConcurrency: 2 });
    await one.deploy('old', many(6, 'a'));
    // Its rows have no turn, and nothing but their kind says that they are long.
    const { outbox } = one.get(WorkflowPersistence);
    const now = new Date(clock.now());
    const rows = Array.from({ length: 6 }, (_, n) => ({
      id: `old-${n}`,
      kind: 'background-activity',
      payload: { workflowInstanceId: 'gone', activityInstanceId: 'a', bookmarkId: `b${n}` },
      createdAt: now,
      availableAt: now,
      attempts: 0,
    }));
    await outbox.add(rows);
    expect(await one.get(OutboxProcessor).poll()).toBe(2);
    await one.settled();
    expect((await outbox.count()).waiting).toBe(0);
  });
});
