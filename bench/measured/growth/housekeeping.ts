import { createIdGenerator, SystemClock, type WorkflowInstanceRecord } from '@waymark/runtime/adapter';
import { forEachAtOnce } from '../../measure/at-once.js';
import { openNode, serveNode } from './node.js';

/** Enough to fill the commits that a group takes together. */
const WRITERS = 64;
const DAY = 24 * 3_600_000;
const FORTY_DAYS = 40 * DAY;

/** Rows that a store was asked to remove, and when the first and the last batch of them was. */
interface Removed {
  rows: number;
  beganAt: number;
  endedAt: number;
}

const node = await openNode();
const { instances, queue } = node.persistence;
const removed: Record<string, Removed> = {};

async function counted<T>(kind: string, task: () => Promise<T>, rowsOf: (answer: T) => number): Promise<T> {
  const beganAt = performance.now();
  const answer = await task();
  const rows = rowsOf(answer);
  if (rows > 0) {
    const sum = (removed[kind] ??= { rows: 0, beganAt, endedAt: 0 });
    sum.rows += rows;
    sum.endedAt = performance.now();
  }
  return answer;
}

const [purge, purgeKeys, expire] = [
  instances.purge.bind(instances),
  instances.purgeRequestKeys.bind(instances),
  queue.expire.bind(queue),
];
instances.purge = (...given) =>
  counted(
    'retention',
    () => purge(...given),
    (ids) => ids.length,
  );
instances.purgeRequestKeys = (...given) => counted('keys', () => purgeKeys(...given), Number);
queue.expire = (expiry) =>
  counted(
    'expiry',
    () => expire(expiry),
    ({ expired }) => expired,
  );

type Copy = Partial<Omit<WorkflowInstanceRecord, 'state'>>;

/** Copies of an instance, as its node would have left them. */
async function copies(
  ofId: string,
  count: number,
  given: Copy,
  withKey: boolean,
  withStimulus: boolean,
): Promise<void> {
  const loaded = await instances.load(ofId);
  if (!loaded) throw new Error(`Instance ${ofId} was not found.`);
  const waiting = await node.persistence.bookmarks.findMany({ workflowInstanceId: ofId });
  const { revision: _revision, ...record } = loaded;
  const newId = createIdGenerator(new SystemClock());
  await forEachAtOnce(count, WRITERS, async () => {
    const id = newId();
    const addedBookmarks = waiting.map((row) => ({ ...row, id: newId(), workflowInstanceId: id }));
    const bookmarks = record.state.bookmarks.map((row, n) => ({ ...row, id: addedBookmarks[n]!.id }));
    const state = { ...record.state, id, bookmarks, isExecuting: given.isExecuting ?? false };
    await node.persistence.commit({
      instance: { ...record, ...given, id, state },
      expectedRevision: undefined,
      addedBookmarks,
      removedBookmarkIds: [],
      consumedBookmarkIds: [],
      journal: { log: [], records: [] },
      outbox: [],
      consumedMessageIds: [],
      queue: withStimulus ? [stimulus(newId(), FORTY_DAYS, id, waiting[0]?.hash)] : [],
      consumedQueueItemIds: [],
      requestKey: withKey ? id : undefined,
    });
  });
}

const stimulus = (id: string, livesMs: number, workflowInstanceId?: string, stimulusHash = 'nothing waits for it') => ({
  id,
  stimulusHash,
  workflowInstanceId,
  createdAt: new Date(),
  expiresAt: new Date(Date.now() + livesMs),
  attempts: 0,
});

serveNode(node, {
  seedOver: async ({ finishedId, count }: { finishedId: string; count: number }): Promise<void> => {
    const at = new Date(Date.now() - FORTY_DAYS);
    await copies(finishedId, count, { createdAt: at, updatedAt: at, finishedAt: at }, true, false);
    const newId = createIdGenerator(new SystemClock());
    await forEachAtOnce(count, WRITERS, async () => void (await queue.enqueue(stimulus(newId(), -1))));
  },
  seedInterrupted: ({ waitingId, count }: { waitingId: string; count: number }) =>
    copies(waitingId, count, { isExecuting: true, updatedAt: new Date(Date.now() - DAY) }, false, false),
  seedUndelivered: ({ waitingId, count }: { waitingId: string; count: number }) =>
    copies(waitingId, count, {}, false, true),
  ids: async (subStatus: 'Finished' | 'Suspended') => (await instances.findIds({ subStatuses: [subStatus] }))[0],
  removed: () => removed,
});
