import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Activity, ActivityBase, type ActivityExecutionContext, type ActivityJson, Input } from '@waymark/core';
import { SCHEDULING_OPTIONS, resolveSchedulingOptions, schedulingProviders } from '@waymark/scheduling/adapter';
import { IBookmarkResumer, IWorkflowRuntime, WorkflowPersistence, AlterationRunner } from '@waymark/runtime';
import { RuntimeMaintenance } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { line, literal, type RuntimeNode, sequence, startNode, waitFor } from '../support/runtime-node.js';

const SECOND = 1000;
const NEVER_MS = 2 ** 30;

/** Effects outside, by key: a system that recognises a repeated request. */
let ledger: Map<string, string>;
let requests: string[];
/** Called before the answer to a request: a process may die there. */
let onRequest: (text: string) => Promise<void> | void;
let failing: Set<string>;

@Injectable()
@Activity({ namespace: 'Test' })
class Effect extends ActivityBase {
  @Input({ type: 'String' }) text!: string;

  async execute(ctx: ActivityExecutionContext): Promise<void> {
    requests.push(this.text);
    if (failing.has(this.text)) throw new Error(`${this.text} fails`);
    ledger.set(ctx.idempotencyKey, this.text);
    await onRequest(this.text);
  }
}

const effect = (text: string, customProperties = {}): ActivityJson => ({
  type: 'Test.Effect',
  id: text.replaceAll(' ', '-'),
  text: literal(text),
  customProperties,
});
const step = (id: string, undo: ActivityJson = effect(`undo ${id}`)) => ({
  type: 'Waymark.Compensable',
  id,
  body: effect(id),
  undo,
});
const retry = (maxAttempts: number) => ({ retryPolicy: { maxAttempts, delay: '00:00:01', backoff: 'Constant' } });

describeOn(await testBackends(), 'compensation on $name', (backend) => {
  let clock: VirtualClock;
  let nodes: RuntimeNode[];

  const node = async (on = clock): Promise<RuntimeNode> => {
    const options = resolveSchedulingOptions({ pollIntervalMs: 600_000, retryMinMs: SECOND });
    const started = await startNode(await backend.create(), {
      clock: on,
      pollIntervalMs: NEVER_MS,
      providers: [Effect, ...schedulingProviders, { provide: SCHEDULING_OPTIONS, useValue: options }],
    });
    nodes.push(started);
    return started;
  };
  const client = (on: RuntimeNode, id?: string) => on.get(IWorkflowRuntime).createClient(id);
  const start = async (on: RuntimeNode, definition: string) => (await client(on)).createAndRunInstance({ definition });
  const load = async (on: RuntimeNode, id: string) => (await on.get(WorkflowPersistence).instances.load(id))!;
  const resume = async (on: RuntimeNode, id: string, name: string) => {
    const rows = await on.get(WorkflowPersistence).bookmarks.findMany({ workflowInstanceId: id, names: [name] });
    await on.get(IBookmarkResumer).resumeById(rows[0]!.id);
  };
  const effects = () => [...ledger.values()];

  beforeEach(() => {
    [ledger, requests, failing] = [new Map(), [], new Set()];
    onRequest = () => {};
    clock = new VirtualClock();
    nodes = [];
  });
  afterEach(async () => {
    for (const each of nodes) await each.close();
  });
  afterAll(() => backend.drop());

  it('undoes on another node what one has done, when the error comes there', async () => {
    const first = await node();
    const body = sequence('B', step('flight'), step('hotel'), waitFor('E', 'go'), effect('car', retry(2)));
    const root = { type: 'Waymark.Try', id: 'T', body, catch: line('C', 'sorry'), finally: line('F', 'end') };
    await first.deploy('trip', sequence('S', root, line('Z', 'z')));
    const { workflowInstanceId: id } = await start(first, 'trip');
    const second = await node();
    failing.add('car');
    await resume(second, id, 'Elsa.Event');
    expect((await load(second, id)).subStatus).toBe('Suspended');
    await clock.advance(SECOND);
    await second.settled();
    expect(requests).toEqual(['flight', 'hotel', 'car', 'car', 'undo hotel', 'undo flight']);
    const { subStatus, state } = await load(second, id);
    expect([subStatus, state.incidents, [...first.lines, ...second.lines]]).toEqual([
      'Finished',
      [],
      ['sorry', 'end', 'z'],
    ]);
  });

  it('W8, W9: continues with the undos where a node died between two of them', async () => {
    const theirs = new VirtualClock();
    const dying = await node(theirs);
    const root = sequence('S', step('flight'), step('hotel'), step('car'), effect('pay'));
    // So that what one undo has done is stored before the next one.
    await dying.deploy('saga', root, { options: { commitStrategyName: 'ActivityExecuted' } });
    failing.add('pay');
    let die: () => void = () => {};
    let wake: () => void = () => {};
    const died = new Promise<void>((resolve) => (die = resolve));
    onRequest = (text) => {
      if (text !== 'undo hotel') return;
      die();
      // The effect is there; the process does not hear the answer in time.
      return new Promise((resolve) => (wake = resolve));
    };
    const lost = start(dying, 'saga');
    await died;
    onRequest = () => {};
    const other = await node();
    await clock.advance(31 * SECOND);
    for (let round = 0; round < 5; round++) await other.get(RuntimeMaintenance).runOnce();
    await other.settled();
    const { items } = await other.get(WorkflowPersistence).instances.findMany({ definitionIds: ['saga'] });
    expect(items.map((each) => each.subStatus)).toEqual(['Faulted']);
    expect(requests.filter((text) => text.startsWith('undo'))).toEqual([
      'undo car',
      'undo hotel',
      'undo hotel',
      'undo flight',
    ]);
    // What was asked for twice was asked for with one key.
    expect(effects()).toEqual(['flight', 'hotel', 'car', 'undo car', 'undo hotel', 'undo flight']);
    wake();
    expect((await lost).subStatus).toBe('Faulted');
    expect(effects()).toHaveLength(6);
  });

  it('is cancelled when what it did is undone, and deleted without', async () => {
    const only = await node();
    await only.deploy('c', sequence('S', step('a'), step('b', effect('undo b', retry(3))), waitFor('E', 'go')));
    const { workflowInstanceId: id } = await start(only, 'c');
    failing.add('undo b');
    expect(await (await client(only, id)).cancel()).toBe(true);
    await only.settled();
    expect((await load(only, id)).subStatus).toBe('Suspended');
    failing.clear();
    await clock.advance(SECOND);
    await only.settled();
    expect([(await load(only, id)).subStatus, effects()]).toEqual(['Cancelled', ['a', 'b', 'undo b', 'undo a']]);

    const second = await start(only, 'c');
    await (await client(only, second.workflowInstanceId)).delete();
    await only.settled();
    expect(effects().slice(4)).toEqual(['a', 'b']);
  });

  it('is repaired by a retry of the undo that failed', async () => {
    const only = await node();
    await only.deploy('r', sequence('S', step('a'), step('b'), effect('fail')));
    failing = new Set(['fail', 'undo b']);
    const { workflowInstanceId: id, subStatus } = await start(only, 'r');
    expect(subStatus).toBe('Faulted');
    failing.clear();
    const alterations = [{ type: 'ScheduleActivity' as const, activityId: 'undo-b' }];
    await only.get(AlterationRunner).run(id, alterations);
    await only.settled();
    const { subStatus: end, state } = await load(only, id);
    expect([end, state.incidents.map((i) => i.activityId)]).toEqual(['Faulted', ['fail']]);
    expect(effects()).toEqual(['a', 'b', 'undo b', 'undo a']);
  });

  it('W4: ends in time what waits too long, on any node', async () => {
    const first = await node();
    const body = {
      type: 'Waymark.Timeout',
      id: 'L',
      timeSpan: literal('00:00:30', 'TimeSpan'),
      body: waitFor('E', 'go'),
    };
    const timed = waitFor('F', 'never', { customProperties: { timeout: '00:00:10' } });
    const root = { type: 'Waymark.Try', id: 'T', body, catches: [{ errors: ['WM2060'], activity: line('C', 'late') }] };
    await first.deploy('t', sequence('S', root, timed));
    const { workflowInstanceId: id } = await start(first, 't');
    await first.close();
    nodes = [];
    const second = await node();
    await clock.advance(31 * SECOND);
    await second.settled();
    expect([second.lines, (await load(second, id)).subStatus]).toEqual([['late'], 'Suspended']);
    await clock.advance(11 * SECOND);
    await second.settled();
    const { subStatus, state } = await load(second, id);
    expect([subStatus, state.incidents.map((i) => i.exception?.metadata)]).toEqual(['Faulted', [{ code: 'WM2060' }]]);
  });
});
