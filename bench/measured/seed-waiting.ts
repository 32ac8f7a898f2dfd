import { type WorkflowPersistence } from '@waymark/runtime';
import { createIdGenerator, SystemClock } from '@waymark/runtime/adapter';

/** Commits at the same time: enough to keep a pool of 10 busy. */
const WRITERS = 64;

/** Copies of one waiting instance, with ids as the engine makes them, each with its own correlation: all wait for the same event. */
export async function seedWaiting(persistence: WorkflowPersistence, instanceId: string, count: number): Promise<void> {
  const loaded = await persistence.instances.load(instanceId);
  const bookmarks = await persistence.bookmarks.findMany({ workflowInstanceId: instanceId });
  if (!loaded || bookmarks.length !== 1) throw new Error(`Instance ${instanceId} does not wait.`);
  const { revision: _revision, ...record } = loaded;
  const newId = createIdGenerator(new SystemClock());
  let made = 0;
  const copy = async (): Promise<void> => {
    const id = newId();
    // As instances are made one after the other: of those of one millisecond, lists sort all.
    const createdAt = new Date(record.createdAt.getTime() - count + made);
    const bookmark = { ...bookmarks[0]!, id: newId(), workflowInstanceId: id, correlationId: id };
    const inState = record.state.bookmarks.map((b) => ({ ...b, id: bookmark.id }));
    await persistence.commit({
      instance: {
        ...record,
        id,
        correlationId: id,
        createdAt,
        state: { ...record.state, id, correlationId: id, createdAt, bookmarks: inState },
      },
      expectedRevision: undefined,
      addedBookmarks: [bookmark],
      removedBookmarkIds: [],
      consumedBookmarkIds: [],
      journal: { log: [], records: [] },
      outbox: [],
      consumedMessageIds: [],
      queue: [],
      consumedQueueItemIds: [],
    });
  };
  const writer = async (): Promise<void> => {
    while (made++ < count) await copy();
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
}
