import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { EventEmitter2 } from '@nestjs/event-emitter';
import {
  type BookmarkPattern,
  type BookmarkPatternsChanged,
  MemoryPersistence,
  StoreUnavailableError,
  WorkflowEvent,
  type WorkflowPersistence,
} from '@waymark/runtime';
import { RuntimeMaintenance, StoreFollower } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { aBurstOf } from '../support/a-burst.js';
import { anInstanceOf } from '../support/an-instance.js';
import { type RuntimeNode, startNode } from '../support/runtime-node.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Looks until patterns are counted. */
const LOOKS = 60;

let clock: VirtualClock;
let store: WorkflowPersistence;
let node: RuntimeNode;
let heard: { readonly hashes: readonly string[]; readonly areAll: boolean }[];
let count = 0;

beforeEach(async () => {
  clock = new VirtualClock();
  store = new MemoryPersistence();
  await announce('first');
  node = await startNode(store, { clock });
  heard = [];
  node.get(EventEmitter2).on(WorkflowEvent.BookmarkPatternsChanged, ({ patterns, areAll }: BookmarkPatternsChanged) => {
    heard.push({ hashes: patterns.map(({ hash }) => hash), areAll });
  });
});
afterEach(() => node.close());

/** By a commit of another node. */
async function announce(hash: string, agoMs = 0): Promise<void> {
  const announcedAt = new Date(clock.now() - agoMs);
  const pattern: BookmarkPattern = { hash, name: 'Path', payload: { path: '/{id}' }, announcedAt };
  await store.commit(aBurstOf(anInstanceOf(`i-${++count}`), { patterns: [pattern] }));
}

async function look(times = 1): Promise<void> {
  for (let n = 0; n < times; n++) {
    await clock.advance(500);
    await node.get(StoreFollower).follow();
  }
}

it('a look reads only what others announced since the previous one', async () => {
  const findAll = jest.spyOn(store.patterns, 'findAll');
  await look();
  expect(heard).toEqual([]);
  await announce('second');
  await announce('third', 3000);
  await look(2);
  expect(heard).toEqual([{ hashes: ['second', 'third'], areAll: false }]);
  await announce('second');
  await look(LOOKS);
  expect(heard).toHaveLength(1);
  expect(findAll).not.toHaveBeenCalled();
});

it('what was committed too late for the looks is found by the number of patterns', async () => {
  await look();
  await announce('late', HOUR);
  await look(LOOKS);
  expect(heard).toEqual([{ hashes: ['first', 'late'], areAll: true }]);
});

it('unused patterns are removed within an hour after a day, and all nodes are notified', async () => {
  const purge = jest.spyOn(store.patterns, 'purge');
  const runRounds = () => node.get(RuntimeMaintenance).runEverything();
  await runRounds();
  await runRounds();
  expect(purge).toHaveBeenCalledTimes(1);
  await clock.setTime(clock.now() + DAY + HOUR);
  await announce('young');
  await runRounds();
  expect(await store.patterns.state()).toEqual({ count: 1, purges: 1 });
  await look(LOOKS);
  expect(heard.at(-1)).toEqual({ hashes: ['young'], areAll: true });
});

it('patterns that a failed look-up would have announced are announced by the next look-up, however much later', async () => {
  await look(LOOKS - 1);
  await announce('second');
  // Others were removed, so all are read again, and that fails.
  jest.spyOn(store.patterns, 'state').mockResolvedValueOnce({ count: 2, purges: 1 });
  jest.spyOn(store.patterns, 'findAll').mockRejectedValueOnce(new StoreUnavailableError('out'));
  await expect(look()).rejects.toMatchObject({ code: 'WM7014' });
  await clock.advance(60_000);
  await look();
  expect(heard).toEqual([{ hashes: ['second'], areAll: false }]);
});
