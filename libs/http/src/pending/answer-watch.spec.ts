import type { WorkflowPersistence } from '@waymark/runtime';
import type { StoreOutages, WorkflowEventEmitter } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import type { HandedOverRequests } from '../serving/handed-over-requests.js';
import { AnswerWatch } from './answer-watch.js';
import { KEPT_REQUESTS } from './kept-requests.js';

const TOKEN = 'hash';

/** A watch on an instance that has not answered, whose looks last until they are let go. */
function watching() {
  const clock = new VirtualClock('2026-03-01T10:00:00Z', { patienceMs: 0 });
  const looks: (() => void)[] = [];
  const state = { status: 'Running', bookmarks: [], properties: { [KEPT_REQUESTS]: [{ token: TOKEN }] } };
  const instances = {
    load: async () => ({ state, revision: 1 }),
    readRevision: () => new Promise<number>((resolve) => looks.push(() => resolve(1))),
  };
  const watch = new AnswerWatch(
    { instances } as unknown as WorkflowPersistence,
    { listen: () => () => undefined } as unknown as WorkflowEventEmitter,
    clock,
    { report: () => false } as unknown as StoreOutages,
    { isWaiting: async () => false } as unknown as HandedOverRequests,
    { pollIntervalMs: 1000 } as never,
    { maxWaiting: 10 } as never,
  );
  const wait = () => {
    const gone = new AbortController();
    const waiting = watch.wait({ workflowInstanceId: 'i', token: TOKEN }, 60_000, gone.signal);
    return { leave: () => (gone.abort(), waiting) };
  };
  return { clock, looks, wait };
}

it('looks once at a time, also when requests come and go during a look', async () => {
  const { clock, looks, wait } = watching();
  let waiting = wait();
  await clock.advance(250);
  for (let times = 0; times < 5; times++) {
    // The last one leaves and another one comes while the store is being asked.
    await waiting.leave();
    waiting = wait();
    looks.at(-1)!();
    await clock.advance(250);
  }
  const before = looks.length;
  looks.at(-1)!();
  await clock.advance(250);
  expect(looks.length - before).toBe(1);
  await waiting.leave();
});
