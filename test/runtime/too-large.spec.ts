import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Activity, ActivityBase, Output } from '@waymark/core';
import {
  AlterationRunner,
  IBookmarkResumer,
  IEventPublisher,
  IInstanceMigrator,
  IWorkflowDispatcher,
  IWorkflowRuntime,
  LargeStates,
  WorkflowPersistence,
} from '@waymark/runtime';
import { InstanceRetries, RuntimeMaintenance } from '@waymark/runtime/adapter';
import { TypeOrmPersistence } from '@waymark/typeorm';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type RuntimeNode, sequence, startedBy, startNode, waitFor } from '../support/runtime-node.js';

const MAX_STATE_BYTES = 100_000;

/** Makes more than the store may hold. */
@Activity({ type: 'Test.Large' })
class Large extends ActivityBase {
  static runs = 0;
  @Output() result: unknown;

  execute(): void {
    Large.runs++;
    this.result = 'x'.repeat(2 * MAX_STATE_BYTES);
  }
}

const result = { typeName: 'Object', memoryReference: { id: 'v-1' } };
const large = { type: 'Test.Large', id: 'L', result };
const variables = [
  { id: 'v-1', name: 'Orders', typeName: 'Object', storageDriverTypeName: 'WorkflowInstanceStorageDriver' },
];
/** Keeps what the event brings. */
const keep = (id: string, name: string) => waitFor(id, name, { result });

let folder: string;
let node: RuntimeNode;
const start = (maxStateBytes: number) =>
  startNode(TypeOrmPersistence.fromUrl(`sqlite:${path.join(folder, 'a.db')}`, { maxStateBytes }), {
    providers: [Large],
    maxDeliveryAttempts: 1,
  });

beforeEach(async () => {
  Large.runs = 0;
  folder = mkdtempSync(path.join(tmpdir(), 'waymark-large-'));
  node = await start(MAX_STATE_BYTES);
});
afterEach(async () => {
  await node.close();
  rmSync(folder, { recursive: true, force: true });
});

const leftOver = () => node.get(WorkflowPersistence).outbox.count();

it('a first burst ends as a faulted instance that says which variable is too large', async () => {
  await node.deploy('now', sequence('S', large, waitFor('E', 'go')), { variables });
  const client = await node.get(IWorkflowRuntime).createClient();
  const { subStatus, incidents } = await client.createAndRunInstance({ definition: 'now', input: { order: 7 } });
  expect([subStatus, incidents[0]!.message]).toEqual([
    'Faulted',
    expect.stringContaining('variable "Orders" (195.3 KB)'),
  ]);
  expect(incidents[0]!.message).toMatch(/takes 19\d\.\d KB, and at most 97\.7 KB can be stored\..*maxStateBytes/s);
  expect(incidents[0]!.message).not.toContain('xxx');
  // With the input that a retry needs.
  expect(await client.exportState()).toMatchObject({ subStatus: 'Faulted', input: { order: 7 } });
});

it('a start by an event passes its event when it is retried under another limit', async () => {
  const first = waitFor('E', 'go', startedBy);
  await node.deploy('begun', sequence('S', first, large, waitFor('F', 'on')), { variables });
  const client = await node.get(IWorkflowRuntime).createClient();
  const input = { __EventPayloadWorkflowInput: 'an order' };
  const begun = { definition: 'begun', triggerActivityId: 'E', input };
  expect((await client.createAndRunInstance(begun)).subStatus).toBe('Faulted');
  expect(await client.exportState()).toMatchObject({ triggerActivityId: 'E', input });
  await node.close();
  node = await start(10 * MAX_STATE_BYTES);
  await node.get(InstanceRetries).retry(client.workflowInstanceId);
  const { state } = (await node.get(WorkflowPersistence).instances.load(client.workflowInstanceId))!;
  expect(state.bookmarks.map(({ activityId }) => activityId)).toEqual(['F']);
  expect([state.subStatus, state.input, state.triggerActivityId]).toEqual(['Suspended', {}, undefined]);
});

it('a later burst faults the instance at its bookmark, and is not run again', async () => {
  await node.deploy('later', sequence('S', waitFor('E', 'go'), large, waitFor('F', 'on')), { variables });
  const client = await node.get(IWorkflowRuntime).createClient();
  await client.createAndRunInstance({ definition: 'later' });
  await node.get(IEventPublisher).dispatch('go');
  await node.settled();
  const { subStatus, incidents } = await client.exportState();
  expect([subStatus, incidents.map(({ activityId }) => activityId), Large.runs]).toEqual(['Faulted', ['E'], 1]);
  expect(await leftOver()).toEqual({ waiting: 0, deadLetters: 0 });
});

it('a caller whose input leaves no room gets the error, and the instance waits as before', async () => {
  await node.deploy('input', sequence('S', keep('E', 'go'), waitFor('F', 'on')), { variables });
  const client = await node.get(IWorkflowRuntime).createClient();
  await client.createAndRunInstance({ definition: 'input' });
  const before = await client.exportState();
  const [bookmark] = before.bookmarks;
  const resume = (payload: string) =>
    node.get(IBookmarkResumer).resumeById(bookmark!.id, { input: { __EventPayloadWorkflowInput: payload } });
  await expect(resume('x'.repeat(MAX_STATE_BYTES))).rejects.toMatchObject({
    code: 'WM7017',
    workflowInstanceId: before.id,
    maxBytes: MAX_STATE_BYTES,
  });
  expect(await client.exportState()).toEqual(before);
  await resume('small');
  expect(await client.exportState()).toMatchObject({ subStatus: 'Suspended', incidents: [] });
});

it('an input that comes in a message faults the instance, and the message is served', async () => {
  await node.deploy('input', sequence('S', keep('E', 'go'), waitFor('F', 'on')), { variables });
  const client = await node.get(IWorkflowRuntime).createClient();
  await client.createAndRunInstance({ definition: 'input' });
  // Before anything waits for it, so that it comes by the queue.
  await node.get(IEventPublisher).publish('on', { payload: 'x'.repeat(MAX_STATE_BYTES) });
  await node.deploy('queued', sequence('S', keep('F', 'on'), waitFor('G', 'off')), { variables });
  const queued = await node.get(IWorkflowRuntime).createClient();
  await queued.createAndRunInstance({ definition: 'queued' });
  await node.settled();
  expect(await queued.exportState()).toMatchObject({ subStatus: 'Faulted', incidents: [{ activityId: 'F' }] });
  expect(await leftOver()).toEqual({ waiting: 0, deadLetters: 0 });
});

it('a dispatched start whose input is too large ends as a faulted instance', async () => {
  const inputs = [{ name: 'Text', type: 'String', storageDriverType: 'WorkflowInstanceStorageDriver' }];
  await node.deploy('dispatched', sequence('S', waitFor('E', 'go')), { inputs });
  const input = { Text: 'x'.repeat(MAX_STATE_BYTES) };
  const id = await node.get(IWorkflowDispatcher).dispatch({ definition: 'dispatched', input });
  await node.settled();
  const stored = await node.get(WorkflowPersistence).instances.load(id);
  expect(stored).toMatchObject({ subStatus: 'Faulted', incidentCount: 1 });
  expect(await leftOver()).toEqual({ waiting: 0, deadLetters: 0 });
});

it('an instance that is beyond a limit set later can be cancelled, and faults when it continues', async () => {
  await node.close();
  node = await start(1_000_000);
  await node.deploy('older', sequence('S', large, waitFor('E', 'go'), waitFor('F', 'on')), { variables });
  const ids: string[] = [];
  for (let n = 0; n < 2; n++) {
    const client = await node.get(IWorkflowRuntime).createClient();
    expect((await client.createAndRunInstance({ definition: 'older' })).subStatus).toBe('Suspended');
    ids.push(client.workflowInstanceId);
  }
  await node.close();
  node = await start(MAX_STATE_BYTES);
  const clientOf = (id: string | undefined) => node.get(IWorkflowRuntime).createClient(id);
  await (await clientOf(ids[0])).cancel();
  await node.get(IEventPublisher).dispatch('go');
  await node.settled();
  expect((await (await clientOf(ids[0])).exportState()).subStatus).toBe('Cancelled');
  expect((await (await clientOf(ids[1])).exportState()).subStatus).toBe('Faulted');
});

it('refuses a limit that cannot work', () => {
  for (const maxStateBytes of [0, -1, Number.NaN, 2 ** 40])
    expect(() => TypeOrmPersistence.fromUrl('sqlite::memory:', { maxStateBytes })).toThrow(/maxStateBytes/);
});

it('is counted for operators: what grows towards the limit, until it has ended wherever that is, and what was refused', async () => {
  await node.deploy('grows', sequence('S', keep('E', 'go'), waitFor('F', 'then')), { variables });
  const states = node.get(LargeStates);
  const client = await node.get(IWorkflowRuntime).createClient();
  await client.createAndRunInstance({ definition: 'grows' });
  const { workflowInstanceId } = client;
  expect([states.count, states.refused]).toEqual([0, 0]);
  const payload = 'x'.repeat(0.8 * MAX_STATE_BYTES);
  await node.get(IEventPublisher).publish('go', { workflowInstanceId, payload });
  expect([states.count, states.nearLimit]).toMatchObject([
    1,
    [{ workflowInstanceId, definitionId: 'grows', maxBytes: MAX_STATE_BYTES }],
  ]);
  await node.get(RuntimeMaintenance).runEverything();
  expect(states.count).toBe(1);
  // By another node.
  await node.get(WorkflowPersistence).instances.delete([workflowInstanceId]);
  await node.get(RuntimeMaintenance).runEverything();
  expect(states.count).toBe(0);

  await node.deploy('now', sequence('S', large, waitFor('E', 'go')), { variables });
  const other = await node.get(IWorkflowRuntime).createClient();
  await other.createAndRunInstance({ definition: 'now' });
  expect([states.count, states.refused]).toEqual([0, 1]);
});

it('is not near its limit any more on this node when another node has made it smaller', async () => {
  const twice = sequence('S', keep('E', 'go'), keep('F', 'then'), waitFor('G', 'end'));
  await node.deploy('shrinks', twice, { variables });
  const states = node.get(LargeStates);
  const client = await node.get(IWorkflowRuntime).createClient();
  await client.createAndRunInstance({ definition: 'shrinks' });
  const { workflowInstanceId } = client;
  const payload = 'x'.repeat(0.8 * MAX_STATE_BYTES);
  await node.get(IEventPublisher).publish('go', { workflowInstanceId, payload });
  await node.get(RuntimeMaintenance).runEverything();
  expect(states.nearLimit).toMatchObject([{ workflowInstanceId }]);
  const other = await start(MAX_STATE_BYTES);
  try {
    await other.get(IEventPublisher).publish('then', { workflowInstanceId, payload: 'small' });
    expect((await client.exportState()).bookmarks).toMatchObject([{ activityId: 'G' }]);
  } finally {
    await other.close();
  }
  await node.get(RuntimeMaintenance).runEverything();
  expect([states.count, states.nearLimit]).toEqual([0, []]);
});

it('a migration whose earlier state does not fit beside the new one says how to proceed, and changes nothing', async () => {
  const steps = [keep('E', 'go'), waitFor('F', 'then')];
  await node.deploy('moved', sequence('S', ...steps), { variables });
  const client = await node.get(IWorkflowRuntime).createClient();
  await client.createAndRunInstance({ definition: 'moved' });
  const { workflowInstanceId } = client;
  await node.get(IEventPublisher).publish('go', { workflowInstanceId, payload: 'x'.repeat(0.6 * MAX_STATE_BYTES) });
  await node.deploy('moved', sequence('S', ...steps, waitFor('G', 'end')), { variables });
  const before = await client.exportState();
  await expect(node.get(IInstanceMigrator).migrate(workflowInstanceId, { targetVersion: 2 })).rejects.toMatchObject({
    code: 'WM1056',
    workflowInstanceId,
    message: expect.stringContaining('Raise maxStateBytes'),
  });
  const alterations = [{ type: 'Migrate' as const, targetVersion: 2 }];
  const { isSuccessful, log } = await node.get(AlterationRunner).run(workflowInstanceId, alterations);
  expect([isSuccessful, log.logEntries]).toMatchObject([
    false,
    [{ message: expect.stringContaining('can be undone') }],
  ]);
  expect(await client.exportState()).toEqual(before);
  // A value that would be too large by itself is not about the migration.
  const value = 'x'.repeat(2 * MAX_STATE_BYTES);
  const enlarged = [...alterations, { type: 'ModifyVariable' as const, variableId: 'v-1', value }];
  await expect(node.get(AlterationRunner).change(workflowInstanceId, enlarged, {})).rejects.toMatchObject({
    code: 'WM7017',
  });
  // As the error says.
  const roomy = await start(3 * MAX_STATE_BYTES);
  try {
    await roomy.get(IInstanceMigrator).migrate(workflowInstanceId, { targetVersion: 2 });
    await roomy.get(IEventPublisher).publish('then', { workflowInstanceId });
  } finally {
    await roomy.close();
  }
  await node.get(IEventPublisher).publish('end', { workflowInstanceId });
  expect((await client.exportState()).subStatus).toBe('Finished');
});
