import type { BookmarkFilter, BookmarkStore, ClaimedBookmarks, DueClaimOptions } from '../lookup-stores.js';
import type { Lease } from '../message-stores.js';
import { requireCondition } from '../persistence-errors.js';
import type { StoredBookmark } from '../records.js';
import { matchesBookmark } from './filters.js';
import { isolate } from './isolate.js';
import { type MemoryData, waitingKey } from './memory-data.js';
import { byAge, compareText, compareTime } from './ordering.js';
import { timeOf } from './store-time.js';

export class MemoryBookmarkStore implements BookmarkStore {
  constructor(private readonly data: MemoryData) {}

  async findMany(filter: BookmarkFilter): Promise<StoredBookmark[]> {
    requireCondition('bookmark', filter);
    const found = this.candidates(filter).filter((row) => matchesBookmark(filter, row));
    return isolate(found.sort(byAge));
  }

  async findDue(before: Date, limit: number): Promise<StoredBookmark[]> {
    return isolate(this.dueBy(before).slice(0, limit));
  }

  async claimDue({ owner, limit, leaseMs, lookAheadMs, held, now }: DueClaimOptions): Promise<ClaimedBookmarks> {
    const { bookmarks, bookmarkClaims } = this.data;
    for (const id of bookmarkClaims.keys()) if (!bookmarks.has(id)) bookmarkClaims.delete(id);
    const time = timeOf({ now });
    const until = time + lookAheadMs;
    const isLost = (id: string) => held && bookmarkClaims.get(id)?.owner === owner && !held.includes(id);
    const readyAt = (row: StoredBookmark) => (isLost(row.id) ? row.dueAt!.getTime() : readyTime(this.data, row));
    const due = this.dueBy(new Date(until));
    const claimed = due.filter((row) => readyAt(row) <= time).slice(0, limit);
    const next = Math.min(...due.map(readyAt).filter((at) => at > time && at <= until));
    for (const { id } of claimed) bookmarkClaims.set(id, { owner, until: time + leaseMs });
    const nextAt = claimed.length < limit && next < Infinity ? new Date(next) : undefined;
    return { bookmarks: isolate(claimed), now: new Date(time), nextAt };
  }

  async renewClaims(ids: readonly string[], { owner, leaseMs, now }: Lease): Promise<string[]> {
    const { bookmarks, bookmarkClaims } = this.data;
    const mine = ids.filter((id) => bookmarkClaims.get(id)?.owner === owner && bookmarks.has(id));
    for (const id of mine) bookmarkClaims.set(id, { owner, until: timeOf({ now }) + leaseMs });
    return mine;
  }

  async releaseClaim(id: string, owner: string, availableAt: Date): Promise<void> {
    const { bookmarkClaims } = this.data;
    if (bookmarkClaims.get(id)?.owner === owner)
      bookmarkClaims.set(id, { owner: undefined, until: availableAt.getTime() });
  }

  private dueBy(before: Date): StoredBookmark[] {
    const due = [...this.data.bookmarks.find('due', 'due')].filter((row) => compareTime(row.dueAt, before) <= 0);
    return due.sort((left, right) => compareTime(left.dueAt, right.dueAt) || compareText(left.id, right.id));
  }

  /** The smallest set that an index gives; the filter decides. */
  private candidates(filter: BookmarkFilter): StoredBookmark[] {
    const { bookmarks } = this.data;
    const { ids, hash, hashes, workflowInstanceId, workflowInstanceIds, correlationId } = filter;
    if (ids) return [...new Set(ids)].flatMap((id) => bookmarks.get(id) ?? []);
    if (workflowInstanceId !== undefined) return [...bookmarks.find('instance', workflowInstanceId)];
    if (hash !== undefined && correlationId !== undefined)
      return [...bookmarks.find('waiting', waitingKey(hash, correlationId))];
    if (hash !== undefined) return [...bookmarks.find('hash', hash)];
    if (hashes) return [...new Set(hashes)].flatMap((each) => [...bookmarks.find('hash', each)]);
    if (workflowInstanceIds)
      return [...new Set(workflowInstanceIds)].flatMap((id) => [...bookmarks.find('instance', id)]);
    return [...bookmarks.values()];
  }
}

/** From when on it may be claimed. */
export function readyTime({ bookmarkClaims }: MemoryData, { id, dueAt }: StoredBookmark): number {
  return Math.max(dueAt?.getTime() ?? Infinity, bookmarkClaims.get(id)?.until ?? -Infinity);
}
