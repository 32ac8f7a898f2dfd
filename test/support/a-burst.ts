import type { BurstCommit } from '@waymark/runtime/adapter';

/** The first burst of an instance, which does nothing but what is given. With `expectedRevision` it is a later one. */
export function aBurstOf(instance: BurstCommit['instance'], given: Partial<BurstCommit> = {}): BurstCommit {
  return {
    instance,
    expectedRevision: undefined,
    addedBookmarks: [],
    removedBookmarkIds: [],
    consumedBookmarkIds: [],
    journal: { log: [], records: [] },
    outbox: [],
    consumedMessageIds: [],
    queue: [],
    consumedQueueItemIds: [],
    ...given,
  };
}
