import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Activity, ActivityBase, type ActivityJson, Input } from '@waymark/core';
import { IWorkflowDefinitionService, IWorkflowDispatcher, WorkflowPersistence } from '@waymark/runtime';
import { type ClaimOptions, OutboxProcessor, type OutboxStore } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { literal, type RuntimeNode, type RuntimeNodeOptions, sequence, startNode } from '../support/runtime-node.js';

const LIMIT = 2;
/** Of a node for messages. */
const PLACES = 16;
/** More than one claim brings, and than there are places for. */
const MANY = 150;
const SECOND = 1000;

/** Starts that run, by definition, and those of them that wait for their end. */
let begun: string[] = [];
let open: (() => void)[] = [];
let looks: (() => void)[] = [];

const until = async (isMet: () => boolean): Promise<void> => {
  while (!isMet()) await new Promise<void>((resolve) => looks.push(resolve));
};
const count = (name: string) => begun.filter((each) => each === name).length;

@Injectable()
@Activity({ namespace: 'Test', type: 'Test.Note' })
class Note extends ActivityBase {
  @Input({ type: 'String' }) label!: string;

  execute(): Promise<void> | undefined {
    begun.push(this.label);
    const held = this.label.startsWith('limited') ? new Promise<void>((resolve) => open.push(resolve)) : undefined;
    for (const look of looks.splice(0)) look();
    return held;
  }
}

const note = (name: string) => ({ type: 'Test.Note', id: 'N', label: literal(name) }) as unknown as ActivityJson;

/** The time stands still: nothing waits for the next look at the store. */
describeOn(await testBackends(), 'limits of dispatch on $name', (backend) => {
  let clock: VirtualClock;
  let nodes: RuntimeNode[];
  /** Ids of the messages that claims have brought, by kind of claim. */
  let claimed: { readonly turn: number | undefined; readonly id: string }[];

  const node = async (options: RuntimeNodeOptions = {}): Promise<RuntimeNode> => {
    const dispatchLimits = { limited: LIMIT, 'limited-too': LIMIT };
    const persistence = noting(await backend.create());
    const started = await startNode(persistence, { clock, providers: [Note], dispatchLimits, ...options });
    nodes.push(started);
    for (const name of ['limited', 'limited-too', 'free']) await started.deploy(name, sequence('S', note(name)));
    return started;
  };
  function noting(persistence: WorkflowPersistence): WorkflowPersistence {
    const { outbox } = persistence;
    const claim = async (options: ClaimOptions) => {
      const found = await outbox.claim(options);
      claimed.push(...found.map(({ id, turn }) => ({ id, turn })));
      return found;
    };
    const noted = Object.create(outbox, { claim: { value: claim } }) as OutboxStore;
    return Object.create(persistence, { outbox: { value: noted } }) as WorkflowPersistence;
  }
  /** Dispatched by a node that knows of no limit, and died. */
  const leave = async (on: RuntimeNode, name: string, number: number) => {
    const definition = { definitionVersionId: (await on.get(IWorkflowDefinitionService).require(name)).id };
    const ids = Array.from({ length: number }, (_, n) => `${name}-${claimed.length}-${n}`);
    const row = { kind: 'start', attempts: 0, createdAt: new Date(0), availableAt: new Date(0) };
    await on
      .get(WorkflowPersistence)
      .outbox.add(ids.map((id) => ({ ...row, id, payload: { definition, workflowInstanceId: `i-${id}` } })));
    return ids;
  };
  const endAll = () => {
    for (const end of open.splice(0)) end();
  };
  /** Ends one after the other until so many of all have begun. */
  const endUntil = async (number: number) => {
    while (begun.length < number) {
      endAll();
      const before = begun.length;
      await until(() => begun.length > before);
    }
    endAll();
    await Promise.all(nodes.map((each) => each.get(OutboxProcessor).settled()));
  };

  beforeEach(() => {
    clock = new VirtualClock();
    [begun, open, looks, nodes, claimed] = [[], [], [], [], []];
  });
  afterEach(async () => {
    for (const each of nodes) {
      endAll();
      await each.close();
    }
  });
  afterAll(() => backend.drop());

  it('what is behind starts of a limited definition is served at once, and each of those waits once', async () => {
    const one = await node();
    await leave(one, 'limited', MANY);
    await leave(one, 'free', MANY);
    await one.get(OutboxProcessor).poll();
    await until(() => count('free') === MANY && count('limited') === LIMIT);
    expect(open).toHaveLength(LIMIT);
    await endUntil(2 * MANY);
    expect([count('limited'), (await one.get(WorkflowPersistence).outbox.count()).waiting]).toEqual([MANY, 0]);
    // Once to learn that there is no place for it, and once when there is.
    const times = new Map<string, number>();
    for (const { id } of claimed) times.set(id, (times.get(id) ?? 0) + 1);
    expect(Math.max(...times.values())).toBe(2);
  });

  it('no more of a definition are claimed than there are places for', async () => {
    const one = await node();
    await leave(one, 'limited', 20);
    await leave(one, 'limited-too', 20);
    await one.get(OutboxProcessor).poll();
    await until(() => open.length === 2 * LIMIT);
    await one.get(WorkflowPersistence).outbox.count();
    const places = () => claimed.filter(({ turn }) => turn !== undefined).length;
    for (let ended = 0; begun.length < 40; ended++) {
      const before = begun.length;
      open.shift()!();
      await until(() => begun.length > before);
      expect(open.length).toBe(2 * LIMIT);
      expect(places()).toBe(ended + 1);
    }
    endAll();
    await one.get(OutboxProcessor).settled();
    expect([count('limited'), count('limited-too')]).toEqual([20, 20]);
  });

  it('starts beyond the limit wait without being claimed, and do not delay other messages', async () => {
    const one = await node();
    const dispatcher = one.get(IWorkflowDispatcher);
    for (let n = 0; n < LIMIT; n++) await dispatcher.dispatch({ definition: 'limited' });
    await until(() => open.length === LIMIT);
    for (let n = 0; n < 30; n++) await dispatcher.dispatch({ definition: 'limited' });
    for (let n = 0; n < 30; n++) await dispatcher.dispatch({ definition: 'free' });
    await until(() => count('free') === 30);
    expect([open.length, claimed]).toEqual([LIMIT, []]);
    await endUntil(62);
    expect([count('limited'), claimed.length]).toEqual([LIMIT + 30, 30]);
  });

  it('places are counted on each node, and a node without a limit takes what waits', async () => {
    const [one, two] = [await node({ nodeName: 'one' }), await node({ nodeName: 'two' })];
    // In memory, all nodes are one process with one store: the messages are the same.
    await leave(one, 'limited', 2 * LIMIT + PLACES);
    await one.get(OutboxProcessor).poll();
    await until(() => open.length === LIMIT);
    const { outbox } = one.get(WorkflowPersistence);
    while ((await outbox.findWaitingTurns(9)).length === 0) await nextTurn();
    await two.get(OutboxProcessor).poll();
    await until(() => open.length === 2 * LIMIT);
    const free = await node({ nodeName: 'free', dispatchLimits: {} });
    // As its rounds do: what the others are just giving back is found by a later one.
    for (; open.length < 2 * LIMIT + PLACES; await nextTurn()) await free.get(OutboxProcessor).poll();
    expect(open).toHaveLength(2 * LIMIT + PLACES);

    await endUntil(2 * LIMIT + PLACES);
    expect((await outbox.count()).waiting).toBe(0);
  });

  it('finds starts that a dead node left waiting, at any turn', async () => {
    const one = await node();
    const [id] = await leave(one, 'limited', 1);
    const { outbox } = one.get(WorkflowPersistence);
    const at = { owner: 'another', turn: -1, availableAt: new Date(0) };
    await outbox.letWait([id!], at);
    await clock.advance(SECOND);
    expect(await one.get(OutboxProcessor).poll()).toBe(1);
    await until(() => open.length === 1);
    await endUntil(1);
    expect((await outbox.count()).waiting).toBe(0);
  });
});
