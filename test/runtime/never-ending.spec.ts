import { afterEach, expect, it, jest } from '@jest/globals';
import { Injectable, Logger } from '@nestjs/common';
import { Activity, ActivityBase, type ActivityExecutionContext } from '@waymark/core';
import {
  type IWorkflowClient,
  IWorkflowDispatcher,
  IWorkflowRuntime,
  MemoryPersistence,
  RuntimeGate,
} from '@waymark/runtime';
import { OutboxProcessor, RuntimeMaintenance } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { line, sequence, startNode } from '../support/runtime-node.js';

// A call of another system that never returns. Its burst cannot be stored before its end, so the instance is in no list.

const release: (() => void)[] = [];
let began = (): void => {};

@Injectable()
@Activity({ namespace: 'Test', kind: 'Task' })
class CallsOut extends ActivityBase {
  execute(_ctx: ActivityExecutionContext): Promise<void> {
    return new Promise((resolve) => {
      release.push(resolve);
      began();
    });
  }
}

afterEach(() => {
  jest.restoreAllMocks();
});

it('names executions of activities that do not end, after a minute, after ten, and then ever more seldom', async () => {
  const warnings: string[] = [];
  jest.spyOn(Logger.prototype, 'warn').mockImplementation((text: unknown) => void warnings.push(String(text)));
  const clock = new VirtualClock();
  const node = await startNode(new MemoryPersistence(), { clock, deliveryConcurrency: 2, providers: [CallsOut] });
  await node.deploy('quick', line('L', 'done'));
  await node.deploy('endless', sequence('S', { type: 'Test.CallsOut', id: 'Call' }, line('L', 'returned')));
  const look = async (seconds: number): Promise<string[]> => {
    for (let passed = 0; passed < seconds; passed += 15) {
      await clock.advance(15_000);
      await node.get(RuntimeMaintenance).runOnce();
    }
    return warnings.splice(0).filter((text) => text.includes('has been executing'));
  };

  const both = new Promise<void>((resolve) => (began = () => release.length === 2 && resolve()));
  const dispatcher = node.get(IWorkflowDispatcher);
  for (let n = 0; n < 2; n++) await dispatcher.dispatch({ definition: 'endless' });
  await both;
  await dispatcher.dispatch({ definition: 'quick' });
  expect(await look(60)).toEqual([]);
  const logged = await look(15);
  expect(logged).toHaveLength(2);
  expect(logged[0]).toMatch(
    /^WM1048: activity 'Call' \(Test.CallsOut\) of instance '\w+' of 'endless' has been executing for 60 s\. .* the 2 messages/,
  );
  expect(await look(500)).toEqual([]);
  expect(await look(60)).toHaveLength(2);
  expect(await look(3000)).toEqual([]);
  // They had all places; others got them after a minute.
  expect(node.lines).toEqual(['done']);

  for (const end of release.splice(0)) end();
  await node.settled();
  expect(node.lines.toSorted()).toEqual(['done', 'returned', 'returned']);
  expect(await look(6000)).toEqual([]);
  await node.close();
});

it('a node without places to lend says which activities have them, and leaves its messages to other nodes', async () => {
  const errors: string[] = [];
  jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  jest.spyOn(Logger.prototype, 'error').mockImplementation((text: unknown) => void errors.push(String(text)));
  const clock = new VirtualClock();
  const persistence = new MemoryPersistence();
  const node = await startNode(persistence, { clock, deliveryConcurrency: 2, providers: [CallsOut] });
  await node.deploy('quick', line('L', 'done'));
  await node.deploy('endless', sequence('S', { type: 'Test.CallsOut', id: 'Call' }, line('L', 'returned')));
  const pass = async (seconds: number): Promise<void> => {
    for (let passed = 0; passed < seconds; passed += 15) {
      await clock.advance(15_000);
      await node.get(RuntimeMaintenance).runOnce();
    }
  };
  const allBegan = (count: number): Promise<void> =>
    new Promise((resolve) => (began = () => release.length === count && resolve()));

  // Two places, and four times as many that are lent.
  const all = allBegan(10);
  const dispatcher = node.get(IWorkflowDispatcher);
  for (let n = 0; n < 10; n++) await dispatcher.dispatch({ definition: 'endless' });
  for (let n = 0; n < 5; n++) await dispatcher.dispatch({ definition: 'quick' });
  await pass(600);
  await all;
  expect(node.lines).toEqual([]);
  expect(errors).toEqual([
    expect.stringMatching(/^WM1049: .* 'Call' \(Test\.CallsOut\) of 'endless': 10\. Messages are left to other nodes/),
  ]);
  const other = await startNode(persistence, { clock, deliveryConcurrency: 2, providers: [CallsOut] });
  await other.get(RuntimeMaintenance).runOnce();
  await other.settled();
  expect(other.lines).toEqual(['done', 'done', 'done', 'done', 'done']);
  await other.close();

  // A place that comes back is used again.
  release.shift()!();
  await dispatcher.dispatch({ definition: 'quick' });
  for (const end of release.splice(0)) end();
  await node.settled();
  expect(node.lines.toSorted()).toEqual(['done', ...Array.from({ length: 10 }, () => 'returned')]);
  await node.close();
});

@Injectable()
@Activity({ namespace: 'Test', type: 'Test.CallsFromBackground', kind: 'Job' })
class CallsFromBackground extends CallsOut {}

it('a background activity that continues after its instance was cancelled has no place any more', async () => {
  const clock = new VirtualClock();
  const providers = [CallsFromBackground];
  const node = await startNode(new MemoryPersistence(), { clock, backgroundConcurrency: 1, providers });
  await node.deploy('endless', sequence('S', { type: 'Test.CallsFromBackground', id: 'Call' }));
  const start = async (): Promise<IWorkflowClient> => {
    const client = await node.get(IWorkflowRuntime).createClient();
    await client.createAndRunInstance({ definition: 'endless' });
    return client;
  };
  const isNext = (): Promise<void> => new Promise((resolve) => (began = resolve));
  const first = isNext();
  const client = await start();
  await first;
  const second = isNext();
  await start();
  await clock.advance(30_000);
  expect(release).toHaveLength(1);
  await client.cancel();
  await clock.advance(30_000);
  await second;
  expect(release).toHaveLength(2);
  for (const end of release.splice(0)) end();
  await node.settled();
  await node.close();
});

it('a message whose call never returns, and whose node was restarted twice, lets the others that were being served then continue', async () => {
  const clock = new VirtualClock();
  const persistence = new MemoryPersistence();
  const node = await startNode(persistence, { clock, providers: [CallsOut] });
  const served: string[] = [];
  let goOn = (): void => {};
  const handle = ({ id }: { id: string }): Promise<void> => {
    served.push(id);
    if (id !== 'hangs') return persistence.outbox.delete(id).then(() => undefined);
    return new Promise((resolve) => (goOn = resolve));
  };
  node.get(OutboxProcessor).register({ kind: 'test', handle });
  const now = () => new Date(clock.now());
  const message = { kind: 'test', payload: null, createdAt: now(), availableAt: now(), attempts: 0 };
  await persistence.outbox.add(['hangs', 'first', 'second'].map((id) => ({ ...message, id })));
  for (const owner of ['dead-1', 'dead-2']) {
    await persistence.outbox.claim({ owner, limit: 3, leaseMs: 1000, now: now() });
    await clock.advance(1001);
  }
  const pass = async (seconds: number): Promise<void> => {
    for (let passed = 0; passed < seconds; passed += 15) {
      await clock.advance(15_000);
      await node.get(RuntimeMaintenance).runOnce();
    }
  };
  await node.get(RuntimeMaintenance).runOnce();
  // Any of them may have ended its process: one at a time.
  await pass(45);
  expect(served).toEqual(['hangs']);
  await pass(45);
  expect(served).toEqual(['hangs', 'first', 'second']);
  await persistence.outbox.delete('hangs');
  goOn();
  await node.settled();
  await node.close();
});

it('a shutdown waits for calls that have lent their places as for others: until its time is over', async () => {
  const warnings: string[] = [];
  jest.spyOn(Logger.prototype, 'warn').mockImplementation((text: unknown) => void warnings.push(String(text)));
  const clock = new VirtualClock();
  const persistence = new MemoryPersistence();
  const options = { clock, deliveryConcurrency: 2, drainTimeoutMs: 5_000, providers: [CallsOut] };
  const node = await startNode(persistence, options);
  await node.deploy('endless', sequence('S', { type: 'Test.CallsOut', id: 'Call' }, line('L', 'returned')));
  const all = new Promise<void>((resolve) => (began = () => release.length === 4 && resolve()));
  for (let n = 0; n < 4; n++) await node.get(IWorkflowDispatcher).dispatch({ definition: 'endless' });
  for (let passed = 0; passed < 75; passed += 15) {
    await clock.advance(15_000);
    await node.get(RuntimeMaintenance).runOnce();
  }
  await all;
  expect(node.get(RuntimeGate).activeBursts).toBe(4);
  let isClosed = false;
  const closed = node.close().then(() => (isClosed = true));
  await clock.advance(4_000);
  expect(isClosed).toBe(false);
  await clock.advance(1_000);
  await closed;
  expect(warnings.filter((text) => text.startsWith('Bursts still running after 5000 ms: 4.'))).toHaveLength(1);
  for (const end of release.splice(0)) end();
});
